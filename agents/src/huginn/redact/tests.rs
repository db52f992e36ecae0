mod properties;

use ontology::Value;
use serde_json::{Value as Json, json};

use super::names::{is_secret_text, looks_secret};
use super::*;
use crate::huginn::intake::{self, Context, Intake};
use crate::huginn::tests::{case, catalog, change, key, name, plan, read, taken};

const CANARY: &str = "CANARY-7f3a9";
const CASES: [&str; 8] = [
    "infracost-example.json",
    "infracost-terraform-0.14.json",
    "tfjson-110_sensitive_values.json",
    "tfjson-120_basic.json",
    "tfjson-action_reason.json",
    "tfjson-basic.json",
    "tfjson-has_changes.json",
    "tfjson-moved_block.json",
];

#[test]
fn u3_names_that_look_like_secrets() {
    let secret = [
        "password",
        "master_password",
        "adminPassword",
        "DB_PASS",
        "db_pwd",
        "secret",
        "client_secret",
        "secretString",
        "auth_token",
        "token",
        "credentials",
        "private_key",
        "private_key_pem",
        "access_key",
        "primary_access_key",
        "api_key",
        "apikey",
        "API-KEY",
        "key",
        "connection_string",
        "primaryConnectionString",
        "auth",
        "ssh.key",
        "passphrase",
        "userpassword",
        "kms_key_id_password",
        "sas_url",
    ];
    let innocent = [
        "name",
        "key_name",
        "kms_key_id",
        "kms_key_arn",
        "public_key",
        "hash_key",
        "private_ip",
        "private_subnets",
        "http_tokens",
        "bypass",
        "authentication_enabled",
        "monkey",
        "bucket_key_enabled",
        "enable_key_rotation",
        "compass",
        "keyboard",
        "secret_arn",
        "privately",
    ];
    // A secret by its words where the exception does not cover them all.
    for name in secret {
        assert!(looks_secret(name), "{name} looks like a secret");
    }
    for name in innocent {
        let by_substring = name.contains("secret") && name != "secret_arn";
        assert_eq!(looks_secret(name), by_substring, "{name} looks innocent");
    }
}

#[test]
fn u3_texts_that_are_secrets_by_their_form() {
    let check = |text: &str, expect: bool| assert_eq!(is_secret_text(text), expect, "{text}");
    check("-----BEGIN RSA PRIVATE KEY-----\nabc", true);
    check("postgres://app:hunter2@db:5432/x", true);
    check("see postgres://app:hunter2@db and https://x", true);
    check("AKIAIOSFODNN7EXAMPLE", true);
    check("ghp_abc", true);
    check("https://example.org/a:b@c", false);
    check("postgres://app@db:5432/x", false);
    check("arn:aws:s3:::bucket", false);
    check("10.0.0.0/8", false);
}

