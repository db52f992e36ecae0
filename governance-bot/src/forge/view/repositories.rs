//! Repositories, branches, and what protects them.

use serde::{Deserialize, Serialize};

use super::account::Account;

/// A repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// The numeric id: names are reused.
    pub id: u64,
    /// `owner/name`.
    pub full_name: String,
    /// Whose.
    pub owner: Account,
    /// The branch that is meant where none is named; never assumed to be `main`.
    #[serde(default)]
    pub default_branch: Option<String>,
    /// Whether only some may see it.
    #[serde(default)]
    pub private: bool,
    /// Whether nothing can change.
    #[serde(default)]
    pub archived: bool,
    /// Whether it may be squashed; absent where we may not see it.
    #[serde(default)]
    pub allow_squash_merge: Option<bool>,
    /// Whether it may be rebased.
    #[serde(default)]
    pub allow_rebase_merge: Option<bool>,
    /// Whether it may be merged.
    #[serde(default)]
    pub allow_merge_commit: Option<bool>,
}

/// A branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// Its name.
    pub name: String,
    /// Its head.
    pub commit: BranchCommit,
    /// Whether anything protects it, classic or not.
    #[serde(default)]
    pub protected: bool,
}

/// The head of a branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchCommit {
    /// The full SHA.
    pub sha: String,
}

/// Classic protection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protection {
    /// Required checks; absent when none are.
    #[serde(default)]
    pub required_status_checks: Option<RequiredStatusChecks>,
    /// Whether administrators are held to it.
    #[serde(default)]
    pub enforce_admins: Option<Switch>,
    /// Whether history may be rewritten.
    #[serde(default)]
    pub allow_force_pushes: Option<Switch>,
}

/// Something that is on or off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    /// Whether it is on.
    pub enabled: bool,
}

/// Required checks of classic protection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequiredStatusChecks {
    /// Whether a head must be up to date.
    #[serde(default)]
    pub strict: Option<bool>,
    /// Names alone, as older versions have them.
    #[serde(default)]
    pub contexts: Vec<String>,
    /// Names with the App that must publish them.
    #[serde(default)]
    pub checks: Vec<PinnedCheck>,
}

/// A required check and its publisher.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PinnedCheck {
    /// The name.
    pub context: String,
    /// The App; absent or -1: anybody (fault 30).
    #[serde(default)]
    pub app_id: Option<i64>,
}

/// A rule of a ruleset, in force for a branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// Its kind: `required_status_checks`, `pull_request`, `merge_queue` and others.
    #[serde(rename = "type")]
    pub kind: String,
    /// The ruleset.
    #[serde(default)]
    pub ruleset_id: Option<u64>,
    /// What it demands.
    #[serde(default)]
    pub parameters: RuleParameters,
}

/// What a rule demands, as far as checks go.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RuleParameters {
    /// Required checks.
    #[serde(default)]
    pub required_status_checks: Vec<RuleCheck>,
    /// Whether a head must be up to date.
    #[serde(default)]
    pub strict_required_status_checks_policy: Option<bool>,
}

/// A required check of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleCheck {
    /// The name.
    pub context: String,
    /// The App; absent: anybody.
    #[serde(default)]
    pub integration_id: Option<i64>,
}
