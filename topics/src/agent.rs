//! The contract of an agent: a pure fold of one key, and what it says because of each event.

use std::fmt::Debug;

use ontology::records::Evaluation;
use ontology::{Name, Timestamp};

use crate::{Answer, Key, Library, Object, Question, Role, Step, StepId, Topic};

/// A pure state machine over the steps of one key.
///
/// The driver folds events in log order, *each followed at once by the agent's own step for that event*: the
/// recorded one if the log holds it, else what [`Agent::decide`] returns, which is then appended. Own derived
/// steps are never folded at their own position; own observed steps are, whether in [`Agent::READS`] or not.
pub trait Agent: 'static {
    /// Which agent this is; the owner of everything it says.
    const ROLE: Role;
    /// Raised by hand when any output changes; a golden test fails until it is.
    const LOGIC: u16;
    /// The topics it folds.
    const READS: &'static [Topic];
    /// The state of one key.
    type State: Default + Clone + PartialEq + Debug + Send;

    /// Folds one event. Total: whatever does not fit changes nothing.
    fn evolve(state: &mut Self::State, event: &Event<'_>);

    /// What the agent says because of `event`, which was folded just now. `None` is the event's own key; for
    /// another key at most one step, appended before the own one. Empty: nothing.
    fn decide(state: &Self::State, event: &Event<'_>, library: &Library) -> Vec<(Option<Key>, Object)>;

    /// What the agent makes of an answer. No state: the question holds all it needs.
    fn observe(question: &Question, answer: &Answer, library: &Library) -> Vec<Object>;

    /// What the agent waits for: a function of state, never stored.
    fn owed(state: &Self::State) -> Owed;
}

/// A whole step, with the time it happened.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a> {
    /// A derived step's own time, an observed step's row's.
    pub time: Timestamp,
    /// The step.
    pub step: &'a Step,
}

impl<'a> Event<'a> {
    /// The step's id.
    #[must_use]
    pub fn id(&self) -> StepId {
        self.step.id()
    }

    /// What it says.
    pub fn objects(&self) -> impl Iterator<Item = &'a Object> + use<'a> {
        self.step.records().iter().map(|record| &record.object)
    }
}

/// What an agent waits for on one key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Owed {
    /// Questions without an answer.
    pub questions: Vec<Question>,
    /// The next deadline.
    pub deadline: Option<Deadline>,
    /// The key may still need this agent.
    pub open: bool,
}

/// A deadline that an agent owes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline {
    /// When.
    pub at: Timestamp,
    /// Of which evaluation.
    pub evaluation: Evaluation,
    /// Which: `seal`, `judge`.
    pub name: Name,
    /// The whole budget of the evaluation, in milliseconds: a process that just went live waits 20 % of it.
    pub budget_ms: u64,
}
