//! One process: its seats, each with its own cursor over the log, and what is on its way from and to them.

use std::collections::{BTreeMap, BTreeSet};

use ontology::Timestamp;
use runtime::driver::{Action, Deadlines, Delivery, Due, Input, Outcome, Rules, Seat, Standing, Tail, voice};
use runtime::log::{Append, Expect, LocalLog};
use topics::{Key, KeyKind, Needed, Owner, Position, Question, Step, Stored};

use super::log::SimulatedLog;

/// Something on its way. It arrives in any order, but not before its time.
#[derive(Debug, Clone)]
pub struct Flight {
    /// Not before.
    pub at: Timestamp,
    /// Which seat it is about.
    pub seat: usize,
    /// What.
    pub cargo: Cargo,
}

/// What is on its way.
#[derive(Debug, Clone)]
pub enum Cargo {
    /// An append, to the log.
    Append {
        /// The key whose events are being folded.
        key: Key,
        /// The step.
        step: Step,
        /// What the seat believes.
        expect: Expect,
    },
    /// A read-back, to the log.
    ReadBack {
        /// The key.
        key: Key,
        /// The step whose fate is unclear.
        step: topics::StepId,
        /// The last known head.
        after: Option<Position>,
    },
    /// A question, to a port.
    Ask {
        /// The key.
        key: Key,
        /// The question.
        question: Question,
    },
    /// A look-up, to where bodies are.
    Resolve {
        /// The key.
        key: Key,
        /// What an event names.
        needed: Vec<Needed>,
    },
    /// An answer of any of them, to the seat.
    Input(Input),
}

/// An agent in this process.
struct Place {
    seat: Box<dyn Seat>,
    tail: Tail,
    /// Keys that the seat was introduced to.
    keys: BTreeSet<Key>,
}

/// A process.
pub struct Process {
    places: Vec<Place>,
    /// What the log held when the process started: it appends and asks only after that.
    start: Option<Position>,
    live: bool,
    /// The greatest position that the process was told of, by delivery or by reply.
    told: Tail,
    lives: u32,
    deadlines: Deadlines,
    rules: Rules,
    /// On its way.
    pub flights: Vec<Flight>,
    /// What seats said that no process survives knowing: why they stopped.
    pub stopped: BTreeMap<(Owner, Key), String>,
    /// The log lost what this process was told of: it does nothing any more.
    pub halted: bool,
    /// Its library.
    pub library: topics::Library,
}

impl Process {
    /// A process that has just started.
    #[must_use]
    pub fn start(seats: Vec<Box<dyn Seat>>, rules: Rules, log: &SimulatedLog, now: Timestamp) -> Self {
        let place = |seat| Place { seat, tail: Tail::default(), keys: BTreeSet::new() };
        let mut process = Self {
            places: seats.into_iter().map(place).collect(),
            start: log.head(),
            live: false,
            told: Tail::default(),
            lives: log.lives(),
            deadlines: Deadlines::new(now, rules),
            rules,
            flights: Vec::new(),
            stopped: BTreeMap::new(),
            halted: false,
            library: topics::Library::default(),
        };
        process.go_live(now);
        process
    }

