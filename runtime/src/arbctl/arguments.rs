//! What one can type.

mod change;
mod model;
mod people;
mod policies;
mod shown;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::FailOn;
pub use change::{Change, Given, KubectlDiff, Manifests};
pub use model::{Imported, Model, ModelCheck, ModelGaps, ModelImport, ModelInit};
pub use people::{AcceptGap, Admit, Answer};
pub use policies::{
    Baseline, BaselineWrite, ExplainClass, Policy, PolicyCheck, PolicyExplain, PolicyKind, PolicyNew,
    PolicyTest, Rollout, RolloutStatus,
};
pub use shown::{Form, Shown};

const EXAMPLES: &str = "\
Examples:
  arbctl review plan.json                              look at a plan; nothing is kept
  arbctl submit-change plan.json --model model/        review it and keep the review
  arbctl status rv-8d3q                                show a review again
  arbctl explain missing_evidence                      what a code means and what to do, offline
  arbctl model init --from plan.json                   begin a model from a plan

A plan is what `terraform show -json PLAN > plan.json` prints.
Exit codes: 0 conformant or approved, 2 bad input, 10 conditional, 11 approval required, 12 held, 13 rejected,
14 undecided, 15 replay differs, 69 log unavailable, 70 internal, 75 try again later; --fail-on maps verdicts to 0.";

/// An architecture review board that can be replayed.
#[derive(Debug, Parser)]
#[command(name = "arbctl", version, about, after_help = EXAMPLES, disable_help_subcommand = true, max_term_width = 110)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Review a planned change and keep the review.
    SubmitChange(Submit),
    /// Review a planned change on a log in memory: nothing is kept.
    Review(Review),
    /// Review what `kubectl diff` found: KUBECTL_EXTERNAL_DIFF="arbctl kubectl-diff".
    ///
    /// Exits as diff(1) does: 0 without differences, and then nothing is printed; 1 with some, whatever the verdict;
    /// more than 1 when it failed. kubectl passes on only options of letters, digits, "-" and "=": --model=model.
    KubectlDiff(KubectlDiff),
    /// Show a review, or how the node does.
    Status(Status),
    /// List reviews, latest first.
    List(List),
    /// Add claims to a review and judge it again.
    Evidence(Evidence),
    /// Judge a review again with what is in force now.
    Recheck(Recheck),
    /// Say yes to a review that asks a person.
    Approve(Answer),
    /// Say no to a review that asks a person. Final for this request.
    Reject(Answer),
    /// Take your approval back: the review is judged anew.
    Revoke(Answer),
    /// Ask that a reason which holds a review be accepted for a while: a person decides.
    AcceptGap(AcceptGap),
    /// Say whether a plan may be applied now: 0 only if it is what was reviewed and let through.
    Admit(Admit),
    /// Take parked agents of a review up again.
    Redrive(Redrive),
    /// Say what a reason or error code means. Works offline.
    Explain(Explain),
    /// Show the stages of a review in order, with owner, digest, time and lateness.
    Trace(Trace),
    /// Decide again from what was observed, and compare every derived step.
    Replay(Replay),
    /// Check or begin a model.
    #[command(subcommand)]
    Model(Model),
    /// Check, begin and test a catalog.
    #[command(subcommand)]
    Policy(Policy),
    /// Turn what is violated today into waivers.
    #[command(subcommand)]
    Baseline(Baseline),
    /// Say where verdicts count for how much.
    #[command(subcommand)]
    Rollout(Rollout),
    /// Say which excluded classes a change is in, and which row of the catalog says so.
    ExplainClass(ExplainClass),
    /// Print a plan as it would be kept: without secrets.
    Redact(Redact),
    /// Say what is missing or stuck, and what to do about it.
    Doctor(Doctor),
    /// Print completions for a shell.
    Completions(Completions),
}

/// Where the log is.
#[derive(Debug, Clone, Default, Args)]
pub struct Directory {
    /// The data directory; else $ARB_DATA, else $XDG_STATE_HOME/arb, else ~/.local/state/arb.
    #[arg(long = "dir", visible_alias = "data", value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// The form of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Output {
    /// For people.
    #[default]
    Text,
    /// One document with a schema.
    Json,
}

/// See [`Command::SubmitChange`].
#[derive(Debug, Args)]
pub struct Submit {
    /// What is submitted.
    #[command(flatten)]
    pub change: Change,
    /// Unique at the source; by default made from the content, the model, the catalog and the evidence.
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// Do not wait for the outcome.
    #[arg(long)]
    pub no_wait: bool,
    /// Where the log is.
    #[command(flatten)]
    pub directory: Directory,
    /// How it is shown.
    #[command(flatten)]
    pub shown: Shown,
}

