//! Where the steps of each open key are: held in memory by local logs, rebuilt at start.

use std::collections::{BTreeMap, BTreeSet};

use ontology::{Digest, Name};
use topics::{Key, KeyKind, Object, Owner, Position, Step, StepId};

use super::{Append, Expect};

/// The slot of a change's content at its source: where "the newest review of equal (source, content)" is kept.
#[must_use]
pub fn content_slot(source: &Name, content: &Digest) -> [u8; 32] {
    *Digest::of_value(&(source, content)).as_bytes()
}

/// The content slot that a step fills: that of the change it holds.
#[must_use]
pub fn content_of(step: &Step) -> Option<[u8; 32]> {
    step.records().iter().find_map(|record| match &record.object {
        Object::Change(change) => Some(content_slot(&change.source, &change.content_digest)),
        _ => None,
    })
}

/// What is remembered of one key.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// Positions of its steps, ascending.
    pub positions: Vec<Position>,
    /// The last position of each owner.
    pub heads: BTreeMap<Owner, Position>,
    /// Ids of steps that were appended with [`Expect::Any`], to store each once.
    pub shared: BTreeSet<StepId>,
}

/// Open keys, and what is remembered of them.
#[derive(Debug, Clone, Default)]
pub struct Index {
    keys: BTreeMap<Key, Entry>,
}

impl Index {
    /// What is remembered of `key`.
    #[must_use]
    pub fn entry(&self, key: &Key) -> Option<&Entry> {
        self.keys.get(key)
    }

    /// The keys, in the order of their first step.
    #[must_use]
    pub fn keys_by_age(&self) -> Vec<Key> {
        let mut keys: Vec<(&Position, &Key)> =
            self.keys.iter().filter_map(|(key, entry)| Some((entry.positions.first()?, key))).collect();
        keys.sort();
        keys.into_iter().map(|(_, key)| key.clone()).collect()
    }

    /// Keys whose text starts with `prefix`.
    pub fn keys_with<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a Key> {
        let from = (std::ops::Bound::Included(prefix), std::ops::Bound::Unbounded);
        self.keys
            .range::<str, _>(from)
            .map(|(key, _)| key)
            .take_while(move |key| key.as_str().starts_with(prefix))
    }

    /// Remembers a step of `key` by `owner` at `position`.
    pub fn add(&mut self, key: &Key, owner: Owner, id: StepId, position: Position) {
        let entry = self.keys.entry(key.clone()).or_default();
        entry.positions.push(position);
        entry.heads.insert(owner, position);
        if is_shared(key) {
            entry.shared.insert(id);
        }
    }

    /// Puts back what an index row remembered of a closed key.
    pub fn reopen(&mut self, key: Key, entry: Entry) {
        self.keys.insert(key, entry);
    }

    /// Takes what is remembered of `key`.
    pub fn take(&mut self, key: &Key) -> Option<Entry> {
        self.keys.remove(key)
    }

    /// Plans an append: which steps to store at which positions from `next` on, without remembering anything yet.
    ///
    /// # Errors
    /// [`Append::Conflict`] for the first step whose expectation does not hold.
    pub fn plan(&self, steps: &[Step], expect: &[Expect], next: Position) -> Result<Vec<Planned>, Append> {
        let mut heads: BTreeMap<(&Key, Owner), Position> = BTreeMap::new();
        let mut next = next;
        let mut planned = Vec::with_capacity(steps.len());
        for (number, step) in steps.iter().enumerate() {
            let entry = self.keys.get(step.key());
            let slot = (step.key(), step.owner());
            let head = heads
                .get(&slot)
                .copied()
                .or_else(|| entry.and_then(|entry| entry.heads.get(&slot.1).copied()));
            match expect.get(number) {
                Some(Expect::Head(expected)) if *expected != head => {
                    return Err(Append::Conflict { owner: step.owner(), head });
                }
                Some(Expect::Any) if entry.is_some_and(|entry| entry.shared.contains(&step.id())) => {
                    planned.push(Planned::Already(head.unwrap_or(next)));
                    continue;
                }
                _ => {}
            }
            heads.insert(slot, next);
            planned.push(Planned::At(next));
            next.0 += 1;
        }
        Ok(planned)
    }
}

/// Where a step of an append goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planned {
    /// It is stored already, at or before this position.
    Already(Position),
    /// It is stored here.
    At(Position),
}

impl Planned {
    /// The position to answer.
    #[must_use]
    pub const fn position(self) -> Position {
        match self {
            Self::Already(position) | Self::At(position) => position,
        }
    }
}

/// Whether several owners or events write the key without expecting a head: ids are remembered to store each once.
fn is_shared(key: &Key) -> bool {
    matches!(key.kind(), KeyKind::Estate)
}