/// A plan with the canary in every place that may hold a secret.
fn canary_plan() -> Json {
    let secrets = |side: &str| {
        json!({
            "name": "orders", "engine_version": format!("1{}", side.len()),
            "user_data": CANARY,
            "password": CANARY,
            "initial_sql": format!("{CANARY}{side}"),
            "region": CANARY,
            "tags": { "team": "orders", "deploy_token": CANARY, "dsn": format!("postgres://u:{CANARY}@h/d"), "marked": CANARY },
            "nested": [{ "deep": { "deeper": [CANARY] } }],
            "sku": { "name": "s", "admin_password": CANARY, "list": [{ "api_key": CANARY }, { "name": "DB_PASSWORD", "value": CANARY }] },
            "namespace": ["a", CANARY],
        })
    };
    let mut changed = change("aws_db_instance.main", json!(["update"]), secrets("before"), secrets("after!"));
    changed["change"]["before_sensitive"] =
        json!({ "region": true, "namespace": [false, true], "tags": { "marked": true } });
    let mut created = change("azurerm_thing.new", json!(["create"]), Json::Null, secrets("x"));
    created["change"]["after_sensitive"] =
        json!({ "region": true, "namespace": true, "tags": { "marked": true } });
    let mut unchanged = change("aws_db_instance.still", json!(["no-op"]), secrets("x"), secrets("x"));
    unchanged["change"]["after_sensitive"] = json!(true);
    let mut drifted = changed.clone();
    drifted["address"] = json!("aws_db_instance.drifted");
    let mut plan = plan(json!([changed, created, unchanged]));
    plan["resource_drift"] = json!([drifted]);
    plan["variables"] = json!({ "db_password": { "value": CANARY } });
    plan["prior_state"] =
        json!({ "values": { "root_module": { "resources": [{ "values": { "password": CANARY } }] } } });
    plan["planned_values"] = json!({ "outputs": { "x": { "value": CANARY } } });
    plan["output_changes"] = json!({ "url": { "actions": ["create"], "before": null, "after": CANARY } });
    plan["configuration"] = json!({
        "provider_config": { "aws": { "expressions": { "secret_key": { "constant_value": CANARY } } } },
        "root_module": {
            "variables": { "db_password": { "default": CANARY } },
            "outputs": { "url": { "expression": { "constant_value": CANARY } } },
            "resources": [{
                "address": "aws_db_instance.main",
                "expressions": { "password": { "constant_value": CANARY }, "name": { "references": ["azurerm_thing.new"] } },
                "provisioners": [{ "type": "local-exec", "expressions": { "command": { "constant_value": CANARY } } }],
            }],
            "module_calls": { "m": { "expressions": { "p": { "constant_value": CANARY } }, "module": {} } },
        },
    });
    plan
}

fn assert_no_canary(intake: &Intake) {
    let file = to_json(intake).to_string();
    assert!(!file.contains(CANARY), "{file}");
    let cbor = ontology::cbor::to_vec(&*intake.document).expect("canonical");
    assert!(!cbor.windows(CANARY.len()).any(|window| window == CANARY.as_bytes()));
    assert!(!format!("{intake:?}").contains(CANARY));
}

#[test]
fn u3_a_canary_in_every_place_of_a_plan_is_nowhere_in_the_document() {
    let intake = taken(&canary_plan());
    assert_no_canary(&intake);
    let main = &intake.document.targets[1];
    assert_eq!(main.address.as_str(), "aws_db_instance.still");
    let main = &intake.document.targets[0];
    let after = main.after.as_ref().expect("it stays");
    assert_eq!(after.get("name").and_then(Value::as_text), Some("orders"), "what is listed is kept");
    assert_eq!(after.get("region").map(Value::kind), Some("withheld"), "marked on the other side only");
    assert_eq!(main.tags.keys().collect::<Vec<_>>(), ["team"]);
    assert_eq!(main.needs.len(), 1);
    let sku = after.get("sku").and_then(Value::as_map).expect("kept");
    assert_eq!(sku.get("name").and_then(Value::as_text), Some("s"));
    assert_eq!(sku.get("admin_password").map(Value::kind), Some("withheld"));

    // Without a key as well.
    let catalog = catalog();
    let context = Context { catalog: &catalog, key: None };
    let unkeyed = intake::read("p", canary_plan().to_string().as_bytes(), &context).expect("it is a plan");
    assert_no_canary(&unkeyed);
    assert!(unkeyed.document.withheld_unkeyed && !intake.document.withheld_unkeyed);
    assert_eq!(unkeyed.document.withheld, intake.document.withheld);
}

