//! Stories about traces: what closes one, and what holds it.

use ontology::policy::Enforcement;
use proptest::prelude::*;
use topics::Owner;

use super::*;
use crate::forseti::tests::{Story, conformant, destructive, empty_estate};
use crate::kit::World;

fn review(world: &World) -> Review {
    Review::of(world.log.steps.iter().filter(|stored| *stored.step.key() == world.key))
}

fn judged(story: &Story) -> World {
    let mut world = story.world();
    world.run();
    world
}

fn events_of(world: &World) -> Vec<TraceEvent> {
    let review = review(world);
    events(&review, &review.evaluation(1).expect("evaluation 1"))
}

fn faults(trace: &Trace) -> Vec<String> {
    trace.faults.iter().map(ToString::to_string).collect()
}

#[test]
fn s44_an_evaluation_with_its_receipt_closes_whatever_was_recommended() {
    for story in [conformant(), empty_estate(), destructive(Enforcement::Deny)] {
        let trace = Trace::of(&review(&judged(&story)), 1).expect("a trace");
        assert_eq!(faults(&trace), [""; 0]);
        assert_eq!(trace.outcome, TraceOutcome::Closed);
    }
}

#[test]
fn the_stages_stand_in_order_with_their_owners() {
    let trace = Trace::of(&review(&judged(&conformant())), 1).expect("a trace");
    let told: Vec<String> =
        trace.stages.iter().map(|stage| format!("{:<18} {}", stage.stage, stage.owner)).collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    change             huginn
    state-snapshot     muninn
    policy-set         mimir
    option-set         forseti
    review-schedule    coordinator
    concurrent-changes muninn
    cost               njord
    recovery           vidar
    evidence-bundle    muninn
    graph-receipt      forseti
    scenario           forseti
    decision-case      forseti
    impact-envelope    forseti
    recommendation     forseti
    verdict            forseti
    audit-entry        saga
    decision-receipt   saga
    review-projection  saga
    ");
}

#[test]
fn s05_a_specialist_that_was_not_activated_is_not_missing() {
    let trace = Trace::of(&review(&judged(&empty_estate())), 1).expect("a trace");
    assert!(trace.stages.iter().all(|stage| stage.stage != Topic::Recovery));
    assert_eq!(trace.outcome, TraceOutcome::Closed);
}

#[test]
fn s20_while_a_person_is_awaited_the_trace_holds() {
    let trace = Trace::of(&review(&judged(&destructive(Enforcement::Approve))), 1).expect("a trace");
    let missing = [
        "missing_stage:verdict",
        "missing_stage:audit-entry",
        "missing_stage:decision-receipt",
        "missing_stage:review-projection",
    ];
    let mut told = faults(&trace);
    told.sort_unstable();
    let mut missing = missing.to_vec();
    missing.sort_unstable();
    assert_eq!(told, missing);
    assert_eq!(trace.outcome, TraceOutcome::Held);
}

#[test]
fn s15_a_silent_specialist_is_a_missing_stage_and_a_late_one_a_late_stage() {
    let mut world = conformant().world();
    world.silence("recovery");
    world.run();
    world.reach_deadline(Owner::Muninn);
    assert_eq!(faults(&Trace::of(&review(&world), 1).expect("a trace")), ["missing_stage:recovery"]);
    let late = ontology::records::Recovery {
        evaluation: 1,
        effects: Vec::new(),
        reasons: Vec::new(),
        unavailable: None,
    };
    world.observed(Owner::Vidar, "recovery/1", vec![late.into()]);
    world.run();
    let trace = Trace::of(&review(&world), 1).expect("a trace");
    assert_eq!(faults(&trace), ["late_stage:recovery"]);
    let stage = trace.stages.iter().find(|stage| stage.stage == Topic::Recovery).expect("the stage");
    assert!(stage.said.as_ref().is_some_and(|said| said.late_us.is_some_and(|late| late > 0)));
}

#[test]
fn what_a_file_says_wrong_is_told() {
    let check = |edit: fn(&mut Vec<TraceEvent>), expected: &[&str]| {
        let mut events = events_of(&judged(&conformant()));
        edit(&mut events);
        let trace = Trace::replay(1, &events);
        assert_eq!(faults(&trace), expected);
        assert_eq!(trace.outcome == TraceOutcome::Held, !expected.is_empty());
    };
    check(|_| {}, &[]);
    check(|events| events.retain(|event| event.stage != Topic::Cost), &["missing_stage:cost"]);
    check(
        |events| {
            let mut other =
                events.iter().find(|event| event.stage == Topic::Scenario).expect("it is there").clone();
            other.digest = Digest::of(b"other");
            events.push(other);
        },
        &["conflicting_stage:scenario"],
    );
    check(
        |events| {
            let verdict = events.iter_mut().find(|event| event.stage == Topic::Verdict).expect("it is there");
            verdict.owner = Owner::Gate;
        },
        &["missing_stage:verdict", "owner_mismatch:verdict"],
    );
    check(
        |events| {
            let bundle = events.iter_mut().find(|event| event.stage == Topic::EvidenceBundle);
            let bundle = bundle.expect("it is there");
            bundle.time = bundle.time.plus_ms(60_000);
        },
        &["late_stage:evidence-bundle"],
    );
}

#[test]
fn a_trace_file_is_read_as_it_was_written() {
    for event in events_of(&judged(&conformant())) {
        let line = serde_json::to_string(&event).expect("an event is JSON");
        assert_eq!(serde_json::from_str::<TraceEvent>(&line).expect("it is read again"), event);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_order_of_arrival_does_not_matter(
        order in Just((0..24_usize).collect::<Vec<_>>()).prop_shuffle(),
        dropped in proptest::collection::vec(0_usize..24, 0..4),
    ) {
        let all = events_of(&judged(&destructive(Enforcement::Deny)));
        let kept: Vec<&TraceEvent> = all.iter().enumerate().filter(|(n, _)| !dropped.contains(n)).map(|(_, e)| e).collect();
        let shuffled = order.iter().filter_map(|n| kept.get(*n).copied());
        let mut twice: Vec<TraceEvent> = shuffled.cloned().collect();
        twice.extend(kept.first().copied().cloned());
        let straight: Vec<TraceEvent> = kept.into_iter().cloned().collect();
        prop_assert_eq!(Trace::replay(1, &twice), Trace::replay(1, &straight));
    }
}
