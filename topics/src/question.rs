//! What agents ask the world, and what the world answers.

use std::collections::BTreeSet;
use std::sync::Arc;

use ontology::records::change::Intent;
use ontology::records::estate::ConcurrentChange;
use ontology::records::{
    ApprovalSignal, Attachment, CatalogRevision, ChangeDocument, Evaluation, ExceptionAsked, ModelRevision,
    OptionSet, Pins,
};
use ontology::{Content, Digest, Name, ObjectId, Principal, ReviewId, Timestamp};

use crate::{Cause, Object};
pub use ontology::records::evidence::Unavailable;

/// An open question. Holds all that [`crate::Agent::observe`] needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Its name, unique in (key, owner): the cause of the step that answers it.
    pub cause: Cause,
    /// The instant it is asked for: the review's cut-off (S-18).
    pub as_of: Timestamp,
    /// What is asked.
    pub ask: Ask,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    /// Which other changes are open with a common target? Answered from the estate.
    ConcurrentChanges {
        /// The evaluation.
        evaluation: Evaluation,
        /// The review that asks.
        review: ReviewId,
        /// The addresses it alters.
        targets: Arc<BTreeSet<ObjectId>>,
        /// Entries of the estate that are older than this count no more.
        not_before: Timestamp,
    },
    /// What does each option cost? Answered from the library.
    Cost(Box<Assessment>),
    /// Can each option be recovered from? Answered from the library.
    Recovery(Box<Assessment>),
    /// A submission, evidence, a recheck, a directory: nobody owed it.
    Intake,
}

/// What a specialist assesses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessment {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The change.
    pub document: Content<ChangeDocument>,
    /// The options.
    pub options: Arc<OptionSet>,
    /// What is in force.
    pub pins: Pins,
    /// Claims of the requester, the change's and later ones.
    pub attachments: Vec<Attachment>,
    /// Objects in scope, for objectives and plans.
    pub scope: Arc<BTreeSet<ObjectId>>,
}

/// What the world answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The library holds all it takes.
    Library,
    /// The open changes with a common target.
    ConcurrentChanges {
        /// At most [`CONCURRENT_MAX`], sorted.
        open: Vec<ConcurrentChange>,
        /// There were more.
        truncated: bool,
    },
    /// There is no answer, with cause and cure.
    Unavailable(Unavailable),
    /// A person's answer, identified by the door.
    Signal(Box<ApprovalSignal>),
    /// An exception that somebody asks for.
    Exception(Box<ExceptionAsked>),
    /// A change to take in.
    Submission(Box<Submission>),
    /// More evidence for a review.
    Evidence {
        /// Who brings it.
        requester: Principal,
        /// The claims.
        attachments: Vec<Attachment>,
        /// What is in force.
        pins: Pins,
    },
    /// Judge again.
    Recheck {
        /// Who asks.
        requester: Principal,
        /// The evaluation they saw.
        seen: Evaluation,
        /// What is in force.
        pins: Pins,
    },
    /// The same change from another principal.
    RequesterAdded(Principal),
    /// A submission to refuse, on the record.
    Refusal {
        /// Who asks.
        requester: Principal,
        /// What they asked for.
        change_digest: Digest,
        /// Why it is refused.
        why: String,
    },
    /// A model revision that was stored as a body.
    Model(ModelRevision),
    /// A catalog that was stored as a body.
    Catalog(CatalogRevision),
    /// What the Runtime says of itself.
    Said(Object),
}

/// Other changes that are listed at most.
pub const CONCURRENT_MAX: usize = 16;

/// A change, normalised and redacted, with what is in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// Where it comes from.
    pub source: Name,
    /// Unique at that source.
    pub idempotency_key: Name,
    /// `infrastructure` or another.
    pub change_kind: Name,
    /// What it is meant to be.
    pub intent: Intent,
    /// Who asks.
    pub requester: Principal,
    /// Whether that was verified.
    pub requester_verified: bool,
    /// The change, inline or as the reference of a body that was stored before.
    pub content: Content<ChangeDocument>,
    /// The change itself.
    pub document: Arc<ChangeDocument>,
    /// [`ChangeDocument::content_digest`] of it, computed once, by who read it.
    pub content_digest: Digest,
    /// When it was planned, as it says.
    pub planned_at: Option<Timestamp>,
    /// The ontology release it asks for.
    pub requested_release: Digest,
    /// What is in force.
    pub pins: Pins,
    /// Claims.
    pub attachments: Vec<Attachment>,
    /// The process it belongs to.
    pub process_ref: Option<ObjectId>,
    /// 1, or one more than the superseded review's.
    pub revision: u32,
    /// The review of the same content that it supersedes.
    pub supersedes: Option<ReviewId>,
}

impl Answer {
    /// The answer that an owed observation stored (`readings`), so that it can be computed again.
    #[must_use]
    pub fn recorded_in(object: &Object) -> Option<Self> {
        let unavailable = match object {
            Object::ConcurrentChanges(found) => found.unavailable.clone(),
            Object::Cost(cost) => cost.unavailable.clone(),
            Object::Recovery(recovery) => recovery.unavailable.clone(),
            _ => return None,
        };
        Some(match (unavailable, object) {
            (Some(unavailable), _) => Self::Unavailable(unavailable),
            (None, Object::ConcurrentChanges(found)) => {
                Self::ConcurrentChanges { open: found.open.clone(), truncated: found.truncated }
            }
            (None, _) => Self::Library,
        })
    }
}
