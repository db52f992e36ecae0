//! What came out, in a word: what exit codes, lists and `--fail-on` read.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use ontology::identity::RecordId;
use ontology::records::decision::Basis;
use ontology::records::{Evaluation, Opening, Pins, RecommendationKind, VerdictKind};
use ontology::{Digest, Timestamp};

use super::folded::Evaluated;

/// What an evaluation came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It may go ahead.
    Conformant,
    /// A person approved it.
    Approved,
    /// It may go ahead under conditions.
    Conditional,
    /// A person decides.
    ApprovalRequired,
    /// It cannot be decided yet.
    Held,
    /// It may not go ahead.
    Rejected,
    /// There is no receipt, and no person is awaited.
    Undecided,
}

impl Outcome {
    /// Every outcome, in order.
    pub const ALL: [Self; 7] = [
        Self::Conformant,
        Self::Approved,
        Self::Conditional,
        Self::ApprovalRequired,
        Self::Held,
        Self::Rejected,
        Self::Undecided,
    ];

    /// The stable text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Conformant => "conformant",
            Self::Approved => "approved",
            Self::Conditional => "conditional",
            Self::ApprovalRequired => "approval-required",
            Self::Held => "held",
            Self::Rejected => "rejected",
            Self::Undecided => "undecided",
        }
    }

    /// The receipt decides; while a person is awaited, the recommendation does; with neither it is undecided.
    #[must_use]
    pub fn of(evaluation: &Evaluated) -> Self {
        match (&evaluation.receipt, &evaluation.recommendation) {
            (Some(receipt), _) => match (receipt.object.verdict, receipt.object.basis) {
                (VerdictKind::Conformant | VerdictKind::Conditional, Basis::HumanApproval) => Self::Approved,
                (VerdictKind::Conformant, _) => Self::Conformant,
                (VerdictKind::Conditional, _) => Self::Conditional,
                (VerdictKind::Held, _) => Self::Held,
                (VerdictKind::Rejected, _) => Self::Rejected,
            },
            (None, Some(recommendation))
                if recommendation.object.kind == RecommendationKind::ApprovalRequired =>
            {
                Self::ApprovalRequired
            }
            (None, _) => Self::Undecided,
        }
    }

    /// The same word as a recommendation has it.
    #[must_use]
    pub const fn of_recommendation(kind: RecommendationKind) -> Self {
        match kind {
            RecommendationKind::Conformant => Self::Conformant,
            RecommendationKind::Conditional => Self::Conditional,
            RecommendationKind::ApprovalRequired => Self::ApprovalRequired,
            RecommendationKind::Held => Self::Held,
            RecommendationKind::Rejected => Self::Rejected,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One evaluation, in a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvaluationShown {
    /// Its number, from 1.
    pub number: Evaluation,
    /// Why it was opened; absent for the first, which the change opens.
    pub opening: Option<Opening>,
    /// The cut-off: evidence up to here.
    pub opened_at: Timestamp,
    /// When it is judged, whatever has arrived.
    pub deadline: Timestamp,
    /// What it is judged against.
    pub pins: Pins,
    /// What it came to.
    pub outcome: Outcome,
}

pub(super) fn evaluation(evaluation: &Evaluated) -> EvaluationShown {
    EvaluationShown {
        number: evaluation.number,
        opening: evaluation.opening,
        opened_at: evaluation.opened_at,
        deadline: evaluation.opened_at.plus_ms(evaluation.pins.budget_ms),
        pins: evaluation.pins.clone(),
        outcome: Outcome::of(evaluation),
    }
}

/// The last word of an evaluation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerdictShown {
    /// The word.
    pub verdict: VerdictKind,
    /// What it rests on.
    pub basis: Basis,
    /// When it was decided.
    pub decided_at: Timestamp,
    /// Not valid after this.
    pub valid_until: Timestamp,
    /// The receipt that closes the evaluation.
    pub receipt: RecordId,
    /// SHA-256 of the receipt's stored bytes.
    pub receipt_digest: Digest,
}

pub(super) fn verdict(evaluation: &Evaluated) -> Option<VerdictShown> {
    let receipt = evaluation.receipt.as_ref()?;
    Some(VerdictShown {
        verdict: receipt.object.verdict,
        basis: receipt.object.basis,
        decided_at: receipt.object.decided_at,
        valid_until: receipt.object.valid_until,
        receipt: receipt.record.clone(),
        receipt_digest: receipt.digest,
    })
}
