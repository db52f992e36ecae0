//! The standing of a change: what the log says about exactly this content, at a given time.
//!
//! A pure fold over steps of review keys. Only a `decision-receipt` says yes or no; a recommendation or a verdict
//! without one is no answer. Silence, age and doubt are never a yes: whatever is not decided, or no longer valid,
//! is said to be so.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use ontology::records::decision::Basis;
use ontology::records::{DecisionReceipt, Evaluation, VerdictKind};
use ontology::{Digest, ReviewId, Timestamp};
use topics::{Object, Step};

/// What the log says about one content digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nobody submitted it, what was decided is no longer valid, or the log contradicts itself about it.
    Unknown,
    /// It was submitted, and the newest evaluation known of has no receipt yet.
    Awaiting {
        /// The review that is awaited.
        review: ReviewId,
        /// The evaluation that is awaited.
        evaluation: Evaluation,
    },
    /// It was decided.
    Decided(Decided),
}

/// What a receipt says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decided {
    /// The word.
    pub verdict: VerdictKind,
    /// What it rests on.
    pub basis: Basis,
    /// The review.
    pub review: ReviewId,
    /// The evaluation that the receipt closed.
    pub evaluation: Evaluation,
    /// Not valid after this.
    pub valid_until: Timestamp,
}

/// Standings by content digest: the fold. The order of steps and their repetition make no difference, so a gate may
/// read the log from anywhere, twice, or from two replicas.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standings {
    reviews: BTreeMap<ReviewId, Review>,
}

/// What is known of one review.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Review {
    /// What it is about. One entry; more, where the log contradicts itself.
    contents: BTreeSet<Digest>,
    /// The newest evaluation known of.
    opened: Evaluation,
    /// The receipt of each evaluation; `None`, where two contradict each other.
    receipts: BTreeMap<Evaluation, Option<DecisionReceipt>>,
    /// Whether a later revision took its place.
    superseded: bool,
}

impl Standings {
    /// Nothing is known of anything.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Folds one step. Steps that are not of a review, or say nothing about a standing, change nothing.
    pub fn fold(&mut self, step: &Step) {
        let Some(review) = step.key().as_review() else { return };
        for record in step.records() {
            match &record.object {
                Object::Change(change) if change.review == review => {
                    if let Some(older) = change.supersedes {
                        self.reviews.entry(older).or_default().superseded = true;
                    }
                    let known = self.reviews.entry(review).or_default();
                    known.contents.insert(change.content_digest);
                    known.opened = known.opened.max(1);
                }
                Object::EvaluationOpened(opened) => {
                    let known = self.reviews.entry(review).or_default();
                    known.opened = known.opened.max(opened.evaluation);
                }
                Object::DecisionReceipt(receipt) if receipt.review == review => {
                    self.reviews.entry(review).or_default().close(receipt);
                }
                _ => {}
            }
        }
    }

    /// What the log says about `content` at `now`. A review that a later revision superseded says nothing, and of
    /// the others only the newest evaluation speaks: an older yes never stands in for it. Where reviews of several
    /// sources say different things, the hardest counts.
    #[must_use]
    pub fn of(&self, content: &Digest, now: Timestamp) -> Standing {
        self.reviews
            .iter()
            .filter(|(_, review)| !review.superseded && review.contents.contains(content))
            .filter_map(|(id, review)| review.standing(*id, content, now))
            .max_by_key(Standing::hardness)
            .unwrap_or(Standing::Unknown)
    }
}

impl Review {
    fn close(&mut self, receipt: &DecisionReceipt) {
        self.opened = self.opened.max(receipt.evaluation);
        let known = self.receipts.entry(receipt.evaluation).or_insert_with(|| Some(receipt.clone()));
        if known.as_ref() != Some(receipt) {
            *known = None;
        }
    }

    /// What this review says, or `None` where it says nothing any more.
    fn standing(&self, review: ReviewId, content: &Digest, now: Timestamp) -> Option<Standing> {
        let evaluation = self.opened;
        let Some(receipt) = self.receipts.get(&evaluation) else {
            return Some(Standing::Awaiting { review, evaluation });
        };
        let Some(receipt) = receipt.as_ref().filter(|receipt| self.is_about(content, receipt)) else {
            return Some(Standing::Unknown);
        };
        (now <= receipt.valid_until).then_some(Standing::Decided(Decided {
            verdict: receipt.verdict,
            basis: receipt.basis,
            review,
            evaluation,
            valid_until: receipt.valid_until,
        }))
    }

    fn is_about(&self, content: &Digest, receipt: &DecisionReceipt) -> bool {
        self.contents.len() == 1 && receipt.content_digest == *content
    }
}

impl Standing {
    /// Which of two standings counts: first what stops harder, then what ends sooner.
    fn hardness(&self) -> (u8, Reverse<Timestamp>) {
        match self {
            Self::Decided(decided) => {
                let rank = match decided.verdict {
                    VerdictKind::Conformant => 0,
                    VerdictKind::Conditional => 1,
                    VerdictKind::Held => 4,
                    VerdictKind::Rejected => 5,
                };
                (rank, Reverse(decided.valid_until))
            }
            Self::Awaiting { .. } => (2, Reverse(Timestamp::default())),
            Self::Unknown => (3, Reverse(Timestamp::default())),
        }
    }
}
