//! What a log in this process offers beside: times, open keys, the newest review of a content.

use ontology::Timestamp;
use ontology::records::Change;
use runtime::log::index::content_slot;
use runtime::log::{Append, EventLog, Expect, LocalLog};
use tests::ready::now;
use tests::world;
use topics::{Owner, Position, Step};

use super::Bench;
use super::steps::{added, noted, observed, put, review, whole};

/// A change of content `content` under the idempotency key `key`.
fn taken_in(key: &str, content: &str) -> (Change, Step) {
    let change = world::change(key, &[content]);
    let step = observed(&topics::Key::review(change.review), Owner::Huginn, "submit", change.clone().into());
    (change, step)
}

pub(super) fn time_never_goes_back<B: Bench>() {
    let bench = B::fresh();
    let times = [50, 70, 60, 10, 80].map(Timestamp::from_micros);
    for (number, at) in times.into_iter().enumerate() {
        let step = noted(&review(u32::try_from(number).expect("few")), "x");
        let answer = bench.log().append_now(&[step], &[Expect::Head(None)], at);
        assert!(matches!(answer, Append::Stored(_)), "{answer:?}");
    }
    let stored: Vec<i64> = whole(bench.log()).iter().map(|stored| stored.at.as_micros()).collect();
    assert_eq!(stored, [50, 70, 70, 70, 80]);
}

pub(super) fn open_keys_come_in_the_order_of_their_first_step<B: Bench>() {
    let bench = B::fresh();
    for number in [3, 1, 2, 3, 1] {
        put(bench.log(), &added(&review(number), &format!("{:?}", whole(bench.log()).len())));
    }
    assert_eq!(bench.log().open_keys().expect("it answers"), [review(3), review(1), review(2)]);
}

pub(super) fn the_newest_review_of_equal_content_is_found<B: Bench>() {
    let bench = B::fresh();
    let ((first, first_step), (second, second_step)) = (taken_in("a", "db"), taken_in("b", "db"));
    assert_eq!(first.content_digest, second.content_digest);
    let slot = content_slot(&first.source, &first.content_digest);

    assert_eq!(bench.log().newest_of(&slot).expect("it answers"), None);
    put(bench.log(), &first_step);
    assert_eq!(bench.log().newest_of(&slot).expect("it answers"), Some(first_step.key().clone()));
    put(bench.log(), &second_step);
    put(bench.log(), &taken_in("c", "another").1);
    assert_eq!(bench.log().newest_of(&slot).expect("it answers"), Some(second_step.key().clone()));
}

pub(super) fn reviews_are_listed_latest_first<B: Bench>() {
    let bench = B::fresh();
    put(bench.log(), &noted(&topics::Key::model(), "no review"));
    for number in [3, 1, 2] {
        put(bench.log(), &added(&review(number), "first"));
    }
    put(bench.log(), &added(&review(1), "again"));
    let listed = |limit| bench.log().reviews(limit).expect("it answers");
    assert_eq!(listed(9), [review(1), review(2), review(3)], "by their latest step");
    assert_eq!(listed(2), [review(1), review(2)]);
    assert!(listed(0).is_empty());
}

pub(super) fn a_closed_review_is_read_as_before_and_opens_again<B: Bench>() {
    let bench = B::fresh();
    put(bench.log(), &added(&review(1), "ada"));
    put(bench.log(), &noted(&review(1), "done"));
    bench.log().close(&review(1));
    put(bench.log(), &added(&review(2), "ada"));

    let read: Vec<_> = now(bench.log().read(&review(1), None)).expect("it answers");
    assert_eq!(read.iter().map(|stored| stored.position.0).collect::<Vec<_>>(), [1, 2]);
    let blind = now(bench.log().append(&[added(&review(1), "bob")], &[Expect::Head(None)]));
    assert_eq!(
        blind,
        Append::Conflict { owner: Owner::Huginn, head: Some(Position(1)) },
        "its heads are known"
    );
    assert_eq!(put(bench.log(), &added(&review(1), "bob")), Position(4));
    assert_eq!(now(bench.log().read(&review(1), Some(Position(2)))).expect("it answers").len(), 1);
    assert!(bench.log().open_keys().expect("it answers").contains(&review(1)), "more may come of it");
}
