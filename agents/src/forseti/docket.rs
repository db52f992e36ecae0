//! What has arrived of one evaluation: the fold that Forseti judges from.

use std::sync::Arc;

use ontology::records::{
    Change, ConcurrentChanges, Cost, Evaluation, EvidenceBundle, ExceptionAsked, OptionSet, Pins, PolicySet,
    RecommendationKind, Recovery, ReviewSchedule, StateSnapshot,
};
use ontology::{Digest, Timestamp};
use topics::{Event, Object};

use super::JUDGE;

/// A record with the digest of its stored bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filed<T> {
    /// The record.
    pub object: Arc<T>,
    /// SHA-256 of its stored bytes.
    pub digest: Digest,
}

/// Everything on record about the current evaluation of a review. Frozen once it is judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Docket {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The cut-off: the time of the step that opened the evaluation.
    pub opened_at: Timestamp,
    /// What is reviewed.
    pub change: Arc<Change>,
    /// What it is judged against.
    pub pins: Pins,
    /// The context.
    pub snapshot: Option<Filed<StateSnapshot>>,
    /// The constraints in force.
    pub policies: Option<Filed<PolicySet>>,
    /// What could be done.
    pub options: Option<Filed<OptionSet>>,
    /// What is required until when.
    pub schedule: Option<Filed<ReviewSchedule>>,
    /// Other open changes.
    pub concurrent: Option<Filed<ConcurrentChanges>>,
    /// What it costs.
    pub cost: Option<Filed<Cost>>,
    /// How it is recovered from.
    pub recovery: Option<Filed<Recovery>>,
    /// What of all that may be used.
    pub bundle: Option<Filed<EvidenceBundle>>,
    /// The deadline passed before a bundle was sealed: a later bundle has no effect.
    pub overdue: bool,
    /// It was judged: nothing that arrives changes anything.
    pub judged: bool,
    /// The case that a person was asked about, and whether something has to be given besides, until the last word on
    /// it is said.
    pub awaits: Option<(Digest, bool)>,
    /// It has its receipt.
    pub closed: bool,
    /// Exceptions that were asked for in this evaluation and before, with the time each was.
    pub exceptions: Vec<(Arc<ExceptionAsked>, Timestamp)>,
}

impl Docket {
    fn open(evaluation: Evaluation, opened_at: Timestamp, change: Arc<Change>, pins: Pins) -> Self {
        Self {
            evaluation,
            opened_at,
            change,
            pins,
            snapshot: None,
            policies: None,
            options: None,
            schedule: None,
            concurrent: None,
            cost: None,
            recovery: None,
            bundle: None,
            overdue: false,
            judged: false,
            awaits: None,
            closed: false,
            exceptions: Vec::new(),
        }
    }

    /// Whether a record of this digest is in the sealed bundle. What arrived after the seal is not evidence.
    #[must_use]
    pub fn seals(&self, digest: &Digest) -> bool {
        self.bundle.as_ref().is_some_and(|bundle| {
            let bundle = &bundle.object;
            [&bundle.ontology, &bundle.state, &bundle.catalog_items, &bundle.document]
                .into_iter()
                .flatten()
                .any(|item| item.digest == *digest)
        })
    }

    fn file(&mut self, object: &Object, digest: Digest) {
        let now = self.evaluation;
        match object {
            Object::StateSnapshot(it) => file(&mut self.snapshot, it, digest, it.evaluation == now),
            Object::PolicySet(it) => file(&mut self.policies, it, digest, it.evaluation == now),
            Object::OptionSet(it) => file(&mut self.options, it, digest, it.evaluation == now),
            Object::ReviewSchedule(it) => file(&mut self.schedule, it, digest, it.evaluation == now),
            Object::ConcurrentChanges(it) => file(&mut self.concurrent, it, digest, it.evaluation == now),
            Object::Cost(it) => file(&mut self.cost, it, digest, it.evaluation == now),
            Object::Recovery(it) => file(&mut self.recovery, it, digest, it.evaluation == now),
            Object::EvidenceBundle(it) => {
                let in_time = it.evaluation == now && !self.overdue;
                file(&mut self.bundle, it, digest, in_time);
            }
            Object::DeadlineReached(it) if it.evaluation == now && it.name.as_str() == JUDGE => {
                self.overdue = self.bundle.is_none();
            }
            Object::Recommendation(it) if it.evaluation == now => {
                self.judged = true;
                let asks = it.kind == RecommendationKind::ApprovalRequired;
                self.awaits = asks.then_some((it.case_digest, !it.conditions.is_empty()));
            }
            _ => {}
        }
    }
}

/// Takes what is current, once: of two records of one slot, the first in the log counts.
fn file<T>(slot: &mut Option<Filed<T>>, object: &Arc<T>, digest: Digest, current: bool) {
    if current && slot.is_none() {
        *slot = Some(Filed { object: Arc::clone(object), digest });
    }
}

/// Folds one event; the change opens the docket, each further evaluation opens it anew.
pub(super) fn fold(state: &mut Option<Docket>, event: &Event<'_>) {
    for record in event.step.records() {
        match (&record.object, state.as_mut()) {
            (Object::Change(change), None) => {
                *state = Some(Docket::open(1, event.time, Arc::clone(change), change.pins.clone()));
            }
            (Object::EvaluationOpened(opened), Some(docket)) if opened.evaluation > docket.evaluation => {
                let change = Arc::clone(&docket.change);
                let exceptions = std::mem::take(&mut docket.exceptions);
                *docket = Docket::open(opened.evaluation, event.time, change, opened.pins.clone());
                docket.exceptions = exceptions;
            }
            (Object::ExceptionAsked(asked), Some(docket))
                if docket.exceptions.iter().all(|(known, _)| known != asked) =>
            {
                docket.exceptions.push((Arc::clone(asked), event.time));
            }
            (Object::Verdict(said), Some(docket)) if said.evaluation == docket.evaluation => {
                docket.awaits = None;
            }
            (Object::DecisionReceipt(receipt), Some(docket)) if receipt.evaluation == docket.evaluation => {
                docket.closed = true;
            }
            (object, Some(docket)) if !docket.judged => docket.file(object, record.digest),
            _ => {}
        }
    }
}
