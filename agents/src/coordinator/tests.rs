use std::collections::BTreeSet;

use ontology::policy::{Catalog, RequiredEvidence, Selector};
use ontology::records::change::{AttachmentKind, CostEstimate, RehearsalClaim};
use ontology::records::document::Action;
use ontology::records::{
    Attachment, ChangeDocument, EVALUATIONS_MAX, Evidence, EvidenceKey, Opening, Pins, RecheckAsked,
    ReviewSchedule,
};
use ontology::{Digest, Money};
use topics::Owner;

use crate::kit::samples::{self, id, name};
use crate::kit::{World, said};

use EvidenceKey::{Cost, Policy, Recovery, Topology};

fn scheduled(document: &ChangeDocument, catalog: Catalog, claims: Vec<Attachment>) -> ReviewSchedule {
    let mut change = samples::change(document);
    change.attachments = claims;
    let mut world = World::open(change, document.clone(), samples::model(), catalog).with_deciders();
    world.run();
    said!(world, ReviewSchedule).expect("a schedule").as_ref().clone()
}

fn world() -> World {
    let document = samples::database_change();
    let change = samples::change(&document);
    World::open(change, document, samples::model(), samples::catalog()).with_deciders()
}

/// The world's pins, with another catalog that the library holds as well.
fn later_pins(world: &mut World, text: &str) -> Pins {
    let mut pins = said!(world, Change).expect("the change").pins.clone();
    let mut catalog = samples::catalog();
    catalog.name = name(text);
    pins.catalog = catalog.digest();
    world.library.add_catalog(pins.catalog, std::sync::Arc::new(catalog));
    pins
}

fn recheck(world: &mut World, cause: &str, seen: u8, pins: &Pins) {
    let asked = RecheckAsked { requester: samples::requester(), seen, pins: pins.clone() };
    world.observed(Owner::Huginn, cause, vec![asked.into()]);
    world.run();
}

fn evidence(world: &mut World, cause: &str, pins: &Pins) {
    let evidence = Evidence { requester: samples::requester(), attachments: Vec::new(), pins: pins.clone() };
    world.observed(Owner::Huginn, cause, vec![evidence.into()]);
    world.run();
}

fn openings(world: &World) -> Vec<(u8, Opening, Digest)> {
    let opened = world.all(topics::Topic::EvaluationOpened).into_iter().map(|object| match object {
        topics::Object::EvaluationOpened(opened) => (opened.evaluation, opened.opening, opened.pins.catalog),
        other => panic!("{other:?} opens nothing"),
    });
    opened.collect()
}

#[test]
fn s06_a_schedule_states_cutoff_and_deadline_of_the_opening() {
    let schedule = scheduled(&samples::database_change(), samples::catalog(), Vec::new());
    let opened = samples::noon().plus_ms(1);
    assert_eq!(schedule.evaluation, 1);
    assert_eq!(schedule.cutoff, opened);
    assert_eq!(schedule.deadline, opened.plus_ms(5_000));
    assert_eq!(schedule.concurrent_since, opened.plus_seconds(-7 * 86_400));
}

#[test]
fn s11_specialists_whose_objective_is_at_stake_are_required() {
    let schedule = scheduled(&samples::database_change(), samples::catalog(), Vec::new());
    assert_eq!(schedule.required, [Cost, Recovery].into());
    assert_eq!(schedule.activated, [Cost, Recovery].into());
}

#[test]
fn s06_the_catalogs_tables_say_what_is_required() {
    let row = |environments: &[&str], kinds: &[&str], keys: &[EvidenceKey]| RequiredEvidence {
        when: Selector {
            environments: environments.iter().map(|it| (*it).to_owned()).collect(),
            tiers: BTreeSet::new(),
            kinds: kinds.iter().map(|it| (*it).to_owned()).collect(),
        },
        keys: keys.iter().copied().collect(),
    };
    let unbound =
        samples::document(vec![samples::target("aws_s3_bucket.logs", "aws_s3_bucket", Action::Update)]);
    let bound =
        samples::document(vec![samples::target("module.orders.x.y", "aws_sqs_queue", Action::Update)]);
    let check = |document: &ChangeDocument, rows: Vec<RequiredEvidence>, expect: &[EvidenceKey]| {
        let mut catalog = samples::catalog();
        catalog.required = rows;
        let schedule = scheduled(document, catalog, Vec::new());
        assert_eq!(schedule.required, expect.iter().copied().collect(), "{document:?}");
        assert!(schedule.activated.is_superset(&schedule.required));
    };
    check(&unbound, vec![], &[]);
    check(&unbound, vec![row(&[], &[], &[Topology]), row(&[], &[], &[Policy])], &[Topology, Policy]);
    check(&unbound, vec![row(&["production"], &[], &[Topology])], &[]);
    check(&unbound, vec![row(&[], &["aws_s3_*"], &[Recovery])], &[Recovery]);
    // The service that it is a part of is in production, and has a cost objective.
    check(&bound, vec![row(&["production"], &[], &[Topology])], &[Topology, Cost]);
    check(&bound, vec![row(&[], &["service"], &[Policy])], &[Policy, Cost]);
    check(&bound, vec![row(&["staging"], &[], &[Policy])], &[Cost]);
}

