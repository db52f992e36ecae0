//! Stories about the audit: who is vouched for by which entry, and when.

use std::collections::BTreeSet;

use ontology::Digest;
use ontology::identity::RecordId;
use ontology::policy::Enforcement;
use ontology::records::audit::GENESIS;
use ontology::records::decision::Basis;
use ontology::records::estate::Closing;
use ontology::records::{AuditEntry, DeadlineReached, RecheckAsked, VerdictKind};
use topics::{Agent, Key, Object, Owner, Topic};

use super::*;
use crate::forseti::tests::{conformant, destructive, docket_of, empty_estate};
use crate::kit::{World, said, samples};

fn entries(world: &World) -> Vec<AuditEntry> {
    let entries = world.all(Topic::AuditEntry).into_iter().map(|object| match object {
        Object::AuditEntry(entry) => (*entry).clone(),
        other => panic!("{other:?} is no entry"),
    });
    entries.collect()
}

fn listed(entry: &AuditEntry) -> BTreeSet<RecordId> {
    entry.items.iter().map(|item| item.record.clone()).collect()
}

/// Every record on the review's key before the step that holds the `nth` receipt, without that step.
fn said_before(world: &World, receipt: usize) -> BTreeSet<RecordId> {
    let closing = world.log.steps.iter().filter(|stored| stored.step.concerns(&[Topic::DecisionReceipt]));
    let closing = closing.map(|stored| stored.position).nth(receipt).expect("there is such a receipt");
    let before =
        world.log.steps.iter().filter(|stored| stored.position < closing && *stored.step.key() == world.key);
    before.flat_map(|stored| (0..stored.step.records().len()).map(|n| stored.step.record_id(n))).collect()
}

fn recheck(world: &mut World, name: &str) {
    let pins = docket_of(world).pins;
    let asked = RecheckAsked { requester: samples::requester(), seen: 1, pins };
    world.observed(Owner::Huginn, name, vec![asked.into()]);
    world.run();
}

#[test]
fn s03_an_entry_lists_every_record_since_the_last_with_its_digest() {
    let mut world = conformant().world();
    world.run();
    let entries = entries(&world);
    assert_eq!(entries.len(), 1);
    assert_eq!(listed(&entries[0]), said_before(&world, 0));
    let digests = world.log.steps.iter().flat_map(|stored| stored.step.records()).map(|record| record.digest);
    let digests: BTreeSet<Digest> = digests.collect();
    assert!(entries[0].items.iter().all(|item| digests.contains(&item.digest)));
    assert_eq!((entries[0].sequence, entries[0].previous), (0, GENESIS));
}

#[test]
fn s03_the_intent_comes_before_the_receipt_and_after_the_bundle() {
    let mut world = conformant().world();
    world.run();
    let place = |topic| world.last(topic).expect("it was said").position;
    assert!(place(Topic::EvidenceBundle) < place(Topic::AuditIntent));
    assert!(place(Topic::AuditIntent) < place(Topic::DecisionReceipt));
    assert_eq!(said!(world, AuditIntent).expect("an intent").bundle_digest, Some(bundle_digest(&world)));
}

fn bundle_digest(world: &World) -> Digest {
    world.last(Topic::EvidenceBundle).expect("a bundle").step.records()[0].digest
}

#[test]
fn s03_without_a_bundle_the_intent_stands_before_the_receipt_in_its_step() {
    let story = conformant();
    let mut world = World::open(story.change(), story.document, story.model, story.catalog)
        .with::<crate::Forseti>()
        .with::<Saga>();
    world.run();
    world.reach_deadline(Owner::Forseti);
    let closing = world.last(Topic::DecisionReceipt).expect("a receipt");
    let topics: Vec<Topic> = closing.step.records().iter().map(|record| record.object.topic()).collect();
    assert_eq!(
        topics,
        [Topic::AuditIntent, Topic::AuditEntry, Topic::DecisionReceipt, Topic::ReviewProjection]
    );
}

#[test]
fn the_receipt_says_what_was_decided_on_what_and_until_when() {
    let mut world = conformant().world();
    world.run();
    let receipt = said!(world, DecisionReceipt).expect("a receipt");
    let join = world.last(Topic::Verdict).expect("the join");
    let docket = docket_of(&world);
    assert_eq!(receipt.verdict, VerdictKind::Conformant);
    assert_eq!(receipt.basis, Basis::Observation);
    assert_eq!(receipt.change_digest, docket.change.change_digest);
    assert_eq!(receipt.bundle_digest, Some(bundle_digest(&world)));
    assert_eq!(receipt.snapshot_digest, docket.snapshot.as_ref().map(|filed| filed.digest));
    assert_eq!(receipt.audit_hash, entries(&world)[0].hash());
    assert_eq!(receipt.decided_at, join.time());
    assert_eq!(receipt.valid_until, join.time().plus_seconds(7 * 86_400));
}

