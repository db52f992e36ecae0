//! A node: a process with a local log open and every agent on it.
//!
//! One loop runs all agents of a key in fixed order. What one call or deadline sets off among them is a *cascade*:
//! steps get their positions in memory, agents see them at once, and one transaction stores them all, or none, in
//! fold order. That is legal because this node is the log's only writer. Nothing is answered before it is stored.

mod admit;
mod cascade;
mod intake;
mod keys;
mod people;
mod reading;
mod replaying;
mod resolver;
pub mod serve;
mod submit;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use agents::estate::Estate;
use agents::huginn::redact::RedactionKey;
use ontology::{Digest, Timestamp};
use topics::{Key, Library, Position, Step, StepId, Stored};

use crate::driver::{Deadlines, Due, Rules, Seat, all_agents};
use crate::log::{Append, Expect, LocalLog, Unavailable};

pub use intake::Directories;
pub(crate) use intake::{catalog_file, model_file};
pub use serve::{NodeHandle, in_memory};
pub(crate) use submit::read_change;

/// Open reviews at most: each costs some 50 kB of state. Beyond, the door says "try again later".
pub const OPEN_REVIEWS_MAX: usize = 10_000;
/// How long a node waits before it tries an append again that found no room, in microseconds.
const RETRY_US: i64 = 1_000_000;

/// A node over a local log. Knows no clock: every entry takes `now`.
pub struct Node<L: LocalLog> {
    log: Arc<L>,
    seats: Vec<Box<dyn Seat>>,
    library: Library,
    registry: resolver::Registry,
    estate: Estate,
    /// Ids of steps on the estate's key, to say each once.
    estate_steps: BTreeSet<StepId>,
    /// Keys that every seat has folded to the head.
    loaded: BTreeSet<Key>,
    deadlines: Deadlines,
    /// When to look at a key's deadlines again.
    due: BTreeSet<(Timestamp, Key)>,
    batch: Batch,
    redaction: Option<RedactionKey>,
    directories: Directories,
    /// Keys parked or halted at a seat, with the reason, for `status`.
    parked: BTreeMap<(topics::Owner, Key), String>,
    live_since: Timestamp,
}

/// Steps that were said and are not stored yet.
#[derive(Default)]
struct Batch {
    steps: Vec<Step>,
    expect: Vec<Expect>,
    stored: Vec<Stored>,
    /// Steps that no seat has seen yet.
    events: VecDeque<Stored>,
    first: Position,
    at: Timestamp,
    touched: BTreeSet<Key>,
    /// The newest review of a content among these steps.
    newest: BTreeMap<[u8; 32], Key>,
}

impl<L: LocalLog> Node<L> {
    /// Opens a node over `log`: folds what is open, and takes up what was interrupted.
    ///
    /// # Errors
    /// [`Unavailable`] when the log cannot be read or written.
    pub fn open(
        log: Arc<L>,
        redaction: Option<RedactionKey>,
        directories: Directories,
        now: Timestamp,
    ) -> Result<Self, Unavailable> {
        Self::with_agents(log, all_agents(), Rules::default(), redaction, directories, now)
    }

    /// [`Node::open`] with these seats, for the simulator.
    ///
    /// # Errors
    /// As [`Node::open`].
    pub fn with_agents(
        log: Arc<L>,
        seats: Vec<Box<dyn Seat>>,
        rules: Rules,
        redaction: Option<RedactionKey>,
        directories: Directories,
        now: Timestamp,
    ) -> Result<Self, Unavailable> {
        let mut node = Self {
            log,
            seats,
            library: Library::default(),
            registry: resolver::Registry::default(),
            estate: Estate::default(),
            estate_steps: BTreeSet::new(),
            loaded: BTreeSet::new(),
            deadlines: Deadlines::new(now, rules),
            due: BTreeSet::new(),
            batch: Batch::default(),
            redaction,
            directories,
            parked: BTreeMap::new(),
            live_since: now,
        };
        node.begin(now)?;
        node.start()?;
        node.commit(now)?;
        Ok(node)
    }

    /// Reads what is open: revisions, the estate, every open review.
    fn start(&mut self) -> Result<(), Unavailable> {
        let open = self.log.open_keys()?;
        self.read_revisions()?;
        self.read_estate()?;
        for key in open {
            if key.as_review().is_some() {
                self.load(&key)?;
            }
        }
        Ok(())
    }

    fn read_revisions(&mut self) -> Result<(), Unavailable> {
        self.registry.forget_revisions();
        for key in [Key::model(), Key::catalog()] {
            for stored in self.log.read_now(&key, None)? {
                self.registry.take(&stored);
            }
        }
        Ok(())
    }

