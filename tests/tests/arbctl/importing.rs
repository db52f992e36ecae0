//! From what a team already has to a model: Backstage, a Terraform state, CODEOWNERS, manifests; and what is missing.

use serde_json::{Value, json};

use super::desk::{Desk, example};

const CANARY: &str = "canary-7f3a9e51-do-not-keep";

/// What `GET /api/catalog/entities` answers, with a canary in what no rule reads.
fn entities() -> Value {
    let entity = |kind: &str, name: &str, spec: Value| {
        json!({ "apiVersion": "backstage.io/v1alpha1", "kind": kind, "spec": spec,
            "metadata": { "name": name, "uid": CANARY, "description": CANARY, "annotations": { "token": CANARY } } })
    };
    let owned = json!({ "type": "service", "owner": "team-orders", "lifecycle": CANARY, "dependsOn": ["resource:orders-db"] });
    json!([
        entity("Component", "orders", owned),
        entity("Resource", "orders-db", json!({ "type": "database" })),
        entity("Group", "team-orders", json!({})),
        entity("Location", "generated", json!({ "target": CANARY })),
    ])
}

fn state() -> Value {
    json!({ "version": 4, "serial": 3, "lineage": "x", "outputs": { "dsn": { "value": CANARY } }, "resources": [
        { "mode": "managed", "type": "aws_db_instance", "name": "orders",
          "instances": [{ "attributes": { "password": CANARY, "tags": { "team": "team-orders" } }, "dependencies": ["aws_kms_key.orders"] }] },
        { "mode": "managed", "type": "aws_kms_key", "name": "orders", "instances": [{ "attributes": { "policy": CANARY } }] },
    ] })
}

