//! What one can type about a catalog.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Output;

/// See [`super::Command::Policy`].
#[derive(Debug, Subcommand)]
pub enum Policy {
    /// Read a catalog and list its constraints.
    Check(PolicyCheck),
    /// Write a rule to begin with, and a test of it. Overwrites nothing.
    New(PolicyNew),
    /// Run a catalog's tests: `test_` rules of its Rego, and its `cases/*.yaml`.
    Test(PolicyTest),
    /// Say which target of a plan matches which line of a rule.
    Explain(PolicyExplain),
}

/// See [`Policy::Check`].
#[derive(Debug, Args)]
pub struct PolicyCheck {
    /// The catalog directory; the starter catalog, where absent.
    #[arg(long, value_name = "DIR")]
    pub catalog: Option<PathBuf>,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t)]
    pub output: Output,
}

/// How a rule is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PolicyKind {
    /// A typed constraint, in YAML.
    Graph,
    /// Rego, as conftest has it.
    Rego,
}

/// See [`Policy::New`].
#[derive(Debug, Args)]
pub struct PolicyNew {
    /// Its name: letters, digits, `-` and `_`.
    #[arg(value_name = "NAME")]
    pub name: String,
    /// How it is written.
    #[arg(long, value_enum, default_value = "rego")]
    pub kind: PolicyKind,
    /// The catalog directory; begun, where it has no catalog.yaml.
    #[arg(long, value_name = "DIR", default_value = "catalog")]
    pub catalog: PathBuf,
}

/// See [`Policy::Test`].
#[derive(Debug, Args)]
pub struct PolicyTest {
    /// The catalog directory.
    #[arg(long, value_name = "DIR", default_value = "catalog")]
    pub catalog: PathBuf,
}

/// See [`Policy::Explain`].
#[derive(Debug, Args)]
pub struct PolicyExplain {
    /// The rule: a Rego module, or a constraint in YAML.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The plan.
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// The catalog directory, whose modules and `kept_attributes` the rule needs.
    #[arg(long, value_name = "DIR")]
    pub catalog: Option<PathBuf>,
    /// The model directory, for constraints over the graph.
    #[arg(long, value_name = "DIR")]
    pub model: Option<PathBuf>,
}

/// See [`super::Command::Baseline`].
#[derive(Debug, Subcommand)]
pub enum Baseline {
    /// Write waivers for what the model violates today. Overwrites nothing.
    Write(BaselineWrite),
}

/// See [`Baseline::Write`].
#[derive(Debug, Args)]
pub struct BaselineWrite {
    /// The team that answers for them; only what it owns is waived.
    #[arg(long, value_name = "TEAM")]
    pub owner: String,
    /// The day from which they count again.
    #[arg(long, value_name = "DATE")]
    pub until: String,
    /// Why, for people.
    #[arg(long, value_name = "TEXT", default_value = "it was so before the rules were")]
    pub because: String,
    /// The model directory.
    #[arg(long, value_name = "DIR", default_value = "model")]
    pub model: PathBuf,
    /// The catalog directory; the waivers are written to `waivers/` in it.
    #[arg(long, value_name = "DIR", default_value = "catalog")]
    pub catalog: PathBuf,
}

/// See [`super::Command::Rollout`].
#[derive(Debug, Subcommand)]
pub enum Rollout {
    /// List the rows, and which of them a change would meet.
    Status(RolloutStatus),
}

/// See [`Rollout::Status`].
#[derive(Debug, Args)]
pub struct RolloutStatus {
    /// The catalog directory.
    #[arg(long, value_name = "DIR", default_value = "catalog")]
    pub catalog: PathBuf,
    /// `owner/name` of a repository.
    #[arg(long, value_name = "REPOSITORY")]
    pub repository: Option<String>,
    /// Who owns what is changed.
    #[arg(long, value_name = "TEAM")]
    pub owner: Option<String>,
    /// The class or kind of the change.
    #[arg(long, value_name = "CLASS")]
    pub class: Option<String>,
    /// The environment that is changed.
    #[arg(long, value_name = "ENVIRONMENT")]
    pub environment: Option<String>,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t)]
    pub output: Output,
}

/// See [`super::Command::ExplainClass`].
#[derive(Debug, Args)]
pub struct ExplainClass {
    /// The plan.
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// The catalog directory; the starter catalog, where absent.
    #[arg(long, value_name = "DIR")]
    pub catalog: Option<PathBuf>,
    /// The kind of the change, where it does not say its own.
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t)]
    pub output: Output,
}
