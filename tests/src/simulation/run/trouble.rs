//! What goes wrong, and when.

use agents::estate::Estate;
use runtime::log::Append;
use topics::Position;

use super::{Run, chance};
use crate::simulation::log::Fate;
use crate::simulation::replica::Replica;
use crate::simulation::{Configuration, Faults};

/// Replicas that run at most: some are started beside those that stand still.
const REPLICAS_MAX: usize = 4;
/// How far the clock jumps at most, in milliseconds.
const JUMP_MS_MAX: u64 = 3_000;

impl Run {
    /// The faults that are about.
    pub(super) fn faults(&self) -> Faults {
        if self.troubled { self.configuration.faults } else { Faults::default() }
    }

    /// Something may go wrong instead of the next step.
    pub(super) fn trouble(&mut self) -> bool {
        let faults = self.configuration.faults;
        let number = self.rng.usize(..self.replicas.len());
        if chance(&mut self.rng, faults.crash) {
            self.crash(number);
            return true;
        }
        if chance(&mut self.rng, faults.pause) {
            self.pause(number);
            return true;
        }
        if chance(&mut self.rng, faults.clock_jump) {
            self.now = self.now.plus_ms(self.rng.u64(..JUMP_MS_MAX));
            self.trace.note(format_args!("{} the clock jumps", self.now.as_micros()));
        }
        false
    }

    /// The process of a replica dies.
    pub(super) fn crash(&mut self, number: usize) {
        let Configuration { outage_budgets, .. } = self.configuration;
        let budgets_ms = self.clients.pins().budget_ms * u64::from(outage_budgets);
        let down_ms = if outage_budgets == 0 { self.rng.u64(..1_500) } else { self.rng.u64(..=budgets_ms) };
        let sent = self.replicas[number].crash(self.now.plus_ms(down_ms));
        let arriving: Vec<_> = sent.into_iter().filter(|_| self.rng.bool()).collect();
        self.trace.note(format_args!(
            "{} {number} dies for {down_ms} ms, {} appends are on their way",
            self.now.as_micros(),
            arriving.len()
        ));
        self.orphans.extend(arriving);
    }

    /// A process stands still; somebody may take it for dead and start another.
    fn pause(&mut self, number: usize) {
        self.replicas[number].paused_until = self.now.plus_ms(self.rng.u64(..4_000));
        self.trace.note(format_args!("{} {number} stands still", self.now.as_micros()));
        if self.replicas.len() < REPLICAS_MAX && self.rng.u8(..4) == 0 {
            self.replicas.push(Replica::new(self.replicas[number].newer));
            self.looks.push(None);
        }
    }

    /// What becomes of the next append.
    pub(super) fn fate(&mut self) -> Fate {
        let faults = self.faults();
        let fates = [
            (faults.reply_lost, Fate::ReplyLost),
            (faults.request_lost, Fate::RequestLost),
            (faults.full, Fate::Full),
            (faults.conflict_though_stored, Fate::ConflictThoughStored),
            (faults.window_forgotten, Fate::WindowForgotten),
        ];
        let drawn = fates.into_iter().find(|(per_mille, _)| chance(&mut self.rng, *per_mille));
        drawn.map_or(Fate::Sound, |(_, fate)| fate)
    }

    /// Whether the process dies at this append, as the configuration says.
    pub(super) fn dies(&mut self, after: bool) -> bool {
        if !after {
            self.appends += 1;
        }
        let dies = !self.crashed_at && self.configuration.crash_at == Some((self.appends, after));
        self.crashed_at |= dies;
        dies
    }

    /// The log starts again without its tail, once, and every process has to notice.
    pub(super) fn lose_tail(&mut self, answer: &Append) {
        let (Some(at), Append::Stored(positions), true) = (self.truncate_at, answer, self.troubled) else {
            return;
        };
        let Some(last) = positions.last().filter(|last| **last >= at) else { return };
        self.truncate_at = None;
        let head = Position(last.0 - self.rng.u64(1..5));
        self.log.truncate(head);
        self.orphans.clear();
        self.estate = Estate::default();
        self.estate_seen = None;
        self.fold_estate();
        let mut halted = 0;
        for replica in &mut self.replicas {
            if let Some(process) = &mut replica.process {
                process.reconnect(&self.log);
                halted += usize::from(process.halted);
            }
        }
        self.truncated = Some((head, halted));
        self.trace.note(format_args!("the log lost its tail after {head:?}, {halted} noticed"));
    }
}