const BINDINGS: &str = "\
- component: orders
  tier: 2
  terraform: { address: aws_kms_key.orders }
  kubernetes: { namespace: orders, kind: Deployment, name: orders }
  paths: [services/orders/**]
- object: resource:default/orders-db
  terraform: { address: aws_db_instance.orders }
";

const MANIFEST: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: { name: orders, namespace: orders }
spec: { replicas: 3, template: { spec: { containers: [{ name: app, image: orders:1 }] } } }
";

fn import(desk: &Desk, what: &str, file: &str) -> super::desk::Ran {
    desk.run(&["model", "import", what, file, "--to", &desk.text("model")])
}

#[test]
fn u7_what_a_team_has_becomes_a_model_whose_sources_verify_each_other() {
    let desk = Desk::new();
    let files = [("backstage", "entities.json", entities()), ("terraform-state", "prod.tfstate", state())];
    for (what, name, content) in files {
        let file = desk.put(name, content.to_string());
        let ran = import(&desk, what, &file).ok();
        assert!(ran.out.trim_end().ends_with(".json"), "{}", ran.out);
    }
    desk.put("model/bindings.yaml", BINDINGS);
    desk.put("model/github/CODEOWNERS", "* @shop/platform\n/services/orders/ @shop/team-orders\n");
    desk.put("model/kubernetes/orders.yaml", MANIFEST);
    let model = desk.text("model");
    let checked = desk.run(&["model", "check", "--model", &model, "--output", "json"]).ok().json();
    assert_eq!(checked["objects"], json!({ "ownership": 1, "resource": 2, "workload": 1 }), "{checked}");
    assert_eq!(checked["warnings"], json!([]), "what is not read was left out by the import");
    let one_source = checked["one_source"].as_array().unwrap();
    let owned = json!("owned_by:component:default/orders:group:default/team-orders");
    assert!(!one_source.contains(&owned), "Backstage and CODEOWNERS say it: {checked}");
    assert!(checked["without_owner"].as_array().unwrap().iter().all(|id| id != "component:default/orders"));

    // A change of the Deployment is a change of the component.
    let after = desk.put("after.yaml", MANIFEST.replace("replicas: 3", "replicas: 1"));
    let before = desk.put("before.yaml", MANIFEST);
    let report = desk
        .run(&["review", "--before", &before, "--after", &after, "--model", &model, "--output", "json"])
        .ok()
        .json();
    let affected = report["reach"]["affected"].as_array().unwrap();
    assert!(affected.contains(&json!("component:default/orders")), "{affected:?}");
    let missing: Vec<&Value> = report["reasons"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["code"] == "target_resource_missing")
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn u3_what_is_imported_holds_nothing_that_a_model_does_not_need() {
    let desk = Desk::new();
    let (backstage, terraform) =
        (desk.put("e.json", entities().to_string()), desk.put("s.tfstate", state().to_string()));
    for (what, file) in [("backstage", &backstage), ("terraform-state", &terraform)] {
        let ran = import(&desk, what, file).ok();
        assert!(!ran.out.contains(CANARY) && !ran.err.contains(CANARY));
    }
    let bytes = desk.bytes_below("model");
    assert!(bytes.len() > 500, "something was written");
    assert!(!bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes()));
}

#[test]
fn an_import_overwrites_only_when_told() {
    let desk = Desk::new();
    let file = desk.put("e.json", entities().to_string());
    import(&desk, "backstage", &file).ok();
    let again = import(&desk, "backstage", &file);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("it exists and is not overwritten; give --replace"), "{}", again.err);
    let first = desk.bytes_below("model");
    desk.run(&["model", "import", "backstage", &file, "--to", &desk.text("model"), "--replace"]).ok();
    assert_eq!(desk.bytes_below("model"), first, "the same export, the same bytes");
    let by_query = json!({ "items": entities(), "totalItems": 4, "pageInfo": {} });
    let file = desk.put("q.json", by_query.to_string());
    desk.run(&["model", "import", "backstage", &file, "--to", &desk.text("model"), "--replace"]).ok();
    assert_eq!(desk.bytes_below("model"), first, "the answer of by-query is the same export");
}

#[test]
fn u6_what_cannot_be_imported_is_told_why() {
    let desk = Desk::new();
    let check = |what: &str, text: &str, says: &str| {
        let file = desk.put("in.json", text);
        let ran = import(&desk, what, &file);
        assert_eq!(ran.code, 2, "{what} {text}: {}", ran.err);
        assert!(
            ran.err.contains("error[bad-input]") && ran.err.contains(says),
            "{}\nexpected: {says}",
            ran.err
        );
    };
    check("backstage", "", "the file is empty");
    check("backstage", "[]", "it holds no component");
    check("backstage", "[{\"apiVersion\": \"v1\"}]", "the key \"kind\" is missing");
    check(
        "backstage",
        "[{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"a\"}}]",
        "$[0]: apiVersion: it is not Backstage's",
    );
    check("backstage", "[{", "in.json: ");
    check("terraform-state", "{\"version\": 3}", "state files of version 4 are read");
    check(
        "terraform-state",
        "{\"format_version\": \"1.2\", \"resource_changes\": []}",
        "is a plan, not a state",
    );
    check("terraform-state", "version: 4\n", "in.json: ");
    assert!(!desk.path("model").exists(), "nothing is half-written");
}

#[test]
fn u7_gaps_are_ordered_by_the_reviews_that_they_held() {
    let desk = Desk::new();
    let (dir, model) = (desk.text("data"), desk.text("model"));
    desk.put("model/backstage/entities.json", entities().to_string());
    let gaps = |more: &[&str]| {
        desk.run(&[&["model", "gaps", "--model", &model, "--dir", &dir, "--output", "json"], more].concat())
            .ok()
            .json()
    };
    let subjects = |gaps: &Value| -> Vec<String> {
        let rows = gaps["gaps"].as_array().unwrap().iter();
        rows.map(|gap| {
            format!("{} {} {}", gap["holds"], gap["kind"].as_str().unwrap(), gap["subject"].as_str().unwrap())
        })
        .collect()
    };
    let before = gaps(&[]);
    assert_eq!(
        subjects(&before),
        ["0 owner resource:default/orders-db", "0 objective component:default/orders"],
        "no review is recorded; the database is needed by a component"
    );
    assert!(!desk.path("data").exists(), "looking for gaps begins no log");

    let change = desk.timeless("orders-scale-out.json");
    for catalog in [None, Some(example("webshop/catalog"))] {
        let mut ask = vec!["submit-change", &change, "--dir", &dir, "--model", &model];
        if let Some(catalog) = &catalog {
            ask.extend(["--catalog", catalog.as_str()]);
        }
        desk.run(&ask);
    }
    let after = gaps(&[]);
    assert!(after["held_reviews"].as_u64().unwrap() >= 1, "{after}");
    let first = &after["gaps"][0];
    assert_eq!(first["kind"], "binding", "what held the reviews goes first: {after}");
    assert!(
        first["holds"].as_u64() > Some(0) && first["holds"].as_u64() >= after["gaps"][1]["holds"].as_u64()
    );
    let mine = gaps(&["--owner", "team-orders"]);
    assert_eq!(mine["total"], 1, "{mine}");
    assert_eq!(mine["gaps"][0]["subject"], "component:default/orders");
    let text = desk.run(&["model", "gaps", "--model", &model, "--dir", &dir, "--limit", "1"]).ok();
    assert!(
        text.out.contains("binding: bind it in bindings.yaml") && text.err.contains("shows all"),
        "{}{}",
        text.out,
        text.err
    );
}
