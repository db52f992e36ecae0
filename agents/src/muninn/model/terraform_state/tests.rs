use ontology::release::LinkType;
use ontology::{Name, ObjectId};
use serde_json::{Value, json};

use super::*;
use crate::muninn::model::{Compiled, compile};

const CANARY: &str = "CANARY-7f3a9";

fn compiled(files: &[(&str, String)]) -> Compiled {
    let file = |(path, text): &(&str, String)| ModelFile {
        path: (*path).into(),
        bytes: text.clone().into_bytes(),
        asserted_at: None,
        observed_at: None,
    };
    let files: Vec<ModelFile> = files.iter().map(file).collect();
    compile(&files, &Catalog::empty(Name::new("test").unwrap())).unwrap()
}

fn refused(path: &str, text: &str) -> String {
    parts::read(path, text.as_bytes()).unwrap_err().to_string()
}

fn links(compiled: &Compiled) -> Vec<String> {
    compiled.model.links.iter().map(|it| format!("{} {} {}", it.from, it.kind.as_str(), it.to)).collect()
}

/// A state file with a canary wherever a secret may stand.
fn state() -> Value {
    json!({
        "version": 4, "terraform_version": "1.9.0", "serial": 7, "lineage": "3f1c", "check_results": null,
        "outputs": { "dsn": { "value": CANARY, "type": "string", "sensitive": true } },
        "resources": [
            { "mode": "data", "type": "aws_secretsmanager_secret_version", "name": "x", "instances": [{ "attributes": { "secret_string": CANARY } }] },
            { "module": "module.orders", "mode": "managed", "type": "aws_db_instance", "name": "main", "provider": "p",
              "instances": [{ "schema_version": 1, "private": CANARY, "sensitive_attributes": [],
                "attributes": { "password": CANARY, "id": "db-1", "endpoint": CANARY,
                    "tags": { "Environment": "production", "Team": "Team Orders", "Tier": "1", "password": CANARY } },
                "dependencies": ["module.orders.aws_subnet.private"] }] },
            { "module": "module.orders", "mode": "managed", "type": "aws_subnet", "name": "private", "provider": "p",
              "instances": [
                { "index_key": 0, "attributes": { "tags": null } },
                { "index_key": "b", "attributes": { "tags": { "a": CANARY } }, "sensitive_attributes": [[{ "type": "get_attr", "value": "tags" }]] },
                { "index_key": 9, "deposed": "00001", "attributes": {} }] },
        ],
    })
}

fn shown() -> Value {
    json!({ "format_version": "1.0", "terraform_version": "1.9.0", "values": {
        "outputs": { "dsn": { "value": CANARY, "sensitive": true } },
        "root_module": { "child_modules": [{ "address": "module.orders", "resources": [
            { "address": "module.orders.aws_db_instance.main", "mode": "managed", "type": "aws_db_instance", "name": "main",
              "values": { "password": CANARY, "tags": { "Team": "Team Orders", "Environment": "production" } },
              "sensitive_values": { "password": true, "tags": {} }, "depends_on": ["module.orders.aws_subnet.private"] },
            { "address": "module.orders.aws_subnet.private[0]", "mode": "managed", "type": "aws_subnet", "name": "private",
              "values": { "tags": { "a": CANARY } }, "sensitive_values": { "tags": { "a": true } } },
            { "address": "module.orders.data.aws_x.y", "mode": "data", "type": "aws_x", "name": "y", "values": { "a": CANARY } },
        ] }] } } })
}

#[test]
fn u3_a_state_gives_identity_tags_and_dependencies_only() {
    for (path, text) in [("a.tfstate", state().to_string()), ("a.json", shown().to_string())] {
        assert!(text.matches(CANARY).count() > 3, "the canary is in the input");
        let compiled = compiled(&[(path, text.clone())]);
        let bytes = ontology::cbor::to_vec(&compiled.model).unwrap();
        assert!(!bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes()), "{path}");
        assert!(!compiled.warnings.join("").contains(CANARY));
        let reduced = reduce(path, text.as_bytes()).unwrap().to_string();
        assert!(!reduced.contains(CANARY), "{reduced}");
    }
}

#[test]
fn resources_have_addresses_tags_and_dependencies() {
    let compiled = compiled(&[("a.tfstate", state().to_string())]);
    let ids: Vec<&str> = compiled.model.objects.iter().map(|object| object.id.as_str()).collect();
    assert_eq!(
        ids,
        [
            "group:default/team-orders",
            "module.orders.aws_db_instance.main",
            "module.orders.aws_subnet.private[\"b\"]",
            "module.orders.aws_subnet.private[0]",
        ]
    );
    let placed = compiled.model.objects[1].detail.placement().unwrap();
    assert_eq!((placed.environment.as_deref(), placed.tier), (Some("production"), Some(1)));
    assert_eq!(placed.kind.as_deref(), Some("aws_db_instance"));
    assert_eq!(
        links(&compiled),
        [
            "module.orders.aws_db_instance.main depends_on module.orders.aws_subnet.private[\"b\"]",
            "module.orders.aws_db_instance.main depends_on module.orders.aws_subnet.private[0]",
            "module.orders.aws_db_instance.main owned_by group:default/team-orders",
        ]
    );
}

