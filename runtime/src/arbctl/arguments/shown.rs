//! How a review is shown.

use clap::{Args, ValueEnum};

use super::FailOn;

/// How a review is shown.
#[derive(Debug, Clone, Default, Args)]
pub struct Shown {
    /// The form of the output.
    #[arg(long, value_enum, default_value_t)]
    pub output: Form,
    /// Name the agents beside their roles.
    #[arg(long)]
    pub agents: bool,
    /// Show everything: what passed, all reasons, all records.
    #[arg(short, long)]
    pub verbose: bool,
    /// Outcomes that fail, each with its exit code. By default none where the catalog observes, all where it
    /// enforces.
    #[arg(long, value_enum, value_name = "OUTCOME", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
}

/// The form of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Form {
    /// For people.
    #[default]
    Text,
    /// One document with a schema.
    Json,
    /// For a comment on a pull request.
    Markdown,
    /// GitHub's workflow commands; the job's summary and the step's outputs besides, where the job has them.
    Github,
    /// For a policy check of Atlantis.
    Atlantis,
}
