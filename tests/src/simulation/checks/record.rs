//! What a review's steps say, sorted by evaluation.

use std::collections::BTreeMap;

use ontology::Timestamp;
use ontology::records::{
    Approval, ApprovalRequest, ApprovalState, Change, ConcurrentChanges, Evaluation, EvidenceBundle,
    Recommendation, ReviewSchedule, Verdict,
};
use runtime::log::LocalLog;
use topics::{Object, Position, Stored};

use super::Run;

/// An evaluation, as the log tells it.
#[derive(Debug, Default)]
pub(super) struct Told<'a> {
    pub(super) opened: Vec<(&'a Stored, Timestamp)>,
    pub(super) bundles: Vec<(&'a Stored, &'a EvidenceBundle)>,
    pub(super) schedules: Vec<&'a ReviewSchedule>,
    pub(super) concurrent: Vec<&'a ConcurrentChanges>,
    pub(super) recommendations: Vec<(&'a Stored, &'a Recommendation)>,
    pub(super) requests: Vec<&'a ApprovalRequest>,
    pub(super) approvals: Vec<(&'a Stored, &'a Approval)>,
    pub(super) verdicts: Vec<(&'a Stored, &'a Verdict)>,
    pub(super) receipts: Vec<Position>,
}

/// The change of a review, and its evaluations.
pub(super) fn tell(steps: &[Stored]) -> (Option<&Change>, BTreeMap<Evaluation, Told<'_>>) {
    let mut told: BTreeMap<Evaluation, Told<'_>> = BTreeMap::new();
    let mut change = None;
    for stored in steps {
        for record in stored.step.records() {
            match &record.object {
                Object::Change(it) => {
                    change.get_or_insert(&**it);
                    told.entry(1).or_default().opened.push((stored, stored.time()));
                }
                Object::EvaluationOpened(it) => {
                    told.entry(it.evaluation).or_default().opened.push((stored, stored.time()));
                }
                Object::EvidenceBundle(it) => {
                    told.entry(it.evaluation).or_default().bundles.push((stored, it));
                }
                Object::ReviewSchedule(it) => told.entry(it.evaluation).or_default().schedules.push(it),
                Object::ConcurrentChanges(it) => told.entry(it.evaluation).or_default().concurrent.push(it),
                Object::Recommendation(it) => {
                    told.entry(it.evaluation).or_default().recommendations.push((stored, it));
                }
                Object::ApprovalRequest(it) => told.entry(it.evaluation).or_default().requests.push(it),
                Object::Approval(it) => told.entry(it.evaluation).or_default().approvals.push((stored, it)),
                Object::Verdict(it) => told.entry(it.evaluation).or_default().verdicts.push((stored, it)),
                Object::DecisionReceipt(it) => {
                    told.entry(it.evaluation).or_default().receipts.push(stored.position);
                }
                _ => {}
            }
        }
    }
    (change, told)
}

/// What there was to see in a run: a check that never had anything to look at proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Seen {
    /// Accepted changes.
    pub reviews: u32,
    /// Evaluations after the first.
    pub later_evaluations: u32,
    /// Verdicts.
    pub verdicts: u32,
    /// Of those, rejections.
    pub rejected: u32,
    /// Evaluations in which a person was asked.
    pub asked: u32,
    /// Of those, with an answer that counted.
    pub answered: u32,
    /// Bundles that the deadline sealed.
    pub sealed_by_deadline: u32,
    /// Evaluations judged without a bundle.
    pub without_bundle: u32,
}

impl Seen {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            reviews: self.reviews + other.reviews,
            later_evaluations: self.later_evaluations + other.later_evaluations,
            verdicts: self.verdicts + other.verdicts,
            rejected: self.rejected + other.rejected,
            asked: self.asked + other.asked,
            answered: self.answered + other.answered,
            sealed_by_deadline: self.sealed_by_deadline + other.sealed_by_deadline,
            without_bundle: self.without_bundle + other.without_bundle,
        }
    }
}

/// Counts what there was to see.
#[must_use]
pub fn seen(run: &Run) -> Seen {
    let mut seen = Seen::default();
    for key in super::reviews(&run.log) {
        let steps = super::first_in_slots(run.log.read_now(&key, None).unwrap_or_default());
        let (change, told) = tell(&steps);
        seen.reviews += u32::from(change.is_some());
        for (evaluation, told) in told {
            use ontology::records::VerdictKind::Rejected;
            seen.later_evaluations += u32::from(evaluation > 1);
            seen.verdicts += u32::from(!told.verdicts.is_empty());
            seen.rejected += u32::from(told.verdicts.iter().any(|(_, it)| it.verdict == Rejected));
            seen.asked += u32::from(!told.requests.is_empty());
            let counts = |state| matches!(state, ApprovalState::Approved | ApprovalState::Rejected);
            seen.answered += u32::from(told.approvals.iter().any(|(_, it)| counts(it.state)));
            seen.sealed_by_deadline += u32::from(told.bundles.iter().any(|(_, it)| it.sealed_by_deadline));
            let judged = told.recommendations.first().map(|(stored, _)| stored.position);
            let sealed = told.bundles.first().map(|(stored, _)| stored.position);
            let without = judged.is_some_and(|judged| sealed.is_none_or(|sealed| sealed > judged));
            seen.without_bundle += u32::from(without);
        }
    }
    seen
}