#[test]
fn s05_prices_and_claims_activate_without_requiring() {
    let claim =
        |claim| Attachment { name: name("claim"), digest: Digest::of(b"claim"), made_at: None, claim };
    let estimate = CostEstimate { monthly_delta: Money::new(0, "USD"), by_address: [].into() };
    let rehearsal = RehearsalClaim { object: id("x"), rehearsal: samples::rehearsal(1, 1, true) };
    let check = |kind: &str, claims: Vec<AttachmentKind>, expect: &[EvidenceKey]| {
        let document = samples::document(vec![samples::target("unbound.x", kind, Action::Update)]);
        let claims = claims.into_iter().map(claim).collect();
        let schedule = scheduled(&document, samples::catalog(), claims);
        assert_eq!(schedule.activated, expect.iter().copied().collect());
        assert_eq!(schedule.required, [].into());
    };
    check("aws_s3_bucket", vec![], &[]);
    check("aws_db_instance", vec![], &[Cost]);
    check("aws_s3_bucket", vec![AttachmentKind::CostEstimate(estimate)], &[Cost]);
    check("aws_s3_bucket", vec![AttachmentKind::RecoveryRehearsal(rehearsal)], &[Recovery]);
}

#[test]
fn c11_the_next_evaluation_waits_for_the_receipt() {
    let mut world = world();
    let pins = later_pins(&mut world, "second");
    evidence(&mut world, "evidence/a", &pins);
    assert_eq!(openings(&world), []);

    world.receipt(1);
    assert_eq!(openings(&world), [(2, Opening::Evidence, pins.catalog)]);
    let opened = world.last(topics::Topic::EvaluationOpened).expect("it opened").clone();
    let schedule = said!(world, ReviewSchedule).expect("a schedule");
    assert_eq!((schedule.evaluation, schedule.cutoff), (2, opened.time()));
}

#[test]
fn c11_several_askings_come_to_one_evaluation_with_the_newest_pins() {
    let mut world = world();
    let (second, third) = (later_pins(&mut world, "second"), later_pins(&mut world, "third"));
    recheck(&mut world, "recheck/1", 1, &second);
    evidence(&mut world, "evidence/a", &second);
    recheck(&mut world, "recheck/2", 1, &third);
    world.receipt(1);
    assert_eq!(openings(&world), [(2, Opening::Evidence, third.catalog)]);

    world.receipt(2);
    assert_eq!(openings(&world).len(), 1, "all that waited was answered");
}

#[test]
fn asking_for_what_is_open_already_opens_nothing() {
    let mut world = world();
    let (second, third) = (later_pins(&mut world, "second"), later_pins(&mut world, "third"));
    world.receipt(1);
    recheck(&mut world, "recheck/1", 1, &second);
    recheck(&mut world, "recheck/2", 1, &second);
    world.receipt(2);
    assert_eq!(openings(&world), [(2, Opening::Recheck, second.catalog)]);

    recheck(&mut world, "recheck/3", 1, &third);
    assert_eq!(
        openings(&world)[1..],
        [(3, Opening::Recheck, third.catalog)],
        "other pins are another question"
    );
    world.receipt(3);
    recheck(&mut world, "recheck/4", 3, &third);
    assert_eq!(openings(&world)[2..], [(4, Opening::Recheck, third.catalog)], "they saw the newest");
}

#[test]
fn after_eight_evaluations_nothing_opens() {
    let mut world = world();
    let pins = later_pins(&mut world, "second");
    for evaluation in 1..=EVALUATIONS_MAX {
        world.receipt(evaluation);
        recheck(&mut world, &format!("recheck/{evaluation}"), evaluation, &pins);
    }
    let numbers: Vec<u8> = openings(&world).into_iter().map(|(number, ..)| number).collect();
    assert_eq!(numbers, [2, 3, 4, 5, 6, 7, 8]);
    assert!(!world.owed(Owner::Coordinator).open);
}
