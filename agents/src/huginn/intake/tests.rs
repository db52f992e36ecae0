use ontology::records::Action;
use serde_json::{Value, json};

use super::*;
use crate::huginn::attachment;
use crate::huginn::tests::{change, plan, read, taken};

fn digest(text: &str) -> Digest {
    Digest::of(text.as_bytes())
}

#[test]
fn u5_the_same_again_has_the_same_key_and_anything_fixed_another() {
    let rehearsal = |object: &str| {
        let text = format!(
            "arb: rehearsal/1\nobject: {object}\nat: 2026-11-18T02:00:00Z\nrto: 41m\nrpo: 5m\nsucceeded: true\n"
        );
        attachment::read(object, text.as_bytes()).expect("a rehearsal")
    };
    let (one, two) = (rehearsal("a"), rehearsal("b"));
    let base =
        idempotency_key(digest("content"), digest("model"), digest("catalog"), &[one.clone(), two.clone()]);
    let same = idempotency_key(
        digest("content"),
        digest("model"),
        digest("catalog"),
        &[two.clone(), one.clone(), one],
    );
    assert_eq!(base, same, "evidence is a set");
    let others = [
        idempotency_key(digest("other"), digest("model"), digest("catalog"), &[]),
        idempotency_key(digest("content"), digest("other"), digest("catalog"), &[]),
        idempotency_key(digest("content"), digest("model"), digest("other"), &[]),
        idempotency_key(digest("content"), digest("model"), digest("catalog"), &[]),
        idempotency_key(digest("content"), digest("model"), digest("catalog"), &[two]),
        base,
    ];
    let distinct: BTreeSet<&str> = others.iter().map(Name::as_str).collect();
    assert_eq!(distinct.len(), others.len());
    assert!(distinct.iter().all(|key| key.starts_with("sha256:") && key.len() == 71));
}

#[test]
fn a_summary_counts() {
    let change = |address: &str, actions: Value| change(address, actions, json!({}), json!({"secret": "x"}));
    let intake = taken(&plan(json!([
        change("a_b.c", json!(["create"])),
        change("a_b.d", json!(["create"])),
        change("a_b.e", json!(["no-op"])),
    ])));
    let summary = summary(&intake.document);
    assert_eq!(summary.actions.into_iter().collect::<Vec<_>>(), [(Action::Create, 2), (Action::NoOp, 1)]);
    assert_eq!((summary.withheld, summary.tool.as_deref()), (3, Some("terraform 1.11.4")));
    assert_eq!(intake.change_kind.as_str(), KIND_DEFAULT);
}

#[test]
fn u6_what_is_no_change_is_called_by_its_name() {
    let check = |text: &str, expect: &str| {
        let error = read(text.as_bytes()).expect_err("it is no change").to_string();
        assert!(error.starts_with("plan.json: $: is not a change: "), "{error}");
        assert!(error.contains(expect), "{error}");
    };
    check("apiVersion: v1\nkind: Service\n", "it is a Kubernetes manifest; give it as --after");
    let service = "apiVersion: v1\nkind: Service\nmetadata: { name: a }\n";
    check(&format!("{service}---\n{service}"), "it is a Kubernetes manifest; give it as --after");
    check(r#"{"currency": "USD", "projects": []}"#, "it is an estimate of infracost; give it as evidence");
    check("[1, 2]", "accepted are terraform show -json of a plan");
    check("just words", "accepted are terraform show -json of a plan");
    check("{}", "arb: change/1 (YAML or JSON) and arb: document/1");
}

#[test]
fn a_plan_over_the_bound_is_refused_before_it_is_parsed() {
    let mut bytes = br#"{"format_version": "1.2", "x": ""#.to_vec();
    bytes.resize(100 * 1024 * 1024, b'x');
    let error = read(&bytes).expect_err("it is too large").to_string();
    assert_eq!(error, "plan.json: the file has 104857600 bytes, at most 67108864 are read");
}
