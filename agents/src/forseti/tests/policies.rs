//! Rego and waivers in a whole review (U2, U11, U12).

use std::collections::BTreeMap;

use ontology::policy::rego::{Modules, RegoRules};
use ontology::policy::waivers::Waiver;
use ontology::policy::{ConstraintKind, Enforcement, PlanRule};
use ontology::records::RecommendationKind;

use super::{Story, conformant, counting, rule};
use crate::kit::samples::{self, name};

fn with_rego(text: &str, rules: &[(RegoRules, Enforcement)]) -> Story {
    conformant().with(|story| {
        story.catalog.policies = Modules::new(BTreeMap::from([("x.rego".to_owned(), text.to_owned())]));
        for (index, (rules, enforcement)) in rules.iter().enumerate() {
            let mut constraint = rule(&format!("rego:main{index}"), PlanRule::Drift, *enforcement);
            constraint.rule = ConstraintKind::Rego { package: "main".to_owned(), rules: *rules };
            story.catalog.constraints.push(constraint);
        }
    })
}

fn told(text: &str, enforcement: Enforcement) -> (RecommendationKind, Vec<String>) {
    let recommendation = with_rego(text, &[(RegoRules::Deny, enforcement)]).recommendation();
    (recommendation.kind, counting(&recommendation))
}

/// Denies every change that is not a no-op: what the base never does.
const DENIES: &str = "package main\nimport rego.v1\ndeny contains msg if {\n\
    some r in input.resource_changes\nnot \"no-op\" in r.change.actions\n\
    msg := sprintf(\"%s changes\", [r.address]) }\n";

#[test]
fn u02_a_policy_that_denies_rejects_and_one_that_warns_does_not() {
    let (kind, reasons) = told(DENIES, Enforcement::Deny);
    assert_eq!(kind, RecommendationKind::Rejected);
    assert_eq!(reasons, ["constraint_violated:rego:main0"]);
    assert_eq!(told(DENIES, Enforcement::Approve).0, RecommendationKind::ApprovalRequired);
    assert_eq!(told(DENIES, Enforcement::Warn), (RecommendationKind::Conformant, vec![]));
    assert_eq!(told(DENIES, Enforcement::Observe), (RecommendationKind::Conformant, vec![]));
}

#[test]
fn a_policy_that_finds_nothing_lowers_nothing() {
    let quiet = "package main\nimport rego.v1\ndeny contains \"x\" if input.absent\n";
    assert_eq!(told(quiet, Enforcement::Deny), (RecommendationKind::Conformant, vec![]));
}

#[test]
fn a_policy_that_fails_holds_where_it_would_have_stopped_the_change() {
    let fails = "package main\nimport rego.v1\ndeny contains 1 / count(input.drifted) if some r in input.resource_changes\n\
        deny contains x if { x := 1 / (count(input.resource_changes) - count(input.resource_changes)) }\n";
    assert_eq!(
        told(fails, Enforcement::Deny),
        (RecommendationKind::Held, vec!["policy_error:rego:main0".to_owned()])
    );
    assert_eq!(told(fails, Enforcement::Warn), (RecommendationKind::Conformant, vec![]));
}

#[test]
fn u12_no_policy_evaluated_is_a_reason_and_no_success() {
    let nothing = "package main\nimport rego.v1\nallow if true\n";
    let recommendation = with_rego(nothing, &[]).recommendation();
    assert_eq!(recommendation.kind, RecommendationKind::Held);
    assert_eq!(counting(&recommendation), ["policy_not_evaluated"]);
}

#[test]
fn u11_a_waiver_in_force_asks_nobody_and_an_expired_one_says_so() {
    let waived = |expires_s: i64| {
        let story = with_rego(DENIES, &[(RegoRules::Deny, Enforcement::Deny)]).with(|story| {
            story.catalog.waivers = vec![Waiver {
                constraint: name("rego:main0"),
                target: samples::DATABASE_ADDRESS.to_owned(),
                owner: name("team-shop"),
                reason: "agreed".to_owned(),
                expires: samples::noon().plus_seconds(expires_s),
            }];
        });
        story.recommendation()
    };
    let says = |recommendation: &ontology::records::Recommendation, code: &str| {
        recommendation.reasons.iter().any(|reason| reason.code.as_str() == code)
    };
    let in_force = waived(86_400);
    assert_eq!(in_force.kind, RecommendationKind::Conformant);
    assert!(says(&in_force, "constraint_waived"));
    let expired = waived(-86_400);
    assert_eq!(expired.kind, RecommendationKind::Rejected);
    assert!(says(&expired, "waiver_expired"));
}
