//! What the log holds of one review, by evaluation, each record with its name.

use std::sync::Arc;

use ontology::identity::RecordId;
use ontology::records::{
    AuditEntry, Case, Change, ConcurrentChanges, Cost, DecisionReceipt, Degradation, Evaluation, Evidence,
    EvidenceBundle, EvidenceKey, GraphReceipt, ImpactEnvelope, Opening, OptionSet, Pins, PolicySet,
    RecommendationKind, Recommendation, Recovery, ReviewProjection, ReviewSchedule, Scenario, StateSnapshot,
    Verdict,
};
use ontology::{Digest, Timestamp};
use topics::{Object, Stored};

/// A record as it was filed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filed<T> {
    /// The record.
    pub object: Arc<T>,
    /// Its name, for ever.
    pub record: RecordId,
    /// Its topic.
    pub topic: topics::Topic,
    /// SHA-256 of its stored bytes.
    pub digest: Digest,
    /// When it happened.
    pub at: Timestamp,
}

/// One evaluation of a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluated {
    /// Its number.
    pub number: Evaluation,
    /// Why it was opened; absent for the first, which the change opens.
    pub opening: Option<Opening>,
    /// The cut-off.
    pub opened_at: Timestamp,
    /// What it is judged against.
    pub pins: Pins,
    /// The record that opened it.
    pub opened_by: RecordId,
    /// See [`StateSnapshot`].
    pub snapshot: Option<Filed<StateSnapshot>>,
    /// See [`PolicySet`].
    pub policies: Option<Filed<PolicySet>>,
    /// See [`OptionSet`].
    pub options: Option<Filed<OptionSet>>,
    /// See [`ReviewSchedule`].
    pub schedule: Option<Filed<ReviewSchedule>>,
    /// See [`ConcurrentChanges`].
    pub concurrent: Option<Filed<ConcurrentChanges>>,
    /// See [`Cost`].
    pub cost: Option<Filed<Cost>>,
    /// See [`Recovery`].
    pub recovery: Option<Filed<Recovery>>,
    /// See [`EvidenceBundle`].
    pub bundle: Option<Filed<EvidenceBundle>>,
    /// See [`GraphReceipt`].
    pub graph: Option<Filed<GraphReceipt>>,
    /// See [`Scenario`].
    pub scenario: Option<Filed<Scenario>>,
    /// See [`Case`].
    pub case: Option<Filed<Case>>,
    /// See [`ImpactEnvelope`].
    pub envelope: Option<Filed<ImpactEnvelope>>,
    /// See [`Recommendation`].
    pub recommendation: Option<Filed<Recommendation>>,
    /// See [`Verdict`].
    pub verdict: Option<Filed<Verdict>>,
    /// The newest audit entry.
    pub entry: Option<Filed<AuditEntry>>,
    /// See [`DecisionReceipt`].
    pub receipt: Option<Filed<DecisionReceipt>>,
    /// See [`ReviewProjection`].
    pub projection: Option<Filed<ReviewProjection>>,
}

/// One review, folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folded {
    /// What is reviewed.
    pub change: Filed<Change>,
    /// Claims that came later.
    pub evidence: Vec<Filed<Evidence>>,
    /// Agents that were degraded while it was judged (S-19).
    pub degraded: Vec<Filed<Degradation>>,
    /// Its evaluations, oldest first; never empty.
    pub evaluations: Vec<Evaluated>,
    /// What the newest evaluation would be recommended as, were this key's evidence at hand (U1).
    pub hypotheses: Vec<(EvidenceKey, RecommendationKind)>,
}
