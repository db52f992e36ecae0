//! Five axes, each in its own states, no summary colour; each names the records that made it (S-37, S-38).

use ontology::identity::RecordId;
use ontology::records::decision::Basis;
use ontology::records::{Recommendation, RecommendationKind};
use ontology::{Effect, ReasonCode};
use serde::Serialize;
use topics::Topic;

use super::evaluation::Part;

/// A state, and the records that made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Axis<S> {
    /// The state.
    pub state: S,
    /// The records, earliest first.
    pub because: Vec<RecordId>,
}

/// The five axes of one evaluation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Axes {
    /// What the evidence is like.
    pub evidence: Axis<EvidenceState>,
    /// What the evaluation came to.
    pub evaluation: Axis<EvaluationState>,
    /// Who lets it go ahead.
    pub authority: Axis<AuthorityState>,
    /// Whether it was carried out.
    pub execution: Axis<ExecutionState>,
    /// Whether anything is learnt from it.
    pub learning: Axis<LearningState>,
}

macro_rules! states {
    ($(#[$doc:meta])* $name:ident { $($(#[$state_doc:meta])* $state:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$state_doc])* $state,)* }

        impl $name {
            /// For people.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$state => $text,)* }
            }
        }
    };
}

states! {
    /// What the evidence is like; of several faults the first named here shows (arb.md 7.4).
    EvidenceState {
        /// Something did not answer.
        Unavailable = "unavailable",
        /// Something contradicts something.
        Conflicting = "conflicting",
        /// Something is too old.
        Stale = "stale",
        /// Something is missing.
        Incomplete = "incomplete",
        /// Everything required is there.
        Complete = "complete",
    }
}
states! {
    /// What the evaluation came to; of several the first named here shows.
    EvaluationState {
        /// A rule that stops the change is broken.
        Violated = "violated",
        /// It cannot be decided, or not yet.
        Held = "held",
        /// It may go ahead if what is asked for is given: a condition, or a person's word.
        Conditional = "conditional",
        /// It conforms.
        Conformant = "conformant",
    }
}
states! {
    /// Who lets it go ahead.
    AuthorityState {
        /// Nobody: it was only looked at.
        ObservationOnly = "observation only",
        /// A standing authorisation.
        StandingAuthority = "standing authority",
        /// A person is awaited.
        ApprovalRequired = "approval required",
        /// A person did.
        Approved = "approved",
    }
}
states! {
    /// Whether it was carried out. A review starts nothing, so it stays at the first.
    ExecutionState {
        /// Nobody asked.
        NotRequested = "not requested",
        /// It waits.
        Pending = "pending",
        /// It runs.
        Running = "running",
        /// It was carried out and checked.
        Verified = "verified",
        /// It failed.
        Failed = "failed",
        /// It failed and was undone.
        Recovered = "recovered",
    }
}
states! {
    /// Whether anything is learnt from it. Without an observed outcome nothing is, so it stays at the first.
    LearningState {
        /// Nothing is.
        Ineligible = "ineligible",
        /// It is one of several that are collected.
        CohortCollecting = "cohort collecting",
        /// A rule was proposed from it.
        CandidateProposed = "candidate proposed",
        /// The proposal was reviewed.
        CatalogReviewed = "catalog reviewed",
    }
}

/// The axes of one evaluation.
pub(super) fn axes(part: &Part<'_>) -> Axes {
    let recommendation = part.recommendation().map(|known| known.record);
    let last = if part.receipt().is_some() { Topic::DecisionReceipt } else { Topic::Change };
    Axes {
        evidence: Axis {
            state: recommendation.map_or(EvidenceState::Incomplete, evidence),
            because: names(
                part,
                &[Topic::StateSnapshot, Topic::EvidenceBundle, Topic::GraphReceipt, Topic::Recommendation],
            ),
        },
        evaluation: Axis {
            state: recommendation.map_or(EvaluationState::Held, evaluation),
            because: names(
                part,
                &[Topic::PolicySet, Topic::Case, Topic::ImpactEnvelope, Topic::Recommendation],
            ),
        },
        authority: Axis {
            state: authority(part, recommendation),
            because: names(
                part,
                &[Topic::Recommendation, Topic::Verdict, Topic::AuditEntry, Topic::DecisionReceipt],
            ),
        },
        execution: Axis { state: ExecutionState::NotRequested, because: names(part, &[last]) },
        learning: Axis { state: LearningState::Ineligible, because: names(part, &[last]) },
    }
}

