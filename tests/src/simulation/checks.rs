//! What must hold when everything has come to rest.

mod audit;
mod evaluations;
mod evidence;
mod record;
mod replay;
mod replicas;
mod slots;

use std::fmt;

use runtime::log::LocalLog;
use topics::{Key, Stored};

use super::Run;
use super::log::SimulatedLog;
pub use record::{Seen, seen};
pub use replay::observations_not_recomputable;

/// A promise that was broken.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// Which promise.
    pub rule: &'static str,
    /// How.
    pub what: String,
}

impl Violation {
    /// A broken promise.
    #[must_use]
    pub fn new(rule: &'static str, what: impl Into<String>) -> Self {
        Self { rule, what: what.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.what)
    }
}

/// Everything that is broken.
#[must_use]
pub fn all(run: &Run) -> Vec<Violation> {
    let mut broken = Vec::new();
    slots::check(run, &mut broken);
    replicas::check(run, &mut broken);
    for key in reviews(&run.log) {
        let steps = first_in_slots(run.log.read_now(&key, None).unwrap_or_default());
        evaluations::check(run, &key, &steps, &mut broken);
        evidence::check(run, &key, &steps, &mut broken);
        audit::check(run, &key, &steps, &mut broken);
        replay::check(run, &key, &steps, &mut broken);
    }
    broken
}

/// The reviews of the log, in the order of their first step.
fn reviews(log: &SimulatedLog) -> Vec<Key> {
    let mut reviews = log.reviews(usize::MAX).unwrap_or_default();
    reviews.sort();
    reviews
}

/// Readers count the first step of a slot.
fn first_in_slots(steps: Vec<Stored>) -> Vec<Stored> {
    let mut seen = std::collections::BTreeSet::new();
    steps.into_iter().filter(|stored| seen.insert(stored.step.id())).collect()
}
