use serde_json::json;

use super::*;
use crate::forge::view::{Protection, Rule};
use crate::forge::{Failure, Listing, Shortfall};

fn protection(value: serde_json::Value) -> Known<Protection> {
    Known::Known(serde_json::from_value(value).expect("a protection"))
}

fn rules(value: serde_json::Value) -> Listing<Rule> {
    Listing::whole(serde_json::from_value(value).expect("rules"))
}

fn names(required: &Known<std::collections::BTreeSet<RequiredCheck>>) -> Option<Vec<(String, Option<i64>)>> {
    Some(required.value()?.iter().map(|check| (check.name.clone(), check.app_id)).collect())
}

#[test]
fn b31_b32_required_checks_are_the_union_of_protection_and_rulesets() {
    let classic = protection(json!({ "required_status_checks": {
        "strict": true, "contexts": ["ci", "old"], "checks": [{ "context": "ci", "app_id": 15 }]
    } }));
    let empty = protection(json!({ "required_status_checks": { "contexts": [], "checks": [] } }));
    let ruled = rules(json!([
        { "type": "required_status_checks", "ruleset_id": 1, "parameters": {
            "required_status_checks": [{ "context": "plan", "integration_id": 7 }, { "context": "ci" }] } },
        { "type": "pull_request", "parameters": { "required_approving_review_count": 1 } },
        { "type": "something_new" }
    ]));
    let none = rules(json!([]));
    let check = |classic: &Known<Protection>, ruled: &Listing<Rule>, expect: &[(&str, Option<i64>)]| {
        let expect: Vec<_> = expect.iter().map(|(name, app)| ((*name).to_owned(), *app)).collect();
        assert_eq!(names(&required_checks(classic, ruled)), Some(expect));
    };
    check(&classic, &none, &[("ci", Some(15)), ("old", None)]);
    check(&Known::Absent, &ruled, &[("ci", None), ("plan", Some(7))]);
    check(&empty, &ruled, &[("ci", None), ("plan", Some(7))]);
    check(&classic, &ruled, &[("ci", None), ("ci", Some(15)), ("old", None), ("plan", Some(7))]);
    check(&Known::Absent, &none, &[]);
}

#[test]
fn b30_minus_one_is_any_app_and_no_app_of_that_number() {
    let any =
        protection(json!({ "required_status_checks": { "checks": [{ "context": "ci", "app_id": -1 }] } }));
    assert_eq!(names(&required_checks(&any, &rules(json!([])))), Some(vec![("ci".to_owned(), None)]));
}

#[test]
fn b33_what_may_only_be_hidden_is_not_known_to_be_absent() {
    let refused = |status, message: &str| Failure::Refused {
        operation: "repos/get-branch-protection",
        status,
        message: message.to_owned(),
        request_id: None,
    };
    let of = |failure| Known::<()>::of(Err(failure), &["Branch not protected", "Upgrade to GitHub"]);
    assert_eq!(of(refused(404, "Branch not protected")), Known::Absent);
    assert!(of(refused(404, "Not Found")).unknown().is_some());
    assert!(of(refused(403, "Resource not accessible by integration")).unknown().is_some());
    let unknown = Known::Unknown { why: "hidden".to_owned() };
    assert!(required_checks(&unknown, &rules(json!([]))).unknown().is_some());
    assert!(required_checks(&Known::Absent, &Listing::unreadable("hidden")).unknown().is_some());
}

#[test]
fn b84_a_plan_without_protection_has_none_and_is_no_error() {
    let failure = Failure::Refused {
        operation: "repos/get-branch-protection",
        status: 403,
        message: "Upgrade to GitHub Pro or make this repository public to enable this feature.".to_owned(),
        request_id: None,
    };
    assert_eq!(Known::<()>::of(Err(failure), &["Upgrade to GitHub"]), Known::Absent);
}

#[test]
fn a_gap_says_where_and_why() {
    let gap = Gap::of("commits", Shortfall::Capped { cap: 250, listed: 250 });
    assert_eq!(gap.to_string(), "commits: 250 items reach the cap of 250");
}
