use ontology::Money;
use ontology::records::AttachmentKind;
use ontology::records::change::CostEstimate;
use serde_json::{Value, json};

use super::infracost::parse_micro;
use super::read;

fn estimate() -> Value {
    json!({
        "version": "0.2", "currency": "EUR", "timeGenerated": "2026-11-30T09:00:00.5Z",
        "totalMonthlyCost": "300.5", "diffTotalMonthlyCost": "212.1234567",
        "projects": [
            { "name": "a", "diff": { "resources": [
                { "name": "aws_db_instance.main", "monthlyCost": "250.10" },
                { "name": "aws_lambda_function.usage", "monthlyCost": null },
                { "name": "aws_eip.same", "monthlyCost": "0" },
                { "name": "aws_instance.old", "monthlyCost": "-38" },
            ] } },
            { "name": "b", "diff": { "resources": [{ "name": "aws_db_instance.main", "monthlyCost": "0.0234565" }] } },
            { "name": "c", "diff": null },
        ],
    })
}

fn cost(value: &Value) -> CostEstimate {
    match read("ci/infracost.json", value.to_string().as_bytes()).expect("it is an estimate").claim {
        AttachmentKind::CostEstimate(estimate) => estimate,
        other @ AttachmentKind::RecoveryRehearsal(_) => panic!("an estimate was expected: {other:?}"),
    }
}

#[test]
fn an_estimate_of_infracost_is_read_exactly() {
    let read = cost(&estimate());
    assert_eq!(read.monthly_delta, Money::new(212_123_457, "EUR"));
    let by_address: Vec<(&str, i64)> =
        read.by_address.iter().map(|(id, money)| (id.as_str(), money.micro.0)).collect();
    assert_eq!(by_address, [("aws_db_instance.main", 250_123_457), ("aws_instance.old", -38_000_000)]);
}

#[test]
fn an_attachment_has_its_files_name_its_own_time_and_the_digest_of_its_claim() {
    let attachment = read("ci/infracost.json", estimate().to_string().as_bytes()).expect("it is an estimate");
    assert_eq!(attachment.name.as_str(), "infracost.json");
    assert_eq!(attachment.made_at.map(|at| at.to_string()).as_deref(), Some("2026-11-30T09:00:00.5Z"));
    let mut later = estimate();
    later["timeGenerated"] = json!("2026-12-01T09:00:00Z");
    let later = read("other.json", later.to_string().as_bytes()).expect("it is an estimate");
    assert_eq!(later.digest, attachment.digest, "the same claim");
}

#[test]
fn decimals_become_millionths() {
    let check = |text: &str, expect: Option<i64>| assert_eq!(parse_micro(text), expect, "{text}");
    check("0", Some(0));
    check("212.5", Some(212_500_000));
    check("-0.0000005", Some(-1));
    check("0.0000004999", Some(0));
    check("9223372036854.775807", Some(i64::MAX));
    check("9223372036854.7758075", None);
    check("1e5", None);
    check("1.", None);
    check(".5", None);
    check("", None);
    check("-", None);
    check("+1", None);
    check("1.5é", None);
}

#[test]
fn a_rehearsal_is_read() {
    let text = "arb: rehearsal/1\nobject: resource:default/orders-db\nat: 2026-11-18T02:00:00Z\nrto: 41m\nrpo: 1h30m\nsucceeded: true\n";
    let attachment = read("rehearsal-orders.yaml", text.as_bytes()).expect("it is a rehearsal");
    let AttachmentKind::RecoveryRehearsal(claim) = &attachment.claim else { panic!("a rehearsal") };
    assert_eq!(claim.object.as_str(), "resource:default/orders-db");
    assert_eq!(
        (claim.rehearsal.rto_s, claim.rehearsal.rpo_s, claim.rehearsal.succeeded),
        (2_460, 5_400, true)
    );
    assert_eq!(attachment.made_at, Some(claim.rehearsal.at));
}

#[test]
fn u6_broken_evidence_says_what_where_and_what_is_accepted() {
    let check = |text: &str, expect: &str| {
        assert_eq!(read("e", text.as_bytes()).expect_err("it is broken").to_string(), format!("e: {expect}"));
    };
    let accepted =
        "accepted are infracost's JSON (infracost diff --format json) and arb: rehearsal/1 (YAML or JSON)";
    check("{}", &format!("$: is not evidence; {accepted}"));
    check("[1]", &format!("$: is not evidence; {accepted}"));
    check("arb: change/1", &format!("$.arb: \"change/1\" is not evidence; {accepted}"));
    check("arb: rehearsal/1\nobject: a", "$.at: is missing");
    check(
        "arb: rehearsal/1\nobject: a\nat: 2026-11-18T02:00:00Z\nrto: 41 minutes\nrpo: 0\nsucceeded: true",
        "$.rto: expected a length of time: whole numbers with w, d, h, m or s, like 14d, 36h or 1h30m; at most 100 years",
    );
    check(
        "arb: rehearsal/1\nwhen: a",
        "$.when: there is no such key here (arb, object, at, rto, rpo, succeeded)",
    );
    let edited = |pointer: &str, value: Value| {
        let mut estimate = estimate();
        *estimate.pointer_mut(pointer).expect("it is there") = value;
        estimate.to_string()
    };
    check(
        &edited("/diffTotalMonthlyCost", Value::Null),
        "$.diffTotalMonthlyCost: is missing: the estimate compares with nothing; make it with infracost diff --format json",
    );
    check(&edited("/currency", json!("euro")), "$.currency: \"euro\" is not an ISO 4217 code");
    check(
        &edited("/projects/0/diff/resources/0/monthlyCost", json!("12,50")),
        "$.projects[0].diff.resources[0].monthlyCost: is not a decimal number of at most 9 trillion",
    );
    check(
        &edited("/projects/0/diff/resources/0/monthlyCost", json!("9223372036854.77")),
        "$.projects[1].diff.resources[0].monthlyCost: adds up to more than can be counted",
    );
}
