//! What missing evidence would change (U1).

use ontology::records::RecommendationKind::{ApprovalRequired, Held};

use super::super::hypothesis::hypotheses;
use super::*;

#[test]
fn u01_a_held_change_says_what_it_takes_and_what_would_follow() {
    let story = empty_estate().with(|story| {
        let create = |address: &str| samples::target(address, "aws_instance", Action::Create);
        story.document = samples::document(vec![
            create("module.db.module.one.aws_instance.this[0]"),
            create("module.db.module.two.aws_instance.this[0]"),
            create("module.instances.aws_instance.web"),
        ]);
    });
    let mut world = story.world();
    world.run();
    let found = with_inputs(&world, hypotheses);
    let told: Vec<_> = found.iter().map(|it| (it.key, it.takes.as_str(), it.would_be, it.alone)).collect();
    let bind = "bind module.db, module.instances: arbctl model init --from PLAN";
    let tier = "a tier in the same file: its defaults apply, marked assumed";
    assert_eq!(
        told,
        [
            (EvidenceKey::Topology, bind, ApprovalRequired, Held),
            (EvidenceKey::Objectives, tier, ApprovalRequired, Held),
        ]
    );
}

#[test]
fn u01_a_hypothesis_is_never_recorded() {
    let mut world = empty_estate().world();
    world.run();
    let before = world.log.steps.clone();
    with_inputs(&world, hypotheses);
    world.run();
    assert_eq!(world.log.steps, before);
}

#[test]
fn u01_a_change_that_is_not_held_needs_no_hypothesis() {
    let mut world = conformant().world();
    world.run();
    assert_eq!(with_inputs(&world, hypotheses), []);
}

#[test]
fn u01_what_no_evidence_could_cure_stays() {
    let story = empty_estate().with(|story| story.document.errored = true);
    let mut world = story.world();
    world.run();
    let found = with_inputs(&world, hypotheses);
    assert!(!found.is_empty() && found.iter().all(|hypothesis| hypothesis.would_be == Held));
}

#[test]
fn u01_a_missing_rehearsal_alone_would_conform() {
    let story = conformant().with(|story| {
        for object in &mut story.model.objects {
            if let Detail::RecoveryPlan(plan) = &mut object.detail {
                plan.rehearsals.clear();
            }
        }
    });
    let mut world = story.world();
    world.run();
    let found = with_inputs(&world, hypotheses);
    assert_eq!(found.iter().map(|it| it.key).collect::<Vec<_>>(), [EvidenceKey::Recovery]);
    assert_eq!(found[0].would_be, RecommendationKind::Conformant);
    assert_eq!(found[0].would_be, found[0].alone);
}
