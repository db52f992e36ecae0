//! Deliveries in any order that causes allow, and twice.

use std::collections::BTreeSet;

use topics::{Agent, Cause, Kind, Library, Owed, Owner, Stored, Topic};

use super::Seat;

/// `log` with neighbours exchanged at `swaps` where neither can have caused the other, and the steps at `twice.0`
/// delivered again `twice.1` places later.
pub(crate) fn disordered(log: &[Stored], swaps: &[usize], twice: &[(usize, usize)]) -> Vec<Stored> {
    let mut deliveries = log.to_vec();
    for swap in swaps {
        let at = swap % (deliveries.len() - 1);
        if !must_precede(log, &deliveries[at], &deliveries[at + 1]) {
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

/// Whether `second` may rest on `first`: its owner had folded it, or it is from outside, where what it means depends
/// on what is open.
fn must_precede(log: &[Stored], first: &Stored, second: &Stored) -> bool {
    let is_outside = |stored: &Stored| matches!(stored.step.owner(), Owner::Huginn | Owner::Runtime);
    let turns = [Topic::DecisionReceipt, Topic::EvaluationOpened];
    let fixed = |one: &Stored, other: &Stored| {
        let asks = one.step.concerns(&[Topic::Evidence, Topic::RecheckAsked]);
        is_outside(one) && (!asks || is_outside(other) || other.step.concerns(&turns))
    };
    let owner = second.step.owner();
    let heard = |record: &topics::Record| record.object.topic().readers().contains(&owner);
    let knew = first.step.owner() == owner || first.step.records().iter().any(heard);
    let cause = match second.step.cause() {
        Cause::Step(cause) => {
            log.iter().find(|stored| stored.step.id() == *cause).map(|stored| stored.position)
        }
        Cause::Named(_) => None,
    };
    let before = cause.is_none_or(|cause| first.position <= cause);
    fixed(first, second) || fixed(second, first) || (knew && before)
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
