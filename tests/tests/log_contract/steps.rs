//! Steps to put into logs.

use ontology::records::estate::ChangeOpened;
use ontology::records::{AuditIntent, Degradation, RequesterAdded};
use ontology::{Digest, Name, Principal, ReviewId, Timestamp};
use runtime::log::{Append, EventLog, Expect};
use tests::ready::now;
use topics::{Cause, Key, Object, Owner, Position, Step, StepId};

pub(super) fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

/// The key of the review with this number.
pub(super) fn review(number: u32) -> Key {
    Key::review(review_id(number))
}

pub(super) fn review_id(number: u32) -> ReviewId {
    ReviewId::derive("contract", &number.to_string())
}

/// What the Runtime observed: `note` makes it another step in another slot.
pub(super) fn noted(key: &Key, note: &str) -> Step {
    let said = Degradation { agent: name("saga"), state: name("gave-up"), why: note.to_owned() };
    observed(key, Owner::Runtime, note, said.into())
}

/// What Huginn observed.
pub(super) fn added(key: &Key, who: &str) -> Step {
    let requester = Principal { issuer: name("local"), subject: name(who) };
    observed(key, Owner::Huginn, who, RequesterAdded { requester }.into())
}

pub(super) fn observed(key: &Key, owner: Owner, cause: &str, object: Object) -> Step {
    Step::observed(key.clone(), owner, 1, Cause::named(cause), None, vec![object]).expect("a step")
}

/// What Saga derives because of a step.
pub(super) fn intended(key: &Key, because: StepId) -> Step {
    let object = AuditIntent { evaluation: 1, bundle_digest: None }.into();
    Step::derived(key.clone(), Owner::Saga, 1, Timestamp::from_micros(7), because, vec![object])
        .expect("a step")
}

/// What Huginn says to the estate because of a step on a review.
pub(super) fn opened(number: u32, because: StepId) -> Step {
    let object = ChangeOpened {
        review: review_id(number),
        supersedes: None,
        content_digest: Digest::of(b"content"),
        at: Timestamp::from_micros(7),
        targets: std::collections::BTreeSet::new(),
        targets_total: 0,
    };
    let objects = vec![object.into()];
    Step::derived(Key::estate(), Owner::Huginn, 1, Timestamp::from_micros(7), because, objects)
        .expect("a step")
}

/// Appends one step after the head that the log knows itself, and answers where it is.
pub(super) fn put(log: &impl EventLog, step: &Step) -> Position {
    let head =
        now(log.last(step.key(), step.owner())).expect("the log answers").map(|stored| stored.position);
    match now(log.append(std::slice::from_ref(step), &[Expect::Head(head)])) {
        Append::Stored(positions) => positions[0],
        other => panic!("{step:?}: {other:?}"),
    }
}

/// Everything in the log, in order.
pub(super) fn whole(log: &impl EventLog) -> Vec<topics::Stored> {
    now(log.tail(runtime::log::Shard(0), None, usize::MAX)).expect("the log answers")
}