/// See [`Command::Review`].
#[derive(Debug, Args)]
pub struct Review {
    /// What is reviewed.
    #[command(flatten)]
    pub change: Change,
    /// How it is shown.
    #[command(flatten)]
    pub shown: Shown,
}

/// See [`Command::Status`].
#[derive(Debug, Args)]
pub struct Status {
    /// The review, or the beginning of its id; the node itself, where absent.
    pub review: Option<String>,
    /// Where the log is.
    #[command(flatten)]
    pub directory: Directory,
    /// How it is shown.
    #[command(flatten)]
    pub shown: Shown,
}

/// See [`Command::List`].
#[derive(Debug, Args)]
pub struct List {
    /// At most so many.
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub limit: usize,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t)]
    pub output: Output,
    /// Where the log is.
    #[command(flatten)]
    pub directory: Directory,
}

/// See [`Command::Evidence`].
#[derive(Debug, Args)]
pub struct Evidence {
    /// The review, or the beginning of its id.
    pub review: String,
    /// The claims: infracost JSON, a rehearsal.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Do not wait for the outcome.
    #[arg(long)]
    pub no_wait: bool,
    /// Where the log is.
    #[command(flatten)]
    pub directory: Directory,
    /// How it is shown.
    #[command(flatten)]
    pub shown: Shown,
}

/// See [`Command::Recheck`].
#[derive(Debug, Args)]
pub struct Recheck {
    /// The review, or the beginning of its id.
    pub review: String,
    /// Do not wait for the outcome.
    #[arg(long)]
    pub no_wait: bool,
    /// Where the log is.
    #[command(flatten)]
    pub directory: Directory,
    /// How it is shown.
    #[command(flatten)]
    pub shown: Shown,
}

/// See [`Command::Redrive`].
#[derive(Debug, Args)]
pub struct Redrive {
    /// The review, or the beginning of its id.
    pub review: String,
    /// Where the log is.
    #[command(flatten)]
    pub directory: Directory,
}

/// See [`Command::Explain`].
#[derive(Debug, Args)]
pub struct Explain {
    /// The code, like `missing_evidence` or `bad-input`; the list of all, where absent.
    pub code: Option<String>,
    /// The language; else that of LC_ALL, LC_MESSAGES or LANG.
    #[arg(long, value_name = "en|ko")]
    pub lang: Option<String>,
}

/// See [`Command::Trace`].
#[derive(Debug, Args)]
pub struct Trace {
    /// The review, or the beginning of its id.
    #[arg(required_unless_present = "file")]
    pub review: Option<String>,
    /// Read the events from this file (`arbctl trace REVIEW --output events`) instead of a log.
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Which evaluation; the newest, where absent.
    #[arg(long, value_name = "N")]
    pub evaluation: Option<u8>,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t)]
    pub output: TraceOutput,
    /// Where the log is.
    #[command(flatten)]
    pub directory: Directory,
}

/// The form of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum TraceOutput {
    /// For people.
    #[default]
    Text,
    /// One document.
    Json,
    /// The events themselves, one JSON document a line: what `--file` reads.
    Events,
}

/// See [`Command::Replay`].
#[derive(Debug, Args)]
pub struct Replay {
    /// The review, or the beginning of its id.
    #[arg(conflicts_with = "all")]
    pub review: Option<String>,
    /// Every review of the log; the default without a review.
    #[arg(long)]
    pub all: bool,
    /// Decide nothing again: compare what the audit vouches for with what the log holds, by digests.
    #[arg(long, conflicts_with_all = ["review", "strict"])]
    pub digests: bool,
    /// Fail on steps of another logic number, too.
    #[arg(long)]
    pub strict: bool,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t)]
    pub output: Output,
    /// Where the log is.
    #[command(flatten)]
    pub directory: Directory,
}

/// See [`Command::Redact`].
#[derive(Debug, Args)]
pub struct Redact {
    /// The plan, or manifests.
    #[command(flatten)]
    pub given: Given,
    /// A file that holds the key for the digests of withheld values; without it there are none.
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
    /// The catalog directory, whose `kept_attributes` are kept, too.
    #[arg(long, value_name = "DIR")]
    pub catalog: Option<PathBuf>,
}

/// See [`Command::Doctor`].
#[derive(Debug, Args)]
pub struct Doctor {
    /// Where the log is.
    #[command(flatten)]
    pub directory: Directory,
}

/// See [`Command::Completions`].
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}