#[test]
fn u3_a_canary_is_in_no_error() {
    let whole = canary_plan().to_string();
    let check = |text: &[u8]| {
        if let Err(error) = read(text) {
            assert!(!error.to_string().contains(CANARY), "{error}");
        }
    };
    // Cut anywhere, one character broken anywhere, one value of another kind anywhere.
    for at in (0..whole.len()).step_by(7).filter(|at| whole.is_char_boundary(*at)) {
        check(&whole.as_bytes()[..at]);
        let mut broken = whole.clone().into_bytes();
        broken[at] = b'x';
        check(&broken);
    }
    for (replaced, by) in
        [("{", "["), ("[\"", "\""), (":{", ":7,\"x\":{"), ("null", "nul"), ("true", "\"CANARY-7f3a9\"")]
    {
        for (at, _) in whole.match_indices(replaced) {
            check(format!("{}{by}{}", &whole[..at], &whole[at + replaced.len()..]).as_bytes());
        }
    }
}

#[test]
fn u3_a_withheld_value_says_its_type_whether_it_changes_and_a_mac_under_the_key() {
    let text = |text: &str| json!({ "user_data": text, "empty": "", "none": null, "count_of": 3 });
    let intake = taken(&plan(json!([change("a_b.c", json!(["update"]), text("one"), text("two"))])));
    let target = &intake.document.targets[0];
    let side = |side: &Option<ontology::value::Attributes>, name: &str| match side
        .as_ref()
        .and_then(|side| side.get(name))
    {
        Some(Value::Withheld(withheld)) => withheld.clone(),
        other => panic!("{name} is withheld: {other:?}"),
    };
    let (before, after) = (side(&target.before, "user_data"), side(&target.after, "user_data"));
    assert_eq!((before.kind.as_str(), before.changed, before.key_id.as_deref()), ("text", true, Some("k1")));
    assert_ne!(before.mac, after.mac);
    let (before, after) = (side(&target.before, "count_of"), side(&target.after, "count_of"));
    assert_eq!((before.kind.as_str(), before.changed), ("number", false));
    assert_eq!(before.mac, after.mac);
    assert!(
        !target.after.as_ref().expect("it stays").contains_key("empty"),
        "nothing on both sides is not listed"
    );
    assert_eq!(intake.document.withheld, 2, "each value once, whatever the sides");

    // HMAC-SHA-256 with key "sixteen bytes at least" over the canonical CBOR of {"text": "one"}: a1 64 74657874 63 6f6e65.
    use hmac::{KeyInit as _, Mac as _};
    let mut mac = hmac::Hmac::<sha2::Sha256>::new_from_slice(b"sixteen bytes at least").expect("any length");
    mac.update(b"\xa1\x64text\x63one");
    let expect: [u8; 32] = mac.finalize().into_bytes().into();
    assert_eq!(side(&target.before, "user_data").mac.map(|mac| *mac.as_bytes()), Some(expect));
}

#[test]
fn u3_the_catalog_adds_to_what_is_kept_but_never_a_suspicious_name() {
    let mut catalog = catalog();
    let listed = ["retention", "password", "blocks.size"].map(String::from);
    catalog.kept_attributes.insert("acme_*".into(), listed.into_iter().collect());
    let values =
        json!({ "retention": 7, "password": "p", "blocks": [{ "size": 1, "note": "n" }], "other": 1 });
    let plan = plan(json!([change("acme_db.a", json!(["create"]), Json::Null, values)]));
    let key = key();
    let context = Context { catalog: &catalog, key: Some(&key) };
    let intake = intake::read("p", plan.to_string().as_bytes(), &context).expect("it is a plan");
    let after = intake.document.targets[0].after.clone().expect("it appears");
    assert_eq!(after.get("retention"), Some(&Value::Integer(7)));
    assert_eq!(after.get("password").map(Value::kind), Some("withheld"));
    assert_eq!(after.get("other").map(Value::kind), Some("withheld"));
    let block =
        after.get("blocks").and_then(Value::as_list).and_then(|list| list[0].as_map()).expect("kept in part");
    assert_eq!(
        (block.get("size"), block.get("note").map(Value::kind)),
        (Some(&Value::Integer(1)), Some("withheld"))
    );
}

