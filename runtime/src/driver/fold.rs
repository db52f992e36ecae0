//! The fold of one key by one agent, and what it is waiting for.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};

use ontology::Timestamp;
use topics::{
    Agent, Answer, Cause, Event, Key, Kind, Library, Object, Position, Question, Step, StepId, Stored, step,
};

use super::saying::Saying;
use super::{Action, Rules, Standing};

/// The fold of one key.
pub(super) struct Fold<A: Agent> {
    pub(super) key: Key,
    pub(super) rules: Rules,
    pub(super) logic: u16,
    pub(super) state: A::State,
    pub(super) clock: Timestamp,
    /// The last own position that is known.
    pub(super) head: Option<Position>,
    /// Own steps that the log holds, by slot. The first in a slot counts.
    pub(super) slots: BTreeMap<StepId, Stored>,
    /// Events that were folded.
    folded: BTreeSet<StepId>,
    /// Own derived steps that were folded.
    told: BTreeSet<StepId>,
    /// Deliveries up to here were seen.
    seen: Option<Position>,
    events: VecDeque<Stored>,
    pub(super) answers: VecDeque<(Question, Answer)>,
    pub(super) asked: BTreeSet<Cause>,
    pub(super) saying: Option<Saying>,
    /// The first event needs something that the library does not hold yet.
    resolving: bool,
    pub(super) live: bool,
    parked: bool,
}

impl<A: Agent> Fold<A> {
    pub(super) fn new(key: Key, rules: Rules, logic: u16) -> Self {
        Self {
            key,
            rules,
            logic,
            state: A::State::default(),
            clock: Timestamp::default(),
            head: None,
            slots: BTreeMap::new(),
            folded: BTreeSet::new(),
            told: BTreeSet::new(),
            seen: None,
            events: VecDeque::new(),
            answers: VecDeque::new(),
            asked: BTreeSet::new(),
            saying: None,
            resolving: false,
            live: false,
            parked: false,
        }
    }

    pub(super) fn standing(&self) -> Standing {
        let owed = A::owed(&self.state);
        Standing {
            open: owed.open,
            busy: self.saying.is_some() || self.resolving || !self.events.is_empty() || !self.live,
            parked: self.parked,
            questions: owed.questions.len(),
            deadline: owed.deadline,
        }
    }

    pub(super) fn waits(&self) -> bool {
        self.saying.as_ref().is_some_and(|saying| saying.waits)
    }

    pub(super) fn describe(&self) -> String {
        format!("{:?}", self.state)
    }

    pub(super) fn record(&mut self, own: Vec<Stored>) {
        for stored in own {
            self.fill(stored);
        }
    }

    /// Takes note of an own step in the log: of its slot, if it is the first there, and of the head.
    pub(super) fn fill(&mut self, stored: Stored) {
        self.head = self.head.max(Some(stored.position));
        self.slots.entry(stored.step.id()).or_insert(stored);
    }

    pub(super) fn deliver(&mut self, stored: Stored, library: &Library, actions: &mut Vec<Action>) {
        if self.parked || self.seen.is_some_and(|seen| stored.position <= seen) {
            return;
        }
        self.seen = Some(stored.position);
        let own = stored.step.owner() == A::ROLE;
        if own {
            self.fill(stored.clone());
            if self.slots.get(&stored.step.id()).is_some_and(|first| first.position != stored.position) {
                return; // the slot was filled before: a second step there says nothing
            }
        }
        if own && stored.step.kind() == Kind::Derived {
            self.meet_own(&stored, library, actions);
        } else if !own || self.rules.own_observed_always || stored.step.concerns(A::READS) {
            if own {
                self.settle(stored.step.id());
            }
            self.events.push_back(stored);
        } else {
            self.settle(stored.step.id());
        }
        self.advance(library, actions);
    }

    /// An own derived step came by: folded already, the one under way, one that this logic did not say, or one
    /// whose cause is still to come.
    fn meet_own(&mut self, stored: &Stored, library: &Library, actions: &mut Vec<Action>) {
        let id = stored.step.id();
        if self.told.contains(&id) {
            return;
        }
        if let Some(ours) = self.under_way(id) {
            self.saying = None;
            self.tell_recorded(id, Some(&ours), actions);
            self.advance(library, actions);
            return;
        }
        let Cause::Step(cause) = stored.step.cause() else { return };
        if !self.folded.contains(cause) {
            return;
        }
        if stored.step.logic() == self.logic || !self.rules.other_logic_wins {
            self.halt(format!("the log holds {:?}, which this logic does not say", stored.step), actions);
        } else {
            self.refold(actions);
        }
    }

    /// The own step under way that fills this slot.
    fn under_way(&self, id: StepId) -> Option<Step> {
        self.saying.as_ref()?.steps.iter().find(|step| step.id() == id && *step.key() == self.key).cloned()
    }

    /// An own observed step came by: if it fills the slot under way, nothing is left to append.
    fn settle(&mut self, id: StepId) {
        if self.saying.as_ref().is_some_and(|saying| !saying.derived) && self.under_way(id).is_some() {
            self.saying = None;
        }
    }

    pub(super) fn go_live(&mut self, library: &Library, actions: &mut Vec<Action>) {
        if self.live {
            return;
        }
        self.live = true;
        self.send(actions);
        self.advance(library, actions);
    }

