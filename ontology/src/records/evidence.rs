//! What specialists observed, and the sealed bundle of it.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Evaluation, OptionId};
use crate::{Digest, Money, ObjectId, Reason, Timestamp};

/// Confidence in a measured or confirmed effect, in basis points.
pub const CONFIDENCE_MEASURED_BP: u32 = 9_000;
/// Confidence in an effect from a price book or an assumption, in basis points.
pub const CONFIDENCE_ASSUMED_BP: u32 = 6_000;

/// Why there is no answer, and what would help.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unavailable {
    /// What went wrong.
    pub cause: String,
    /// What to do about it.
    pub cure: String,
}

/// A kind of evidence that the catalog may require.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKey {
    /// The change itself.
    Change,
    /// What it is connected to, and who owns that.
    Topology,
    /// What must be kept.
    Objectives,
    /// The constraints in force.
    Policy,
    /// Which other changes are open.
    ConcurrentChanges,
    /// What it costs.
    Cost,
    /// How it is recovered from.
    Recovery,
}

impl EvidenceKey {
    /// Every key, in order.
    pub const ALL: [Self; 7] = [
        Self::Change,
        Self::Topology,
        Self::Objectives,
        Self::Policy,
        Self::ConcurrentChanges,
        Self::Cost,
        Self::Recovery,
    ];

    /// The stable text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Change => "change",
            Self::Topology => "topology",
            Self::Objectives => "objectives",
            Self::Policy => "policy",
            Self::ConcurrentChanges => "concurrent-changes",
            Self::Cost => "cost",
            Self::Recovery => "recovery",
        }
    }
}

/// What each option costs. Njord's observation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// One effect an option, in the order of the option set.
    pub effects: Vec<CostEffect>,
    /// What is missing or unconfirmed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// There was no answer.
    pub unavailable: Option<Unavailable>,
}

/// What one option costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CostEffect {
    /// The option.
    pub option: OptionId,
    /// Monthly difference.
    pub monthly_delta: Money,
    /// Confidence in basis points.
    pub confidence_bp: u32,
}

/// Whether each option can be recovered from in time. Vidar's observation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recovery {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// One effect an option and recovery objective it touches.
    pub effects: Vec<RecoveryEffect>,
    /// What is missing or too old.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// There was no answer.
    pub unavailable: Option<Unavailable>,
}

/// Recovery under one option, against one objective.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecoveryEffect {
    /// The option.
    pub option: OptionId,
    /// The recovery objective.
    pub objective: ObjectId,
    /// What is recovered.
    pub object: ObjectId,
    /// Recovery time of the newest successful rehearsal.
    pub rto_s: Option<u64>,
    /// Recovery point of the newest successful rehearsal.
    pub rpo_s: Option<u64>,
    /// When that rehearsal was.
    pub rehearsed_at: Option<Timestamp>,
    /// Whether both are within the objective.
    pub met: bool,
}

/// Everything that the judgement may use, sealed (S-03). States which keys are present; does not join them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceBundle {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Facts up to here.
    pub cutoff: Timestamp,
    /// The ontology release of every item (S-23).
    pub release: Digest,
    /// The catalog of every item (S-23).
    pub catalog: Digest,
    /// Relations and objects.
    pub ontology: Vec<EvidenceItem>,
    /// Measured and observed state.
    pub state: Vec<EvidenceItem>,
    /// Constraints, prices and tables.
    pub catalog_items: Vec<EvidenceItem>,
    /// Attachments.
    pub document: Vec<EvidenceItem>,
    /// Keys that have evidence.
    pub present: BTreeSet<EvidenceKey>,
    /// Scheduled branches that did not answer in time (S-15).
    pub missing: BTreeSet<EvidenceKey>,
    /// Sealed by the 80 % deadline, not by completeness.
    pub sealed_by_deadline: bool,
}

/// One item of a bundle: a record's or document's digest under its key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceItem {
    /// The key it serves.
    pub key: EvidenceKey,
    /// SHA-256 of its stored bytes.
    pub digest: Digest,
}
