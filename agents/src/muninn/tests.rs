use ontology::records::evidence::Unavailable;
use ontology::records::{EvidenceBundle, EvidenceItem, EvidenceKey, ModelRevision};
use ontology::{BodyRef, Digest};
use topics::{Agent, Answer, Ask, Cause, Object, Owner, Question, Topic};

use super::Muninn;
use crate::kit::samples;
use crate::kit::{World, said};

use EvidenceKey::{Change, ConcurrentChanges, Cost, Objectives, Policy, Recovery, Topology};

fn world() -> World {
    let document = samples::database_change();
    let change = samples::change(&document);
    World::open(change, document, samples::model(), samples::catalog()).with_deciders()
}

/// Says the options of the evaluation, as Forseti does after snapshot and policy set.
fn propose(world: &mut World, evaluation: u8) {
    world.run();
    world.derived(Owner::Forseti, Topic::PolicySet, vec![samples::options(evaluation, &[]).into()]);
    world.run();
}

fn bundle(world: &World) -> EvidenceBundle {
    said!(world, EvidenceBundle).expect("a bundle").as_ref().clone()
}

fn digest(world: &World, topic: Topic) -> Digest {
    let stored = world.last(topic).expect("it was said");
    let record = stored.step.records().iter().find(|record| record.object.topic() == topic);
    record.expect("it is there").digest
}

#[test]
fn s03_the_bundle_is_sealed_once_each_scheduled_branch_answered() {
    let mut world = world();
    world.run();
    assert!(world.last(Topic::EvidenceBundle).is_none(), "the options are not there");

    propose(&mut world, 1);
    let bundle = bundle(&world);
    assert!(!bundle.sealed_by_deadline);
    let present = [Change, Topology, Objectives, Policy, ConcurrentChanges, Cost, Recovery];
    assert_eq!(bundle.present, present.into());
    assert_eq!(bundle.missing, [].into());
    let item = |key, topic| EvidenceItem { key, digest: digest(&world, topic) };
    assert_eq!(
        bundle.ontology,
        [item(Topology, Topic::StateSnapshot), item(Objectives, Topic::StateSnapshot)]
    );
    let state = [
        item(ConcurrentChanges, Topic::ConcurrentChanges),
        item(Cost, Topic::Cost),
        item(Recovery, Topic::Recovery),
    ];
    assert_eq!(bundle.state, state);
    assert_eq!(bundle.catalog_items, [item(Policy, Topic::PolicySet)]);
    assert_eq!(bundle.document, [item(Change, Topic::Change)]);
    assert_eq!(world.owed(Owner::Muninn).deadline, None);
    assert!(world.owed(Owner::Muninn).open, "until the receipt");
}

#[test]
fn s15_at_the_deadline_the_bundle_names_the_branches_that_did_not_answer() {
    let mut world = world();
    world.silence("recovery");
    world.silence("concurrent");
    propose(&mut world, 1);
    assert!(world.last(Topic::EvidenceBundle).is_none());
    let deadline = world.owed(Owner::Muninn).deadline.expect("it is owed");
    assert_eq!(deadline.at, samples::noon().plus_ms(1 + 4_000), "80 % of five seconds");

    world.reach_deadline(Owner::Muninn);
    let sealed = bundle(&world);
    assert!(sealed.sealed_by_deadline);
    assert_eq!(sealed.missing, [ConcurrentChanges, Recovery].into());
    assert_eq!(sealed.present, [Change, Topology, Objectives, Policy, Cost].into());

    // Late observations change nothing.
    world.hear_all();
    world.run();
    assert!(world.last(Topic::Recovery).is_some());
    assert_eq!(world.all(Topic::EvidenceBundle), [Object::from(sealed)]);
}

#[test]
fn s15_a_branch_without_usable_evidence_is_neither_missing_nor_present() {
    let mut model = samples::model();
    model.links.retain(|link| link.kind != ontology::release::LinkType::RecoveredBy);
    let document = samples::database_change();
    let change = samples::change(&document);
    let mut world = World::open(change, document, model, samples::catalog()).with_deciders();
    propose(&mut world, 1);
    let bundle = bundle(&world);
    assert!(!bundle.present.contains(&Recovery));
    assert_eq!(bundle.missing, [].into());
}

#[test]
fn nothing_modelled_leaves_topology_and_objectives_without_evidence() {
    let document = samples::document(vec![samples::target(
        "aws_s3_bucket.logs",
        "aws_s3_bucket",
        ontology::records::Action::Create,
    )]);
    let change = samples::change(&document);
    let mut world =
        World::open(change, document, ontology::model::Model::default(), samples::catalog()).with_deciders();
    propose(&mut world, 1);
    assert_eq!(bundle(&world).present, [Change, Policy, ConcurrentChanges].into());
}

#[test]
fn after_the_receipt_nothing_is_owed_and_nothing_is_sealed() {
    let mut world = world();
    world.silence("concurrent");
    propose(&mut world, 1);
    world.receipt(1);
    assert_eq!(world.owed(Owner::Muninn), topics::Owed::default());
    let late = ontology::records::ConcurrentChanges {
        evaluation: 1,
        open: Vec::new(),
        truncated: false,
        unavailable: None,
    };
    world.observed(Owner::Muninn, "concurrent/1", vec![late.into()]);
    world.run();
    assert!(world.last(Topic::EvidenceBundle).is_none());
}

#[test]
fn an_answer_is_recorded_so_that_it_can_be_observed_again() {
    let ask = Ask::ConcurrentChanges {
        evaluation: 3,
        review: ontology::ReviewId::derive("test", "a"),
        targets: std::sync::Arc::default(),
        not_before: samples::noon(),
    };
    let question = Question { cause: Cause::named("concurrent/3"), as_of: samples::noon(), ask };
    let library = topics::Library::default();
    let unavailable = Unavailable { cause: "no estate".to_owned(), cure: "wait".to_owned() };
    for answer in
        [Answer::ConcurrentChanges { open: Vec::new(), truncated: true }, Answer::Unavailable(unavailable)]
    {
        let objects = Muninn::observe(&question, &answer, &library);
        let again = Answer::recorded_in(&objects[0]).expect("it holds its answer");
        assert_eq!(Muninn::observe(&question, &again, &library), objects);
    }
    assert_eq!(Muninn::observe(&question, &Answer::Library, &library), []);
}

#[test]
fn a_model_that_was_stored_is_recorded() {
    let body = BodyRef::of(b"model", ontology::model::MEDIA_TYPE);
    let revision = ModelRevision { digest: body.sha256, body, objects: 1, links: 0, warnings: Vec::new() };
    let question = Question { cause: Cause::named("model"), as_of: samples::noon(), ask: Ask::Intake };
    let objects = Muninn::observe(&question, &Answer::Model(revision.clone()), &topics::Library::default());
    assert_eq!(objects, [Object::from(revision)]);
}
