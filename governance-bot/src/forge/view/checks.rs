//! Check runs and commit statuses. Both count: one name may be used by both (`gate.md`, "which run counts").

use ontology::Timestamp;
use serde::{Deserialize, Serialize};

use super::account::Account;
use super::word::words;

words! {
    /// Where a check run stands. GitHub's descriptions differ on the list: REST has fewer words than GraphQL.
    CheckState {
        Queued = "queued",
        InProgress = "in_progress",
        Completed = "completed",
        Waiting = "waiting",
        Requested = "requested",
        Pending = "pending",
    }
}

words! {
    /// How a check run ended. Only `success` satisfies a required check.
    CheckConclusion {
        Success = "success",
        Failure = "failure",
        Neutral = "neutral",
        Cancelled = "cancelled",
        Skipped = "skipped",
        TimedOut = "timed_out",
        ActionRequired = "action_required",
        Stale = "stale",
        StartupFailure = "startup_failure",
    }
}

words! {
    /// What a status says.
    StatusState {
        Success = "success",
        Failure = "failure",
        Error = "error",
        Pending = "pending",
    }
}

/// A check run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckRun {
    /// The numeric id: newer runs have higher ones, whatever the order of a listing (fault 22).
    pub id: u64,
    /// Its name.
    pub name: String,
    /// The commit.
    pub head_sha: String,
    /// Where it stands.
    pub status: CheckState,
    /// How it ended, once completed.
    #[serde(default)]
    pub conclusion: Option<CheckConclusion>,
    /// When it started; equal to the end for a run that never did.
    #[serde(default)]
    pub started_at: Option<Timestamp>,
    /// When it ended.
    #[serde(default)]
    pub completed_at: Option<Timestamp>,
    /// Who published it. Without, the publisher is unknown, which is nobody (fault 30).
    #[serde(default)]
    pub app: Option<CheckApp>,
    /// Its suite.
    #[serde(default)]
    pub check_suite: Option<CheckSuiteRef>,
    /// Its publisher's own name for it.
    #[serde(default)]
    pub external_id: Option<String>,
    /// What it says.
    #[serde(default)]
    pub output: CheckOutput,
}

/// The App that published a check run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckApp {
    /// The numeric id: a slug can be taken by somebody else.
    pub id: u64,
    /// The slug, for people.
    #[serde(default)]
    pub slug: Option<String>,
}

/// The suite of a check run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckSuiteRef {
    /// The numeric id.
    pub id: u64,
}

/// What a check run says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CheckOutput {
    /// The heading.
    #[serde(default)]
    pub title: Option<String>,
    /// The text in which a verdict is published.
    #[serde(default)]
    pub summary: Option<String>,
}

/// A commit status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The numeric id.
    pub id: u64,
    /// Its name.
    pub context: String,
    /// What it says.
    pub state: StatusState,
    /// In words.
    #[serde(default)]
    pub description: Option<String>,
    /// Who set it. The combined status leaves it out.
    #[serde(default)]
    pub creator: Option<Account>,
    /// When it was set.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
}
