//! When Forseti speaks, and how often.

use ontology::records::RecommendationKind::{ApprovalRequired, Held};
use ontology::records::decision::Freshness;
use ontology::records::{DeadlineReached, RecheckAsked};
use topics::{Agent, Cause, Owner, Topic};

use super::*;

#[test]
fn an_evaluation_is_seven_hops_and_eleven_steps_and_one_a_specialist() {
    let mut world = conformant().world();
    world.run();
    let of_review = &world.log.steps;
    let records: usize = of_review.iter().map(|stored| stored.step.records().len()).sum();
    // Huginn's entry in the estate is the one step and record that no agent here says.
    assert_eq!((of_review.len() + 1, records + 1), (11 + 2, 18 + 2), "{:#?}", steps(&world));
    // A specialist's observation answers a question that stood with the options: its cause is a name.
    let (asked, answered) = (hops(&world, Topic::OptionSet), hops(&world, Topic::DecisionReceipt));
    assert_eq!((asked, answered), (3, 4), "seven dependent hops");
    let bytes: usize = of_review.iter().map(|stored| stored.step.bytes().len()).sum();
    assert!(bytes < 20_000, "{bytes} bytes on the review's key");
}

/// Steps from the one that holds `topic` back to one that is caused by no step, both counted.
fn hops(world: &World, topic: Topic) -> usize {
    let mut stored = world.last(topic).expect("it was said");
    let mut hops = 1;
    while let Cause::Step(step) = stored.step.cause() {
        stored = world.log.find(*step).expect("the cause is on record");
        hops += 1;
    }
    hops
}

fn steps(world: &World) -> Vec<String> {
    world.log.steps.iter().map(|stored| format!("{:?}", stored.step)).collect()
}

#[test]
fn s18_an_evaluation_is_judged_once() {
    let mut world = conformant().world();
    world.run();
    let reached = DeadlineReached { evaluation: 1, name: name(super::super::JUDGE) };
    world.observed(Owner::Runtime, "deadline/1/judge", vec![reached.into()]);
    world.run();
    assert_eq!(world.all(Topic::Recommendation).len(), 1);
    assert_eq!(world.owed(Owner::Forseti).deadline, None);
    assert!(!world.owed(Owner::Forseti).open, "it has its receipt");
}

#[test]
fn s15_without_a_bundle_the_deadline_judges_and_names_what_is_missing() {
    let story = conformant();
    let mut world =
        World::open(story.change(), story.document.clone(), story.model.clone(), story.catalog.clone())
            .with::<Mimir>()
            .with::<Forseti>()
            .with::<Saga>();
    world.run();
    let owed = world.owed(Owner::Forseti).deadline.expect("a deadline");
    assert_eq!(owed.name.as_str(), "judge");
    assert_eq!(owed.at, world.log.steps[0].at.plus_ms(5_000), "the opening step's time and the budget");
    world.reach_deadline(Owner::Forseti);
    let recommendation = said!(world, Recommendation).expect("it was judged");
    let reasons = [
        "graph_release_unknown",
        "graph_unavailable",
        "missing_stage:evidence-bundle",
        "missing_stage:option-set",
        "missing_stage:review-schedule",
        "missing_stage:state-snapshot",
        "deadline_exceeded",
    ];
    assert_eq!(counting(&recommendation), reasons);
    assert_eq!(recommendation.kind, Held);
    assert_eq!(said!(world, GraphReceipt).expect("a receipt").freshness, Freshness::Unavailable);
    let join = world.last(Topic::Verdict).expect("the join");
    assert_eq!(join.step.records().len(), 6);
    assert!(world.last(Topic::DecisionReceipt).is_some(), "Saga closes it");
}

#[test]
fn s15_a_silent_specialist_is_a_missing_key() {
    let mut world = conformant().world();
    world.silence("recovery");
    world.run();
    assert!(world.last(Topic::EvidenceBundle).is_none(), "it waits");
    world.reach_deadline(Owner::Muninn);
    let recommendation = said!(world, Recommendation).expect("it was judged");
    assert_eq!(recommendation.kind, Held);
    assert_eq!(counting(&recommendation), ["missing_evidence:recovery"]);
    world.hear_all();
    world.run();
    assert_eq!(world.all(Topic::Recommendation).len(), 1, "a late answer changes nothing");
}

#[test]
fn a_person_has_the_last_word_where_approval_is_required() {
    let mut world = destructive(Enforcement::Approve).world();
    world.run();
    assert_eq!(said!(world, Recommendation).expect("it was judged").kind, ApprovalRequired);
    assert_eq!(world.last(Topic::Recommendation).expect("the join").step.records().len(), 5);
    assert!(world.last(Topic::Verdict).is_none() && world.last(Topic::DecisionReceipt).is_none());
}

#[test]
fn asking_again_opens_another_evaluation_that_is_judged_by_itself() {
    let mut world = conformant().world();
    world.run();
    let pins = docket_of(&world).pins;
    let asked = RecheckAsked { requester: samples::requester(), seen: 1, pins };
    world.observed(Owner::Huginn, "recheck/1", vec![asked.into()]);
    world.run();
    let evaluations: Vec<u8> = world
        .all(Topic::Recommendation)
        .into_iter()
        .map(|object| crate::review::evaluation_of(&object).expect("it belongs to one"))
        .collect();
    assert_eq!(evaluations, [1, 2]);
}

#[test]
fn it_reads_what_the_table_of_topics_says() {
    let table: Vec<Topic> =
        Topic::ALL.iter().copied().filter(|topic| topic.readers().contains(&Owner::Forseti)).collect();
    let mut reads = Forseti::READS.to_vec();
    reads.sort_unstable();
    assert_eq!(reads, table);
}
