//! A place for a process: it may be down, or stand still.

use ontology::Timestamp;

use super::process::{Cargo, Flight, Process};

/// A replica.
pub struct Replica {
    /// What its agents' logic numbers are greater by.
    pub newer: u16,
    /// The process, if one runs.
    pub process: Option<Process>,
    /// Down until then.
    pub down_until: Timestamp,
    /// Standing still until then.
    pub paused_until: Timestamp,
}

impl Replica {
    /// A replica whose first process is still to start.
    #[must_use]
    pub fn new(newer: u16) -> Self {
        let never = Timestamp::default();
        Self { newer, process: None, down_until: never, paused_until: never }
    }

    /// The process, if it runs and does not stand still.
    pub fn awake(&mut self, now: Timestamp) -> Option<&mut Process> {
        if self.paused_until > now {
            return None;
        }
        self.process.as_mut().filter(|process| !process.halted)
    }

    /// Whether a process is to start now.
    #[must_use]
    pub fn is_to_start(&self, now: Timestamp) -> bool {
        self.process.is_none() && self.down_until <= now
    }

    /// The process dies. Appends that it sent may still arrive.
    pub fn crash(&mut self, down_until: Timestamp) -> Vec<Flight> {
        self.down_until = down_until;
        let flights = self.process.take().map(|process| process.flights).unwrap_or_default();
        flights.into_iter().filter(|flight| matches!(flight.cargo, Cargo::Append { .. })).collect()
    }
}
