use ontology::model::{Detail, Model, Rehearsal};
use ontology::records::change::{AttachmentKind, RehearsalClaim};
use ontology::records::document::{Action, ChangeDocument};
use ontology::records::evidence::RecoveryEffect;
use ontology::records::{Attachment, Recovery};
use ontology::release::LinkType;
use ontology::{Digest, Effect, ReasonCode};
use topics::{Owner, Topic};

use crate::kit::samples::{
    self, DATABASE, PLAN, RECOVERY, SERVICE, id, link, name, object, rehearsal, target,
};
use crate::kit::{World, said};

fn assessed(document: ChangeDocument, model: Model, claims: Vec<Attachment>, without: &[&str]) -> Recovery {
    let mut change = samples::change(&document);
    change.attachments = claims;
    let mut world = World::open(change, document, model, samples::catalog()).with_deciders();
    world.run();
    world.derived(Owner::Forseti, Topic::PolicySet, vec![samples::options(1, without).into()]);
    world.run();
    said!(world, Recovery).expect("an observation").as_ref().clone()
}

fn with_rehearsals(rehearsals: Vec<Rehearsal>) -> Model {
    let mut model = samples::model();
    for object in &mut model.objects {
        if let Detail::RecoveryPlan(plan) = &mut object.detail {
            plan.rehearsals.clone_from(&rehearsals);
        }
    }
    model
}

fn codes(recovery: &Recovery) -> Vec<(ReasonCode, Effect)> {
    recovery.reasons.iter().map(|reason| (reason.code, reason.effect)).collect()
}

#[test]
fn the_newest_successful_rehearsal_is_held_against_the_objective() {
    let check = |rehearsals: Vec<Rehearsal>, rto_s: Option<u64>, met: bool, reason: Option<ReasonCode>| {
        let recovery = assessed(samples::database_change(), with_rehearsals(rehearsals.clone()), vec![], &[]);
        assert_eq!(recovery.effects.len(), 1, "nothing is recovered from by doing nothing");
        let effect = &recovery.effects[0];
        assert_eq!((effect.rto_s, effect.met), (rto_s, met), "{rehearsals:?}");
        let reasons: Vec<ReasonCode> = recovery.reasons.iter().map(|reason| reason.code).collect();
        assert_eq!(reasons, reason.into_iter().collect::<Vec<_>>());
    };
    check(vec![rehearsal(30, 1_800, true)], Some(1_800), true, None);
    check(vec![rehearsal(30, 3_601, true)], Some(3_601), false, None);
    check(vec![rehearsal(90, 100, true), rehearsal(30, 1_800, true)], Some(1_800), true, None);
    check(vec![rehearsal(90, 100, true), rehearsal(30, 1, false)], Some(100), true, None);
    check(vec![rehearsal(30, 1, false)], None, false, Some(ReasonCode::RehearsalMissing));
    check(vec![], None, false, Some(ReasonCode::RehearsalMissing));
    check(vec![rehearsal(180, 1, true)], Some(1), false, Some(ReasonCode::RehearsalStale));
    check(vec![rehearsal(179, 1, true)], Some(1), true, None);
    check(vec![rehearsal(-1, 1, true)], None, false, Some(ReasonCode::RehearsalMissing));
}

#[test]
fn each_option_answers_for_what_it_carries_out() {
    let mut model = samples::model();
    model.links.push(link(LinkType::HasRecoveryObjective, SERVICE, RECOVERY));
    let document = samples::document(vec![
        target(samples::DATABASE_ADDRESS, "aws_db_instance", Action::Replace),
        target("module.orders.queue", "aws_sqs_queue", Action::Update),
    ]);
    let recovery = assessed(document, model, vec![], &[samples::DATABASE_ADDRESS]);
    let row = |effect: &RecoveryEffect| (effect.option.to_string(), effect.object.to_string(), effect.met);
    let rows: Vec<_> = recovery.effects.iter().map(row).collect();
    let expect = [
        ("as-proposed".to_owned(), SERVICE.to_owned(), false),
        ("as-proposed".to_owned(), DATABASE.to_owned(), true),
        ("without-destruction".to_owned(), SERVICE.to_owned(), false),
    ];
    assert_eq!(rows, expect, "the plan of the database does not recover the service");
    assert_eq!(codes(&recovery), [(ReasonCode::RehearsalMissing, Effect::Held)]);
}

#[test]
fn of_several_plans_the_newest_rehearsal_counts() {
    let mut model = with_rehearsals(vec![rehearsal(30, 100, true)]);
    let plan = ontology::model::RecoveryPlan {
        strategy: name("failover"),
        rehearsals: vec![rehearsal(20, 7_200, true)],
    };
    model.objects.push(object("plan:orders-failover", Detail::RecoveryPlan(plan)));
    model.links.push(link(LinkType::RecoveredBy, DATABASE, "plan:orders-failover"));
    let recovery = assessed(samples::database_change(), model, vec![], &[]);
    assert_eq!((recovery.effects[0].rto_s, recovery.effects[0].met), (Some(7_200), false));
}

#[test]
fn a_claimed_rehearsal_is_never_evidence() {
    let claim = || Attachment {
        name: name("rehearsal.json"),
        digest: Digest::of(b"rehearsal"),
        made_at: Some(samples::noon()),
        claim: AttachmentKind::RecoveryRehearsal(RehearsalClaim {
            object: id(PLAN),
            rehearsal: rehearsal(1, 1, true),
        }),
    };
    let without = assessed(samples::database_change(), with_rehearsals(vec![]), vec![claim()], &[]);
    assert!(!without.effects[0].met);
    let missing = (ReasonCode::RehearsalMissing, Effect::Held);
    assert_eq!(codes(&without), [missing, (ReasonCode::EvidenceUnverified, Effect::Approval)]);

    let with = assessed(samples::database_change(), samples::model(), vec![claim()], &[]);
    assert_eq!(with.effects[0].rto_s, Some(1_800));
    assert_eq!(codes(&with), [(ReasonCode::EvidenceUnverified, Effect::Noted)]);
}

#[test]
fn where_a_snapshot_lists_no_objects_the_scope_is_made_again() {
    let mut model = samples::model();
    for number in 0..ontology::records::snapshot::PAIRS_MAX {
        let workload = format!("workload:w{number:03}");
        model.objects.push(object(&workload, Detail::Workload(samples::placed("service"))));
        model.links.push(link(LinkType::WorkloadRunsOn, &workload, DATABASE));
    }
    let recovery = assessed(samples::database_change(), model, vec![], &[]);
    assert!(recovery.effects[0].met);
}
