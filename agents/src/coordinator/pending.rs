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
    /// Evidence is among what waits: that is why the evaluation opens, whoever else asked.
    evidence: bool,
}

impl Pending {
    /// Evidence arrived.
    pub(super) fn evidence(&mut self, event: &Event<'_>, pins: &Pins) {
        if self.seen.insert(event.id()) {
            self.ask(event, pins);
            self.evidence = true;
        }
    }

    /// Somebody asks to judge again; not `wanted`, if that was done since they looked.
    pub(super) fn recheck(&mut self, event: &Event<'_>, pins: &Pins, wanted: bool) {
        if self.seen.insert(event.id()) && wanted {
            self.ask(event, pins);
        }
    }

    /// Why the next evaluation is to open, and with which pins: the newest there are.
    pub(super) fn asked(&self) -> Option<(Opening, Pins)> {
        let opening = if self.evidence { Opening::Evidence } else { Opening::Recheck };
        self.newest.as_ref().map(|(_, _, pins)| (opening, pins.clone()))
    }

    /// An evaluation opened: it answers all that waited.
    pub(super) fn granted(&mut self) {
        self.newest = None;
        self.evidence = false;
    }

    fn ask(&mut self, event: &Event<'_>, pins: &Pins) {
        let this = (event.time, event.id());
        if self.newest.as_ref().is_none_or(|(time, id, _)| this > (*time, *id)) {
            self.newest = Some((event.time, event.id(), pins.clone()));
        }
    }
}
