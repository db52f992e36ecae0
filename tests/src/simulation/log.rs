//! A log in memory for several replicas, with faults on demand.
//!
//! It is written as plainly as possible and shares nothing with the stores it stands for: a sequence of steps, and
//! look-ups that scan it. What goes wrong with an append is decided by its [`Fate`], drawn by the simulator.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ontology::{Name, Timestamp};
use runtime::log::index::content_of;
use runtime::log::{Append, Expect, Info, LocalLog, Unavailable};
use topics::{Key, KeyKind, Owner, Position, Step, Stored};

/// What becomes of an append, beside what the log makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is stored or refused, and its writer is told.
    Sound,
    /// It is stored or refused, and the reply is lost.
    ReplyLost,
    /// It never reaches the log, and its writer cannot know.
    RequestLost,
    /// There is no room.
    Full,
    /// It is stored, and a client library that sent it twice tells of the second: another head.
    ConflictThoughStored,
    /// The log forgot which ids it saw: a step that expects no head is stored again.
    WindowForgotten,
}

/// The log.
#[derive(Debug, Default)]
pub struct SimulatedLog {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// The step at position n is the n-1st.
    steps: Vec<Stored>,
    at: Timestamp,
    lives: u32,
}

impl SimulatedLog {
    /// An empty log.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends, with what goes wrong.
    pub fn append_with(&self, steps: &[Step], expect: &[Expect], at: Timestamp, fate: Fate) -> Append {
        match fate {
            Fate::RequestLost => return Append::Unknown,
            Fate::Full => return Append::Full,
            Fate::Sound | Fate::ReplyLost | Fate::ConflictThoughStored | Fate::WindowForgotten => {}
        }
        let mut inner = self.lock();
        let answer = inner.append(steps, expect, at, fate == Fate::WindowForgotten);
        match (fate, &answer) {
            (Fate::ReplyLost, _) => Append::Unknown,
            (Fate::ConflictThoughStored, Append::Stored(positions)) => match steps.last() {
                Some(step) => Append::Conflict { owner: step.owner(), head: positions.last().copied() },
                None => answer,
            },
            _ => answer,
        }
    }

    /// Loses every step after `head`, as a store that acknowledged before it synced does when it starts again.
    pub fn truncate(&self, head: Position) {
        let mut inner = self.lock();
        inner.steps.retain(|stored| stored.position <= head);
        inner.lives += 1;
    }

    /// How often the log was started: readers reconnect when this changes.
    #[must_use]
    pub fn lives(&self) -> u32 {
        self.lock().lives
    }

    /// The last position.
    #[must_use]
    pub fn head(&self) -> Option<Position> {
        self.lock().head()
    }

    /// The step at a position.
    #[must_use]
    pub fn at(&self, position: Position) -> Option<Stored> {
        self.lock().steps.get(index_of(position)?).cloned()
    }

    /// Everything, in order.
    #[must_use]
    pub fn whole(&self) -> Vec<Stored> {
        self.lock().steps.clone()
    }
}

fn index_of(position: Position) -> Option<usize> {
    usize::try_from(position.0).ok()?.checked_sub(1)
}

impl Inner {
    fn head(&self) -> Option<Position> {
        self.steps.last().map(|stored| stored.position)
    }

    fn head_of(&self, key: &Key, owner: Owner) -> Option<Position> {
        let own = |stored: &&Stored| stored.step.owner() == owner && stored.step.key() == key;
        self.steps.iter().rev().find(own).map(|stored| stored.position)
    }

