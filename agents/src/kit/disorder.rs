//! Deliveries in any order that causes allow, and twice.

use std::collections::BTreeSet;

use topics::{Agent, Kind, Library, Owed, Owner, Stored, Topic};

use super::Seat;

/// `log` with neighbours exchanged at `swaps` where neither can have caused the other, and the steps at `twice.0`
/// delivered again `twice.1` places later.
pub(crate) fn disordered(log: &[Stored], swaps: &[usize], twice: &[(usize, usize)]) -> Vec<Stored> {
    let mut deliveries = log.to_vec();
    for swap in swaps {
        let at = swap % (deliveries.len() - 1);
        if !must_precede(&deliveries[at], &deliveries[at + 1]) {
            deliveries.swap(at, at + 1);
        }
    }
    for (from, later) in twice {
        let from = from % deliveries.len();
        let again = deliveries[from].clone();
        deliveries.insert((from + 1 + later % 8).min(deliveries.len()), again);
    }
    deliveries
}

/// Whether the owner of `second` may have folded `first` before. What comes from outside keeps its place.
fn must_precede(first: &Stored, second: &Stored) -> bool {
    let outside = |stored: &Stored| matches!(stored.step.owner(), Owner::Huginn | Owner::Runtime);
    let heard = |record: &topics::Record| record.object.topic().readers().contains(&second.step.owner());
    let own = first.step.owner() == second.step.owner();
    outside(first) || outside(second) || own || first.step.records().iter().any(heard)
}

/// Every derived object that `A` decides on these deliveries, and what it waits for in the end. Nothing is
/// recorded: what is delivered twice is decided twice.
pub(crate) fn decided<A: Agent>(
    deliveries: &[Stored],
    library: &Library,
) -> (BTreeSet<(Topic, Vec<u8>)>, Owed) {
    let mut seat = Seat::<A>::new();
    let mut objects = BTreeSet::new();
    for stored in deliveries.iter().filter(|stored| Seat::<A>::hears(&stored.step)) {
        for step in seat.hear(stored, library, |_| None) {
            assert_eq!(step.kind(), Kind::Derived);
            let records = step.records().iter().map(|record| &record.object);
            objects
                .extend(records.map(|object| (object.topic(), object.encode().expect("a canonical form"))));
        }
    }
    (objects, A::owed(&seat.state))
}
