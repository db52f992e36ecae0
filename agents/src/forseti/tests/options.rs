//! What could be done instead.

use ontology::records::OptionSet;
use ontology::records::RecommendationKind::{ApprovalRequired, Conformant, Rejected};
use ontology::records::evaluation::{WITHOUT_DESTRUCTION, WITHOUT_VIOLATIONS};

use super::*;
use crate::kit::samples::id;

fn options(story: &Story) -> Arc<OptionSet> {
    let mut world = story.world();
    world.run();
    said!(world, OptionSet).expect("options were drafted")
}

fn names(options: &OptionSet) -> Vec<&str> {
    options.options.iter().map(|option| option.id.as_str()).collect()
}

#[test]
fn a_change_that_breaks_nothing_and_destroys_nothing_has_no_smaller_one() {
    assert_eq!(names(&options(&conformant())), ["as-proposed", "no-action"]);
}

#[test]
fn two_reductions_that_are_the_same_are_one() {
    let denied = options(&destructive(Enforcement::Deny));
    assert_eq!(names(&denied), ["as-proposed", "no-action", WITHOUT_VIOLATIONS]);
    assert_eq!(denied.options[2].without, [id("aws_db_instance.orders")].into());
    let warned = options(&destructive(Enforcement::Warn));
    assert_eq!(names(&warned), ["as-proposed", "no-action", WITHOUT_DESTRUCTION]);
}

#[test]
fn what_needs_a_target_that_is_left_out_is_left_out_too() {
    let story = destructive(Enforcement::Deny).with(|story| {
        let mut last =
            samples::target("module.orders.aws_route53_record.api", "aws_route53_record", Action::Create);
        last.needs = [id("data.aws_db_instance.orders")].into();
        let mut between = samples::target("data.aws_db_instance.orders", "aws_db_instance", Action::Read);
        between.needs = [id("aws_db_instance.orders")].into();
        story.document.targets.extend([last, between]);
        story.document.targets.sort_by(|a, b| a.address.cmp(&b.address));
    });
    let without = options(&story).options[2].without.clone();
    assert_eq!(without, [id("aws_db_instance.orders"), id("module.orders.aws_route53_record.api")].into());
}

#[test]
fn a_reduction_to_nothing_is_no_option() {
    let story = destructive(Enforcement::Deny).with(|story| {
        story.document.targets.retain(|target| target.action == Action::Delete);
    });
    assert_eq!(names(&options(&story)), ["as-proposed", "no-action"]);
}

#[test]
fn s14_the_smaller_change_that_conforms_is_an_alternative() {
    let mut world = destructive(Enforcement::Deny).world();
    world.run();
    let recommendation = said!(world, Recommendation).expect("it was judged");
    let case = said!(world, Case).expect("a case");
    let would_be: Vec<_> = case.options.iter().map(|option| option.would_be).collect();
    assert_eq!(would_be, [Rejected, Conformant, Conformant], "{:#?}", case.options);
    assert_eq!(recommendation.kind, Rejected);
    assert_eq!(recommendation.alternatives, [name(WITHOUT_VIOLATIONS)]);
    assert_eq!(case.selected, Some(name(WITHOUT_VIOLATIONS)));
    assert_eq!(case.options[0].violates, [name("stateful-destroyed")].into());
}

#[test]
fn a_smaller_change_is_not_held_by_what_it_leaves_out() {
    let story = destructive(Enforcement::Deny).with(|story| {
        // What is deleted has no price; all that is left has one.
        story.document.targets[0].kind = "aws_rds_cluster".to_owned();
        story.catalog.stateful_types = ["aws_rds_cluster".to_owned()].into();
    });
    let mut world = story.world();
    world.run();
    let recommendation = said!(world, Recommendation).expect("it was judged");
    assert!(has(&recommendation, ReasonCode::CostUnpriced, Effect::Held), "{:#?}", recommendation.reasons);
    assert_eq!(recommendation.alternatives, [name(WITHOUT_VIOLATIONS)]);
}

#[test]
fn an_irreversible_change_has_its_harmless_part_as_alternative() {
    let story = destructive(Enforcement::Observe);
    let recommendation = story.recommendation();
    assert_eq!(recommendation.kind, ApprovalRequired);
    assert_eq!(recommendation.alternatives, [name(WITHOUT_DESTRUCTION)]);
}
