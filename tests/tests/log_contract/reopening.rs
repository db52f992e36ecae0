//! What survives the process: everything that was answered.

use ontology::Timestamp;
use runtime::log::embedded::EmbeddedLog;
use runtime::log::index::content_slot;
use runtime::log::{Append, EventLog, Expect, LocalLog, Shard, Unavailable};
use tests::ready::now;
use tests::world;
use topics::{Cause, Key, Owner, Position, step};

use super::steps::{added, noted, observed, opened, put, review, whole};
use super::{Bench, Embedded};

#[test]
fn steps_heads_and_times_survive() {
    let bench = Embedded::fresh();
    put(bench.log(), &added(&review(1), "ada"));
    let late = bench.log().append_now(
        &[noted(&review(1), "x")],
        &[Expect::Head(None)],
        Timestamp::from_micros(i64::MAX),
    );
    assert!(matches!(late, Append::Stored(_)));
    let (before, info) = (whole(bench.log()), now(bench.log().info(Shard(0))));

    let bench = bench.reopened();

    assert_eq!(whole(bench.log()), before);
    assert_eq!(now(bench.log().info(Shard(0))), info, "the same incarnation, head and count");
    let blind = now(bench.log().append(&[added(&review(1), "bob")], &[Expect::Head(None)]));
    assert_eq!(blind, Append::Conflict { owner: Owner::Huginn, head: Some(Position(1)) });
    put(bench.log(), &added(&review(1), "bob"));
    assert_eq!(
        whole(bench.log())[2].at,
        Timestamp::from_micros(i64::MAX),
        "time does not go back across a restart"
    );
}

#[test]
fn a_closed_reviews_submission_slot_is_found_again() {
    // Spike C14: with heads in memory only, a closed review that is submitted again gets a second change.
    let bench = Embedded::fresh();
    let change = world::change("a", &["db"]);
    let key = Key::review(change.review);
    let submitted = observed(&key, Owner::Huginn, "submit", change.clone().into());
    put(bench.log(), &submitted);
    bench.log().close(&key);
    put(bench.log(), &added(&review(2), "ada"));

    let bench = bench.reopened();

    assert!(!bench.log().open_keys().expect("it answers").contains(&key), "it does not burden the start");
    let again = now(bench.log().append(std::slice::from_ref(&submitted), &[Expect::Head(None)]));
    assert_eq!(again, Append::Conflict { owner: Owner::Huginn, head: Some(Position(1)) });
    let slot = step::slot(&key, Owner::Huginn, &Cause::named("submit"));
    let own = now(bench.log().read(&key, None)).expect("it answers");
    assert!(own.iter().any(|stored| stored.step.id() == slot), "and a read-back finds it");
    let newest = bench.log().newest_of(&content_slot(&change.source, &change.content_digest));
    assert_eq!(newest, Ok(Some(key)));
}

#[test]
fn a_closed_review_that_goes_on_after_a_conflict_loses_nothing() {
    let bench = Embedded::fresh();
    put(bench.log(), &added(&review(1), "ada"));
    bench.log().close(&review(1));
    put(bench.log(), &added(&review(2), "ada"));
    let conflict = now(bench.log().append(&[added(&review(1), "bob")], &[Expect::Head(None)]));
    assert!(matches!(conflict, Append::Conflict { .. }));
    assert_eq!(put(bench.log(), &added(&review(1), "bob")), Position(3));

    let bench = bench.reopened();

    let read = now(bench.log().read(&review(1), None)).expect("it answers");
    assert_eq!(read.iter().map(|stored| stored.position.0).collect::<Vec<_>>(), [1, 3]);
    let head = now(bench.log().last(&review(1), Owner::Huginn)).expect("it answers");
    assert_eq!(head.map(|stored| stored.position), Some(Position(3)));
}

#[test]
fn a_step_to_the_estate_is_stored_once_across_restarts() {
    let bench = Embedded::fresh();
    let because = added(&review(1), "ada");
    put(bench.log(), &because);
    let to_estate = opened(1, because.id());
    now(bench.log().append(std::slice::from_ref(&to_estate), &[Expect::Any]));

    let bench = bench.reopened();
    now(bench.log().append(std::slice::from_ref(&to_estate), &[Expect::Any]));

    assert_eq!(whole(bench.log()).len(), 2);
}

#[test]
fn a_second_opener_is_told_who_is_in_the_way() {
    let bench = Embedded::fresh();
    put(bench.log(), &added(&review(1), "ada"));

    assert_eq!(EmbeddedLog::open(&bench.path()).err(), Some(Unavailable::Locked));

    put(bench.log(), &added(&review(1), "bob"));
    assert_eq!(whole(bench.log()).len(), 2, "and the first goes on");
}
