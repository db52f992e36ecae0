use std::collections::BTreeMap;

use ontology::ObjectId;
use ontology::records::{Action, ChangeDocument, Target};
use serde_json::{Value, json};

use crate::huginn::tests::{case, change, plan, read, refused, taken};

fn document(name: &str) -> ChangeDocument {
    (*read(&case(name)).expect("it is a plan").document).clone()
}

fn actions(document: &ChangeDocument) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for target in &document.targets {
        *counts.entry(target.action.as_str()).or_insert(0) += 1;
    }
    counts
}

fn target<'a>(document: &'a ChangeDocument, address: &str) -> &'a Target {
    document.targets.iter().find(|target| target.address.as_str() == address).expect("it is a target")
}

fn ids(needs: &std::collections::BTreeSet<ObjectId>) -> Vec<&str> {
    needs.iter().map(ObjectId::as_str).collect()
}

#[test]
fn published_plans_are_read() {
    let check = |name: &str, version: &str, expect: &[(&str, usize)], unmarked: bool, outputs: usize| {
        let document = document(name);
        assert_eq!(document.format_version, version, "{name}");
        assert_eq!(actions(&document), expect.iter().copied().collect(), "{name}");
        assert_eq!(document.sensitivity_unmarked, unmarked, "{name}");
        assert_eq!(document.outputs.len(), outputs, "{name}");
        assert!(document.targets.windows(2).all(|pair| pair[0].address < pair[1].address), "{name}");
    };
    check("infracost-example.json", "0.2", &[("create", 5)], false, 0);
    check("infracost-terraform-0.14.json", "0.1", &[("create", 12), ("no-op", 13), ("update", 1)], true, 0);
    check("tfjson-110_sensitive_values.json", "0.2", &[("create", 7)], false, 8);
    check("tfjson-120_basic.json", "1.1", &[("create", 7)], false, 8);
    check("tfjson-action_reason.json", "1.2", &[("replace", 1)], false, 0);
    check("tfjson-basic.json", "0.1", &[("create", 7), ("read", 1)], true, 8);
    check("tfjson-has_changes.json", "0.1", &[("no-op", 6)], true, 8);
    check("tfjson-moved_block.json", "1.2", &[("no-op", 1)], false, 0);
}

#[test]
fn u3_the_password_of_a_published_plan_occurs_nowhere() {
    let bytes = case("infracost-terraform-0.14.json");
    let secret = "YourPwdShouldBeLongAndSecure!";
    assert!(String::from_utf8_lossy(&bytes).contains(secret), "the case still holds it");
    let document = document("infracost-terraform-0.14.json");
    let json = serde_json::to_string(&document).expect("documents are JSON");
    assert!(!json.contains(secret));
    assert!(
        !String::from_utf8_lossy(&ontology::cbor::to_vec(&document).expect("canonical")).contains(secret)
    );
    let passwords =
        document.targets.iter().flat_map(|target| target.after.iter().flat_map(|after| after.keys()));
    assert!(passwords.filter(|name| *name == "password").count() >= 1, "that it is withheld is said");
    assert!(document.withheld > 0);
}

#[test]
fn the_reason_of_a_replacement_and_a_move_are_kept() {
    let replaced = document("tfjson-action_reason.json");
    assert_eq!(replaced.targets[0].action_reason.as_deref(), Some("replace_because_tainted"));
    assert!(replaced.targets[0].unknown.contains("id"));
    assert_eq!(replaced.tool.as_deref(), Some("terraform 1.15.0"));
    let moved = document("tfjson-moved_block.json");
    assert_eq!(moved.targets[0].moved_from.as_ref().map(ObjectId::as_str), Some("random_id.test"));
    let read = read(&case("tfjson-moved_block.json")).expect("it is a plan");
    assert_eq!(read.planned_at.map(|at| at.to_string()).as_deref(), Some("2023-08-31T11:49:54Z"));
}

#[test]
fn needs_follow_the_references_of_the_configuration() {
    let plan = document("tfjson-has_changes.json");
    assert_eq!(ids(&target(&plan, "null_resource.baz[0]").needs), ["null_resource.foo"]);
    assert_eq!(ids(&target(&plan, "null_resource.bar").needs), ["null_resource.foo"]);
    assert!(target(&plan, "module.foo.null_resource.foo").needs.is_empty());
}

