//! JSON Schemas of everything that leaves the program as JSON: reports, records, calls and replies. They are
//! generated from the types, checked in under `docs/schemas/`, and a test compares them.

use schemars::{JsonSchema, schema_for};
use serde_json::Value;

use crate::call::{Call, CallError, Reply};
use crate::report::Report;

/// Each schema, by its file's name below `docs/schemas/`.
#[must_use]
pub fn all() -> Vec<(String, Value)> {
    let mut schemas = vec![
        ("report.json".to_owned(), schema::<Report>()),
        ("call.json".to_owned(), schema::<Call>()),
        ("reply.json".to_owned(), schema::<Reply>()),
        ("error.json".to_owned(), schema::<CallError>()),
    ];
    schemas.extend(
        topics::topic::schemas()
            .into_iter()
            .map(|(topic, schema)| (format!("records/{topic}.json"), Value::from(schema))),
    );
    schemas
}

fn schema<T: JsonSchema>() -> Value {
    Value::from(schema_for!(T))
}
