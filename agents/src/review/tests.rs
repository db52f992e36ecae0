//! Stories about the read model: the same whatever the order, and a state a record.

use ontology::Principal;
use ontology::policy::Enforcement;
use ontology::records::{EvidenceKey, RequesterAdded};
use proptest::prelude::*;
use topics::{Agent, Owner};

use super::axes::{AuthorityState, EvaluationState, EvidenceState, ExecutionState, LearningState};
use super::*;
use crate::forseti::tests::{Story, conformant, destructive, docket_of, empty_estate};
use crate::kit::disorder::disordered;
use crate::kit::{World, said, samples};

fn judged(story: &Story) -> World {
    let mut world = story.world();
    world.run();
    world
}

fn review(world: &World) -> Review {
    Review::of(world.log.steps.iter().filter(|stored| *stored.step.key() == world.key))
}

#[test]
fn a_review_is_told_by_its_steps() {
    let world = judged(&conformant());
    let review = review(&world);
    let part = review.newest().expect("an evaluation");
    assert_eq!(review.id(), world.key.as_review());
    assert_eq!(review.outcome(), Outcome::Conformant);
    assert_eq!(part.evaluation, 1);
    let bundle = part.bundle().expect("a bundle");
    let stored = world.last(Topic::EvidenceBundle).expect("a bundle");
    assert_eq!(bundle.said.position, Some(stored.position));
    assert_eq!(bundle.said.time, stored.time());
    assert_eq!(bundle.said.digest, stored.step.records()[0].digest);
    assert_eq!(review.receipt().expect("a receipt").record.evaluation, 1);
}

#[test]
fn s37_five_axes_each_in_its_own_states() {
    let check = |story: Story, evidence, evaluation, authority| {
        let axes = review(&judged(&story)).axes().expect("axes");
        assert_eq!(
            (axes.evidence.state, axes.evaluation.state, axes.authority.state),
            (evidence, evaluation, authority)
        );
        assert_eq!(axes.execution.state, ExecutionState::NotRequested);
        assert_eq!(axes.learning.state, LearningState::Ineligible);
    };
    let only = AuthorityState::ObservationOnly;
    check(conformant(), EvidenceState::Complete, EvaluationState::Conformant, only);
    check(empty_estate(), EvidenceState::Incomplete, EvaluationState::Held, only);
    check(destructive(Enforcement::Deny), EvidenceState::Complete, EvaluationState::Violated, only);
    let asked = AuthorityState::ApprovalRequired;
    check(destructive(Enforcement::Observe), EvidenceState::Complete, EvaluationState::Conditional, asked);
    let stale = conformant().with(|story| {
        story.model.sources[0].review_by = Some(samples::noon().plus_seconds(-1));
    });
    check(stale, EvidenceState::Stale, EvaluationState::Held, only);
}

#[test]
fn s38_every_state_names_records_that_exist() {
    for story in [conformant(), empty_estate(), destructive(Enforcement::Approve)] {
        let review = review(&judged(&story));
        let axes = review.axes().expect("axes");
        let lists = [
            &axes.evidence.because,
            &axes.evaluation.because,
            &axes.authority.because,
            &axes.execution.because,
            &axes.learning.because,
        ];
        for list in lists {
            assert!(!list.is_empty());
            assert!(list.iter().all(|record| review.said().any(|said| said.record == *record)));
        }
    }
}

#[test]
fn a_review_in_the_making_is_undecided() {
    let mut world = conformant().world();
    world.silence("cost");
    world.run();
    let review = review(&world);
    assert_eq!(review.outcome(), Outcome::Undecided);
    assert_eq!(review.axes().expect("axes").evaluation.state, EvaluationState::Held);
    let checks = review.newest().expect("an evaluation").checks();
    assert!(checks.iter().all(|check| check.status == CheckStatus::Pending));
}

#[test]
fn while_a_person_is_awaited_the_recommendation_is_read() {
    assert_eq!(review(&judged(&destructive(Enforcement::Approve))).outcome(), Outcome::ApprovalRequired);
}

#[test]
fn s24_a_sealed_check_stays() {
    let mut world = conformant().world();
    world.silence("recovery");
    world.run();
    world.reach_deadline(Owner::Muninn);
    let statuses = |world: &World| {
        let review = review(world);
        let part = review.newest().expect("an evaluation");
        part.checks().iter().map(|check| (check.key, check.status)).collect::<Vec<_>>()
    };
    let sealed = statuses(&world);
    assert!(sealed.contains(&(EvidenceKey::Recovery, CheckStatus::Blocked)));
    assert!(sealed.contains(&(EvidenceKey::Cost, CheckStatus::Ready)));
    world.hear_all();
    world.run();
    assert_eq!(statuses(&world), sealed);
}

#[test]
fn everybody_who_asked_is_a_requester() {
    let mut world = judged(&conformant());
    let other = Principal { issuer: samples::name("oidc"), subject: samples::name("lee") };
    world.observed(Owner::Huginn, "requester/lee", vec![RequesterAdded { requester: other.clone() }.into()]);
    let review = review(&world);
    assert_eq!(review.requesters().into_iter().collect::<Vec<_>>(), [&other, &samples::requester()]);
    assert_eq!(review.asides().count(), 1);
}

#[test]
fn the_newest_receipt_counts_and_all_are_kept() {
    let mut world = judged(&conformant());
    let asked = ontology::records::RecheckAsked {
        requester: samples::requester(),
        seen: 1,
        pins: docket_of(&world).pins,
    };
    world.observed(Owner::Huginn, "recheck/1", vec![asked.into()]);
    world.run();
    let review = review(&world);
    assert_eq!(review.evaluations().count(), 2);
    assert_eq!(review.receipt().expect("a receipt").record.evaluation, 2);
    assert!(review.evaluation(1).and_then(|part| part.receipt()).is_some());
}

#[test]
fn s04_the_recorded_projection_is_the_digest_of_what_saga_had_folded() {
    let world = judged(&conformant());
    let closing = world.last(Topic::DecisionReceipt).expect("a receipt").position;
    let before = world
        .log
        .steps
        .iter()
        .filter(|stored| stored.position < closing && stored.step.concerns(crate::Saga::READS));
    let mut folded = Review::of(before);
    let intent = world.last(Topic::AuditIntent).expect("an intent");
    folded.fold(&topics::Event { time: intent.time(), step: &intent.step }, None);
    assert_eq!(said!(world, ReviewProjection).expect("a projection").digest, folded.digest());
}

#[test]
fn nobody_reads_a_projection() {
    assert_eq!(Topic::ReviewProjection.readers(), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn order_and_repetition_change_nothing(
        swaps in proptest::collection::vec(0_usize..64, 0..40),
        twice in proptest::collection::vec((0_usize..64, 0_usize..8), 0..6),
    ) {
        let world = judged(&destructive(Enforcement::Deny));
        let deliveries = disordered(&world.log.steps, &swaps, &twice);
        let (once, other) = (Review::of(&world.log.steps), Review::of(&deliveries));
        prop_assert_eq!(once.digest(), other.digest());
        prop_assert_eq!(once, other);
    }
}

#[test]
fn nothing_is_a_review_too() {
    let review = Review::default();
    assert_eq!((review.outcome(), review.id(), review.axes()), (Outcome::Undecided, None, None));
    assert_eq!(review.digest(), Review::of(std::iter::empty()).digest());
}
