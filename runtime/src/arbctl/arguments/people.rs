//! What people type who answer a review, or act on one.

use std::path::PathBuf;

use clap::Args;

use super::{Directory, Given, Output, Shown};

/// See [`super::Command::Approve`], [`super::Command::Reject`] and [`super::Command::Revoke`].
#[derive(Debug, Args)]
pub struct Answer {
    /// The review, or the beginning of its id.
    pub review: String,
    /// Why, in your words.
    #[arg(long, value_name = "TEXT")]
    pub because: Option<String>,
    /// Sign the answer with this SSH key (Ed25519, as `ssh-keygen -Y sign` takes it): it says who you are. Without
    /// it you are the user of this machine.
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// Where the log is.
    #[command(flatten)]
    pub directory: Directory,
    /// How it is shown.
    #[command(flatten)]
    pub shown: Shown,
}

/// See [`super::Command::AcceptGap`].
#[derive(Debug, Args)]
pub struct AcceptGap {
    /// The review, or the beginning of its id.
    pub review: String,
    /// The reason that holds it, like `rehearsal_missing`.
    #[arg(long, value_name = "CODE")]
    pub reason: String,
    /// What the reason is about; everything it is about, where absent.
    #[arg(long, value_name = "SUBJECT")]
    pub subject: Option<String>,
    /// Until when: `14d`, a date or a time.
    #[arg(long, value_name = "WHEN")]
    pub until: String,
    /// Why it may be accepted.
    #[arg(long, value_name = "TEXT")]
    pub because: String,
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

/// See [`super::Command::Admit`].
#[derive(Debug, Args)]
pub struct Admit {
    /// The review, or the beginning of its id.
    pub review: String,
    /// What is about to be applied.
    #[command(flatten)]
    pub given: Given,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t)]
    pub output: Output,
    /// Where the log is.
    #[command(flatten)]
    pub directory: Directory,
}
