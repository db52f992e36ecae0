//! The log in memory is bounded: a cache, never a store (S-30).

use runtime::log::memory::MemoryLog;
use runtime::log::{Append, EventLog, Expect, LocalLog, Shard};
use tests::ready::now;
use topics::Position;

use super::steps::{added, noted, put, review, whole};

#[test]
fn s30_the_oldest_review_goes_first() {
    let log = MemoryLog::bounded(4);
    for number in 1..=3 {
        put(&log, &added(&review(number), "ada"));
    }
    put(&log, &added(&review(1), "bob"));
    assert_eq!(whole(&log).len(), 4);

    put(&log, &added(&review(4), "ada"));

    let reviews = log.reviews(9).expect("it answers");
    assert!(!reviews.contains(&review(1)), "the first in is the first out, however busy it was: {reviews:?}");
    assert!(now(log.read(&review(1), None)).expect("it answers").is_empty());
    assert_eq!(whole(&log).iter().map(|stored| stored.position.0).collect::<Vec<_>>(), [2, 3, 5]);
}

#[test]
fn s30_it_never_holds_more_than_its_bound() {
    let log = MemoryLog::bounded(10);
    for number in 0..200 {
        put(&log, &added(&review(number), "ada"));
        put(&log, &noted(&review(number), "x"));
        assert!(whole(&log).len() <= 10);
    }
    assert!(!now(log.info(Shard(0))).expect("it answers").durable, "and it says what it is");
}

#[test]
fn s30_a_review_that_alone_exceeds_the_bound_is_refused_and_kept() {
    let log = MemoryLog::bounded(3);
    put(&log, &added(&review(1), "ada"));
    put(&log, &added(&review(1), "bob"));
    put(&log, &added(&review(1), "eve"));

    let answer = now(log.append(&[added(&review(1), "joe")], &[Expect::Head(Some(Position(3)))]));

    assert_eq!(answer, Append::Full, "a review is never forgotten to make room for itself");
    assert_eq!(whole(&log).len(), 3);
}

#[test]
fn s30_an_append_larger_than_the_bound_forgets_nobody() {
    let log = MemoryLog::bounded(3);
    put(&log, &added(&review(1), "ada"));
    let many: Vec<_> = (0..4).map(|number| noted(&review(9), &format!("note {number}"))).collect();

    assert_eq!(now(log.append(&many, &[Expect::Any; 4])), Append::Full);
    assert_eq!(whole(&log).len(), 1);
}

#[test]
fn s30_a_conflict_forgets_nobody() {
    let log = MemoryLog::bounded(2);
    put(&log, &added(&review(1), "ada"));
    put(&log, &added(&review(2), "ada"));

    let answer = now(log.append(&[added(&review(2), "bob")], &[Expect::Head(None)]));

    assert!(matches!(answer, Append::Conflict { .. }), "{answer:?}");
    assert_eq!(whole(&log).len(), 2);
}
