//! What asks for the next evaluation while it cannot open yet. Any order and repetition of the same askings comes to
//! the same.

use std::collections::BTreeSet;

use ontology::Timestamp;
use ontology::records::{Opening, Pins};
use topics::{Event, StepId};

/// Askings that no evaluation has answered yet; several come to one (C11).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Pending {
    /// Every asking there was, so that one delivered twice asks once. As many as the door let in.
    seen: BTreeSet<StepId>,
    /// The newest that waits, by time and id.
    newest: Option<(Timestamp, StepId, Pins)>,
    /// What is asked for; of several the weightiest is why the evaluation opens.
    opening: Option<Weighed>,
}

/// Why an evaluation opens, lightest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weighed {
    Recheck,
    Evidence,
    Exception,
    Revoked,
}

impl Pending {
    /// Evidence arrived.
    pub(super) fn evidence(&mut self, event: &Event<'_>, pins: &Pins) {
        self.ask(event, pins, Weighed::Evidence, true);
    }

    /// Somebody asks to judge again; not `wanted`, if that was done since they looked.
    pub(super) fn recheck(&mut self, event: &Event<'_>, pins: &Pins, wanted: bool) {
        self.ask(event, pins, Weighed::Recheck, wanted);
    }

    /// Somebody asks for an exception.
    pub(super) fn exception(&mut self, event: &Event<'_>, pins: &Pins) {
        self.ask(event, pins, Weighed::Exception, true);
    }

    /// A person takes an approval back; not `wanted`, if it was of an earlier evaluation.
    pub(super) fn revoked(&mut self, event: &Event<'_>, pins: &Pins, wanted: bool) {
        self.ask(event, pins, Weighed::Revoked, wanted);
    }

    /// Why the next evaluation is to open, and with which pins: the newest there are.
    pub(super) fn asked(&self) -> Option<(Opening, Pins)> {
        let opening = match self.opening? {
            Weighed::Recheck => Opening::Recheck,
            Weighed::Evidence => Opening::Evidence,
            Weighed::Exception => Opening::Exception,
            Weighed::Revoked => Opening::Revoked,
        };
        self.newest.as_ref().map(|(_, _, pins)| (opening, pins.clone()))
    }

    /// An evaluation opened: it answers all that waited.
    pub(super) fn granted(&mut self) {
        self.newest = None;
        self.opening = None;
    }

    fn ask(&mut self, event: &Event<'_>, pins: &Pins, why: Weighed, wanted: bool) {
        if !self.seen.insert(event.id()) || !wanted {
            return;
        }
        self.opening = self.opening.max(Some(why));
        let this = (event.time, event.id());
        if self.newest.as_ref().is_none_or(|(time, id, _)| this > (*time, *id)) {
            self.newest = Some((event.time, event.id(), pins.clone()));
        }
    }
}
