//! What holds for every change: a ceiling only falls, a judgement is a function, an order of arrival is none.

use ontology::graph::Graph;
use ontology::records::RecommendationKind;
use ontology::time::DAY_S;
use proptest::prelude::*;

use super::super::judge;
use super::*;
use crate::kit::disorder::{decided, disordered};
use crate::kit::samples::noon;

type Fault = fn(&mut Story);

/// Faults, each of which makes a change worse or leaves it as it is. A hard rule that becomes undecidable is not
/// among them: an undecided rule holds, where a broken one rejects (U2).
const FAULTS: [Fault; 13] = [
    |story| story.document.errored = true,
    |story| story.document.incomplete = true,
    |story| story.document.drift = [samples::id("aws_db_instance.orders")].into(),
    |story| story.told = |change| change.planned_at = Some(noon().plus_seconds(-30 * DAY_S)),
    |story| story.model.sources[0].synthetic = true,
    |story| story.model.sources[1].review_by = Some(noon().plus_seconds(-DAY_S)),
    |story| story.model.sources[0].incomplete = true,
    |story| story.model.sources.iter_mut().for_each(|source| source.authority = name("one")),
    |story| story.model.links.iter_mut().for_each(|link| link.denied_by = vec![name("terraform.tfstate")]),
    |story| spend_now(&mut story.model, 900),
    |story| story.catalog.limits[0].affected_max = 0,
    |story| story.catalog.stateful_types = ["*".to_owned()].into(),
    |story| story.catalog.prices.types.clear(),
];

fn starts() -> [Story; 4] {
    [conformant(), empty_estate(), destructive(Enforcement::Deny), destructive(Enforcement::Approve)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn s12_a_further_fault_never_makes_the_recommendation_milder(
        start in 0_usize..4,
        faults in proptest::collection::vec(0_usize..FAULTS.len(), 0..4),
        further in 0_usize..FAULTS.len(),
    ) {
        let mut story = starts()[start].clone();
        let has_sources = |story: &Story| !story.model.sources.is_empty();
        let apply = |story: &mut Story, fault: usize| {
            if has_sources(story) || !matches!(fault, 4..=6) {
                FAULTS[fault](story);
            }
        };
        for fault in faults {
            apply(&mut story, fault);
        }
        let before = story.recommendation().kind;
        apply(&mut story, further);
        let after = story.recommendation().kind;
        prop_assert!(rank(after) >= rank(before), "{before:?} became {after:?}");
    }

    #[test]
    fn order_and_repetition_of_deliveries_change_nothing(
        start in 0_usize..4,
        swaps in proptest::collection::vec(0_usize..64, 0..40),
        twice in proptest::collection::vec((0_usize..64, 0_usize..8), 0..6),
    ) {
        let mut world = starts()[start].world();
        world.run();
        let in_order = decided::<Forseti>(&world.log.steps, &world.library);
        let deliveries = disordered(&world.log.steps, &swaps, &twice);
        prop_assert_eq!(decided::<Forseti>(&deliveries, &world.library), in_order);
    }
}

fn rank(kind: RecommendationKind) -> u8 {
    match kind {
        RecommendationKind::Conformant => 0,
        RecommendationKind::Conditional => 1,
        RecommendationKind::ApprovalRequired => 2,
        RecommendationKind::Held => 3,
        RecommendationKind::Rejected => 4,
    }
}

#[test]
fn a_judgement_is_a_function_of_its_inputs() {
    for story in starts() {
        let mut world = story.world();
        world.run();
        let (once, again) = with_inputs(&world, |inputs| (judge(inputs), judge(inputs)));
        assert_eq!(once, again);
        let recorded = world.last(topics::Topic::Recommendation).expect("it was judged");
        let said: Vec<_> = recorded.step.records().iter().map(|record| record.object.clone()).collect();
        assert_eq!(once.into_objects(), said, "anybody computes the recorded join again");
    }
}

#[test]
fn s13_the_snapshots_own_summary_is_not_relied_on() {
    let story =
        conformant().with(|story| story.model.links.iter_mut().for_each(|link| link.sources.truncate(1)));
    let mut world = story.world();
    world.run();
    let mut docket = docket_of(&world);
    let snapshot = docket.snapshot.as_mut().expect("a snapshot");
    let mut praised = (*snapshot.object).clone();
    praised.conflicts.clear();
    snapshot.object = Arc::new(praised);
    let judgement = judge(&Inputs::of(&docket, &world.library).expect("the library is whole"));
    assert_eq!(judgement.recommendation.kind, RecommendationKind::ApprovalRequired);
    assert!(!judgement.receipt.authenticated);
}

#[test]
fn s26_a_snapshot_of_another_model_revision_holds() {
    let mut world = conformant().world();
    world.run();
    let mut docket = docket_of(&world);
    let other = Graph::index(Model::default()).expect("an empty model is valid");
    let snapshot = docket.snapshot.as_mut().expect("a snapshot");
    let mut strange = (*snapshot.object).clone();
    strange.generation = other.digest();
    snapshot.object = Arc::new(strange);
    let judgement = judge(&Inputs::of(&docket, &world.library).expect("the library is whole"));
    assert!(has(&judgement.recommendation, ReasonCode::GraphSourceIncomplete, Effect::Held));
    assert!(!judgement.receipt.source_complete);
}
