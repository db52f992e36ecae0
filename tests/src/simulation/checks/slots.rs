//! Every slot (key, owner, cause) is filled at most once; on the estate, readers count the first.

use std::collections::BTreeMap;

use topics::{KeyKind, StepId, Stored};

use super::{Run, Violation};

pub(super) fn check(run: &Run, broken: &mut Vec<Violation>) {
    let mut slots: BTreeMap<StepId, Stored> = BTreeMap::new();
    let mut last = 0;
    for stored in run.log.whole() {
        if stored.position.0 != last + 1 {
            broken.push(Violation::new("positions", format!("{last} is followed by {:?}", stored.position)));
        }
        last = stored.position.0;
        let estate = stored.step.key().kind() == KeyKind::Estate;
        match slots.get(&stored.step.id()) {
            None => {
                slots.insert(stored.step.id(), stored);
            }
            Some(first) if estate && (first.step == stored.step || run.configuration.upgrade) => {}
            Some(first) => {
                let places = format!("{} and {}", first.position.0, stored.position.0);
                broken.push(Violation::new("slot twice", format!("{:?} at {places}", stored.step)));
            }
        }
    }
}
