//! A plan that other people published, under the shipped starter catalog, with nothing modelled (U1).

use std::fs;

use super::super::hypothesis::hypotheses;
use super::*;
use crate::huginn::intake;
use crate::mimir::starter;

const PLAN: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/cases/terraform/infracost-terraform-0.14.json");

#[test]
#[expect(clippy::disallowed_methods, reason = "the plan is a file; the crate under test is given its bytes")]
fn u01_a_published_plan_on_an_empty_estate() {
    let bytes = fs::read(PLAN).expect("the published plan is beside the repository");
    let context = intake::Context { catalog: starter(), key: None };
    let read = intake::read("plan.json", &bytes, &context).expect("it is a plan");
    let story = Story {
        document: (*read.document).clone(),
        model: Model::default(),
        catalog: starter().clone(),
        told: |change| change.requester_verified = true,
    };
    let mut world = story.world();
    world.run();
    let recommendation = said!(world, Recommendation).expect("it was judged");
    let mut told = vec![recommendation.kind.as_str().to_owned()];
    told.extend(recommendation.reasons.iter().map(|reason| format!("{:?} {reason}", reason.effect)));
    let found = with_inputs(&world, hypotheses);
    told.extend(found.iter().map(|it| {
        format!(
            "{}: {}; then {}, alone {}",
            it.key.as_str(),
            it.takes,
            it.would_be.as_str(),
            it.alone.as_str()
        )
    }));
    insta::assert_snapshot!(told.join("\n"));
    let on_key: usize = world.log.steps.iter().map(|stored| stored.step.bytes().len()).sum();
    assert!(on_key < 20_000, "{on_key} bytes on the review's key");
}
