//! Five axes, each in its own states, no summary (S-37); each state with the records that made it (S-38).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use ontology::identity::RecordId;
use ontology::records::decision::{Basis, Outcome as Found};
use ontology::records::RecommendationKind;
use ontology::policy::Enforcement;
use ontology::{Digest, Effect, ReasonCode};

use super::folded::{Evaluated, Filed, Folded};
use super::outcome::Outcome;

/// Five axes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Axes {
    /// What is known.
    pub evidence: Axis<EvidenceState>,
    /// What was found.
    pub evaluation: Axis<EvaluationState>,
    /// Who says that it may go ahead.
    pub authority: Axis<AuthorityState>,
    /// What was done.
    pub execution: Axis<ExecutionState>,
    /// What was learnt.
    pub learning: Axis<LearningState>,
}

/// A state and what made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(bound = "S: JsonSchema", rename = "Axis_of_{S}")]
pub struct Axis<S> {
    /// The state.
    pub state: S,
    /// The records that made it, in the order in which they were made. Empty where nothing was said yet.
    pub records: Vec<Source>,
}

/// A record behind a state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The record.
    pub record: RecordId,
    /// Its topic.
    pub topic: String,
    /// SHA-256 of its stored bytes.
    pub digest: Digest,
}

macro_rules! states {
    ($($(#[$doc:meta])* $name:ident { $($(#[$state_doc:meta])* $state:ident = $text:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$state_doc])* $state,)* }

        impl $name {
            /// For people.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$state => $text,)* }
            }
        }
    )*};
}

states! {
    /// States of the axis *evidence*, best first.
    EvidenceState {
        /// Every required key has evidence, and nothing lowers it.
        Complete = "complete",
        /// Something is missing.
        Incomplete = "incomplete",
        /// Something is too old.
        Stale = "stale",
        /// Sources contradict each other.
        Conflicting = "conflicting",
        /// A source did not answer.
        Unavailable = "unavailable",
    }
    /// States of the axis *evaluation*, best first.
    EvaluationState {
        /// Nothing is violated and everything could be judged.
        Conformant = "conformant",
        /// Likewise, under conditions.
        Conditional = "conditional",
        /// It cannot be judged yet.
        Held = "held",
        /// A constraint is violated.
        Violated = "violated",
    }
    /// States of the axis *authority*.
    AuthorityState {
        /// Nobody authorised anything.
        ObservationOnly = "observation only",
        /// A standing authorisation of the catalog applies.
        StandingAuthority = "standing authority",
        /// A person has to decide.
        ApprovalRequired = "approval required",
        /// A person approved.
        Approved = "approved",
    }
    /// States of the axis *execution*.
    ExecutionState {
        /// Nobody asked to execute it.
        NotRequested = "not requested",
        /// Asked for.
        Pending = "pending",
        /// Under way.
        Running = "running",
        /// Done, and seen from another source.
        Verified = "verified",
        /// It failed.
        Failed = "failed",
        /// It failed and was rolled back.
        Recovered = "recovered",
    }
    /// States of the axis *learning*.
    LearningState {
        /// There is nothing to learn from it.
        Ineligible = "ineligible",
        /// Similar reviews are being collected.
        CohortCollecting = "cohort collecting",
        /// A rule was proposed.
        CandidateProposed = "candidate proposed",
        /// The catalog was reviewed.
        CatalogReviewed = "catalog reviewed",
    }
}

pub(super) fn of(review: &Folded) -> Axes {
    let newest = review.newest();
    Axes {
        evidence: evidence(review, newest),
        evaluation: evaluation(newest),
        authority: authority(newest),
        // Nothing of this binary executes or learns, so no record can say otherwise.
        execution: Axis { state: ExecutionState::NotRequested, records: vec![source(&review.change)] },
        learning: Axis { state: LearningState::Ineligible, records: newest.receipt.iter().map(source).collect() },
    }
}

