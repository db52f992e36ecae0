//! Stories about experiments: what is proposed, and when nothing is.

use ontology::model::Detail;
use ontology::records::RecommendationKind;
use topics::Topic;

use super::*;
use crate::forseti::tests::{Story, conformant};
use crate::kit::samples;
use crate::kit::{World, said};

fn never_rehearsed() -> Story {
    conformant().with(|story| {
        for object in &mut story.model.objects {
            if let Detail::RecoveryPlan(plan) = &mut object.detail {
                plan.rehearsals.clear();
            }
        }
    })
}

fn told(story: &Story) -> World {
    let mut world = story.world();
    world.run();
    world
}

fn proposed(world: &World) -> Vec<ExperimentProposal> {
    let said = world.all(Topic::ExperimentProposal).into_iter();
    said.map(|object| match object {
        Object::ExperimentProposal(proposal) => proposal.as_ref().clone(),
        other => panic!("{other:?} is no proposal"),
    })
    .collect()
}

#[test]
fn a_missing_rehearsal_of_what_stands_on_two_legs_is_proposed_and_nothing_is_decided_by_it() {
    let world = told(&never_rehearsed());
    let proposals = proposed(&world);
    assert_eq!(proposals.len(), 1, "{proposals:?}");
    let (proposal, observed) = (&proposals[0], world.last(Topic::Recovery).expect("it was assessed"));
    assert_eq!(
        (proposal.object.as_str(), proposal.objective.as_str()),
        (samples::DATABASE, samples::RECOVERY)
    );
    assert_eq!((proposal.strategy.as_str(), proposal.redundancy), ("restore", 2));
    assert_eq!((proposal.rto_s, proposal.rpo_s), (3_600, 300));
    assert_eq!(proposal.recovery_digest, observed.step.records()[0].digest);
    let kind = said!(world, Recommendation).expect("it was judged").kind;
    assert_eq!(kind, RecommendationKind::Held, "a proposal is no rehearsal");
}

#[test]
fn what_was_rehearsed_or_stands_on_one_leg_is_left_alone() {
    assert_eq!(proposed(&told(&conformant())), []);
    let single = never_rehearsed().with(|story| {
        for object in &mut story.model.objects {
            if let Detail::Resource(placement) = &mut object.detail {
                placement.zones = ["a".to_owned()].into();
                placement.replicas = Some(1);
            }
        }
    });
    assert_eq!(proposed(&told(&single)), []);
}

#[test]
fn an_evaluation_is_proposed_for_once() {
    let mut world = told(&never_rehearsed());
    let again = said!(world, Recovery).expect("it was assessed").as_ref().clone();
    world.observed(Owner::Vidar, "recovery/again", vec![again.into()]);
    world.run();
    assert_eq!(proposed(&world).len(), 1);
}
