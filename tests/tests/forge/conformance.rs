//! Every reply of the fake and every request of the client is held against GitHub's OpenAPI description.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, Mutex};

use governance_bot::forge::{Reply, Sending};
use jsonschema::Validator;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tests::fakehub::description::description;
use tests::fakehub::graphql;

/// Where the fake or GitHub itself differ from the description: operation, status, what the fault says; then why.
const DEVIATIONS: &str = include_str!("../../github/deviations.txt");

/// A place that may differ.
struct Deviation {
    operation: &'static str,
    status: &'static str,
    fault: &'static str,
}

fn deviations() -> impl Iterator<Item = Deviation> {
    DEVIATIONS.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(|line| {
        let mut parts = line.splitn(4, " | ");
        let mut part = || parts.next().expect("operation | status | fault | reason");
        let (operation, status, fault) = (part(), part(), part());
        assert!(!part().is_empty(), "{line}: every deviation has its reason");
        Deviation { operation, status, fault }
    })
}

fn is_known(operation: &str, status: u16, fault: &str) -> bool {
    deviations().any(|known| {
        (known.operation == operation || known.operation == "*")
            && (known.status == status.to_string() || known.status == "*")
            && fault.contains(known.fault)
    })
}

/// The validator of a schema, with everything that it refers to.
fn validator(schema: &Value) -> Validator {
    let mut whole = json!({ "components": { "schemas": description().document()["schemas"] } });
    if let (Some(whole), Some(schema)) = (whole.as_object_mut(), schema.as_object()) {
        whole.extend(schema.clone());
    }
    jsonschema::draft202012::options()
        .should_validate_formats(true)
        .build(&whole)
        .unwrap_or_else(|error| panic!("the pruned description is a schema: {error}"))
}

/// Validators by schema, compiled once in a process, and bodies that are known to be right.
#[derive(Default)]
struct Known {
    validators: BTreeMap<String, &'static Validator>,
    right: BTreeSet<[u8; 32]>,
}
static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);

fn check_against(name: &str, schema: &Value, body: &[u8]) -> Vec<String> {
    let digest: [u8; 32] = Sha256::new_with_prefix(name).chain_update(body).finalize().into();
    let validator = {
        let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if known.right.contains(&digest) {
            return Vec::new();
        }
        let compile = || -> &'static Validator { Box::leak(Box::new(validator(schema))) };
        *known.validators.entry(name.to_owned()).or_insert_with(compile)
    };
    let value: Value = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(error) => return vec![format!("no JSON: {error}")],
    };
    let faults: Vec<String> =
        validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    if faults.is_empty() {
        KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner).right.insert(digest);
    }
    faults
}

/// What of an exchange is not as published.
pub(crate) fn faults(operation: &str, sending: &Sending, reply: &Reply) -> Vec<String> {
    let place = format!("{} {} ({operation}, {})", sending.method, sending.target, reply.status);
    if operation == "graphql" {
        return graphql_faults(sending, &place);
    }
    let described = &description().document()["operations"][operation];
    if described.is_null() {
        return vec![format!("{place}: the description has no such operation")];
    }
    let mut found = request_faults(operation, described, sending);
    // What a proxy says, a limit, and what is not modified have no body that is described.
    let plain = matches!(reply.status, 304 | 401 | 429 | 500..=599) || reply.body.starts_with(b"<");
    if !plain {
        let status = reply.status.to_string();
        match described["responses"].get(&status) {
            None => found.push(format!("status {status} is not described")),
            Some(Value::Null) if reply.body.is_empty() => {}
            Some(Value::Null) => found.push(format!("status {status} has no body")),
            Some(schema) => {
                found.extend(check_against(&format!("{operation}/{status}"), schema, &reply.body))
            }
        }
    }
    found.retain(|fault| !is_known(operation, reply.status, fault));
    found.into_iter().map(|fault| format!("{place}: {fault}")).collect()
}

fn request_faults(operation: &str, described: &Value, sending: &Sending) -> Vec<String> {
    let mut found = Vec::new();
    let query = sending.target.split_once('?').map_or("", |(_, query)| query);
    let parameters = described["parameters"].as_array().cloned().unwrap_or_default();
    let described_query = |name: &str| {
        parameters.iter().find(|parameter| parameter["in"] == "query" && parameter["name"] == name)
    };
    for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
        let Some(parameter) = described_query(name) else {
            found.push(format!("the query has no {name}"));
            continue;
        };
        let text = tests::fakehub::description::decode(value);
        let value = match parameter["schema"]["type"].as_str() {
            Some("integer") => text.parse::<i64>().map_or(json!(text), |number| json!(number)),
            _ => json!(text),
        };
        let name = format!("{operation}?{name}");
        found.extend(check_against(&name, &parameter["schema"], value.to_string().as_bytes()));
    }
    match (&described["body"], &sending.body) {
        (Value::Null, Some(_)) => found.push("the request has no body".to_owned()),
        (schema, Some(body)) => found.extend(check_against(&format!("{operation}/body"), schema, body)),
        (_, None) => {}
    }
    found
}

fn graphql_faults(sending: &Sending, place: &str) -> Vec<String> {
    let body: Value = serde_json::from_slice(sending.body.as_deref().unwrap_or_default()).unwrap_or_default();
    match graphql::parse(body["query"].as_str().unwrap_or_default(), &body["variables"]) {
        Ok(document) => {
            graphql::faults(&document).into_iter().map(|fault| format!("{place}: {fault}")).collect()
        }
        Err(fault) => vec![format!("{place}: {fault}")],
    }
}

#[test]
fn a_reply_or_request_that_is_not_as_published_is_a_fault() {
    let sending = |target: &str, body: Option<Value>| Sending {
        method: governance_bot::forge::Method::Put,
        target: target.to_owned(),
        headers: Vec::new(),
        body: body.map(|body| body.to_string().into_bytes()),
    };
    let reply =
        |status, body: Value| Reply { status, headers: Vec::new(), body: body.to_string().into_bytes() };
    let merged = json!({ "sha": "aa", "merged": true, "message": "m" });
    let merge = "/repos/a/b/pulls/1/merge";
    let count = |sending: &Sending, reply: &Reply| faults("pulls/merge", sending, reply).len();
    assert_eq!(count(&sending(merge, Some(json!({ "sha": "aa" }))), &reply(200, merged.clone())), 0);
    assert_eq!(count(&sending(merge, Some(json!({ "sha": 7 }))), &reply(200, merged.clone())), 1);
    assert_eq!(
        count(&sending(merge, Some(json!({ "merge_method": "sqush" }))), &reply(200, merged.clone())),
        1
    );
    assert_eq!(count(&sending(merge, None), &reply(200, json!({ "sha": "aa" }))), 2);
    assert_eq!(count(&sending(merge, None), &reply(418, merged.clone())), 1);
    assert_eq!(count(&sending("/repos/a/b/pulls/1/merge?x=1", None), &reply(200, merged)), 1);
}
