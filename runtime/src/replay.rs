//! Replay: decides again from the observed steps and compares every derived step, byte for byte.
//!
//! The same loop as the driver's, without a driver: events in log order, each followed at once by the own step. It
//! runs no port and asks nobody; what the world said is in the log, and is computed again from the question as it
//! was first owed and the answer as it was recorded.

pub mod digests;

use std::collections::{BTreeMap, BTreeSet};

use agents::{Coordinator, Forseti, Huginn, Loki, Mimir, Muninn, Njord, Saga, Var, Vidar};
use ontology::Timestamp;
use topics::{Agent, Answer, Cause, Event, Key, Kind, Library, Object, Question, Step, StepId, Stored, step};

use crate::call::ReplayReport;

/// Differences that are listed; more are counted in the last line.
const DIFFERENCES_MAX: usize = 100;

/// Looks a step up on another key.
pub type Elsewhere<'a> = dyn Fn(&Key, StepId) -> Option<Step> + 'a;

/// Replays the steps of one key through every agent.
pub fn replay(
    key: &Key,
    steps: &[Stored],
    library: &Library,
    elsewhere: &Elsewhere<'_>,
    report: &mut ReplayReport,
) {
    let mut again = Again { key, steps, library, elsewhere, report };
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
    report.reviews += 1;
}

/// Replays the steps of one key through one agent.
pub fn replay_agent<A: Agent>(
    key: &Key,
    steps: &[Stored],
    library: &Library,
    elsewhere: &Elsewhere<'_>,
    report: &mut ReplayReport,
) {
    Again { key, steps, library, elsewhere, report }.agent::<A>();
}

struct Again<'a> {
    key: &'a Key,
    steps: &'a [Stored],
    library: &'a Library,
    elsewhere: &'a Elsewhere<'a>,
    report: &'a mut ReplayReport,
}

/// What one agent has folded.
struct Folded<'a, A: Agent> {
    state: A::State,
    clock: Timestamp,
    own: BTreeMap<StepId, &'a Stored>,
    /// Questions as they were first owed.
    owed: BTreeMap<Cause, Question>,
    /// Slots whose step was accounted for.
    met: BTreeSet<StepId>,
}

impl Again<'_> {
    fn agent<A: Agent>(&mut self) {
        let mut own = BTreeMap::new();
        for stored in self.steps.iter().filter(|stored| stored.step.owner() == A::ROLE) {
            own.entry(stored.step.id()).or_insert(stored);
        }
        let mut folded: Folded<'_, A> = Folded {
            state: A::State::default(),
            clock: Timestamp::default(),
            own,
            owed: BTreeMap::new(),
            met: BTreeSet::new(),
        };
        let mut seen = BTreeSet::new();
        for stored in self.steps {
            let own = stored.step.owner() == A::ROLE;
            if own && stored.step.kind() == Kind::Derived || !own && !stored.step.concerns(A::READS) {
                continue;
            }
            if !seen.insert(stored.step.id()) {
                continue;
            }
            if own {
                self.observed::<A>(&mut folded, stored);
            }
            self.event::<A>(&mut folded, stored);
        }
        for (id, stored) in &folded.own {
            if stored.step.kind() == Kind::Derived && !folded.met.contains(id) {
                if stored.step.logic() == A::LOGIC {
                    self.differs(format!("{:?}: this binary does not say it", stored.step));
                } else {
                    self.report.other_logic += 1;
                }
            }
        }
    }

    /// Computes an observation again from its question and its recorded answer.
    fn observed<A: Agent>(&mut self, folded: &mut Folded<'_, A>, stored: &Stored) {
        let said: Vec<&Object> = stored.step.records().iter().map(|record| &record.object).collect();
        let answer = said.first().and_then(|object| Answer::recorded_in(object));
        let (Some(question), Some(answer)) = (folded.owed.get(stored.step.cause()), answer) else { return };
        if stored.step.logic() != A::LOGIC {
            self.report.other_logic += 1;
            return;
        }
        let again = A::observe(question, &answer, self.library);
        if again.iter().collect::<Vec<_>>() == said {
            self.report.observed += 1;
        } else {
            self.differs(format!("{:?}: the recorded answer gives another observation", stored.step));
        }
    }

    fn event<A: Agent>(&mut self, folded: &mut Folded<'_, A>, stored: &Stored) {
        let event = Event { time: stored.time(), step: &stored.step };
        A::evolve(&mut folded.state, &event);
        let decided = A::decide(&folded.state, &event, self.library);
        folded.clock = folded.clock.max(event.time);
        let mut by_key: BTreeMap<Key, Vec<Object>> = BTreeMap::new();
        for (key, object) in decided {
            by_key.entry(key.unwrap_or_else(|| self.key.clone())).or_default().push(object);
        }
        for (key, objects) in by_key {
            match Step::derived(key, A::ROLE, A::LOGIC, folded.clock, event.id(), objects) {
                Ok(ours) if ours.key() == self.key => {
                    self.compare(&ours, folded.own.get(&ours.id()).map(|own| &own.step))
                }
                Ok(ours) => {
                    let there = (self.elsewhere)(ours.key(), ours.id());
                    self.compare(&ours, there.as_ref());
                }
                Err(error) => self.differs(format!("{} on {}: {error}", A::ROLE, self.key)),
            }
        }
        let slot = step::slot(self.key, A::ROLE, &Cause::Step(event.id()));
        if let Some(recorded) = folded.own.get(&slot) {
            folded.met.insert(slot);
            let own = Event { time: recorded.time(), step: &recorded.step };
            A::evolve(&mut folded.state, &own);
            folded.clock = folded.clock.max(own.time);
        }
        for question in A::owed(&folded.state).questions {
            folded.owed.entry(question.cause.clone()).or_insert(question);
        }
    }

    fn compare(&mut self, ours: &Step, recorded: Option<&Step>) {
        match recorded {
            Some(recorded) if recorded == ours => self.report.equal += 1,
            Some(recorded) if recorded.logic() != ours.logic() => self.report.other_logic += 1,
            Some(recorded) => self.differs(difference(recorded, ours)),
            None => self.differs(format!("{ours:?}: the log does not hold it")),
        }
    }

    fn differs(&mut self, line: String) {
        if self.report.differences.len() < DIFFERENCES_MAX {
            self.report.differences.push(line);
        }
    }
}

/// Which record of two steps in one slot differs.
fn difference(recorded: &Step, ours: &Step) -> String {
    let pairs = recorded.records().iter().zip(ours.records());
    let differing: Vec<&str> = pairs
        .filter(|(recorded, ours)| recorded.digest != ours.digest)
        .map(|(recorded, _)| recorded.object.topic().as_str())
        .collect();
    let what = if differing.is_empty() { "its frame".to_owned() } else { differing.join(", ") };
    format!("{recorded:?}: {what} differs when decided again")
}
