//! Replay from the log comes to the same bytes.

use std::collections::{BTreeMap, BTreeSet};

use agents::{Coordinator, Forseti, Huginn, Loki, Mimir, Muninn, Njord, Saga, Var, Vidar};
use runtime::call::ReplayReport;
use runtime::log::LocalLog;
use runtime::replay::replay_agent;
use topics::{
    Agent, Answer, Cause, Event, Key, Kind, Library, Object, Owner, Question, Step, StepId, Stored, step,
};

use super::{Run, Violation};
use crate::simulation::cast::{Fault, is_unlucky};

pub(super) fn check(run: &Run, key: &Key, steps: &[Stored], broken: &mut Vec<Violation>) {
    let library = run.clients.library();
    let mut again = Again { run, key, steps, library: &library, broken };
    again.agent::<Huginn>();
    again.agent::<Muninn>();
    again.agent::<Mimir>();
    again.agent::<Forseti>();
    again.agent::<Coordinator>();
    again.agent::<Njord>();
    again.agent::<Vidar>();
    again.agent::<Loki>();
    again.agent::<Var>();
    again.agent::<Saga>();
    let lost = observations_not_recomputable(key, steps, &library, true);
    if !lost.is_empty() {
        broken.push(Violation::new("observations", format!("not recomputable on {key}: {lost:?}")));
    }
}

struct Again<'a> {
    run: &'a Run,
    key: &'a Key,
    steps: &'a [Stored],
    library: &'a Library,
    broken: &'a mut Vec<Violation>,
}

impl Again<'_> {
    fn agent<A: Agent>(&mut self) {
        let parked = self.run.configuration.fault == Some(Fault::Panics(A::ROLE)) && is_unlucky(self.key);
        let another = match self.run.configuration.fault {
            Some(Fault::OpensAtOnce) => A::ROLE == Owner::Coordinator,
            Some(Fault::ForgetsOthers) => A::ROLE == Owner::Saga,
            Some(Fault::Panics(_)) | None => false,
        };
        if parked || another || self.run.configuration.silent == Some(A::ROLE) {
            return;
        }
        let elsewhere = |key: &Key, id: StepId| -> Option<Step> {
            let steps = self.run.log.read_now(key, None).unwrap_or_default();
            steps.into_iter().map(|stored| stored.step).find(|step| step.id() == id)
        };
        let mut report = ReplayReport::default();
        replay_agent::<A>(self.key, self.steps, self.library, &elsewhere, &mut report);
        for difference in report.differences {
            self.broken.push(Violation::new("replay", difference));
        }
        if report.other_logic > 0 && !self.run.configuration.upgrade {
            self.broken
                .push(Violation::new("replay", format!("another logic of {} on {}", A::ROLE, self.key)));
        }
    }
}

/// Observations that cannot be computed again to what was recorded: from the question as it was first owed, or, with
/// that rule taken out (C4), as it is owed at the observation's position.
#[must_use]
pub fn observations_not_recomputable(
    key: &Key,
    steps: &[Stored],
    library: &Library,
    as_first_owed: bool,
) -> Vec<StepId> {
    let muninn = lost::<Muninn>(key, steps, library, as_first_owed);
    let njord = lost::<Njord>(key, steps, library, as_first_owed);
    let vidar = lost::<Vidar>(key, steps, library, as_first_owed);
    [muninn, njord, vidar].concat()
}

fn lost<A: Agent>(key: &Key, steps: &[Stored], library: &Library, as_first_owed: bool) -> Vec<StepId> {
    let mut state = A::State::default();
    let mut first: BTreeMap<Cause, Question> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut lost = Vec::new();
    for stored in steps {
        let own = stored.step.owner() == A::ROLE;
        let folded = if own { stored.step.kind() == Kind::Observed } else { stored.step.concerns(A::READS) };
        if !folded || !seen.insert(stored.step.id()) {
            continue;
        }
        let now: BTreeMap<Cause, Question> = A::owed(&state)
            .questions
            .into_iter()
            .map(|question| (question.cause.clone(), question))
            .collect();
        let question = if as_first_owed { &first } else { &now }.get(stored.step.cause());
        if own && !is_recomputed::<A>(question, &stored.step, library) {
            lost.push(stored.step.id());
        }
        A::evolve(&mut state, &Event { time: stored.time(), step: &stored.step });
        let slot = step::slot(key, A::ROLE, &Cause::Step(stored.step.id()));
        if let Some(said) = steps.iter().find(|stored| stored.step.id() == slot) {
            A::evolve(&mut state, &Event { time: said.time(), step: &said.step });
        }
        for question in A::owed(&state).questions {
            first.entry(question.cause.clone()).or_insert(question);
        }
    }
    lost
}

fn is_recomputed<A: Agent>(question: Option<&Question>, recorded: &Step, library: &Library) -> bool {
    let said: Vec<&Object> = recorded.records().iter().map(|record| &record.object).collect();
    let answer = said.first().and_then(|object| Answer::recorded_in(object));
    let Some((question, answer)) = question.zip(answer) else { return false };
    let again = A::observe(question, &answer, library);
    again.iter().collect::<Vec<_>>() == said
}
