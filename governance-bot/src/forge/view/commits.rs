//! Commits, the files that they change, and comparisons.

use serde::{Deserialize, Serialize};

use super::account::Account;
use super::word::words;
use crate::git::Trailer;

words! {
    /// What happened to a file: GitHub's `diff-entry`, in which a deletion is `removed` (a reference's test double said
    /// `deleted`, which nobody sends).
    FileStatus {
        Added = "added",
        Removed = "removed",
        Modified = "modified",
        Renamed = "renamed",
        Copied = "copied",
        Changed = "changed",
        Unchanged = "unchanged",
    }
}

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// The full SHA.
    pub sha: String,
    /// The commit object.
    pub commit: CommitText,
    /// The account of the author's address; absent when none is known (fault 42). An empty object in old answers.
    #[serde(default, deserialize_with = "maybe_account")]
    pub author: Option<Account>,
    /// The account of the committer's address.
    #[serde(default, deserialize_with = "maybe_account")]
    pub committer: Option<Account>,
    /// Its parents.
    #[serde(default)]
    pub parents: Vec<Parent>,
    /// Trailers of the message, raw. The forge does not say them: whoever gathers facts does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trailers: Vec<Trailer>,
}

/// GitHub answers `{}` where an address has no account in some operations, and null in others.
fn maybe_account<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Account>, D::Error> {
    let value = Option::<serde_json::Value>::deserialize(from)?;
    Ok(value.and_then(|value| serde_json::from_value(value).ok()))
}

/// A parent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent {
    /// The full SHA.
    pub sha: String,
}

/// The commit object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitText {
    /// The message as it stands in the object.
    pub message: String,
    /// The tree.
    #[serde(default)]
    pub tree: Option<TreeRef>,
    /// Who wrote it, in free text (fault 40).
    #[serde(default)]
    pub author: Option<Signatory>,
    /// Who committed it, in free text.
    #[serde(default)]
    pub committer: Option<Signatory>,
    /// What the forge found of its signature: of the committer, not the author (fault 41).
    #[serde(default)]
    pub verification: Option<Verification>,
}

/// A tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeRef {
    /// The full SHA.
    pub sha: String,
}

/// A name, an address and a time that whoever committed has typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signatory {
    /// The name.
    #[serde(default)]
    pub name: Option<String>,
    /// The address.
    #[serde(default)]
    pub email: Option<String>,
    /// The time, as text: it proves nothing (fault 44).
    #[serde(default)]
    pub date: Option<String>,
}

/// A signature, as the forge sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// Whether the forge vouches for it.
    #[serde(default)]
    pub verified: bool,
    /// Why, or why not.
    #[serde(default)]
    pub reason: Option<String>,
}

/// A changed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedFile {
    /// The path; after a rename the new one.
    pub filename: String,
    /// The path before a rename or copy: a file moved out of a guarded folder has left it.
    #[serde(default)]
    pub previous_filename: Option<String>,
    /// What happened.
    pub status: FileStatus,
    /// The blob.
    #[serde(default)]
    pub sha: Option<String>,
    /// Lines added.
    #[serde(default)]
    pub additions: u64,
    /// Lines removed.
    #[serde(default)]
    pub deletions: u64,
}

/// A comparison of two commits: `base...head`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// Commits of the head that the base lacks.
    pub ahead_by: u64,
    /// Commits of the base that the head lacks: 0 is up to date.
    pub behind_by: u64,
    /// Commits that the listing has over all of its pages.
    pub total_commits: u64,
    /// The newest commit that both have.
    #[serde(default)]
    pub merge_base_commit: Option<Commit>,
    /// Changed files, at most 300, on the first page.
    #[serde(default)]
    pub files: Option<Vec<ChangedFile>>,
}