    fn append(&mut self, steps: &[Step], expect: &[Expect], at: Timestamp, forgotten: bool) -> Append {
        let before = self.steps.len();
        self.at = self.at.max(at);
        let mut positions = Vec::with_capacity(steps.len());
        for (number, step) in steps.iter().enumerate() {
            let head = self.head_of(step.key(), step.owner());
            match expect.get(number).copied().unwrap_or(Expect::Any) {
                Expect::Head(expected) if expected != head => {
                    self.steps.truncate(before);
                    return Append::Conflict { owner: step.owner(), head };
                }
                Expect::Any if !forgotten => {
                    if let Some(stored) = self.steps.iter().find(|stored| stored.step.id() == step.id()) {
                        positions.push(stored.position);
                        continue;
                    }
                }
                Expect::Any | Expect::Head(_) => {}
            }
            let position = Position(self.steps.len() as u64 + 1);
            self.steps.push(Stored { position, at: self.at, step: step.clone() });
            positions.push(position);
        }
        Append::Stored(positions)
    }

    /// The keys that `wanted` holds for, each once, in the order of `steps`.
    fn keys<'a>(steps: impl Iterator<Item = &'a Stored>, wanted: impl Fn(&Key) -> bool) -> Vec<Key> {
        let mut seen = BTreeSet::new();
        steps
            .map(|stored| stored.step.key())
            .filter(|key| wanted(key) && seen.insert((*key).clone()))
            .cloned()
            .collect()
    }
}

impl LocalLog for SimulatedLog {
    fn append_now(&self, steps: &[Step], expect: &[Expect], at: Timestamp) -> Append {
        self.append_with(steps, expect, at, Fate::Sound)
    }

    fn last_now(&self, key: &Key, owner: Owner) -> Result<Option<Stored>, Unavailable> {
        let inner = self.lock();
        let head = inner.head_of(key, owner).and_then(index_of);
        Ok(head.and_then(|index| inner.steps.get(index).cloned()))
    }

    fn read_now(&self, key: &Key, after: Option<Position>) -> Result<Vec<Stored>, Unavailable> {
        let from = usize::try_from(after.unwrap_or_default().0).unwrap_or(usize::MAX);
        let inner = self.lock();
        let later = inner.steps.get(from..).unwrap_or_default();
        Ok(later.iter().filter(|stored| stored.step.key() == key).cloned().collect())
    }

    fn tail_now(&self, after: Option<Position>, limit: usize) -> Result<Vec<Stored>, Unavailable> {
        let from = usize::try_from(after.unwrap_or_default().0).unwrap_or(usize::MAX);
        let inner = self.lock();
        Ok(inner.steps.get(from..).unwrap_or_default().iter().take(limit).cloned().collect())
    }

    fn info_now(&self) -> Result<Info, Unavailable> {
        let inner = self.lock();
        Ok(Info {
            incarnation: Name::new("simulated").map_err(|error| Unavailable::Damaged(error.to_string()))?,
            head: inner.head(),
            steps: inner.steps.len() as u64,
            durable: true,
            steps_per_append: usize::MAX,
        })
    }

    fn open_keys(&self) -> Result<Vec<Key>, Unavailable> {
        Ok(Inner::keys(self.lock().steps.iter(), |_| true))
    }

    fn close(&self, _: &Key) {}

    fn newest_of(&self, slot: &[u8; 32]) -> Result<Option<Key>, Unavailable> {
        let inner = self.lock();
        let newest = inner.steps.iter().rev().find(|stored| content_of(&stored.step).as_ref() == Some(slot));
        Ok(newest.map(|stored| stored.step.key().clone()))
    }

    fn keys_with(&self, prefix: &str, limit: usize) -> Result<Vec<Key>, Unavailable> {
        let mut keys = Inner::keys(self.lock().steps.iter(), |key| key.as_str().starts_with(prefix));
        keys.sort();
        keys.truncate(limit);
        Ok(keys)
    }

    fn reviews(&self, limit: usize) -> Result<Vec<Key>, Unavailable> {
        let inner = self.lock();
        let mut keys = Inner::keys(inner.steps.iter().rev(), |key| matches!(key.kind(), KeyKind::Review(_)));
        keys.truncate(limit);
        Ok(keys)
    }
}