fn names(part: &Part<'_>, topics: &[Topic]) -> Vec<RecordId> {
    let first = topics.iter().filter_map(|topic| part.first(*topic));
    let mut records: Vec<RecordId> = first.map(|said| said.record.clone()).collect();
    if records.is_empty() {
        records.extend(part.said.first().map(|said| said.record.clone()));
    }
    records
}

/// The first state that a reason with an effect calls for.
fn evidence(recommendation: &Recommendation) -> EvidenceState {
    let counting = recommendation.reasons.iter().filter(|reason| reason.effect > Effect::Noted);
    counting.filter_map(|reason| fault_of(reason.code)).min().unwrap_or(EvidenceState::Complete)
}

/// What a reason says of the evidence; nothing, if it is not about evidence.
const fn fault_of(code: ReasonCode) -> Option<EvidenceState> {
    use ReasonCode as Code;
    Some(match code {
        Code::GraphUnavailable | Code::EvidenceUnavailable | Code::DeadlineExceeded => {
            EvidenceState::Unavailable
        }
        Code::ServiceMappingConflict
        | Code::OwnershipConflict
        | Code::LinkEvidenceConflicting
        | Code::GraphReleaseMixed
        | Code::ConcurrentChange => EvidenceState::Conflicting,
        Code::GraphStale
        | Code::LinkEvidenceStale
        | Code::EvidenceStale
        | Code::RehearsalStale
        | Code::PlanStale => EvidenceState::Stale,
        Code::TargetResourceMissing
        | Code::ServiceMappingMissing
        | Code::ObjectivesMissing
        | Code::ObjectiveMappingMissing
        | Code::GraphReceiptUnverified
        | Code::GraphSourceIncomplete
        | Code::GraphReleaseUnknown
        | Code::GraphFreshnessUnknown
        | Code::GraphTruncated
        | Code::ContextTemporalExclusion
        | Code::LinkEvidenceSynthetic
        | Code::LinkEvidenceAfterCutoff
        | Code::LinkEvidenceIncomplete
        | Code::LinkEvidenceUnverified
        | Code::MissingStage
        | Code::MissingEvidence
        | Code::EvidenceAfterCutoff
        | Code::EvidenceSynthetic
        | Code::EvidenceUnverified
        | Code::PlanErrored
        | Code::PlanIncomplete
        | Code::PlanUnknownValue
        | Code::RehearsalMissing
        | Code::CostUnpriced
        | Code::ConstraintUnknown => EvidenceState::Incomplete,
        _ => return None,
    })
}

fn evaluation(recommendation: &Recommendation) -> EvaluationState {
    let broken = |code| matches!(code, ReasonCode::ConstraintViolated | ReasonCode::ConstraintApproval);
    if recommendation.reasons.iter().any(|reason| broken(reason.code) && reason.effect > Effect::Noted) {
        return EvaluationState::Violated;
    }
    match recommendation.kind {
        RecommendationKind::Rejected => EvaluationState::Violated,
        RecommendationKind::Held => EvaluationState::Held,
        RecommendationKind::ApprovalRequired | RecommendationKind::Conditional => {
            EvaluationState::Conditional
        }
        RecommendationKind::Conformant => EvaluationState::Conformant,
    }
}

fn authority(part: &Part<'_>, recommendation: Option<&Recommendation>) -> AuthorityState {
    match part.verdict().map(|known| known.record.basis) {
        Some(Basis::StandingAuthorization) => AuthorityState::StandingAuthority,
        Some(Basis::HumanApproval) => AuthorityState::Approved,
        Some(Basis::Observation | Basis::Denied) => AuthorityState::ObservationOnly,
        None => match recommendation.map(|recommendation| recommendation.kind) {
            Some(RecommendationKind::ApprovalRequired) => AuthorityState::ApprovalRequired,
            _ => AuthorityState::ObservationOnly,
        },
    }
}
