//! The records: immutable, one owner each, unknown fields refused. A record's stored form is its canonical CBOR;
//! JSON has the same names. Each added field is a new schema number in `topics`.

pub mod approval;
pub mod audit;
pub mod catalog;
pub mod change;
pub mod decision;
pub mod document;
pub mod estate;
pub mod evaluation;
pub mod evidence;
pub mod experiment;
pub mod operation;
pub mod snapshot;
#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Digest;

pub use approval::{
    Approval, ApprovalDecision, ApprovalNeed, ApprovalRequest, ApprovalSignal, ApprovalState, ExceptionAsked,
};
pub use audit::{AuditEntry, AuditIntent, AuditItem, DecisionReceipt, ExceptionGranted, ReviewProjection};
pub use catalog::{CatalogRevision, ModelRevision, PolicySet};
pub use change::{
    Attachment, AttachmentKind, Change, ChangeRefused, ChangeSummary, Evidence, Intent, RecheckAsked,
    RequesterAdded,
};
pub use decision::{
    Case, Condition, ConstraintOutcome, GraphReceipt, ImpactEnvelope, ObjectiveEffect, Recommendation,
    RecommendationKind, Scenario, Verdict, VerdictKind,
};
pub use document::{Action, ChangeDocument, Target};
pub use estate::{ChangeClosed, ChangeOpened, ConcurrentChanges};
pub use evaluation::{EvaluationOpened, Opening, OptionDraft, OptionId, OptionSet, ReviewSchedule};
pub use evidence::{Cost, EvidenceBundle, EvidenceItem, EvidenceKey, Recovery};
pub use experiment::ExperimentProposal;
pub use operation::{BodyChunk, DeadlineReached, Degradation, Quarantined, SecurityEvent};
pub use snapshot::StateSnapshot;

/// The number of an evaluation of a review, from 1 to [`EVALUATIONS_MAX`].
pub type Evaluation = u8;
/// Evaluations of one review at most: a review that was judged eight times needs a new change.
pub const EVALUATIONS_MAX: Evaluation = 8;

/// What a review is judged against: fixed when an evaluation opens, the same for everybody (S-08, S-23).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pins {
    /// The ontology release in force.
    pub release: Digest,
    /// The model revision in force.
    pub model: Digest,
    /// The catalog in force.
    pub catalog: Digest,
    /// Milliseconds from the opening step to the deadline.
    pub budget_ms: u64,
}

/// The budget where nobody says otherwise, in milliseconds.
pub const BUDGET_MS_DEFAULT: u64 = 5_000;