#[test]
fn needs_stay_in_a_module_instance_and_pass_through_variables_and_outputs() {
    let create = |address: &str| change(address, json!(["create"]), Value::Null, json!({}));
    let mut plan = plan(json!([
        create("aws_vpc.main"),
        create("aws_eip.out"),
        create("module.app[\"a.b\"].aws_db_instance.db"),
        create("module.app[\"a.b\"].aws_instance.web"),
        create("module.app[\"c\"].aws_db_instance.db"),
        create("module.app[\"c\"].aws_instance.web"),
    ]));
    plan["configuration"] = json!({ "root_module": {
        "resources": [
            { "address": "aws_vpc.main", "expressions": { "name": { "references": ["local.x", "each.key"] } } },
            { "address": "aws_eip.out", "expressions": { "instance": { "references": ["module.app.web_id", "module.app"] } } },
        ],
        "module_calls": { "app": {
            "expressions": { "vpc": { "references": ["aws_vpc.main.id", "aws_vpc.main"] } },
            "module": {
                "outputs": {
                    "web_id": { "expression": { "references": ["aws_instance.web.id", "aws_instance.web"] } },
                },
                "variables": { "vpc": { "default": "canary" } },
                "resources": [
                    { "address": "aws_db_instance.db", "expressions": { "subnet": [{ "vpc": { "references": ["var.vpc"] } }] } },
                    { "address": "aws_instance.web", "expressions": {}, "depends_on": ["aws_db_instance.db"] },
                ],
            },
        } },
    } });
    let document = taken(&plan).document;
    let needs = |address: &str| ids(&target(&document, address).needs);
    assert_eq!(needs("module.app[\"c\"].aws_instance.web"), ["module.app[\"c\"].aws_db_instance.db"]);
    assert_eq!(needs("module.app[\"a.b\"].aws_instance.web"), ["module.app[\"a.b\"].aws_db_instance.db"]);
    assert_eq!(needs("module.app[\"c\"].aws_db_instance.db"), ["aws_vpc.main"]);
    assert_eq!(
        needs("aws_eip.out"),
        ["module.app[\"a.b\"].aws_instance.web", "module.app[\"c\"].aws_instance.web"]
    );
    assert!(needs("aws_vpc.main").is_empty());
}

#[test]
fn every_list_of_actions_has_a_meaning_or_an_error() {
    let check = |words: Value, expect: Action| {
        let document = taken(&plan(json!([change("a_b.c", words, json!({}), json!({}))]))).document;
        assert_eq!(document.targets[0].action, expect);
    };
    check(json!(["no-op"]), Action::NoOp);
    check(json!(["create"]), Action::Create);
    check(json!(["read"]), Action::Read);
    check(json!(["update"]), Action::Update);
    check(json!(["delete"]), Action::Delete);
    check(json!(["delete", "create"]), Action::Replace);
    check(json!(["create", "delete"]), Action::Replace);
    check(json!(["forget"]), Action::Forget);
    check(json!(["create", "forget"]), Action::Forget);
}

#[test]
fn u6_broken_plans_say_what_where_and_what_is_allowed() {
    let ok =
        || change("aws_db_instance.main", json!(["update"]), json!({"name": "CANARY"}), json!({"name": "x"}));
    let check = |edit: &dyn Fn(&mut Value), expect: &str| {
        let mut plan = plan(json!([ok()]));
        edit(&mut plan);
        assert_eq!(refused(&plan), expect);
    };
    check(
        &|plan| plan["resource_changes"][0]["change"]["actions"] = json!(["destroy"]),
        "plan.json: $.resource_changes[0].change.actions: \"destroy\" is not an action \
         (create, update, delete, read, no-op, forget)",
    );
    check(
        &|plan| plan["resource_changes"][0]["change"]["actions"] = json!(["update", "delete"]),
        "plan.json: $.resource_changes[0].change.actions: [\"update\", \"delete\"] is not an action \
         (create, update, delete, read, no-op, forget)",
    );
    check(
        &|plan| plan["resource_changes"][0]["change"]["actions"] = json!([]),
        "plan.json: $.resource_changes[0].change.actions: is empty; expected an action \
         (create, update, delete, read, no-op, forget)",
    );
    check(
        &|plan| plan["format_version"] = json!("2.0"),
        "plan.json: $.format_version: \"2.0\" is not supported; plans of format 0.1 to 1.x are read",
    );
    check(
        &|plan| plan["format_version"] = Value::Null,
        "plan.json: $.format_version: is missing; plans of format 0.1 to 1.x are read",
    );
    check(
        &|plan| plan["format_version"] = json!(1.2),
        "plan.json: $.format_version: is a number, not a text",
    );
    check(
        &|plan| plan["resource_changes"] = json!({}),
        "plan.json: $.resource_changes: is an object, not a list",
    );
    check(
        &|plan| plan["resource_changes"][0]["address"] = json!(" "),
        "plan.json: $.resource_changes[0].address: it is empty",
    );
    check(
        &|plan| plan["resource_changes"][0]["change"]["before"] = json!("CANARY"),
        "plan.json: $.resource_changes[0].change.before: is a text, not an object",
    );
    check(
        &|plan| plan["resource_changes"][0]["mode"] = json!("other"),
        "plan.json: $.resource_changes[0].mode: \"other\" is not a mode (managed, data)",
    );
    check(
        &|plan| plan["resource_changes"] = json!([ok(), ok()]),
        "plan.json: $.resource_changes[1].address: \"aws_db_instance.main\" is also the address of $.resource_changes[0]",
    );
    check(
        &|plan| plan["timestamp"] = json!("yesterday"),
        "plan.json: $.timestamp: is not an RFC 3339 time with an offset, like 2026-11-30T09:00:00Z",
    );
    check(
        &|plan| plan["resource_changes"][0]["change"]["after"] = json!({"$arb_unknown": true}),
        "plan.json: $.resource_changes[0].change.after[\"$arb_unknown\"]: the key is reserved; rename it",
    );
}

