//! Read model of the key `estate`: which changes are open. An order-independent set: steps in any order, any number
//! of times, come to the same.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ontology::records::ChangeOpened;
use ontology::records::estate::ConcurrentChange;
use ontology::{ObjectId, ReviewId, Timestamp};
use topics::question::CONCURRENT_MAX;
use topics::{Answer, Object, Position, Stored};

/// Common targets that are listed of one other change; one is enough to ask its people.
pub const COMMON_TARGETS_MAX: usize = 8;

/// The changes that were taken in, and which of them are open.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Estate {
    entries: BTreeMap<ReviewId, Entry>,
    closed: BTreeSet<ReviewId>,
    /// Open changes by target, in log order.
    open: BTreeMap<ObjectId, BTreeSet<(Position, ReviewId)>>,
}

/// A change of the estate, where it was said first.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    position: Position,
    opened: Arc<ChangeOpened>,
}

impl Estate {
    /// Folds a step of the key `estate`.
    pub fn fold(&mut self, stored: &Stored) {
        for record in stored.step.records() {
            match &record.object {
                Object::ChangeOpened(opened) => self.enter(stored.position, opened),
                Object::ChangeClosed(closed) => self.close(closed.review),
                _ => {}
            }
        }
    }

    /// Which other changes are open with a target in common, that were taken in before `review` and not before
    /// `not_before`: the newest [`CONCURRENT_MAX`], sorted by review. `None` until the review's own entry is in:
    /// before that nobody can tell what is before it. What the entry lists counts beside `targets`.
    #[must_use]
    pub fn answer(
        &self,
        review: ReviewId,
        targets: &BTreeSet<ObjectId>,
        not_before: Timestamp,
    ) -> Option<Answer> {
        let own = self.entries.get(&review)?;
        let targets: BTreeSet<&ObjectId> = targets.iter().chain(&own.opened.targets).collect();
        let mut before: BTreeSet<(Position, ReviewId)> = BTreeSet::new();
        for places in targets.iter().filter_map(|target| self.open.get(*target)) {
            let counts = |other: &ReviewId| {
                *other != review && self.entries.get(other).is_some_and(|entry| entry.opened.at >= not_before)
            };
            let newest = places.range(..(own.position, review)).rev().filter(|(_, other)| counts(other));
            // One more than is listed tells that there are more.
            before.extend(newest.take(CONCURRENT_MAX + 1));
        }
        let truncated = before.len() > CONCURRENT_MAX;
        let newest = before.into_iter().rev().take(CONCURRENT_MAX).map(|(_, other)| other);
        let mut open: Vec<ConcurrentChange> = newest.map(|other| self.in_common(other, &targets)).collect();
        open.sort();
        Some(Answer::ConcurrentChanges { open, truncated })
    }

    /// How many changes are open.
    #[must_use]
    pub fn open_total(&self) -> usize {
        self.entries.keys().filter(|review| !self.closed.contains(review)).count()
    }

    fn in_common(&self, review: ReviewId, targets: &BTreeSet<&ObjectId>) -> ConcurrentChange {
        let theirs = self.entries.get(&review).into_iter().flat_map(|entry| &entry.opened.targets);
        let common = theirs.filter(|target| targets.contains(target)).take(COMMON_TARGETS_MAX);
        ConcurrentChange { review, targets: common.cloned().collect() }
    }

    fn enter(&mut self, position: Position, opened: &Arc<ChangeOpened>) {
        if let Some(superseded) = opened.supersedes {
            self.close(superseded);
        }
        if self.entries.get(&opened.review).is_some_and(|entry| entry.position <= position) {
            return;
        }
        self.hide(opened.review);
        self.entries.insert(opened.review, Entry { position, opened: Arc::clone(opened) });
        if !self.closed.contains(&opened.review) {
            for target in &opened.targets {
                self.open.entry(target.clone()).or_default().insert((position, opened.review));
            }
        }
    }

    fn close(&mut self, review: ReviewId) {
        self.hide(review);
        self.closed.insert(review);
    }

    /// Takes a review out of the changes by target.
    fn hide(&mut self, review: ReviewId) {
        let Some(entry) = self.entries.get(&review) else { return };
        for target in &entry.opened.targets {
            if let Some(places) = self.open.get_mut(target) {
                places.remove(&(entry.position, review));
                if places.is_empty() {
                    self.open.remove(target);
                }
            }
        }
    }
}
