//! What Saga writes down: a chain of entries a review, and the receipt that closes an evaluation.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::decision::{Basis, Condition, VerdictKind};
use super::{Evaluation, RecommendationKind};
use crate::identity::RecordId;
use crate::{Digest, Name, Principal, ReasonCode, ReviewId, Timestamp};

/// Before anything is decided: that it is about to be (S-03).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditIntent {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The bundle to be judged, if one was sealed in time.
    pub bundle_digest: Option<Digest>,
}

/// The evaluation's records since the last entry, chained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditEntry {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// From 0, without gaps, a review.
    pub sequence: u32,
    /// The hash of the entry before; of nothing, 32 zero bytes.
    pub previous: Digest,
    /// What it vouches for, in log order.
    pub items: Vec<AuditItem>,
}

impl AuditEntry {
    /// What the next entry names as `previous`: SHA-256 of this entry's canonical CBOR.
    #[must_use]
    pub fn hash(&self) -> Digest {
        Digest::of_value(self)
    }
}

/// What the first entry names as `previous`.
pub const GENESIS: Digest = Digest::from_bytes([0; 32]);

/// One record that an entry vouches for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditItem {
    /// The record.
    pub record: RecordId,
    /// SHA-256 of its stored bytes.
    pub digest: Digest,
}

/// Closes an evaluation: what the gate and exit codes read. Never an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionReceipt {
    /// The review.
    pub review: ReviewId,
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The word.
    pub verdict: VerdictKind,
    /// What was recommended.
    pub recommendation: RecommendationKind,
    /// What the verdict rests on.
    pub basis: Basis,
    /// What the change is.
    pub content_digest: Digest,
    /// The whole change.
    pub change_digest: Digest,
    /// The context it was judged in.
    pub snapshot_digest: Option<Digest>,
    /// The evidence it was judged on.
    pub bundle_digest: Option<Digest>,
    /// The case.
    pub case_digest: Digest,
    /// The catalog.
    pub catalog: Digest,
    /// Who asked.
    pub requester: Principal,
    /// Whose approval it rests on (U13).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub approved_by: BTreeSet<Name>,
    /// What has to be given before the change goes ahead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// The exceptions that were granted with it (U9).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<ExceptionGranted>,
    /// The audit entry that vouches for it.
    pub audit_hash: Digest,
    /// When it was decided.
    pub decided_at: Timestamp,
    /// Not valid after this.
    pub valid_until: Timestamp,
}

/// A reason that was accepted for a while.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExceptionGranted {
    /// The reason.
    pub code: ReasonCode,
    /// What it is about; every subject, where absent.
    pub subject: Option<String>,
    /// Until when.
    pub until: Timestamp,
}

/// The digest of the read model at the receipt. No decision may read it (S-04).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewProjection {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// SHA-256 of the canonical read model.
    pub digest: Digest,
}
