use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::*;

#[test]
fn a_word_that_nobody_knows_is_kept_and_is_none_that_is_known() {
    let check = |word: &str, expect: CheckConclusion| {
        let read: CheckConclusion = serde_json::from_value(json!(word)).expect("a word");
        assert_eq!(read, expect);
        assert_eq!(serde_json::to_value(&read).expect("a word"), json!(word));
    };
    check("success", CheckConclusion::Success);
    check("stale", CheckConclusion::Stale);
    check("startup_failure", CheckConclusion::StartupFailure);
    check("Success", CheckConclusion::Other("Success".to_owned()));
    check("succeeded_mostly", CheckConclusion::Other("succeeded_mostly".to_owned()));
}

#[test]
fn b16_the_event_that_set_a_run_off_is_part_of_the_evidence() {
    let run: WorkflowRun = serde_json::from_value(json!({
        "id": 1, "head_sha": "aa", "event": "workflow_dispatch", "path": ".github/workflows/ci.yml", "new_field": {}
    }))
    .expect("a run");
    assert_eq!(run.event.as_deref(), Some("workflow_dispatch"));
}

#[test]
fn b30_a_check_without_an_app_has_no_publisher() {
    let bare =
        json!({ "id": 1, "name": "ci", "head_sha": "aa", "status": "completed", "conclusion": "success" });
    let run: CheckRun = serde_json::from_value(bare.clone()).expect("a check run");
    assert_eq!(run.app, None);
    let mut null = bare;
    null["app"] = json!(null);
    null["output"] = json!({ "title": null, "summary": null, "annotations_count": 0 });
    let run: CheckRun = serde_json::from_value(null).expect("a check run");
    assert_eq!(run.app, None);
}

#[test]
fn b37_b38_accounts_are_told_apart_by_number() {
    let read = |login: &str, id: u64| -> Account {
        serde_json::from_value(json!({ "id": id, "login": login, "type": "Bot" })).expect("an account")
    };
    assert_eq!(read("helper[bot]", 7).id, read("helper", 7).id);
    assert_ne!(read("helper", 7).id, read("helper", 8).id);
}

#[test]
fn b42_an_address_without_an_account_gives_none_in_both_of_the_forges_ways() {
    for author in [json!(null), json!({})] {
        let commit: Commit = serde_json::from_value(json!({
            "sha": "aa", "author": author, "commit": { "message": "m", "author": { "name": "x", "email": "y" } }
        }))
        .expect("a commit");
        assert_eq!(commit.author, None);
    }
}

#[test]
fn b64_mergeable_is_yes_no_or_not_known_yet() {
    let read = |mergeable: serde_json::Value| -> Option<bool> {
        let end = json!({ "ref": "x", "sha": "aa", "repo": null, "label": null });
        let pull = json!({
            "id": 1, "number": 1, "state": "open", "title": "t", "head": end, "base": end, "mergeable": mergeable
        });
        serde_json::from_value::<Pull>(pull).expect("a pull request").mergeable
    };
    assert_eq!(read(json!(true)), Some(true));
    assert_eq!(read(json!(false)), Some(false));
    assert_eq!(read(json!(null)), None);
}

/// Any JSON, small.
fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|value| json!(value)),
        any::<i64>().prop_map(|value| json!(value)),
        ".{0,8}".prop_map(|value| json!(value)),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::Array),
            prop::collection::btree_map("(id|login|sha|commit|head|base|state|type|app|status)", inner, 0..6)
                .prop_map(|map| map.into_iter().collect()),
        ]
    })
}

fn survives<T: DeserializeOwned>(value: &serde_json::Value) {
    let _ = serde_json::from_value::<T>(value.clone());
}

proptest! {
    #[test]
    fn no_json_panics_a_view(value in any_json()) {
        survives::<Pull>(&value);
        survives::<Issue>(&value);
        survives::<Commit>(&value);
        survives::<Comparison>(&value);
        survives::<CheckRun>(&value);
        survives::<Status>(&value);
        survives::<TimelineEvent>(&value);
        survives::<Review>(&value);
        survives::<Protection>(&value);
        survives::<Rule>(&value);
        survives::<WorkflowRun>(&value);
        survives::<Artifact>(&value);
        survives::<Delivery>(&value);
    }
}
