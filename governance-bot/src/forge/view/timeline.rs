//! Events of a pull request's life, with who did it and when. Numeric ids decide who.

use ontology::Timestamp;
use serde::{Deserialize, Serialize};

use super::account::Account;
use super::pulls::Label;
use super::{Identified, Parent};

/// An event of the timeline. The kinds differ much; what they share, and what the gate reads of some, is here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimelineEvent {
    /// The kind: `labeled`, `unlabeled`, `committed`, `reviewed`, `commented`, `head_ref_force_pushed`,
    /// `base_ref_changed`, `ready_for_review`, `convert_to_draft`, `renamed` and others. GitHub adds kinds.
    #[serde(default)]
    pub event: Option<String>,
    /// The numeric id. A commit has none.
    #[serde(default)]
    pub id: Option<u64>,
    /// Who did it.
    #[serde(default)]
    pub actor: Option<Account>,
    /// Whose it is: reviews and comments have it instead of, or besides, an actor.
    #[serde(default)]
    pub user: Option<Account>,
    /// When it happened.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
    /// When a comment was edited last.
    #[serde(default)]
    pub updated_at: Option<Timestamp>,
    /// When a review was submitted.
    #[serde(default)]
    pub submitted_at: Option<Timestamp>,
    /// The label that came or went.
    #[serde(default)]
    pub label: Option<Label>,
    /// The commit, of a `committed`.
    #[serde(default)]
    pub sha: Option<String>,
    /// Its parents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<Parent>,
    /// The commit that an event is about: the head at the time of a review or a force-push.
    #[serde(default)]
    pub commit_id: Option<String>,
    /// What a review says.
    #[serde(default)]
    pub state: Option<String>,
    /// The text of a comment or review.
    #[serde(default)]
    pub body: Option<String>,
}

impl TimelineEvent {
    /// Whether it is of this kind.
    #[must_use]
    pub fn is(&self, kind: &str) -> bool {
        self.event.as_deref() == Some(kind)
    }
}

impl Identified for TimelineEvent {
    fn identity(&self) -> Option<String> {
        let kind = self.event.as_deref().unwrap_or_default();
        let id = self.id.map(|id| id.to_string()).or_else(|| self.sha.clone())?;
        Some(format!("{kind}/{id}"))
    }
}

/// A comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommentEvent {
    /// The numeric id.
    pub id: u64,
    /// Whose.
    #[serde(default)]
    pub user: Option<Account>,
    /// Its text.
    #[serde(default)]
    pub body: Option<String>,
    /// When it was written.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
}
