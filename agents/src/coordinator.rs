//! Looks up deadlines and required keys, and opens the next evaluation; never judges (S-06).

mod pending;
mod schedule;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use ontology::records::{ApprovalDecision, EVALUATIONS_MAX, EvaluationOpened, PolicySet, StateSnapshot};
use topics::{Agent, Answer, Event, Key, Library, Object, Owed, Owner, Question, StepId, Topic};

use crate::followed::{Current, Followed};
use crate::muninn::snapshot::Setting;
use pending::Pending;

/// Looks up deadlines and required keys; never judges (S-06).
#[derive(Debug, Clone, Copy)]
pub struct Coordinator;

/// What the Coordinator holds of a review.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    followed: Followed<Context>,
    pending: Pending,
}

/// What the schedule of the open evaluation waits for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Context {
    snapshot: Option<Arc<StateSnapshot>>,
    policy: Option<Arc<PolicySet>>,
    /// The event with which both were there: the schedule is said because of it.
    complete_by: Option<StepId>,
}

impl State {
    /// The evaluation that is due: something asked for it, and the current one has its receipt (C11).
    fn due(&self) -> Option<EvaluationOpened> {
        let current = self.followed.current().filter(|current| current.closed)?;
        let (opening, pins) = self.pending.asked()?;
        let evaluation = current.evaluation.checked_add(1).filter(|next| *next <= EVALUATIONS_MAX)?;
        Some(EvaluationOpened { evaluation, opening, pins })
    }

    fn note(&mut self, event: &Event<'_>) {
        for object in event.objects() {
            match object {
                Object::Evidence(evidence) => self.pending.evidence(event, &evidence.pins),
                Object::RecheckAsked(asked) => {
                    // What they ask for, a newer judgement than they saw, is open already with the same pins.
                    let newer = self.followed.current().filter(|current| current.evaluation > asked.seen);
                    let wanted = newer.is_none_or(|current| current.pins != asked.pins);
                    self.pending.recheck(event, &asked.pins, wanted);
                }
                Object::ExceptionAsked(asked) => self.pending.exception(event, &asked.pins),
                Object::ApprovalSignal(signal) if signal.decision == ApprovalDecision::Revoke => {
                    let current = self.followed.current();
                    let wanted = current.is_some_and(|current| current.evaluation == signal.evaluation);
                    self.pending.revoked(event, &signal.pins, wanted);
                }
                Object::StateSnapshot(snapshot) => {
                    if let Some(current) = self.followed.of(snapshot.evaluation) {
                        current.work.snapshot.get_or_insert_with(|| Arc::clone(snapshot));
                    }
                }
                Object::PolicySet(policy) => {
                    if let Some(current) = self.followed.of(policy.evaluation) {
                        current.work.policy.get_or_insert_with(|| Arc::clone(policy));
                    }
                }
                _ => {}
            }
        }
    }
}

impl Agent for Coordinator {
    const ROLE: Owner = Owner::Coordinator;
    const LOGIC: u16 = 2;
    const READS: &'static [Topic] = &[
        Topic::Change,
        Topic::Evidence,
        Topic::RecheckAsked,
        Topic::ApprovalSignal,
        Topic::ExceptionAsked,
        Topic::EvaluationOpened,
        Topic::StateSnapshot,
        Topic::PolicySet,
        Topic::DecisionReceipt,
    ];
    type State = State;

    fn evolve(state: &mut State, event: &Event<'_>) {
        let before = state.followed.current().map(|current| current.evaluation);
        state.followed.follow(event);
        let now = state.followed.current().map(|current| current.evaluation);
        if before.is_some() && now != before {
            state.pending.granted();
        }
        state.note(event);
        if let Some(Current { work, .. }) = state.followed.open_mut()
            && work.snapshot.is_some()
            && work.policy.is_some()
        {
            work.complete_by.get_or_insert(event.id());
        }
    }

    fn decide(state: &State, event: &Event<'_>, library: &Library) -> Vec<(Option<Key>, Object)> {
        let mut said: Vec<Object> = Vec::new();
        if let Some((change, current)) = state.followed.open_evaluation()
            && current.work.complete_by == Some(event.id())
            && let Some(snapshot) = &current.work.snapshot
            && let Some(setting) = Setting::of(library, &change.document, &current.pins, current.cutoff)
        {
            said.push(schedule::schedule(current, snapshot, &setting).into());
        }
        said.extend(state.due().map(Object::from));
        said.into_iter().map(|object| (None, object)).collect()
    }

    fn observe(_: &Question, _: &Answer, _: &Library) -> Vec<Object> {
        Vec::new()
    }

    fn owed(state: &State) -> Owed {
        Owed { open: state.followed.open_evaluation().is_some() || state.due().is_some(), ..Owed::default() }
    }
}
