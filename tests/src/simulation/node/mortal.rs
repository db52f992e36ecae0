//! Local logs as a process that dies sees them, or one that forgets.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ontology::Timestamp;
use runtime::log::{Append, Expect, Info, LocalLog, Unavailable};
use topics::{Key, Owner, Position, Step, Stored};

/// When a process dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Death {
    /// At its append of this number, from 1.
    pub at_append: u64,
    /// After it is stored; else before.
    pub after: bool,
}

/// A log of which a process loses hold when it dies: from then on nothing answers it.
#[derive(Debug)]
pub struct Mortal<L> {
    log: Arc<L>,
    death: Option<Death>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    appends: u64,
    dead: bool,
}

impl<L: LocalLog> Mortal<L> {
    /// A log as one process sees it.
    #[must_use]
    pub fn new(log: Arc<L>, death: Option<Death>) -> Self {
        Self { log, death, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn alive<T>(&self, read: impl FnOnce(&L) -> Result<T, Unavailable>) -> Result<T, Unavailable> {
        if self.state().dead {
            return Err(Unavailable::Retry("the process is dead".to_owned()));
        }
        read(&self.log)
    }
}

impl<L: LocalLog> LocalLog for Mortal<L> {
    fn append_now(&self, steps: &[Step], expect: &[Expect], at: Timestamp) -> Append {
        let mut state = self.state();
        if state.dead {
            return Append::Unknown;
        }
        state.appends += 1;
        let dies = self.death.filter(|death| death.at_append == state.appends);
        state.dead = dies.is_some();
        match dies {
            None => self.log.append_now(steps, expect, at),
            Some(death) => {
                if death.after {
                    self.log.append_now(steps, expect, at);
                }
                Append::Unknown
            }
        }
    }

    fn last_now(&self, key: &Key, owner: Owner) -> Result<Option<Stored>, Unavailable> {
        self.alive(|log| log.last_now(key, owner))
    }

    fn read_now(&self, key: &Key, after: Option<Position>) -> Result<Vec<Stored>, Unavailable> {
        self.alive(|log| log.read_now(key, after))
    }

    fn tail_now(&self, after: Option<Position>, limit: usize) -> Result<Vec<Stored>, Unavailable> {
        self.alive(|log| log.tail_now(after, limit))
    }

    fn info_now(&self) -> Result<Info, Unavailable> {
        self.alive(LocalLog::info_now)
    }

    fn open_keys(&self) -> Result<Vec<Key>, Unavailable> {
        self.alive(LocalLog::open_keys)
    }

    fn close(&self, key: &Key) {
        if !self.state().dead {
            self.log.close(key);
        }
    }

    fn newest_of(&self, slot: &[u8; 32]) -> Result<Option<Key>, Unavailable> {
        self.alive(|log| log.newest_of(slot))
    }

    fn keys_with(&self, prefix: &str, limit: usize) -> Result<Vec<Key>, Unavailable> {
        self.alive(|log| log.keys_with(prefix, limit))
    }

    fn reviews(&self, limit: usize) -> Result<Vec<Key>, Unavailable> {
        self.alive(|log| log.reviews(limit))
    }
}

/// A log that keeps the heads of closed reviews in memory only (C14 taken out): after the review is closed, a look-up
/// finds nothing of it, and an append meets no conflict.
#[derive(Debug)]
pub struct Forgets<L> {
    log: L,
    closed: Mutex<BTreeSet<Key>>,
}

impl<L: LocalLog> Forgets<L> {
    /// A log without an index of closed reviews.
    #[must_use]
    pub fn new(log: L) -> Self {
        Self { log, closed: Mutex::default() }
    }

    fn is_closed(&self, key: &Key) -> bool {
        self.closed.lock().unwrap_or_else(PoisonError::into_inner).contains(key)
    }
}

impl<L: LocalLog> LocalLog for Forgets<L> {
    fn append_now(&self, steps: &[Step], expect: &[Expect], at: Timestamp) -> Append {
        let mut heads: BTreeMap<(Key, Owner), Position> = BTreeMap::new();
        let mut believed = Vec::with_capacity(expect.len());
        for (step, expect) in steps.iter().zip(expect) {
            let slot = (step.key().clone(), step.owner());
            let first = !heads.contains_key(&slot);
            heads.insert(slot, Position::default());
            let real =
                || self.log.last_now(step.key(), step.owner()).ok().flatten().map(|last| last.position);
            believed.push(match expect {
                Expect::Head(None) if first && self.is_closed(step.key()) => Expect::Head(real()),
                other => *other,
            });
        }
        self.log.append_now(steps, &believed, at)
    }

    fn last_now(&self, key: &Key, owner: Owner) -> Result<Option<Stored>, Unavailable> {
        if self.is_closed(key) { Ok(None) } else { self.log.last_now(key, owner) }
    }

    fn read_now(&self, key: &Key, after: Option<Position>) -> Result<Vec<Stored>, Unavailable> {
        if self.is_closed(key) { Ok(Vec::new()) } else { self.log.read_now(key, after) }
    }

    fn tail_now(&self, after: Option<Position>, limit: usize) -> Result<Vec<Stored>, Unavailable> {
        self.log.tail_now(after, limit)
    }

    fn info_now(&self) -> Result<Info, Unavailable> {
        self.log.info_now()
    }

    fn open_keys(&self) -> Result<Vec<Key>, Unavailable> {
        self.log.open_keys()
    }

    fn close(&self, key: &Key) {
        self.closed.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
        self.log.close(key);
    }

    fn newest_of(&self, slot: &[u8; 32]) -> Result<Option<Key>, Unavailable> {
        self.log.newest_of(slot)
    }

    fn keys_with(&self, prefix: &str, limit: usize) -> Result<Vec<Key>, Unavailable> {
        self.log.keys_with(prefix, limit)
    }

    fn reviews(&self, limit: usize) -> Result<Vec<Key>, Unavailable> {
        self.log.reviews(limit)
    }
}