    fn read_estate(&mut self) -> Result<(), Unavailable> {
        self.estate = Estate::default();
        self.estate_steps.clear();
        for stored in self.log.read_now(&Key::estate(), None)? {
            self.estate_steps.insert(stored.step.id());
            self.estate.fold(&stored);
        }
        Ok(())
    }

    /// Begins a batch: positions follow the log's head.
    fn begin(&mut self, now: Timestamp) -> Result<(), Unavailable> {
        let info = self.log.info_now()?;
        let first = Position(info.head.map_or(0, |head| head.0) + 1);
        let at = self.batch.at.max(now);
        self.batch = Batch { first, at, ..Batch::default() };
        Ok(())
    }

    /// Stores the batch in one transaction. On failure nothing of it ever was: the touched keys are forgotten and
    /// read again when they are needed.
    ///
    /// # Errors
    /// [`Unavailable::Retry`] when there is no room, [`Unavailable::Damaged`] when the log refuses.
    fn commit(&mut self, now: Timestamp) -> Result<(), Unavailable> {
        let batch = std::mem::take(&mut self.batch);
        self.batch.at = batch.at;
        if !batch.steps.is_empty() {
            let outcome = self.log.append_now(&batch.steps, &batch.expect, batch.at);
            if let Err(error) = accepted(&outcome, &batch) {
                self.forget(&batch.touched)?;
                self.due.insert((now.plus_micros(RETRY_US), Key::model()));
                return Err(error);
            }
        }
        for key in &batch.touched {
            self.settle(key, now);
        }
        Ok(())
    }

    fn forget(&mut self, keys: &BTreeSet<Key>) -> Result<(), Unavailable> {
        for key in keys {
            self.loaded.remove(key);
            self.due.retain(|(_, due)| due != key);
            for seat in &mut self.seats {
                seat.forget(key);
            }
        }
        if keys.contains(&Key::estate()) {
            self.read_estate()?;
        }
        self.directories.forget();
        self.read_revisions()
    }

    /// After a key was touched: closes it when no agent needs it any more, else schedules its next deadline.
    fn settle(&mut self, key: &Key, now: Timestamp) {
        if key.as_review().is_none() || !self.loaded.contains(key) {
            return;
        }
        self.due.retain(|(_, due)| due != key);
        let standings: Vec<_> = self.seats.iter().map(|seat| seat.standing(key)).collect();
        if standings.iter().all(|standing| !standing.open && !standing.busy && !standing.parked) {
            self.log.close(key);
            self.loaded.remove(key);
            for seat in &mut self.seats {
                seat.forget(key);
            }
            self.registry.release(key, &mut self.library);
            return;
        }
        match self.deadlines.due(&standings, now) {
            Due::At(at) => {
                self.due.insert((at, key.clone()));
            }
            Due::Now(_) => {
                self.due.insert((now, key.clone()));
            }
            Due::Never => {}
        }
    }

    /// When [`Node::tick`] has something to do next.
    #[must_use]
    pub fn next_due(&self) -> Option<Timestamp> {
        self.due.first().map(|(at, _)| *at)
    }

    /// Fires the deadlines that have passed, and takes up what was interrupted.
    ///
    /// # Errors
    /// [`Unavailable`] when nothing could be stored; it is tried again.
    pub fn tick(&mut self, now: Timestamp) -> Result<(), Unavailable> {
        let mut keys = Vec::new();
        while let Some((at, key)) = self.due.first().cloned()
            && at <= now
        {
            self.due.remove(&(at, key.clone()));
            keys.push(key);
        }
        if keys.is_empty() {
            return Ok(());
        }
        self.begin(now)?;
        if keys.contains(&Key::model()) {
            for key in self.log.open_keys()?.into_iter().filter(|key| key.as_review().is_some()) {
                self.load(&key)?;
            }
        }
        for key in keys {
            self.fire(&key, now)?;
        }
        self.commit(now)
    }

    /// The digest that changes pin when the ontology release is not named.
    fn release() -> Digest {
        ontology::release::shipped()
    }
}

fn accepted(outcome: &Append, batch: &Batch) -> Result<(), Unavailable> {
    match outcome {
        Append::Stored(positions) if positions.first() == Some(&batch.first) => Ok(()),
        Append::Full => {
            Err(Unavailable::Retry("there is no room for the log to grow; nothing was accepted".into()))
        }
        Append::Unknown => {
            Err(Unavailable::Retry("the log did not answer; ask again with the same change".into()))
        }
        Append::Refused(why) => Err(Unavailable::Damaged(why.clone())),
        Append::Stored(_) | Append::Conflict { .. } => {
            Err(Unavailable::Damaged("somebody else wrote to this node's log".into()))
        }
    }
}