fn source<T>(filed: &Filed<T>) -> Source {
    Source { record: filed.record.clone(), topic: filed.topic.to_string(), digest: filed.digest }
}

/// The worst that a reason says of the evidence; a reason without effect says nothing (U8).
fn evidence(review: &Folded, newest: &Evaluated) -> Axis<EvidenceState> {
    let recommendation = newest.recommendation.as_ref().map(|filed| &filed.object);
    let reasons = recommendation.iter().flat_map(|it| &it.reasons).filter(|it| it.effect > Effect::Noted);
    let missing = recommendation.is_none_or(|it| it.keys_present < it.keys_required);
    let least = if missing { EvidenceState::Incomplete } else { EvidenceState::Complete };
    let state = reasons.filter_map(|reason| said_of_evidence(reason.code)).fold(least, Ord::max);
    let mut records = vec![source(&review.change)];
    records.extend(newest.snapshot.iter().map(source));
    records.extend(newest.bundle.iter().map(source));
    records.extend(newest.graph.iter().map(source));
    Axis { state, records }
}

fn said_of_evidence(code: ReasonCode) -> Option<EvidenceState> {
    use ReasonCode as Code;
    match code {
        Code::EvidenceUnavailable | Code::GraphUnavailable => Some(EvidenceState::Unavailable),
        Code::LinkEvidenceConflicting | Code::OwnershipConflict | Code::ServiceMappingConflict => {
            Some(EvidenceState::Conflicting)
        }
        Code::GraphStale
        | Code::LinkEvidenceStale
        | Code::EvidenceStale
        | Code::PlanStale
        | Code::RehearsalStale => Some(EvidenceState::Stale),
        Code::ConstraintViolated
        | Code::ConstraintApproval
        | Code::AffectedCapExceeded
        | Code::CloseCall
        | Code::NoSafeOption
        | Code::ClassIrreversible
        | Code::ClassBaseline
        | Code::ClassPromotion
        | Code::ObjectiveWorsened => None,
        _ => Some(EvidenceState::Incomplete),
    }
}

fn evaluation(newest: &Evaluated) -> Axis<EvaluationState> {
    let violated = newest.case.iter().flat_map(|filed| &filed.object.constraints).any(|outcome| {
        outcome.outcome == Found::Violated && outcome.enforcement >= Enforcement::Approve
    });
    let state = match newest.recommendation.as_ref().map(|filed| filed.object.kind) {
        _ if violated => EvaluationState::Violated,
        Some(RecommendationKind::Rejected) => EvaluationState::Violated,
        Some(RecommendationKind::Held) | None => EvaluationState::Held,
        Some(RecommendationKind::Conditional) => EvaluationState::Conditional,
        Some(RecommendationKind::Conformant | RecommendationKind::ApprovalRequired) => EvaluationState::Conformant,
    };
    let mut records: Vec<Source> = newest.case.iter().map(source).collect();
    records.extend(newest.envelope.iter().map(source));
    records.extend(newest.recommendation.iter().map(source));
    records.extend(newest.verdict.iter().map(source));
    Axis { state, records }
}

fn authority(newest: &Evaluated) -> Axis<AuthorityState> {
    let state = match newest.receipt.as_ref().map(|filed| filed.object.basis) {
        Some(Basis::HumanApproval) => AuthorityState::Approved,
        Some(Basis::StandingAuthorization) => AuthorityState::StandingAuthority,
        Some(Basis::Observation | Basis::Denied) => AuthorityState::ObservationOnly,
        None if Outcome::of(newest) == Outcome::ApprovalRequired => AuthorityState::ApprovalRequired,
        None => AuthorityState::ObservationOnly,
    };
    let mut records: Vec<Source> = newest.recommendation.iter().map(source).collect();
    records.extend(newest.verdict.iter().map(source));
    records.extend(newest.entry.iter().map(source));
    records.extend(newest.receipt.iter().map(source));
    Axis { state, records }
}
