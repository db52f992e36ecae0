//! One agent in one process.

use std::collections::BTreeMap;

use topics::{Agent, Deadline, Key, Library, Owner};

use super::fold::Fold;
use super::{Action, Input, Rules};

/// An agent in a process, whatever its state's type.
pub trait Seat: Send {
    /// Which agent.
    fn role(&self) -> Owner;
    /// The number of its logic.
    fn logic(&self) -> u16;
    /// Takes an input. `library` holds everything that was resolved so far.
    fn step(&mut self, input: Input, library: &Library) -> Vec<Action>;
    /// Where the seat stands on a key.
    fn standing(&self, key: &Key) -> Standing;
    /// Keys whose append waits for room or a log.
    fn waiting(&self) -> Vec<Key>;
    /// Forgets a key; its events would be folded again.
    fn forget(&mut self, key: &Key);
    /// The state of a key, for comparison between replicas.
    fn describe(&self, key: &Key) -> String;
}

/// Where a seat stands on a key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standing {
    /// The key may still need this agent.
    pub open: bool,
    /// An append or a look-up is under way, or events wait.
    pub busy: bool,
    /// The key is parked or halted here.
    pub parked: bool,
    /// Questions without an answer.
    pub questions: usize,
    /// The next deadline.
    pub deadline: Option<Deadline>,
}

/// A seat for the agent `A`.
pub struct Member<A: Agent> {
    folds: BTreeMap<Key, Fold<A>>,
    rules: Rules,
    logic: u16,
}

impl<A: Agent> Member<A> {
    /// A seat with every rule and the agent's own logic number.
    #[must_use]
    pub fn new() -> Self {
        Self::with(Rules::default(), A::LOGIC)
    }

    /// A seat with some rules taken out or another logic number, for the simulator.
    #[must_use]
    pub fn with(rules: Rules, logic: u16) -> Self {
        Self { folds: BTreeMap::new(), rules, logic }
    }

    /// [`Member::new`], boxed.
    #[must_use]
    pub fn boxed() -> Box<dyn Seat> {
        Box::new(Self::new())
    }

    fn fold(&mut self, key: &Key) -> &mut Fold<A> {
        let (rules, logic) = (self.rules, self.logic);
        self.folds.entry(key.clone()).or_insert_with(|| Fold::new(key.clone(), rules, logic))
    }
}

impl<A: Agent> Default for Member<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Agent> Seat for Member<A> {
    fn role(&self) -> Owner {
        A::ROLE
    }

    fn logic(&self) -> u16 {
        self.logic
    }

    fn step(&mut self, input: Input, library: &Library) -> Vec<Action> {
        let mut actions = Vec::new();
        match input {
            Input::Recorded { key, own } => self.fold(&key).record(own),
            Input::Event(stored) => {
                let concerns = stored.step.owner() == A::ROLE || stored.step.concerns(A::READS);
                if concerns {
                    let key = stored.step.key().clone();
                    self.fold(&key).deliver(stored, library, &mut actions);
                }
            }
            Input::Live(key) => self.fold(&key).go_live(library, &mut actions),
            Input::Reply { key, step, outcome } => {
                self.fold(&key).reply(step, outcome, library, &mut actions)
            }
            Input::ReadBack { key, step, own } => self.fold(&key).read_back(step, own, library, &mut actions),
            Input::Answered { key, question, answer } => {
                self.fold(&key).answer(question, answer, library, &mut actions);
            }
            Input::Resolved(key) => self.fold(&key).resolved(library, &mut actions),
            Input::Unresolved { key, why } => self.fold(&key).unresolved(&why, &mut actions),
            Input::Retry(key) => self.fold(&key).retry(library, &mut actions),
            Input::Redrive(key) => {
                if self.standing(&key).parked {
                    self.folds.remove(&key);
                    actions.push(Action::Refold(key));
                }
            }
        }
        actions
    }

    fn standing(&self, key: &Key) -> Standing {
        self.folds.get(key).map(Fold::standing).unwrap_or_default()
    }

    fn waiting(&self) -> Vec<Key> {
        self.folds.iter().filter(|(_, fold)| fold.waits()).map(|(key, _)| key.clone()).collect()
    }

    fn forget(&mut self, key: &Key) {
        self.folds.remove(key);
    }

    fn describe(&self, key: &Key) -> String {
        self.folds.get(key).map(Fold::describe).unwrap_or_default()
    }
}