#[test]
fn u3_what_is_known_after_apply_only_is_unknown_in_its_place() {
    let mut change =
        change("aws_db_instance.a", json!(["create"]), Json::Null, json!({ "sku": { "name": "s" } }));
    change["change"]["after_unknown"] = json!({ "arn": true, "sku": { "size": true }, "address": true });
    let intake = taken(&plan(json!([change])));
    let after = intake.document.targets[0].after.clone().expect("it appears");
    assert_eq!(after.get("arn"), Some(&Value::Unknown));
    assert_eq!(
        after.get("sku").and_then(Value::as_map).and_then(|sku| sku.get("size")),
        Some(&Value::Unknown)
    );
    assert!(!after.contains_key("address"), "not listed, and its path is in `unknown`");
    assert!(intake.document.targets[0].unknown.contains("address"));
}

#[test]
fn a_value_that_nests_deeper_than_a_record_is_withheld_and_not_a_crash() {
    let deep = |levels: usize| (0..levels).fold(json!("x"), |inner, _| json!({ "a": inner }));
    let values = json!({ "sku": deep(80), "other": deep(80) });
    let intake = taken(&plan(json!([change("a_b.c", json!(["create"]), Json::Null, values)])));
    assert!(ontology::cbor::to_vec(&*intake.document).is_ok());
    assert_eq!(intake.document.withheld, 2);
}

#[test]
fn a_short_key_is_no_key() {
    assert_eq!(RedactionKey::new(name("k"), *b"short").err(), Some(WeakKey(5)));
    assert_eq!(format!("{:?}", key()), "redaction key k1");
}

#[test]
fn u3_redaction_is_idempotent() {
    let canary = canary_plan().to_string().into_bytes();
    for bytes in CASES.iter().map(|name| case(name)).chain([canary]) {
        let first = read(&bytes).expect("it is a plan");
        let again = read(to_json(&first).to_string().as_bytes()).expect("it is a document");
        assert_eq!(first.document.content_digest(), again.document.content_digest());
        assert_eq!(first, again);
    }
}

#[test]
fn u3_a_secret_added_to_a_document_is_withheld_when_it_is_read() {
    let first = taken(&plan(json!([change("a_b.c", json!(["update"]), json!({}), json!({ "name": "x" }))])));
    let mut file = to_json(&first);
    file["document"]["targets"][0]["after"]["user_data"] = json!(CANARY);
    file["document"]["targets"][0]["tags"] = json!({ "api_key": CANARY });
    let again = read(file.to_string().as_bytes()).expect("it is a document");
    assert_no_canary(&again);
    assert_eq!(again.document.withheld, 1);
}

#[test]
fn broken_documents_are_refused_without_their_values() {
    let first = taken(&plan(json!([change("a_b.c", json!(["update"]), json!({}), json!({ "name": "x" }))])));
    let check = |edit: &dyn Fn(&mut Json), expect: &str| {
        let mut file = to_json(&first);
        edit(&mut file);
        assert_eq!(read(file.to_string().as_bytes()).expect_err("broken").to_string(), expect);
    };
    check(&|file| file["document"]["errored"] = json!(CANARY), "plan.json: $.document: is not a boolean");
    check(
        &|file| file["extra"] = json!(1),
        "plan.json: $.extra: there is no such key here (arb, change_kind, document, planned_at, process_ref)",
    );
    check(&|file| file["document"] = Json::Null, "plan.json: $.document: is missing");
    let twice = |file: &mut Json| {
        let target = file["document"]["targets"][0].clone();
        file["document"]["targets"].as_array_mut().expect("a list").push(target);
    };
    check(&twice, "plan.json: $.document.targets: \"a_b.c\" is the address of two targets");
}

/// A rule that reads a withheld attribute would be blind: these few are, and say so by `withheld` and `changed`.
#[test]
fn u3_rules_read_no_name_that_looks_like_a_secret() {
    let names = ontology::policy::attributes_read().iter().flat_map(|(_, names)| *names);
    let blind: Vec<&str> = names.copied().filter(|name| name.split('.').any(looks_secret)).collect();
    assert_eq!(blind, Vec::<&str>::new());
}
