//! Heads decide: the last step of (key, owner).

use runtime::log::{Append, EventLog, Expect};
use tests::ready::now;
use topics::{Owner, Position};

use super::Bench;
use super::steps::{added, noted, put, review, whole};

pub(super) fn each_owner_has_a_head_of_each_key<B: Bench>() {
    let bench = B::fresh();
    put(bench.log(), &noted(&review(1), "runtime on one"));
    put(bench.log(), &added(&review(1), "ada"));
    put(bench.log(), &noted(&review(2), "runtime on two"));

    for (step, head) in
        [(noted(&review(1), "x"), 1), (added(&review(1), "bob"), 2), (noted(&review(2), "x"), 3)]
    {
        let answer =
            now(bench.log().append(std::slice::from_ref(&step), &[Expect::Head(Some(Position(head)))]));
        assert!(matches!(answer, Append::Stored(_)), "{step:?} after {head}: {answer:?}");
    }
}

pub(super) fn a_conflict_answers_the_real_head<B: Bench>() {
    let bench = B::fresh();
    let step = noted(&review(1), "late");
    let believes = |head: Option<u64>| {
        now(bench.log().append(std::slice::from_ref(&step), &[Expect::Head(head.map(Position))]))
    };
    let conflict = |head: Option<u64>| Append::Conflict { owner: Owner::Runtime, head: head.map(Position) };

    assert_eq!(believes(Some(1)), conflict(None), "there is no step yet");
    put(bench.log(), &noted(&review(1), "first"));
    put(bench.log(), &added(&review(1), "ada"));
    put(bench.log(), &noted(&review(1), "second"));

    assert_eq!(believes(None), conflict(Some(3)));
    assert_eq!(believes(Some(1)), conflict(Some(3)), "an older head of its own");
    assert_eq!(believes(Some(2)), conflict(Some(3)), "another owner's step");
    assert_eq!(believes(Some(9)), conflict(Some(3)), "a position that does not exist");
    assert_eq!(whole(bench.log()).len(), 3);
}

pub(super) fn the_heads_move_within_an_append<B: Bench>() {
    let bench = B::fresh();
    let steps = [noted(&review(1), "first"), noted(&review(1), "second")];

    let stale = now(bench.log().append(&steps, &[Expect::Head(None), Expect::Head(None)]));
    assert_eq!(stale, Append::Conflict { owner: Owner::Runtime, head: Some(Position(1)) });

    let answer = now(bench.log().append(&steps, &[Expect::Head(None), Expect::Head(Some(Position(1)))]));
    assert_eq!(answer, Append::Stored(vec![Position(1), Position(2)]));
}

pub(super) fn two_writers_of_one_slot_store_one_step<B: Bench>() {
    let bench = B::fresh();
    let step = noted(&review(1), "deadline");
    let write = || now(bench.log().append(std::slice::from_ref(&step), &[Expect::Head(None)]));

    assert_eq!(write(), Append::Stored(vec![Position(1)]));
    assert!(matches!(write(), Append::Conflict { .. }), "the second believes in a head that moved");
    assert_eq!(whole(bench.log()).len(), 1);
}