    /// Folds waiting events, each followed by the own step for it, until something is under way.
    pub(super) fn advance(&mut self, library: &Library, actions: &mut Vec<Action>) {
        while !self.parked && self.saying.is_none() && !self.resolving {
            let Some(stored) = self.events.pop_front() else { break };
            if self.folded.contains(&stored.step.id()) {
                continue; // readers count the first of a slot
            }
            let event = Event { time: stored.time(), step: &stored.step };
            let needed = library.missing(&event);
            if !needed.is_empty() {
                self.resolving = true;
                self.events.push_front(stored);
                actions.push(Action::Resolve { key: self.key.clone(), needed });
                return;
            }
            self.fold_event(&stored, library, actions);
        }
        if !self.parked && self.live && self.saying.is_none() && !self.resolving {
            self.ask(library, actions);
        }
    }

    fn fold_event(&mut self, stored: &Stored, library: &Library, actions: &mut Vec<Action>) {
        let event = Event { time: stored.time(), step: &stored.step };
        let decided = catch_unwind(AssertUnwindSafe(|| {
            A::evolve(&mut self.state, &event);
            A::decide(&self.state, &event, library)
        }));
        let decided = match decided {
            Ok(decided) => decided,
            Err(panic) => return self.park(event.id(), &words(panic.as_ref()), actions),
        };
        self.clock = self.clock.max(event.time);
        self.folded.insert(event.id());
        let time = if self.rules.clock_is_greatest { self.clock } else { event.time };
        let steps = match self.steps_of(decided, event.id(), time) {
            Ok(steps) => steps,
            Err(error) => return self.park(event.id(), &error.to_string(), actions),
        };
        let slot = step::slot(&self.key, A::ROLE, &Cause::Step(event.id()));
        if self.slots.contains_key(&slot) {
            // The own step proves that those to other keys were appended before it.
            let ours = steps.into_iter().find(|step| step.key() == &self.key);
            self.tell_recorded(slot, ours.as_ref(), actions);
        } else if !steps.is_empty() {
            self.saying = Some(Saying { steps, derived: true, sent: false, waits: false });
            self.send(actions);
        }
    }

    /// One step a key: those to other keys first (C2), the own one last.
    fn steps_of(
        &self,
        decided: Vec<(Option<Key>, Object)>,
        cause: StepId,
        time: Timestamp,
    ) -> Result<VecDeque<Step>, topics::StepError> {
        let mut own = Vec::new();
        let mut others: BTreeMap<Key, Vec<Object>> = BTreeMap::new();
        for (key, object) in decided {
            match key {
                Some(key) if key != self.key => others.entry(key).or_default().push(object),
                _ => own.push(object),
            }
        }
        let step = |key, objects| Step::derived(key, A::ROLE, self.logic, time, cause, objects);
        let mut steps = VecDeque::new();
        for (key, objects) in others {
            steps.push_back(step(key, objects)?);
        }
        if !own.is_empty() {
            let own = step(self.key.clone(), own)?;
            if self.rules.others_first { steps.push_back(own) } else { steps.push_front(own) }
        }
        Ok(steps)
    }

    /// Folds the recorded step of a slot. The recorded one always wins; other bytes of the same logic stop the
    /// agent for this key.
    pub(super) fn tell_recorded(&mut self, slot: StepId, ours: Option<&Step>, actions: &mut Vec<Action>) {
        let Some(recorded) = self.slots.get(&slot).cloned() else { return };
        let same = ours.is_some_and(|ours| *ours == recorded.step);
        if !same && (recorded.step.logic() == self.logic || !self.rules.other_logic_wins) {
            let what = ours.map_or("nothing".to_owned(), |ours| format!("{ours:?}"));
            return self.halt(
                format!("the log holds {:?} where this logic says {what}, or other bytes", recorded.step),
                actions,
            );
        }
        self.tell(&recorded, actions);
    }

    /// Folds an own derived step, right after its cause.
    fn tell(&mut self, own: &Stored, actions: &mut Vec<Action>) {
        let event = Event { time: own.time(), step: &own.step };
        match catch_unwind(AssertUnwindSafe(|| A::evolve(&mut self.state, &event))) {
            Ok(()) => {
                self.told.insert(event.id());
                self.clock = self.clock.max(event.time);
            }
            Err(panic) => self.park(event.id(), &words(panic.as_ref()), actions),
        }
    }

    pub(super) fn resolved(&mut self, library: &Library, actions: &mut Vec<Action>) {
        self.resolving = false;
        self.advance(library, actions);
    }

    pub(super) fn unresolved(&mut self, why: &str, actions: &mut Vec<Action>) {
        self.resolving = false;
        let event = self.events.front().map(|stored| stored.step.id());
        event.into_iter().for_each(|event| self.park(event, why, actions));
    }

    pub(super) fn park(&mut self, event: StepId, why: &str, actions: &mut Vec<Action>) {
        self.stop();
        actions.push(Action::Park { key: self.key.clone(), event, why: why.to_owned() });
    }

    fn halt(&mut self, why: String, actions: &mut Vec<Action>) {
        self.stop();
        actions.push(Action::Halt { key: self.key.clone(), why });
    }

    fn stop(&mut self) {
        self.parked = true;
        self.saying = None;
        self.events.clear();
        self.answers.clear();
    }

    /// Starts over with the recorded steps: another logic said what this one did not.
    fn refold(&mut self, actions: &mut Vec<Action>) {
        *self = Self::new(self.key.clone(), self.rules, self.logic);
        actions.push(Action::Refold(self.key.clone()));
    }

    pub(super) fn slot_filled(&self, cause: &Cause) -> bool {
        self.slots.contains_key(&step::slot(&self.key, A::ROLE, cause))
    }

    pub(super) fn is_live(&self) -> bool {
        self.live && !self.parked
    }
}

/// What a panic said.
pub(super) fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without words".to_owned())
}
