//! Steps on their way into the log: sent, answered, read back, tried again. One in flight per (key, owner).

use std::collections::VecDeque;

use topics::{Agent, Library, Step, StepId, Stored};

use super::fold::Fold;
use super::{Action, Outcome};
use crate::log::Expect;

/// Steps on their way into the log, first one in flight.
pub(super) struct Saying {
    pub(super) steps: VecDeque<Step>,
    /// A derived own step is folded when it is stored; an observed one when it is delivered.
    pub(super) derived: bool,
    pub(super) sent: bool,
    /// The append found no room or no log.
    pub(super) waits: bool,
}

impl Saying {
    /// Whether this step is the one in flight.
    fn awaits(&self, id: StepId) -> bool {
        self.sent && self.steps.front().is_some_and(|step| step.id() == id)
    }
}

impl<A: Agent> Fold<A> {
    /// Sends the first step under way, once the key is live, unless the log turns out to hold it.
    pub(super) fn send(&mut self, actions: &mut Vec<Action>) {
        let Some(saying) = self.saying.as_mut().filter(|saying| self.live && !saying.sent) else { return };
        let Some(step) = saying.steps.front().cloned() else { return };
        let own = *step.key() == self.key;
        if own && self.slots.contains_key(&step.id()) {
            let derived = saying.derived;
            saying.steps.pop_front();
            if saying.steps.is_empty() {
                self.saying = None;
            }
            if derived {
                self.tell_recorded(step.id(), Some(&step), actions);
            }
            return self.send(actions);
        }
        saying.sent = true;
        saying.waits = false;
        let expect = if own { Expect::Head(self.head) } else { Expect::Any };
        actions.push(Action::Append { key: self.key.clone(), step, expect });
    }

    pub(super) fn reply(
        &mut self,
        id: StepId,
        outcome: Outcome,
        library: &Library,
        actions: &mut Vec<Action>,
    ) {
        // A reply that comes after the log settled the step by another way is about nothing any more.
        let Some(saying) = self.saying.as_mut().filter(|saying| saying.awaits(id)) else { return };
        saying.sent = false;
        let own = saying.steps.front().is_some_and(|step| step.key() == &self.key);
        match outcome {
            Outcome::Stored(position) => {
                let Some(step) = saying.steps.pop_front() else { return };
                let (derived, last) = (saying.derived, saying.steps.is_empty());
                if last {
                    self.saying = None;
                }
                if own {
                    let time = step.time().unwrap_or(self.clock);
                    self.fill(Stored { position, at: time, step: step.clone() });
                    if derived {
                        self.tell_recorded(step.id(), Some(&step), actions);
                    }
                }
                self.send(actions);
                self.advance(library, actions);
            }
            Outcome::Unclear if own => {
                actions.push(Action::ReadBack { key: self.key.clone(), step: id, after: self.head });
                saying.sent = true;
            }
            // A step to another key in a slot that is filled already says nothing: readers count the first.
            Outcome::Unclear => self.send(actions),
            Outcome::Later => saying.waits = true,
        }
    }

    pub(super) fn read_back(
        &mut self,
        id: StepId,
        own: Vec<Stored>,
        library: &Library,
        actions: &mut Vec<Action>,
    ) {
        let compared =
            if self.rules.read_back_after_head { own } else { own.into_iter().last().into_iter().collect() };
        for stored in compared {
            self.fill(stored);
        }
        let Some(saying) = self.saying.as_mut().filter(|saying| saying.awaits(id)) else { return };
        saying.sent = false;
        self.send(actions);
        self.advance(library, actions);
    }

    pub(super) fn retry(&mut self, library: &Library, actions: &mut Vec<Action>) {
        if self.waits() {
            self.send(actions);
            self.advance(library, actions);
        }
    }
}
