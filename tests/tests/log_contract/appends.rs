//! Appends are all or nothing.

use runtime::log::{Append, EventLog, Expect};
use tests::ready::now;
use topics::{Owner, Position};

use super::Bench;
use super::steps::{added, intended, noted, opened, put, review, whole};

pub(super) fn an_append_is_stored_at_the_next_positions<B: Bench>() {
    let bench = B::fresh();
    let key = review(1);
    let (first, second) = (noted(&key, "first"), noted(&key, "second"));

    let answer = now(bench.log().append(std::slice::from_ref(&first), &[Expect::Head(None)]));
    assert_eq!(answer, Append::Stored(vec![Position(1)]));

    let answer = now(bench.log().append(std::slice::from_ref(&second), &[Expect::Head(Some(Position(1)))]));
    assert_eq!(answer, Append::Stored(vec![Position(2)]));
    assert_eq!(
        whole(bench.log()).iter().map(|stored| stored.step.clone()).collect::<Vec<_>>(),
        [first, second]
    );
}

pub(super) fn an_append_spans_several_keys<B: Bench>() {
    let bench = B::fresh();
    let submitted = added(&review(1), "ada");
    let cascade = [
        submitted.clone(),
        opened(1, submitted.id()),
        intended(&review(1), submitted.id()),
        noted(&review(2), "n"),
    ];
    let expect = [Expect::Head(None), Expect::Any, Expect::Head(None), Expect::Head(None)];

    let answer = now(bench.log().append(&cascade, &expect));

    assert_eq!(answer, Append::Stored((1..=4).map(Position).collect()));
    let stored: Vec<_> = whole(bench.log()).into_iter().map(|stored| stored.step).collect();
    assert_eq!(stored, cascade);
}

pub(super) fn an_append_that_conflicts_stores_nothing<B: Bench>() {
    let bench = B::fresh();
    put(bench.log(), &noted(&review(2), "there"));
    let steps = [noted(&review(1), "first"), noted(&review(2), "second")];

    let answer = now(bench.log().append(&steps, &[Expect::Head(None), Expect::Head(None)]));

    assert_eq!(answer, Append::Conflict { owner: Owner::Runtime, head: Some(Position(1)) });
    assert_eq!(whole(bench.log()).len(), 1, "the step without conflict is not stored either");
    assert_eq!(put(bench.log(), &noted(&review(1), "first")), Position(2), "and no position was used up");
}

pub(super) fn nothing_to_append_is_nothing_stored<B: Bench>() {
    let bench = B::fresh();
    assert_eq!(now(bench.log().append(&[], &[])), Append::Stored(Vec::new()));
    assert!(whole(bench.log()).is_empty());
}

pub(super) fn a_step_said_to_another_key_twice_is_stored_once<B: Bench>() {
    let bench = B::fresh();
    let submitted = added(&review(1), "ada");
    put(bench.log(), &submitted);
    let to_estate = opened(1, submitted.id());

    let first = now(bench.log().append(std::slice::from_ref(&to_estate), &[Expect::Any]));
    assert_eq!(first, Append::Stored(vec![Position(2)]));
    put(bench.log(), &noted(&review(1), "between"));
    let again = now(bench.log().append(std::slice::from_ref(&to_estate), &[Expect::Any]));

    assert!(
        matches!(again, Append::Stored(_)),
        "it is there, which is all that its writer wants to know: {again:?}"
    );
    assert_eq!(whole(bench.log()).iter().filter(|stored| stored.step == to_estate).count(), 1);
}
