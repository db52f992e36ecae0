//! Pull requests, issues, reviews and reactions.

use ontology::Timestamp;
use serde::{Deserialize, Serialize};

use super::account::Account;
use super::word::words;

words! {
    /// Whether it is open.
    PullState {
        Open = "open",
        Closed = "closed",
    }
}

words! {
    /// What a review says.
    ReviewState {
        Approved = "APPROVED",
        ChangesRequested = "CHANGES_REQUESTED",
        Commented = "COMMENTED",
        Dismissed = "DISMISSED",
        Pending = "PENDING",
    }
}

/// A pull request. What only the single one has, and a listing lacks, is an option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pull {
    /// The numeric id.
    pub id: u64,
    /// The id for GraphQL.
    #[serde(default)]
    pub node_id: Option<String>,
    /// Its number in the repository.
    pub number: u64,
    /// Whether it is open.
    pub state: PullState,
    /// Its title.
    pub title: String,
    /// Its text.
    #[serde(default)]
    pub body: Option<String>,
    /// Who opened it; absent when the account is gone.
    #[serde(default)]
    pub user: Option<Account>,
    /// Its labels.
    #[serde(default)]
    pub labels: Vec<Label>,
    /// A draft cannot be merged (fault 61).
    #[serde(default)]
    pub draft: bool,
    /// What is to be merged.
    pub head: End,
    /// Into what. Its SHA is that of when the pull request was last touched: no proof of being up to date (fault 68).
    pub base: End,
    /// Whether it is merged.
    #[serde(default)]
    pub merged: Option<bool>,
    /// Yes, no, or not computed yet (fault 64).
    #[serde(default)]
    pub mergeable: Option<bool>,
    /// A word that sums up more than it says: evidence, never a rule.
    #[serde(default)]
    pub mergeable_state: Option<String>,
    /// The test merge while open, the landed commit when merged.
    #[serde(default)]
    pub merge_commit_sha: Option<String>,
    /// Who merged it.
    #[serde(default)]
    pub merged_by: Option<Account>,
    /// Commits, counted.
    #[serde(default)]
    pub commits: Option<u64>,
    /// Changed files, counted.
    #[serde(default)]
    pub changed_files: Option<u64>,
    /// Comments, counted.
    #[serde(default)]
    pub comments: Option<u64>,
    /// When anything about it changed last.
    #[serde(default)]
    pub updated_at: Option<Timestamp>,
    /// Set while the forge itself would merge it as soon as it may.
    #[serde(default)]
    pub auto_merge: Option<serde_json::Value>,
}

/// A label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// Its name.
    pub name: String,
}

/// One end of a pull request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// `owner:branch`; absent when the fork is gone.
    #[serde(default)]
    pub label: Option<String>,
    /// The branch.
    #[serde(rename = "ref")]
    pub branch: String,
    /// The commit.
    pub sha: String,
    /// The repository; absent when the fork is gone.
    #[serde(default)]
    pub repo: Option<EndRepository>,
}

/// The repository of an end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndRepository {
    /// The numeric id.
    pub id: u64,
    /// `owner/name`.
    pub full_name: String,
    /// Whether it is a fork.
    #[serde(default)]
    pub fork: bool,
}

/// An issue, or a pull request seen as one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// The numeric id of the issue (a pull request has another).
    pub id: u64,
    /// Its number.
    pub number: u64,
    /// Its title.
    pub title: String,
    /// Whether it is open. An event of a transfer leaves it out.
    #[serde(default)]
    pub state: Option<PullState>,
    /// Its text.
    #[serde(default)]
    pub body: Option<String>,
    /// Who opened it.
    #[serde(default)]
    pub user: Option<Account>,
    /// Comments, counted.
    #[serde(default)]
    pub comments: u64,
    /// Reactions, counted.
    #[serde(default)]
    pub reactions: Option<ReactionCounts>,
    /// Present when it is a pull request.
    #[serde(default)]
    pub pull_request: Option<serde_json::Value>,
    /// When it was opened.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
    /// When anything about it changed last.
    #[serde(default)]
    pub updated_at: Option<Timestamp>,
}

/// Reactions, counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReactionCounts {
    /// All of them.
    pub total_count: u64,
}

/// A reaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reaction {
    /// The numeric id.
    pub id: u64,
    /// Whose.
    #[serde(default)]
    pub user: Option<Account>,
    /// `+1`, `-1` and others.
    pub content: String,
    /// Since when.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
}

/// A review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// The numeric id.
    pub id: u64,
    /// Whose.
    #[serde(default)]
    pub user: Option<Account>,
    /// What it says.
    pub state: ReviewState,
    /// Its text.
    #[serde(default)]
    pub body: Option<String>,
    /// The commit that the forge says it is about: it can be moved to another one later (fault 48).
    #[serde(default)]
    pub commit_id: Option<String>,
    /// When it was submitted.
    #[serde(default)]
    pub submitted_at: Option<Timestamp>,
}
