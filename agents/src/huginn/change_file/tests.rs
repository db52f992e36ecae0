use ontology::Value;
use ontology::records::{Action, ChangeDocument};
use ontology::release::LinkType;

use crate::huginn::intake::Intake;
use crate::huginn::tests::read;

const WHOLE: &str = r#"
arb: change/1
kind: promotion
workspace: production
planned_at: 2026-11-30T09:00:00Z
process_ref: process:default/release-41
targets:
  - address: resource:default/orders-db
    type: aws_db_instance
    provider: aws
    action: update
    reason: more room
    before: { multi_az: false, note: CANARY-1 }
    after: { multi_az: true, note: CANARY-2, password: CANARY-3 }
    needs: ["resource:default/vpc"]
    tags: { team: orders, api_key: CANARY-4 }
    object: { resource: { kind: database, environment: production, zones: [a, b], replicas: 2 } }
  - { address: "resource:default/cache", type: aws_elasticache_cluster, action: create, after: { tags: { team: orders } } }
links:
  add:
    - { type: depends_on, from: "resource:default/orders-db", to: "resource:default/vpc" }
  remove:
    - { type: contains, from: "resource:default/vpc", to: "resource:default/cache" }
"#;

fn whole() -> Intake {
    read(WHOLE.as_bytes()).expect("it is a change")
}

#[test]
fn a_change_by_hand_is_read_as_written_and_redacted() {
    let intake = whole();
    assert_eq!(intake.change_kind.as_str(), "promotion");
    assert_eq!(intake.planned_at.map(|at| at.to_string()).as_deref(), Some("2026-11-30T09:00:00Z"));
    assert_eq!(intake.process_ref.as_ref().map(|id| id.as_str()), Some("process:default/release-41"));
    let ChangeDocument { targets, links, workspace, .. } = &*intake.document;
    assert_eq!(workspace.as_deref(), Some("production"));
    let [cache, db] = targets.as_slice() else { panic!("two targets: {targets:?}") };
    assert_eq!((cache.action, db.action), (Action::Create, Action::Update));
    assert_eq!(
        cache.tags.get("team").map(String::as_str),
        Some("orders"),
        "from the attributes where it says none"
    );
    let after = db.after.as_ref().expect("it stays");
    assert_eq!(after.get("multi_az"), Some(&Value::Boolean(true)));
    assert_eq!(after.get("note").map(Value::kind), Some("withheld"));
    let placement = db.object.as_ref().and_then(|detail| detail.placement()).expect("it is placed");
    assert_eq!((placement.zones.len(), placement.replicas), (2, Some(2)));
    assert_eq!(
        links.iter().map(|link| (link.kind, link.add)).collect::<Vec<_>>(),
        [(LinkType::DependsOn, true), (LinkType::Contains, false),]
    );
    assert!(!format!("{intake:?}").contains("CANARY"));
}

#[test]
fn yaml_and_json_are_one_change() {
    let json: serde_json::Value = crate::input::yaml::parse("c", WHOLE.as_bytes()).expect("it is YAML");
    assert_eq!(read(json.to_string().as_bytes()).expect("it is a change"), whole());
}

/// The change with one thing altered is refused so.
fn check(from: &str, to: &str, expect: &str) {
    let text = WHOLE.replace(from, to);
    assert_ne!(text, WHOLE, "{from} is replaced");
    let error = read(text.as_bytes()).expect_err("it is broken").to_string();
    assert_eq!(error, format!("plan.json: {expect}"));
}

#[test]
fn u6_broken_changes_say_what_where_and_what_is_allowed() {
    check(
        "kind: promotion",
        "knd: promotion",
        "$.knd: there is no such key here (arb, kind, workspace, planned_at, process_ref, targets, links)",
    );
    check(
        "change/1",
        "change/2",
        "$.arb: \"change/2\" is not a change; accepted are terraform show -json of a plan, arb: change/1 (YAML or JSON) and arb: document/1",
    );
    check(
        "arb: change/1",
        "",
        "$: is not a change: accepted are terraform show -json of a plan, arb: change/1 (YAML or JSON) and arb: document/1",
    );
    check(
        "    provider: aws\n",
        "    owner: aws\n",
        "$.targets[0].owner: there is no such key here (address, type, provider, action, reason, moved_from, before, after, needs, tags, object)",
    );
    check(
        "action: update",
        "action: destroy",
        "$.targets[0].action: \"destroy\" is not an action (create, update, delete, replace, read, no-op, forget)",
    );
    check(
        "action: update",
        "action: create",
        "$.targets[0].before: stands beside the action \"create\": what is created was not there",
    );
    check(
        "action: update",
        "action: delete",
        "$.targets[0].after: stands beside the action \"delete\": what is deleted will not be there",
    );
}

#[test]
fn u6_broken_relations_and_objects_say_what_where_and_what_is_allowed() {
    check(
        "{ type: depends_on,",
        "{ type: needs,",
        "$.links.add[0].type: \"needs\" is not a link type (implemented_by, workload_runs_on, workload_depends_on, depends_on, contains, owned_by, has_service_objective, has_recovery_objective, has_cost_objective, recovered_by)",
    );
    check(
        "  remove:\n    - { type: contains, from: \"resource:default/vpc\", to: \"resource:default/cache\" }",
        "  remove:\n    - { type: depends_on, from: \"resource:default/orders-db\", to: \"resource:default/vpc\" }",
        "$.links: adds and removes one relation: depends_on from resource:default/orders-db to resource:default/vpc",
    );
    check(
        "resource:default/cache\", type",
        "resource:default/orders-db\", type",
        "$.targets[1].address: \"resource:default/orders-db\" is also the address of $.targets[0]",
    );
    check("replicas: 2", "replicas: CANARY", "$.targets[0].object: is not a whole number from 0");
    check(
        "zones: [a, b]",
        "zone: a",
        "$.targets[0].object: unknown field `zone`, expected one of `kind`, `environment`, `tier`, `zones`, `replicas`",
    );
    check(
        "multi_az: true",
        "$arb_unknown: true",
        "$.targets[0].after[\"$arb_unknown\"]: the key is reserved; rename it",
    );
    check(
        "multi_az: true",
        "multi_az: {a: [{$arb_x: 1}]}",
        "$.targets[0].after.multi_az.a[0][\"$arb_x\"]: the key is reserved; rename it",
    );
}
