//! What is stored is read, in order and as it was.

use runtime::log::{EventLog, Shard};
use tests::ready::now;
use topics::{Key, Owner, Position, Stored};

use super::Bench;
use super::steps::{added, noted, put, review, whole};

fn filled<B: Bench>() -> B {
    let bench = B::fresh();
    for round in 0..4 {
        put(bench.log(), &noted(&review(1), &format!("one {round}")));
        put(bench.log(), &added(&review(2), &format!("two {round}")));
        put(bench.log(), &added(&review(1), &format!("one {round}")));
    }
    bench
}

fn positions(found: &[Stored]) -> Vec<u64> {
    found.iter().map(|stored| stored.position.0).collect()
}

pub(super) fn a_key_is_read_in_order_after_a_position<B: Bench>() {
    let bench = filled::<B>();
    let read = |key: &Key, after: Option<u64>| {
        positions(&now(bench.log().read(key, after.map(Position))).expect("the log answers"))
    };
    assert_eq!(read(&review(1), None), [1, 3, 4, 6, 7, 9, 10, 12]);
    assert_eq!(read(&review(1), Some(4)), [6, 7, 9, 10, 12], "after its own position");
    assert_eq!(read(&review(1), Some(5)), [6, 7, 9, 10, 12], "after a position of another key");
    assert_eq!(read(&review(2), Some(8)), [11]);
    assert_eq!(read(&review(1), Some(12)), [] as [u64; 0]);
    assert_eq!(read(&review(3), None), [] as [u64; 0], "a key that nobody wrote");
}

pub(super) fn the_tail_is_contiguous_from_position_one<B: Bench>() {
    let bench = filled::<B>();
    let tail = |after: Option<u64>, limit: usize| {
        positions(&now(bench.log().tail(Shard(0), after.map(Position), limit)).expect("the log answers"))
    };
    assert_eq!(tail(None, usize::MAX), (1..=12).collect::<Vec<_>>());
    assert_eq!(tail(Some(4), 3), [5, 6, 7]);
    assert_eq!(tail(Some(10), 100), [11, 12]);
    assert_eq!(tail(Some(12), 100), [] as [u64; 0], "at the head");
    assert_eq!(tail(Some(40), 100), [] as [u64; 0], "beyond the head");
    assert_eq!(tail(None, 0), [] as [u64; 0]);
}

pub(super) fn the_last_step_is_that_of_key_and_owner<B: Bench>() {
    let bench = filled::<B>();
    let last = |key: &Key, owner| {
        now(bench.log().last(key, owner)).expect("the log answers").map(|stored| stored.position.0)
    };
    assert_eq!(last(&review(1), Owner::Runtime), Some(10));
    assert_eq!(last(&review(1), Owner::Huginn), Some(12));
    assert_eq!(last(&review(2), Owner::Huginn), Some(11));
    assert_eq!(last(&review(2), Owner::Runtime), None, "another owner's steps are no head");
    assert_eq!(last(&review(3), Owner::Huginn), None);
}

pub(super) fn an_empty_log_says_so<B: Bench>() {
    let bench = B::fresh();
    let empty = now(bench.log().info(Shard(0))).expect("the log answers");
    assert_eq!((empty.head, empty.steps), (None, 0));
    assert!(empty.steps_per_append >= 1);
    put(bench.log(), &noted(&review(1), "first"));
    put(bench.log(), &noted(&review(1), "second"));

    let info = now(bench.log().info(Shard(0))).expect("the log answers");
    assert_eq!((info.head, info.steps), (Some(Position(2)), 2));
    assert_eq!(
        (info.incarnation, info.durable),
        (empty.incarnation, empty.durable),
        "it is still the same log"
    );
}

pub(super) fn stored_bytes_come_back_as_they_went_in<B: Bench>() {
    let bench = B::fresh();
    let step = noted(&review(1), "bytes");
    put(bench.log(), &step);
    for stored in
        [whole(bench.log()), now(bench.log().read(&review(1), None)).expect("the log answers")].concat()
    {
        assert_eq!(stored.step.bytes(), step.bytes());
        assert_eq!(
            (stored.step.id(), stored.step.owner(), stored.step.key()),
            (step.id(), step.owner(), step.key())
        );
    }
}
