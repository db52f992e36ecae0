//! What the fake GitHub holds.

use std::collections::{BTreeMap, BTreeSet};

use ontology::Timestamp;
use serde_json::Value;

use super::bare::Bare;

/// Everything.
#[derive(Debug, Clone, Default)]
pub struct World {
    /// The time.
    pub now: Timestamp,
    pub(crate) last_id: u64,
    /// Accounts by id.
    pub accounts: BTreeMap<u64, Account>,
    /// Apps by id.
    pub apps: BTreeMap<u64, App>,
    /// Installations by id.
    pub installations: BTreeMap<u64, Installation>,
    /// Tokens in force, and those that were.
    pub tokens: BTreeMap<String, Token>,
    /// Members of teams, by organisation's login and team's slug.
    pub teams: BTreeMap<(String, String), Vec<u64>>,
    /// Repositories by id.
    pub repositories: BTreeMap<u64, Repository>,
}

/// An account.
#[derive(Debug, Clone)]
pub struct Account {
    /// The id.
    pub id: u64,
    /// The login.
    pub login: String,
    /// `User`, `Bot` or `Organization`.
    pub kind: &'static str,
}

/// An App.
#[derive(Debug, Clone)]
pub struct App {
    /// The id.
    pub id: u64,
    /// The slug.
    pub slug: String,
    /// Its public key (PKCS#1 DER), against which its tokens are checked.
    pub public_key: Vec<u8>,
    /// Its bot account.
    pub bot: u64,
}

/// An installation of an App.
#[derive(Debug, Clone)]
pub struct Installation {
    /// The id.
    pub id: u64,
    /// The App.
    pub app: u64,
    /// The account.
    pub account: u64,
    /// Permissions by name: `read` or `write`.
    pub permissions: BTreeMap<String, String>,
}

/// A token.
#[derive(Debug, Clone)]
pub struct Token {
    /// Who acts with it.
    pub who: Who,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
}

/// Who acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// Nobody in particular: reads what is public.
    Anonymous,
    /// A person, by account.
    Person(u64),
    /// An App itself.
    App(u64),
    /// An installation.
    Installation(u64),
}

/// A repository.
#[derive(Debug, Clone)]
pub struct Repository {
    /// The id.
    pub id: u64,
    /// The owner's account.
    pub owner: u64,
    /// The name.
    pub name: String,
    /// What it was forked from.
    pub fork_of: Option<u64>,
    /// The default branch.
    pub default_branch: String,
    /// Whether only some may see it.
    pub private: bool,
    /// Ways in which it may be merged.
    pub merge_methods: BTreeSet<&'static str>,
    /// Whether the plan has protection at all.
    pub offers_protection: bool,
    /// Its objects.
    pub bare: Bare,
    /// Its branches and their heads.
    pub branches: BTreeMap<String, String>,
    /// Issues by number; each pull request has one.
    pub issues: BTreeMap<u64, Issue>,
    /// Pull requests by number.
    pub pulls: BTreeMap<u64, Pull>,
    /// Check runs by id.
    pub check_runs: BTreeMap<u64, CheckRun>,
    /// Statuses, oldest first.
    pub statuses: Vec<Status>,
    /// Classic protection by branch, as GitHub answers it.
    pub protection: BTreeMap<String, Value>,
    /// Rules of rulesets in force by branch, as GitHub answers them.
    pub rules: BTreeMap<String, Vec<Value>>,
    /// Workflow runs by id.
    pub runs: BTreeMap<u64, Run>,
    /// Artifacts by id.
    pub artifacts: BTreeMap<u64, Artifact>,
}