#[test]
fn a_reduced_state_is_the_same_model() {
    let whole = state().to_string();
    let reduced = reduce("a.tfstate", whole.as_bytes()).unwrap().to_string();
    let (whole, reduced) = (compiled(&[("s/a.tfstate", whole)]), compiled(&[("s/a.tfstate", reduced)]));
    assert_eq!(whole.model.digest(), reduced.model.digest());
}

#[test]
fn u07_bindings_say_what_is_a_part_of_which_component_and_what_is_which_resource() {
    let entities = "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: { name: orders }\n---\n\
        apiVersion: backstage.io/v1alpha1\nkind: Resource\nmetadata: { name: orders-db }\nspec: { type: database }\n";
    let bindings = "- component: orders\n  terraform: { workspace: production, address: module.orders.** }\n\
        - object: resource:default/orders-db\n  terraform: { address: module.orders.aws_db_instance.main }\n";
    let compiled = compiled(&[
        ("backstage/a.yaml", entities.into()),
        ("bindings.yaml", bindings.into()),
        ("terraform/a.tfstate", state().to_string()),
    ]);
    let db = ObjectId::new("resource:default/orders-db").unwrap();
    let object = compiled.model.objects.iter().find(|object| object.id == db).unwrap();
    assert_eq!(object.sources.len(), 2, "Backstage and the state describe one thing");
    assert_eq!(object.detail.placement().unwrap().kind.as_deref(), Some("database"));
    let parts: Vec<&str> = compiled
        .model
        .links
        .iter()
        .filter(|link| link.kind == LinkType::WorkloadRunsOn)
        .map(|link| link.to.as_str())
        .collect();
    assert_eq!(parts, ["module.orders.aws_subnet.private[\"b\"]", "module.orders.aws_subnet.private[0]"]);
    assert!(links(&compiled).iter().any(|link| link.starts_with("resource:default/orders-db depends_on")));
    assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
}

#[test]
fn u6_what_is_no_readable_state_is_told_what_to_do() {
    let check = |text: &str, expect: &str| {
        let error = refused("s.tfstate", text);
        assert!(error.starts_with("s.tfstate: ") && error.contains(expect), "{error}\nexpected: {expect}");
    };
    check("", "the file is empty");
    check("\0", "the file is binary");
    check("{\"version\": 4, \"resources\": [", "the file ends in the middle of $.resources");
    check(r#"{"version": 4, "version": 4}"#, "twice");
    check(
        r#"{"version": 3, "modules": []}"#,
        "$.version: 3 is too old: state files of version 4 are read; run: terraform show",
    );
    check(r#"{"version": 5}"#, "$.version: is not supported");
    check(r#"{"format_version": "2.0", "values": {}}"#, "\"2.0\" is not supported");
    check(
        r#"{"serial": 1, "lineage": "x", "encrypted_data": "x"}"#,
        "is an encrypted state; run: terraform show -json",
    );
    check(r#"{"format_version": "1.2", "resource_changes": []}"#, "is a plan, not a state");
    check("[]", "$: is a list, not an object");
    check("{}", "is no state");
    check(r#"{"version": 4, "resources": [{"mode": "managed"}]}"#, "$.resources[0].type: is missing");
    check(r#"{"version": 4, "resources": {}}"#, "$.resources: is an object, not a list");
    let twice = r#"{"version": 4, "resources": [{"mode": "managed", "type": "a", "name": "b", "instances": [{}, {}]}]}"#;
    check(twice, "$.resources[0].instances[1]: \"a.b\" stands twice in the state");
    let index = r#"{"version": 4, "resources": [{"mode": "managed", "type": "a", "name": "b", "instances": [{"index_key": {}}]}]}"#;
    check(index, "instances[0].index_key: is neither a number nor a text");
    check(&format!("{}{}", r#"{"a":"#.repeat(5_000), "}".repeat(5_000)), "deep");
    let nested = format!(
        r#"{{"format_version":"1.0","values":{{"root_module":{}{}}}}}"#,
        r#"{"child_modules":["#.repeat(40),
        "{}".to_owned() + &"]}".repeat(40)
    );
    check(&nested, "modules nest at most 32 deep");
}

#[test]
fn u3_a_canary_is_in_no_error_about_a_state() {
    let whole = state().to_string();
    for at in (0..whole.len()).step_by(5) {
        if let Err(error) = parts::read("a.tfstate", &whole.as_bytes()[..at]) {
            assert!(!error.to_string().contains(CANARY), "{error}");
        }
    }
}
