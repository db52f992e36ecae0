//! The OpenAPI document of the door, made from the types it speaks.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::call::{
    Admission, CallError, Decide, DigestReport, Gap, Listed, NodeStatus, ReplayReport, StoredStep, Submit,
    Submitted,
};
use crate::report::Report;

/// Method, path, summary, schema of the request's body and of the answer.
pub const ROUTES: &[(&str, &str, &str, Option<&str>, &str)] = &[
    ("post", "/v1/reviews", "Take a change in and review it", Some("Submit"), "Submitted"),
    ("get", "/v1/reviews", "Reviews, latest first", None, "Listed[]"),
    ("get", "/v1/reviews/{review}", "Show a review", None, "Report"),
    ("get", "/v1/reviews/{review}/steps", "The stored steps of a review", None, "StoredStep[]"),
    (
        "post",
        "/v1/reviews/{review}/evidence",
        "Add claims to a review and judge it again",
        Some("Evidence"),
        "Accepted",
    ),
    (
        "post",
        "/v1/reviews/{review}/recheck",
        "Judge a review again with what is in force now",
        None,
        "Accepted",
    ),
    (
        "post",
        "/v1/reviews/{review}/admission",
        "Whether a plan may be applied now; records nothing",
        Some("Admit"),
        "Admission",
    ),
    (
        "post",
        "/v1/reviews/{review}/decision",
        "Answer what a person is asked, or take an approval back",
        Some("Decide"),
        "Accepted",
    ),
    (
        "post",
        "/v1/reviews/{review}/exceptions",
        "Ask that a reason which holds a review be accepted for a while",
        Some("Gap"),
        "Accepted",
    ),
    ("post", "/v1/reviews/{review}/redrive", "Take parked agents of a review up again", None, "Accepted"),
    ("get", "/v1/events", "Steps of the log after a position", None, "StoredStep[]"),
    ("get", "/v1/replay", "Decide again from observed steps and compare", None, "ReplayReport"),
    (
        "get",
        "/v1/digests",
        "Compare what the audit vouches for with what the log holds",
        None,
        "DigestReport",
    ),
    ("get", "/v1/status", "How the node does", None, "NodeStatus"),
    ("get", "/v1/openapi.json", "This document", None, "Object"),
    ("get", "/live", "The process runs", None, "Text"),
    ("get", "/ready", "The log answers and a model is in force; else what is missing", None, "Text"),
    ("get", "/metrics", "Counters in the Prometheus text format", None, "Text"),
];

/// Query parameters by path.
const QUERIES: &[(&str, &[(&str, &str)])] = &[
    ("/v1/reviews", &[("limit", "integer")]),
    ("/v1/events", &[("after", "integer"), ("limit", "integer")]),
    ("/v1/replay", &[("review", "string")]),
];

/// The document.
#[must_use]
pub fn document() -> Value {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into())
        .into_generator();
    generator.subschema_for::<Submit>();
    generator.subschema_for::<Submitted>();
    generator.subschema_for::<Admission>();
    generator.subschema_for::<Decide>();
    generator.subschema_for::<Gap>();
    generator.subschema_for::<Listed>();
    generator.subschema_for::<Report>();
    generator.subschema_for::<StoredStep>();
    generator.subschema_for::<ReplayReport>();
    generator.subschema_for::<DigestReport>();
    generator.subschema_for::<NodeStatus>();
    generator.subschema_for::<CallError>();
    generator.subschema_for::<crate::call::File>();
    let mut schemas: Map<String, Value> = generator.take_definitions(true).into_iter().collect();
    schemas.insert(
        "Evidence".into(),
        json!({ "type": "object", "required": ["evidence"], "additionalProperties": false,
                "properties": { "evidence": { "type": "array", "items": reference("File") } } }),
    );
    schemas.insert(
        "Admit".into(),
        json!({ "type": "object", "required": ["change"], "additionalProperties": false,
                "properties": { "change": reference("Given") } }),
    );
    schemas.insert(
        "Accepted".into(),
        json!({ "type": "object", "required": ["review"], "properties": { "review": { "type": "string" } } }),
    );
    json!({
        "openapi": "3.1.0",
        "info": { "title": "arb", "version": env!("CARGO_PKG_VERSION"),
                  "description": "The door of an arb node: submit planned changes, read reviews, replay them." },
        "paths": paths(),
        "components": { "schemas": schemas,
                        "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } } },
    })
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn schema(name: &str) -> Value {
    match name.strip_suffix("[]") {
        Some(item) => json!({ "type": "array", "items": reference(item) }),
        None if name == "Object" => json!({ "type": "object" }),
        None => reference(name),
    }
}

fn paths() -> Map<String, Value> {
    let mut paths: Map<String, Value> = Map::new();
    for (method, path, summary, request, answer) in ROUTES {
        let mut parameters: Vec<Value> = Vec::new();
        if path.contains("{review}") {
            parameters.push(
                json!({ "name": "review", "in": "path", "required": true, "schema": { "type": "string" },
                "description": "A review's id, or a unique prefix of it" }),
            );
        }
        if *method == "get" {
            for (name, kind) in
                QUERIES.iter().filter(|(of, _)| of == path).flat_map(|(_, parameters)| *parameters)
            {
                parameters.push(json!({ "name": name, "in": "query", "schema": { "type": kind } }));
            }
        }
        let content = if *answer == "Text" {
            json!({ "text/plain": { "schema": { "type": "string" } } })
        } else {
            json!({ "application/json": { "schema": schema(answer) } })
        };
        let failure = json!({ "description": "What, where, how to fix it, and a stable code",
            "content": { "application/json": { "schema": reference("CallError") } } });
        let mut operation = json!({ "summary": summary, "parameters": parameters,
            "responses": { "200": { "description": "Done", "content": content }, "default": failure } });
        if let Some(request) = request {
            operation["requestBody"] =
                json!({ "required": true, "content": { "application/json": { "schema": schema(request) } } });
        }
        let entry = paths.entry((*path).to_owned()).or_insert_with(|| json!({}));
        entry[*method] = operation;
    }
    paths
}
