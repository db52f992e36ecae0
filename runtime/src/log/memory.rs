//! A log in memory, for `arbctl review` and tests. Not durable, bounded, observation only (S-30).

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ontology::{Name, Timestamp};
use topics::{Key, KeyKind, Owner, Position, Step, Stored};

use super::index::{Index, Planned, content_of};
use super::{Append, Expect, Info, LocalLog, Unavailable};

/// Steps held at most; the oldest review goes first. About 60 MB of reviews: a bounded cache, never a store (S-30).
pub const STEPS_MAX: usize = 65_536;

/// A bounded log in memory.
#[derive(Debug)]
pub struct MemoryLog {
    inner: Mutex<Inner>,
    steps_max: usize,
}

#[derive(Debug, Default)]
struct Inner {
    steps: BTreeMap<Position, Stored>,
    index: Index,
    reviews: VecDeque<Key>,
    newest: BTreeMap<[u8; 32], Key>,
    next: Position,
    at: Timestamp,
}

impl Default for MemoryLog {
    fn default() -> Self {
        Self::bounded(STEPS_MAX)
    }
}

impl MemoryLog {
    /// A log that holds at most `steps_max` steps.
    #[must_use]
    pub fn bounded(steps_max: usize) -> Self {
        Self { inner: Mutex::new(Inner { next: Position(1), ..Inner::default() }), steps_max }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// Forgets the oldest reviews until there is room (S-30: first in, first out), but none that `steps` go on
    /// with. Where that is not enough, forgets nothing.
    fn make_room(&mut self, wanted: usize, steps_max: usize, steps: &[Step]) -> bool {
        let mut excess = (self.steps.len() + wanted).saturating_sub(steps_max);
        let mut oldest = Vec::new();
        for review in &self.reviews {
            if excess == 0 {
                break;
            }
            if steps.iter().all(|step| step.key() != review) {
                excess =
                    excess.saturating_sub(self.index.entry(review).map_or(0, |entry| entry.positions.len()));
                oldest.push(review.clone());
            }
        }
        if excess > 0 {
            return false;
        }
        for review in oldest {
            for position in self.index.take(&review).map(|entry| entry.positions).unwrap_or_default() {
                self.steps.remove(&position);
            }
            self.reviews.retain(|key| *key != review);
            self.newest.retain(|_, key| *key != review);
        }
        true
    }
}

impl LocalLog for MemoryLog {
    fn append_now(&self, steps: &[Step], expect: &[Expect], at: Timestamp) -> Append {
        let mut inner = self.lock();
        let planned = match inner.index.plan(steps, expect, inner.next) {
            Ok(planned) => planned,
            Err(conflict) => return conflict,
        };
        let wanted = planned.iter().filter(|place| matches!(place, Planned::At(_))).count();
        if !inner.make_room(wanted, self.steps_max, steps) {
            return Append::Full;
        }
        inner.at = inner.at.max(at);
        for (step, place) in steps.iter().zip(&planned) {
            let Planned::At(position) = *place else { continue };
            let first = inner.index.entry(step.key()).is_none();
            if first && matches!(step.key().kind(), KeyKind::Review(_)) {
                inner.reviews.push_back(step.key().clone());
            }
            if let Some(slot) = content_of(step) {
                inner.newest.insert(slot, step.key().clone());
            }
            inner.index.add(step.key(), step.owner(), step.id(), position);
            let at = inner.at;
            inner.steps.insert(position, Stored { position, at, step: step.clone() });
            inner.next = Position(position.0 + 1);
        }
        Append::Stored(planned.into_iter().map(Planned::position).collect())
    }

    fn last_now(&self, key: &Key, owner: Owner) -> Result<Option<Stored>, Unavailable> {
        let inner = self.lock();
        let head = inner.index.entry(key).and_then(|entry| entry.heads.get(&owner));
        Ok(head.and_then(|position| inner.steps.get(position).cloned()))
    }

    fn read_now(&self, key: &Key, after: Option<Position>) -> Result<Vec<Stored>, Unavailable> {
        let inner = self.lock();
        let positions = inner.index.entry(key).map(|entry| entry.positions.as_slice()).unwrap_or_default();
        let wanted = positions.iter().filter(|position| after.is_none_or(|after| **position > after));
        Ok(wanted.filter_map(|position| inner.steps.get(position).cloned()).collect())
    }

    fn tail_now(&self, after: Option<Position>, limit: usize) -> Result<Vec<Stored>, Unavailable> {
        let from = after.map_or(Position(0), |after| Position(after.0 + 1));
        Ok(self.lock().steps.range(from..).take(limit).map(|(_, stored)| stored.clone()).collect())
    }

    fn info_now(&self) -> Result<Info, Unavailable> {
        let inner = self.lock();
        Ok(Info {
            incarnation: Name::new("memory").map_err(|error| Unavailable::Damaged(error.to_string()))?,
            head: inner.steps.keys().next_back().copied(),
            steps: inner.steps.len() as u64,
            durable: false,
            steps_per_append: usize::MAX,
        })
    }

    fn open_keys(&self) -> Result<Vec<Key>, Unavailable> {
        Ok(self.lock().index.keys_by_age())
    }

    fn close(&self, _: &Key) {}

    fn newest_of(&self, slot: &[u8; 32]) -> Result<Option<Key>, Unavailable> {
        Ok(self.lock().newest.get(slot).cloned())
    }

    fn keys_with(&self, prefix: &str, limit: usize) -> Result<Vec<Key>, Unavailable> {
        Ok(self.lock().index.keys_with(prefix).take(limit).cloned().collect())
    }

    fn reviews(&self, limit: usize) -> Result<Vec<Key>, Unavailable> {
        let inner = self.lock();
        let latest = |key: &&Key| inner.index.entry(key).and_then(|entry| entry.positions.last().copied());
        let mut reviews: Vec<&Key> = inner.reviews.iter().collect();
        reviews.sort_by_key(latest);
        Ok(reviews.into_iter().rev().take(limit).cloned().collect())
    }
}
