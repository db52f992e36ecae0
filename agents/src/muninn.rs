//! Freezes the context and seals the evidence (S-09, S-15).

pub mod model;

mod bundle;
pub mod snapshot;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use ontology::records::{
    ConcurrentChanges, Cost, DeadlineReached, OptionSet, PolicySet, Recovery, ReviewSchedule, StateSnapshot,
};
use ontology::{Digest, Name};
use topics::{
    Agent, Answer, Ask, Cause, Deadline, Event, Key, Library, Object, Owed, Owner, Question, Record, StepId,
    Topic,
};

use crate::followed::{Current, Followed, Said};
use snapshot::Setting;

/// The name of the deadline at which the bundle is sealed with what there is.
pub const SEAL: &str = "seal";
/// When that is, in hundredths of the evaluation's budget: what is left is for the judgement.
pub const SEAL_PERCENT: u64 = 80;

/// Freezes the context and seals the evidence (S-09, S-15).
#[derive(Debug, Clone, Copy)]
pub struct Muninn;

/// What Muninn holds of a review.
pub type State = Followed<Evidence>;

/// What was said in the open evaluation, until it is sealed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evidence {
    snapshot: Option<Said<StateSnapshot>>,
    policy: Option<Said<PolicySet>>,
    schedule: Option<Said<ReviewSchedule>>,
    options: Option<Said<OptionSet>>,
    concurrent: Option<Said<ConcurrentChanges>>,
    cost: Option<Said<Cost>>,
    recovery: Option<Said<Recovery>>,
    sealed: Option<Sealed>,
}

/// That the evidence is sealed: what arrives later changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sealed {
    by: StepId,
    at_deadline: bool,
}

impl Evidence {
    /// Whether every scheduled branch has answered.
    fn is_complete(&self) -> bool {
        use ontology::records::EvidenceKey::{Cost, Recovery};
        let Some(schedule) = &self.schedule else { return false };
        let needs = |key| schedule.record.activated.contains(&key);
        let always = self.snapshot.is_some()
            && self.policy.is_some()
            && self.options.is_some()
            && self.concurrent.is_some();
        always && (self.cost.is_some() || !needs(Cost)) && (self.recovery.is_some() || !needs(Recovery))
    }

    fn seal(&mut self, by: StepId, at_deadline: bool) {
        self.sealed.get_or_insert(Sealed { by, at_deadline });
    }
}

/// Notes a record of the open evaluation, unless that is sealed.
fn note(state: &mut State, record: &Record) {
    fn keep<T>(held: &mut Option<Said<T>>, said: &Arc<T>, digest: Digest) {
        held.get_or_insert_with(|| Said { record: Arc::clone(said), digest });
    }
    let evaluation = match &record.object {
        Object::StateSnapshot(said) => said.evaluation,
        Object::PolicySet(said) => said.evaluation,
        Object::ReviewSchedule(said) => said.evaluation,
        Object::OptionSet(said) => said.evaluation,
        Object::ConcurrentChanges(said) => said.evaluation,
        Object::Cost(said) => said.evaluation,
        Object::Recovery(said) => said.evaluation,
        _ => return,
    };
    let Some(held) =
        state.of(evaluation).map(|current| &mut current.work).filter(|held| held.sealed.is_none())
    else {
        return;
    };
    match &record.object {
        Object::StateSnapshot(said) => keep(&mut held.snapshot, said, record.digest),
        Object::PolicySet(said) => keep(&mut held.policy, said, record.digest),
        Object::ReviewSchedule(said) => keep(&mut held.schedule, said, record.digest),
        Object::OptionSet(said) => keep(&mut held.options, said, record.digest),
        Object::ConcurrentChanges(said) => keep(&mut held.concurrent, said, record.digest),
        Object::Cost(said) => keep(&mut held.cost, said, record.digest),
        Object::Recovery(said) => keep(&mut held.recovery, said, record.digest),
        _ => {}
    }
}

fn seal_at_deadline(state: &mut State, reached: &DeadlineReached, by: StepId) {
    let current = state.of(reached.evaluation).filter(|current| !current.closed);
    if let Some(current) = current.filter(|_| reached.name.as_str() == SEAL) {
        current.work.seal(by, true);
    }
}