#[test]
fn c13_what_follows_an_entry_is_in_the_next_and_the_chain_holds() {
    let mut world = conformant().world();
    world.run();
    recheck(&mut world, "recheck/1");
    let entries = entries(&world);
    assert_eq!(entries.len(), 2);
    assert_eq!((entries[1].sequence, entries[1].previous), (1, entries[0].hash()));
    let both: BTreeSet<RecordId> = listed(&entries[0]).union(&listed(&entries[1])).cloned().collect();
    assert_eq!(both, said_before(&world, 1), "every record of evaluation 1 is in some entry");
    assert!(listed(&entries[0]).is_disjoint(&listed(&entries[1])));
}

#[test]
fn c13_a_late_observation_gets_a_closing_entry_at_once() {
    let mut world = conformant().world();
    world.silence("recovery");
    world.run();
    world.reach_deadline(Owner::Muninn);
    assert_eq!(entries(&world).len(), 1);
    let late = ontology::records::Recovery {
        evaluation: 1,
        effects: Vec::new(),
        reasons: Vec::new(),
        unavailable: None,
    };
    let late = world.observed(Owner::Vidar, "recovery/1", vec![late.into()]);
    world.run();
    let entries = entries(&world);
    assert_eq!(entries.len(), 2);
    assert!(listed(&entries[1]).contains(&RecordId::new(late.0, 0)));
    assert_eq!((entries[1].evaluation, entries[1].previous), (1, entries[0].hash()));
    assert_eq!(world.all(Topic::DecisionReceipt).len(), 1, "the receipt stands");
}

#[test]
fn what_is_delivered_again_is_not_late() {
    let mut world = conformant().world();
    world.run();
    let mut seat = crate::kit::Seat::<Saga>::new();
    let heard = |stored: &&topics::Stored| crate::kit::Seat::<Saga>::hears(&stored.step);
    for stored in world.log.steps.iter().filter(heard) {
        seat.hear(stored, &world.library, |slot| world.log.find(slot).map(|own| own.step.clone()));
    }
    let state = seat.state.clone();
    for stored in world.log.steps.iter().filter(heard) {
        let again = seat.hear(stored, &world.library, |_| None);
        assert_eq!(again, [], "because of {:?}", stored.step);
    }
    assert_eq!(seat.state, state);
}

#[test]
fn a_rejected_change_leaves_the_estate() {
    let mut world = destructive(Enforcement::Deny).world();
    world.run();
    let closed = world.last(Topic::ChangeClosed).expect("it was closed");
    assert_eq!(*closed.step.key(), Key::estate());
    let place = |topic| world.last(topic).expect("it was said").position;
    assert!(place(Topic::ChangeClosed) < place(Topic::DecisionReceipt), "the own step proves the other");
    assert_eq!(said!(world, ChangeClosed).expect("closed").why, Closing::Rejected);
    assert_eq!(said!(world, DecisionReceipt).expect("a receipt").basis, Basis::Denied);

    let mut held = empty_estate().world();
    held.run();
    assert!(held.last(Topic::ChangeClosed).is_none(), "a held change stays");
}

#[test]
fn while_a_person_is_awaited_there_is_no_receipt() {
    let mut world = destructive(Enforcement::Approve).world();
    world.run();
    assert!(world.last(Topic::AuditIntent).is_some());
    assert!(world.last(Topic::AuditEntry).is_none() && world.last(Topic::DecisionReceipt).is_none());
    assert!(world.owed(Owner::Saga).open);
}

#[test]
fn a_review_that_is_told_too_much_gets_an_entry_in_between() {
    let story = conformant();
    let mut world = World::open(story.change(), story.document, story.model, story.catalog).with::<Saga>();
    for n in 0..super::WAITING_MAX {
        let reached = DeadlineReached { evaluation: 1, name: samples::name("other") };
        world.observed(Owner::Runtime, &format!("deadline/1/other-{n}"), vec![reached.into()]);
    }
    world.run();
    let entries = entries(&world);
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].items.len(), super::WAITING_MAX);
    assert!(
        world.last(Topic::AuditEntry).expect("an entry").step.bytes().len() < topics::step::STEP_BYTES_MAX
    );
}

#[test]
fn it_reads_what_the_table_of_topics_says() {
    let table: Vec<Topic> =
        Topic::ALL.iter().copied().filter(|topic| topic.readers().contains(&Owner::Saga)).collect();
    let mut reads = Saga::READS.to_vec();
    reads.sort_unstable();
    assert_eq!(reads, table);
}