    /// How many seats it has.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.places.len()
    }

    /// Whether every seat has reached the head that the log had at the start.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        self.live
    }

    /// Who sits there.
    #[must_use]
    pub fn role(&self, seat: usize) -> Owner {
        self.places[seat].seat.role()
    }

    /// Whether a seat has not seen everything that is in the log.
    #[must_use]
    pub fn is_behind(&self, seat: usize, head: Option<Position>) -> bool {
        self.places[seat].tail.last() < head
    }

    /// The last position that a seat has seen.
    #[must_use]
    pub fn cursor(&self, seat: usize) -> u64 {
        self.places[seat].tail.last().unwrap_or_default().0
    }

    /// Looks whether the log was started again, and halts if it lost what this process knows.
    pub fn reconnect(&mut self, log: &SimulatedLog) {
        if self.lives == log.lives() {
            return;
        }
        self.lives = log.lives();
        let head = log.head();
        if self.told.is_ahead_of(head) || self.places.iter().any(|place| place.tail.is_ahead_of(head)) {
            self.halted = true;
            self.flights.clear();
        }
    }

    /// The log delivers the step at `position` to a seat, in order or not.
    pub fn deliver(
        &mut self,
        seat: usize,
        position: Position,
        log: &SimulatedLog,
        now: Timestamp,
        recall: bool,
    ) {
        let Some(stored) = log.at(position) else { return };
        match self.places[seat].tail.deliver(position) {
            Delivery::Next => self.event(seat, stored, log, now, recall),
            Delivery::Duplicate => {}
            Delivery::Gap { after } => {
                for missed in log.tail_now(after, 8).unwrap_or_default() {
                    if self.places[seat].tail.deliver(missed.position) == Delivery::Next {
                        self.event(seat, missed, log, now, recall);
                    }
                }
            }
        }
        self.go_live(now);
    }

    fn event(&mut self, seat: usize, stored: Stored, log: &SimulatedLog, now: Timestamp, recall: bool) {
        self.learn(Some(&stored));
        if stored.step.key().kind() == KeyKind::Body {
            return;
        }
        self.introduce(seat, stored.step.key(), log, now, recall || !self.live);
        self.put(seat, Input::Event(stored), log, now);
    }

    /// The process was told of a step. A log that has less lost its tail.
    pub fn learn(&mut self, stored: Option<&Stored>) {
        self.told = Tail::after(self.told.last().max(stored.map(|stored| stored.position)));
    }

    /// Before the first event of a key: what the log holds of the seat's own, and whether it may speak.
    fn introduce(&mut self, seat: usize, key: &Key, log: &SimulatedLog, now: Timestamp, recall: bool) {
        if !self.places[seat].keys.insert(key.clone()) {
            return;
        }
        if recall {
            let role = self.role(seat);
            let mut own = log.read_now(key, None).unwrap_or_default();
            own.retain(|stored| stored.step.owner() == role);
            self.learn(own.last());
            self.put(seat, Input::Recorded { key: key.clone(), own }, log, now);
        }
        if self.live {
            self.put(seat, Input::Live(key.clone()), log, now);
        }
    }

    fn go_live(&mut self, now: Timestamp) {
        if self.live || self.places.iter().any(|place| place.tail.last() < self.start) {
            return;
        }
        self.live = true;
        self.deadlines = Deadlines::new(now, self.rules);
        for seat in 0..self.places.len() {
            for key in &self.places[seat].keys {
                let cargo = Cargo::Input(Input::Live(key.clone()));
                self.flights.push(Flight { at: now, seat, cargo });
            }
        }
    }

    /// Gives an input that came through the door to the seat of `role`.
    pub fn door(&mut self, role: Owner, key: &Key, input: Input, log: &SimulatedLog, now: Timestamp) {
        if let Some(seat) = (0..self.places.len()).find(|seat| self.role(*seat) == role) {
            self.introduce(seat, key, log, now, true);
            self.put(seat, input, log, now);
        }
    }

    /// Gives an input to a seat, and sends off what it wants done.
    pub fn put(&mut self, seat: usize, input: Input, log: &SimulatedLog, now: Timestamp) {
        for action in self.places[seat].seat.step(input, &self.library) {
            self.perform(seat, action, log, now);
        }
    }

    fn perform(&mut self, seat: usize, action: Action, log: &SimulatedLog, now: Timestamp) {
        let cargo = match action {
            Action::Append { key, step, expect } => Cargo::Append { key, step, expect },
            Action::ReadBack { key, step, after } => Cargo::ReadBack { key, step, after },
            Action::Ask { key, question } => Cargo::Ask { key, question },
            Action::Resolve { key, needed } => Cargo::Resolve { key, needed },
            Action::Park { key, event, why } => {
                let role = self.role(seat);
                self.stopped.insert((role, key.clone()), why.clone());
                let input = voice::quarantined(key.clone(), role, event, &why, now);
                return self.door(Owner::Runtime, &key, input, log, now);
            }
            Action::Halt { key, why } => {
                let role = self.role(seat);
                self.stopped.insert((role, key.clone()), format!("halted: {why}"));
                let input = voice::halted(key.clone(), role, &why, now);
                return self.door(Owner::Runtime, &key, input, log, now);
            }
            Action::Refold(key) => return self.refold(seat, &key, log, now),
        };
        self.flights.push(Flight { at: now, seat, cargo });
    }

    /// Reads the whole key and feeds it again.
    fn refold(&mut self, seat: usize, key: &Key, log: &SimulatedLog, now: Timestamp) {
        let steps = log.read_now(key, None).unwrap_or_default();
        let role = self.role(seat);
        self.learn(steps.last());
        let own = steps.iter().filter(|stored| stored.step.owner() == role).cloned().collect();
        self.put(seat, Input::Recorded { key: key.clone(), own }, log, now);
        for stored in steps {
            self.put(seat, Input::Event(stored), log, now);
        }
        if self.live {
            self.put(seat, Input::Live(key.clone()), log, now);
        }
    }

    /// What the log answered an append.
    pub fn answered(&mut self, seat: usize, key: Key, step: &Step, answer: &Append, now: Timestamp) {
        let outcome = match answer {
            Append::Stored(positions) => {
                let position = positions.last().copied().unwrap_or_default();
                self.told = Tail::after(self.told.last().max(Some(position)));
                Outcome::Stored(position)
            }
            Append::Conflict { .. } | Append::Unknown | Append::Refused(_) => Outcome::Unclear,
            Append::Full => Outcome::Later,
        };
        let cargo = Cargo::Input(Input::Reply { key, step: step.id(), outcome });
        self.flights.push(Flight { at: now, seat, cargo });
    }

    /// Tries again what found no room, and fires the deadlines that have passed. Tells when to look again.
    pub fn tick(&mut self, log: &SimulatedLog, now: Timestamp) -> Option<Timestamp> {
        for seat in 0..self.places.len() {
            for key in self.places[seat].seat.waiting() {
                self.put(seat, Input::Retry(key), log, now);
            }
        }
        if !self.live {
            return None;
        }
        let mut next: Option<Timestamp> = None;
        for key in self.reviews() {
            match self.due(&key, now) {
                Due::Now(deadline) => {
                    let input = voice::deadline_reached(key.clone(), deadline.evaluation, deadline.name, now);
                    self.door(Owner::Runtime, &key, input, log, now);
                }
                Due::At(at) => next = Some(next.map_or(at, |next| next.min(at))),
                Due::Never => {}
            }
        }
        next
    }

    fn due(&self, key: &Key, now: Timestamp) -> Due {
        let standings: Vec<Standing> = self.places.iter().map(|place| place.seat.standing(key)).collect();
        self.deadlines.due(&standings, now)
    }

    /// Whether an append waits for room.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.places.iter().any(|place| !place.seat.waiting().is_empty())
    }

    /// The reviews that some seat was introduced to.
    #[must_use]
    pub fn reviews(&self) -> BTreeSet<Key> {
        let keys = self.places.iter().flat_map(|place| &place.keys);
        keys.filter(|key| matches!(key.kind(), KeyKind::Review(_))).cloned().collect()
    }

    /// Where each seat stands on a key, and its state in words.
    #[must_use]
    pub fn describe(&self, key: &Key) -> Vec<(Owner, Standing, String)> {
        let seats = self.places.iter().map(|place| &place.seat);
        seats.map(|seat| (seat.role(), seat.standing(key), seat.describe(key))).collect()
    }
}