/// An issue, or what a pull request shares with one.
#[derive(Debug, Clone)]
pub struct Issue {
    /// The id.
    pub id: u64,
    /// The number.
    pub number: u64,
    /// The title.
    pub title: String,
    /// The text.
    pub body: String,
    /// Who opened it.
    pub author: u64,
    /// Whether it is open.
    pub open: bool,
    /// Labels.
    pub labels: Vec<String>,
    /// Assignees.
    pub assignees: Vec<u64>,
    /// Comments, oldest first.
    pub comments: Vec<Comment>,
    /// Events, oldest first.
    pub events: Vec<Event>,
    /// Reactions.
    pub reactions: Vec<Reaction>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

/// A comment.
#[derive(Debug, Clone)]
pub struct Comment {
    /// The id.
    pub id: u64,
    /// Whose.
    pub author: u64,
    /// The text.
    pub body: String,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it was edited last.
    pub updated_at: Timestamp,
}

/// An event of the timeline.
#[derive(Debug, Clone)]
pub struct Event {
    /// The id.
    pub id: u64,
    /// The kind.
    pub kind: &'static str,
    /// Who.
    pub actor: u64,
    /// When.
    pub at: Timestamp,
    /// The label, of `labeled` and `unlabeled`.
    pub label: Option<String>,
    /// The commit, of some kinds.
    pub commit: Option<String>,
    /// Old and new title, of `renamed`.
    pub rename: Option<(String, String)>,
}

/// A reaction.
#[derive(Debug, Clone)]
pub struct Reaction {
    /// The id.
    pub id: u64,
    /// Whose.
    pub author: u64,
    /// `+1`, `-1` and others.
    pub content: String,
    /// Since when.
    pub at: Timestamp,
}

/// A pull request.
#[derive(Debug, Clone)]
pub struct Pull {
    /// The id.
    pub id: u64,
    /// The number.
    pub number: u64,
    /// The repository of the head; none when the fork is gone.
    pub head_repository: Option<u64>,
    /// The branch of the head.
    pub head_branch: String,
    /// The head, as this pull request knows it: it may lag behind its branch.
    pub head: String,
    /// The base branch.
    pub base_branch: String,
    /// The base's head when this pull request was last touched.
    pub base: String,
    /// Whether it is a draft.
    pub draft: bool,
    /// How it landed.
    pub merged: Option<Merged>,
    /// Reviews, oldest first.
    pub reviews: Vec<Review>,
    /// Base and head for which mergeability was computed, and after how many more reads it is known.
    pub mergeability: Option<(String, String, u32)>,
}

/// How a pull request landed.
#[derive(Debug, Clone)]
pub struct Merged {
    /// The landed commit.
    pub sha: String,
    /// Who merged it.
    pub by: u64,
    /// When.
    pub at: Timestamp,
}

/// A review.
#[derive(Debug, Clone)]
pub struct Review {
    /// The id.
    pub id: u64,
    /// Whose.
    pub author: u64,
    /// `APPROVED`, `CHANGES_REQUESTED`, `COMMENTED` or `DISMISSED`.
    pub state: String,
    /// The text.
    pub body: String,
    /// The commit that it is said to be about; moved by an update of the branch.
    pub commit: String,
    /// When.
    pub at: Timestamp,
}

/// A check run.
#[derive(Debug, Clone)]
pub struct CheckRun {
    /// The id.
    pub id: u64,
    /// The suite.
    pub suite: u64,
    /// The App.
    pub app: u64,
    /// The name.
    pub name: String,
    /// The commit.
    pub head: String,
    /// `queued`, `in_progress`, `completed`.
    pub status: String,
    /// The conclusion.
    pub conclusion: Option<String>,
    /// When it started.
    pub started_at: Timestamp,
    /// When it ended.
    pub completed_at: Option<Timestamp>,
    /// Title and summary.
    pub output: (Option<String>, Option<String>),
    /// The publisher's name for it.
    pub external_id: String,
}

/// A status.
#[derive(Debug, Clone)]
pub struct Status {
    /// The id.
    pub id: u64,
    /// Who set it.
    pub author: u64,
    /// The commit.
    pub head: String,
    /// The name.
    pub context: String,
    /// `success`, `failure`, `error`, `pending`.
    pub state: String,
    /// In words.
    pub description: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// A workflow run.
#[derive(Debug, Clone)]
pub struct Run {
    /// The id.
    pub id: u64,
    /// The workflow's file.
    pub path: String,
    /// The event that set it off.
    pub event: String,
    /// The commit.
    pub head: String,
    /// Who set it off.
    pub actor: u64,
    /// When.
    pub at: Timestamp,
}

/// An artifact.
#[derive(Debug, Clone)]
pub struct Artifact {
    /// The id.
    pub id: u64,
    /// The name.
    pub name: String,
    /// The run.
    pub run: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// When.
    pub at: Timestamp,
}

impl World {
    /// A new id, of whatever kind: higher is newer.
    pub fn id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// The repository `owner/name`, whatever the case.
    #[must_use]
    pub fn repository_id(&self, owner: &str, name: &str) -> Option<u64> {
        let found = self.repositories.values().find(|repository| {
            repository.name.eq_ignore_ascii_case(name)
                && self.accounts[&repository.owner].login.eq_ignore_ascii_case(owner)
        });
        found.map(|repository| repository.id)
    }

    /// `owner/name`.
    #[must_use]
    pub fn full_name(&self, repository: u64) -> String {
        let repository = &self.repositories[&repository];
        format!("{}/{}", self.accounts[&repository.owner].login, repository.name)
    }

    /// The account that acts.
    #[must_use]
    pub fn actor(&self, who: Who) -> u64 {
        match who {
            Who::Anonymous => 0,
            Who::Person(id) => id,
            Who::App(app) => self.apps[&app].bot,
            Who::Installation(id) => self.apps[&self.installations[&id].app].bot,
        }
    }

    /// The account with a login.
    #[must_use]
    pub fn account(&self, login: &str) -> Option<u64> {
        self.accounts.values().find(|account| account.login == login).map(|account| account.id)
    }
}