impl Agent for Muninn {
    const ROLE: Owner = Owner::Muninn;
    const LOGIC: u16 = 2;
    const READS: &'static [Topic] = &[
        Topic::Change,
        Topic::Evidence,
        Topic::EvaluationOpened,
        Topic::ReviewSchedule,
        Topic::PolicySet,
        Topic::OptionSet,
        Topic::Cost,
        Topic::Recovery,
        Topic::DecisionReceipt,
        Topic::DeadlineReached,
    ];
    type State = State;

    fn evolve(state: &mut State, event: &Event<'_>) {
        state.follow(event);
        for record in event.step.records() {
            note(state, record);
            if let Object::DeadlineReached(reached) = &record.object {
                seal_at_deadline(state, reached, event.id());
            }
        }
        if let Some(current) = state.open_mut().filter(|current| current.work.is_complete()) {
            current.work.seal(event.id(), false);
        }
    }

    fn decide(state: &State, event: &Event<'_>, library: &Library) -> Vec<(Option<Key>, Object)> {
        let Some((change, current)) = state.open_evaluation() else { return Vec::new() };
        let mut said: Vec<Object> = Vec::new();
        let setting = Setting::of(library, &change.document, &current.pins, current.cutoff);
        if current.opened_by == event.id() {
            let freeze = |setting| snapshot::freeze(current.evaluation, &current.pins, &setting);
            said.extend(setting.map(freeze).map(Object::from));
        }
        if current.work.sealed.is_some_and(|sealed| sealed.by == event.id()) {
            let change = state.change().map(|change| change.digest);
            said.push(bundle::seal(change, current, setting.as_ref()).into());
        }
        said.into_iter().map(|object| (None, object)).collect()
    }

    fn observe(question: &Question, answer: &Answer, _: &Library) -> Vec<Object> {
        match (&question.ask, answer) {
            (Ask::ConcurrentChanges { evaluation, .. }, Answer::ConcurrentChanges { open, truncated }) => {
                let (open, truncated) = (open.clone(), *truncated);
                vec![ConcurrentChanges { evaluation: *evaluation, open, truncated, unavailable: None }.into()]
            }
            (Ask::ConcurrentChanges { evaluation, .. }, Answer::Unavailable(unavailable)) => {
                let unavailable = Some(unavailable.clone());
                vec![
                    ConcurrentChanges {
                        evaluation: *evaluation,
                        open: Vec::new(),
                        truncated: false,
                        unavailable,
                    }
                    .into(),
                ]
            }
            (Ask::Intake, Answer::Model(revision)) => vec![revision.clone().into()],
            _ => Vec::new(),
        }
    }

    fn owed(state: &State) -> Owed {
        let Some((change, current)) = state.open_evaluation() else { return Owed::default() };
        if current.work.sealed.is_some() {
            return Owed { open: true, ..Owed::default() };
        }
        let budget_ms = current.pins.budget_ms;
        let deadline = Deadline {
            at: current.cutoff.plus_ms(budget_ms.saturating_mul(SEAL_PERCENT) / 100),
            evaluation: current.evaluation,
            name: Name::new(SEAL).expect("it is a short literal"),
            budget_ms,
        };
        let question = concurrent_changes(change.review, current);
        Owed { questions: question.into_iter().collect(), deadline: Some(deadline), open: true }
    }
}

/// Which other changes are open? Asked once it is known what the change alters and how far back plans live.
fn concurrent_changes(review: ontology::ReviewId, current: &Current<Evidence>) -> Option<Question> {
    let held = &current.work;
    if held.concurrent.is_some() {
        return None;
    }
    let (snapshot, schedule) = (held.snapshot.as_ref()?, held.schedule.as_ref()?);
    let targets = snapshot.record.targets.iter().map(|target| target.address.clone()).collect();
    let ask = Ask::ConcurrentChanges {
        evaluation: current.evaluation,
        review,
        targets: Arc::new(targets),
        not_before: schedule.record.concurrent_since,
    };
    Some(Question {
        cause: Cause::named(&format!("concurrent/{}", current.evaluation)),
        as_of: current.cutoff,
        ask,
    })
}
