//! What came out, in a word: what exit codes, lists and `--fail-on` read.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use agents::review::Part;
use ontology::identity::RecordId;
use ontology::records::decision::Basis;
use ontology::records::{Evaluation, Opening, Pins, RecommendationKind, VerdictKind};
use ontology::{Digest, Timestamp};

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
    pub fn of(part: &Part<'_>) -> Self {
        if let Some(receipt) = part.receipt() {
            return match (receipt.record.verdict, receipt.record.basis) {
                (VerdictKind::Conformant | VerdictKind::Conditional, Basis::HumanApproval) => Self::Approved,
                (VerdictKind::Conformant, _) => Self::Conformant,
                (VerdictKind::Conditional, _) => Self::Conditional,
                (VerdictKind::Held, _) => Self::Held,
                (VerdictKind::Rejected, _) => Self::Rejected,
            };
        }
        match part.recommendation() {
            Some(known) if known.record.kind == RecommendationKind::ApprovalRequired => {
                Self::ApprovalRequired
            }
            _ => Self::Undecided,
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

pub(super) fn evaluation(part: &Part<'_>) -> Option<EvaluationShown> {
    let opened = part.opened()?;
    Some(EvaluationShown {
        number: part.evaluation,
        opening: part.opening().map(|known| known.record.opening),
        opened_at: opened.said.time,
        deadline: part.deadline()?,
        pins: opened.pins.clone(),
        outcome: Outcome::of(part),
    })
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

pub(super) fn verdict(part: &Part<'_>) -> Option<VerdictShown> {
    let receipt = part.receipt()?;
    Some(VerdictShown {
        verdict: receipt.record.verdict,
        basis: receipt.record.basis,
        decided_at: receipt.record.decided_at,
        valid_until: receipt.record.valid_until,
        receipt: receipt.said.record.clone(),
        receipt_digest: receipt.said.digest,
    })
}
