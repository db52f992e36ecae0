//! The cascade: what one input sets off among the agents of this node.

use std::collections::VecDeque;

use ontology::Timestamp;
use topics::{Answer, Ask, Key, Owner, Position, Question, Step, Stored};

use super::Node;
use crate::driver::{Action, Due, Input, Outcome, voice};
use crate::log::{Expect, LocalLog, Unavailable};

impl<L: LocalLog> Node<L> {
    /// Brings every seat to the head of `key`, and takes up what was interrupted there.
    pub(super) fn load(&mut self, key: &Key) -> Result<(), Unavailable> {
        if self.loaded.contains(key) {
            return Ok(());
        }
        let steps = self.steps_of(key)?;
        self.registry.pin(key, &steps);
        for number in 0..self.seats.len() {
            self.feed(number, key, &steps)?;
        }
        self.loaded.insert(key.clone());
        self.batch.touched.insert(key.clone());
        let mut work = VecDeque::new();
        for number in 0..self.seats.len() {
            self.put(number, Input::Live(key.clone()), &mut work);
        }
        self.run(work)
    }

    /// Feeds one seat the recorded steps and events of a key.
    fn feed(&mut self, number: usize, key: &Key, steps: &[Stored]) -> Result<(), Unavailable> {
        let role = self.seats[number].role();
        let own = steps.iter().filter(|stored| stored.step.owner() == role).cloned().collect();
        let mut work = VecDeque::new();
        self.put(number, Input::Recorded { key: key.clone(), own }, &mut work);
        for stored in steps {
            self.put(number, Input::Event(stored.clone()), &mut work);
            self.perform(&mut work)?;
        }
        Ok(())
    }

    /// The steps of a key: those in the log and those of this batch.
    pub(super) fn steps_of(&self, key: &Key) -> Result<Vec<Stored>, Unavailable> {
        let mut steps = self.log.read_now(key, None)?;
        steps.extend(self.batch.stored.iter().filter(|stored| stored.step.key() == key).cloned());
        Ok(steps)
    }

    /// Gives an input to the seat of `role`, and runs what follows.
    pub(super) fn tell(&mut self, role: Owner, input: Input) -> Result<(), Unavailable> {
        let mut work = VecDeque::new();
        if let Some(number) = self.seats.iter().position(|seat| seat.role() == role) {
            self.put(number, input, &mut work);
        }
        self.run(work)
    }

    fn put(&mut self, number: usize, input: Input, work: &mut VecDeque<(usize, Action)>) {
        let actions = self.seats[number].step(input, &self.library);
        work.extend(actions.into_iter().map(|action| (number, action)));
    }

    /// Runs the cascade to its end.
    fn run(&mut self, mut work: VecDeque<(usize, Action)>) -> Result<(), Unavailable> {
        loop {
            self.perform(&mut work)?;
            let Some(stored) = self.batch.events.pop_front() else { return Ok(()) };
            for number in 0..self.seats.len() {
                self.put(number, Input::Event(stored.clone()), &mut work);
                self.perform(&mut work)?;
            }
        }
    }

    fn perform(&mut self, work: &mut VecDeque<(usize, Action)>) -> Result<(), Unavailable> {
        while let Some((number, action)) = work.pop_front() {
            match action {
                Action::Append { key, step, expect } => {
                    let id = step.id();
                    let outcome = Outcome::Stored(self.say(step, expect));
                    self.put(number, Input::Reply { key, step: id, outcome }, work);
                }
                Action::ReadBack { key, step, after } => {
                    let role = self.seats[number].role();
                    let mut own = self.steps_of(&key)?;
                    own.retain(|stored| stored.step.owner() == role && Some(stored.position) > after);
                    self.put(number, Input::ReadBack { key, step, own }, work);
                }
                Action::Ask { key, question } => {
                    if let Some(answer) = self.ask(&question) {
                        self.put(number, Input::Answered { key, question, answer }, work);
                    }
                }
                Action::Resolve { key, needed } => {
                    let input = match self.resolve(&needed) {
                        Ok(()) => Input::Resolved(key),
                        Err(why) => Input::Unresolved { key, why },
                    };
                    self.put(number, input, work);
                }
                Action::Park { key, event, why } => {
                    let role = self.seats[number].role();
                    tracing::error!(agent = %role, key = %key, event = %event, "parked: {why}");
                    self.parked.insert((role, key.clone()), why.clone());
                    self.voice(voice::quarantined(key, role, event, &why, self.batch.at), work);
                }
                Action::Halt { key, why } => {
                    let role = self.seats[number].role();
                    tracing::error!(agent = %role, key = %key, "halted: {why}");
                    self.parked.insert((role, key.clone()), why.clone());
                    self.voice(voice::halted(key, role, &why, self.batch.at), work);
                }
                Action::Refold(key) => {
                    let steps = self.steps_of(&key)?;
                    self.feed(number, &key, &steps)?;
                    self.put(number, Input::Live(key), work);
                }
            }
        }
        Ok(())
    }

    fn voice(&mut self, input: Input, work: &mut VecDeque<(usize, Action)>) {
        if let Some(number) = self.seats.iter().position(|seat| seat.role() == Owner::Runtime) {
            self.put(number, input, work);
        }
    }

    /// Gives a step its position, and shows it to the agents.
    pub(super) fn say(&mut self, step: Step, expect: Expect) -> Position {
        let estate = *step.key() == Key::estate();
        if estate && !self.estate_steps.insert(step.id()) {
            return self.batch.first; // said before: readers count the first
        }
        let position = Position(self.batch.first.0 + self.batch.steps.len() as u64);
        let stored = Stored { position, at: self.batch.at, step: step.clone() };
        if estate {
            self.estate.fold(&stored);
        }
        if let Some(slot) = crate::log::index::content_of(&step) {
            self.batch.newest.insert(slot, step.key().clone());
        }
        self.registry.take(&stored);
        self.batch.touched.insert(step.key().clone());
        self.batch.steps.push(step);
        self.batch.expect.push(expect);
        self.batch.stored.push(stored.clone());
        self.batch.events.push_back(stored);
        position
    }

    /// The world's answer, where this node has it: the library's and the estate's are at hand.
    fn ask(&self, question: &Question) -> Option<Answer> {
        match &question.ask {
            Ask::ConcurrentChanges { review, targets, not_before, .. } => {
                self.estate.answer(*review, targets, *not_before)
            }
            Ask::Cost(_) | Ask::Recovery(_) => Some(Answer::Library),
            Ask::Intake => None,
        }
    }

    /// Fires the deadline of a key, if it may be.
    pub(super) fn fire(&mut self, key: &Key, now: Timestamp) -> Result<(), Unavailable> {
        if !self.loaded.contains(key) {
            return Ok(());
        }
        let standings: Vec<_> = self.seats.iter().map(|seat| seat.standing(key)).collect();
        self.batch.touched.insert(key.clone());
        if let Due::Now(deadline) = self.deadlines.due(&standings, now) {
            let input = voice::deadline_reached(key.clone(), deadline.evaluation, deadline.name, now);
            self.tell(Owner::Runtime, input)?;
        }
        Ok(())
    }

    /// Takes parked seats of a key up again.
    pub(super) fn redrive(&mut self, key: &Key) -> Result<(), Unavailable> {
        self.load(key)?;
        self.parked.retain(|(_, parked), _| parked != key);
        let mut work = VecDeque::new();
        for number in 0..self.seats.len() {
            self.put(number, Input::Redrive(key.clone()), &mut work);
        }
        self.batch.touched.insert(key.clone());
        self.run(work)
    }
}