#[test]
fn u6_what_is_no_plan_is_called_by_its_name() {
    let check = |bytes: &[u8], expect: &str| {
        let error = read(bytes).expect_err("it is no plan").to_string();
        assert!(error.contains(expect), "{error}");
        assert!(error.contains("terraform show -json PLAN > plan.json"), "{error}");
    };
    check(b"PK\x03\x04rest", "it is a binary plan file");
    check(
        br#"{"version": 4, "terraform_version": "1.5.0", "serial": 3, "lineage": "x", "resources": []}"#,
        "a state file",
    );
    check(
        br#"{"format_version": "1.0", "terraform_version": "1.5.0", "values": {"root_module": {}}}"#,
        "of a state",
    );
    check(b"# comment\nresource \"aws_vpc\" \"main\" {\n}\n", "it is Terraform configuration");
    check(b"\nTerraform will perform the following actions:\n", "prints for people");
    check(
        b"{\"@level\":\"info\",\"@message\":\"Terraform 1.5\"}\n{}",
        "the log that terraform plan -json prints",
    );
}

#[test]
fn a_plan_without_changes_is_an_empty_change() {
    let document =
        taken(&json!({"format_version": "1.2", "planned_values": {}, "configuration": {}})).document;
    assert_eq!((document.targets.len(), document.sensitivity_unmarked), (0, false));
}

#[test]
fn a_deposed_object_stands_beside_the_current_one() {
    let mut deposed = change("aws_instance.web", json!(["delete"]), json!({}), Value::Null);
    deposed["deposed"] = json!("ab12cd34");
    let current = change("aws_instance.web", json!(["no-op"]), json!({}), json!({}));
    let document = taken(&plan(json!([current, deposed]))).document;
    let addresses: Vec<&str> = document.targets.iter().map(|target| target.address.as_str()).collect();
    assert_eq!(addresses, ["aws_instance.web", "aws_instance.web (deposed ab12cd34)"]);
}

#[test]
fn what_the_tool_says_of_its_plan_is_kept() {
    let mut plan = plan(json!([change(
        "aws_instance.web",
        json!(["delete", "create"]),
        json!({"ami": "a"}),
        json!({})
    )]));
    plan["resource_changes"][0]["change"]["replace_paths"] = json!([["ami"], ["disk", 0, "size"]]);
    plan["resource_changes"][0]["change"]["importing"] = json!({"id": "i-1"});
    plan["resource_changes"][0]["change"]["after_unknown"] =
        json!({"id": true, "tags": {"a": true}, "disk": [{"id": true, "x": false}]});
    plan["resource_drift"] = json!([change("aws_instance.web", json!(["update"]), json!({}), json!({}))]);
    plan["errored"] = json!(true);
    plan["complete"] = json!(false);
    plan["output_changes"] = json!({"a": {"actions": ["update"]}, "b": {"actions": ["no-op"]}});
    let document = taken(&plan).document;
    let target = &document.targets[0];
    assert!(target.imported);
    assert_eq!(target.replace_paths.iter().collect::<Vec<_>>(), ["ami", "disk[0].size"]);
    assert_eq!(target.unknown.iter().collect::<Vec<_>>(), ["disk[0].id", "id", "tags.a"]);
    assert_eq!(document.drift.len(), 1);
    assert!(document.errored && document.incomplete);
    assert_eq!(document.outputs.iter().collect::<Vec<_>>(), ["a"]);
}

#[test]
fn actions_that_no_target_shows_make_a_plan_incomplete() {
    let mut plan = plan(json!([]));
    plan["action_invocations"] = json!([{"address": "action.x"}]);
    assert!(taken(&plan).document.incomplete);
}
