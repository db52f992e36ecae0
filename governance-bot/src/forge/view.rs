//! Lenient views of what the forge says: what the gate reads of it, and no more.
//!
//! A field that the gate does not read may be anything; one that may be null or missing is an option; a word that nobody
//! knows yet is kept as [`Word::Other`](word) and never taken for one that is known. The body as it came is kept beside
//! ([`super::Evidence`]). What a view writes, it reads again: views are parts of [`crate::facts`].

#[cfg(test)]
mod tests;

mod account;
mod actions;
mod checks;
mod commits;
mod pulls;
mod repositories;
mod timeline;
pub mod word;

pub use account::{Account, AccountKind, Delivery, Installation, Token};
pub use actions::{Artifact, ArtifactRun, ReferencedWorkflow, WorkflowRun};
pub use checks::{
    CheckApp, CheckConclusion, CheckOutput, CheckRun, CheckState, CheckSuiteRef, Status, StatusState,
};
pub use commits::{
    ChangedFile, Commit, CommitText, Comparison, FileStatus, Parent, Signatory, TreeRef, Verification,
};
pub use pulls::{
    End, EndRepository, Issue, Label, Pull, PullState, Reaction, ReactionCounts, Review, ReviewState,
};
pub use repositories::{
    Branch, BranchCommit, PinnedCheck, Protection, Repository, RequiredStatusChecks, Rule, RuleCheck,
    RuleParameters, Switch,
};
pub use timeline::{CommentEvent, TimelineEvent};

/// What tells one item of a listing from another.
pub trait Identified {
    /// The identity, where the item has one.
    fn identity(&self) -> Option<String>;
}

/// Items with a number.
macro_rules! identified_by_id {
    ($($view:ty),*) => {
        $(impl Identified for $view {
            fn identity(&self) -> Option<String> {
                Some(self.id.to_string())
            }
        })*
    };
}
identified_by_id!(
    Account,
    Artifact,
    CheckRun,
    Delivery,
    Installation,
    Issue,
    Pull,
    Reaction,
    Repository,
    Review,
    Status,
    WorkflowRun,
    CommentEvent
);

impl Identified for Commit {
    fn identity(&self) -> Option<String> {
        Some(self.sha.clone())
    }
}

impl Identified for ChangedFile {
    fn identity(&self) -> Option<String> {
        Some(self.filename.clone())
    }
}

impl Identified for Rule {
    fn identity(&self) -> Option<String> {
        None
    }
}

impl Identified for serde_json::Value {
    fn identity(&self) -> Option<String> {
        Some(self.get("id")?.to_string())
    }
}
