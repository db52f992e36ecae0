//! GitHub's published description, pruned: which operation a request is, and the shape of what is answered.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use serde_json::{Map, Value, json};

/// The pruned OpenAPI description (`scripts/prune-github-api` writes it).
pub const OPENAPI: &str = include_str!("../../github/openapi.json");
/// The pruned GraphQL schema.
pub const GRAPHQL: &str = include_str!("../../github/graphql.json");
/// How deep a skeleton goes: deeper than any required field of the description.
const DEPTH_MAX: usize = 12;

/// The description, read.
#[derive(Debug)]
pub struct Description {
    document: Value,
    routes: Vec<Route>,
    skeletons: Mutex<BTreeMap<String, Value>>,
}

#[derive(Debug)]
struct Route {
    name: String,
    method: String,
    segments: Vec<String>,
}

/// The one description of this process.
#[must_use]
pub fn description() -> &'static Description {
    static READ: LazyLock<Description> = LazyLock::new(Description::read);
    &READ
}

impl Description {
    fn read() -> Self {
        let document: Value = serde_json::from_str(OPENAPI).expect("the pruned description is JSON");
        let operations = document["operations"].as_object().expect("it lists operations");
        let routes = operations
            .iter()
            .map(|(name, operation)| Route {
                name: name.clone(),
                method: operation["method"].as_str().unwrap_or_default().to_owned(),
                segments: segments(operation["path"].as_str().unwrap_or_default()),
            })
            .collect();
        Self { document, routes, skeletons: Mutex::new(BTreeMap::new()) }
    }

    /// The whole document: `operations` and `schemas`.
    #[must_use]
    pub const fn document(&self) -> &Value {
        &self.document
    }

    /// The operation that a request is, with the parameters of its path. Fixed segments win over parameters.
    #[must_use]
    pub fn route(&self, method: &str, path: &str) -> Option<(&str, BTreeMap<String, String>)> {
        let given: Vec<String> = path.trim_matches('/').split('/').map(decode).collect();
        let found = self.routes.iter().filter(|route| route.method == method);
        let matching = found.filter_map(|route| Some((route, captures(&route.segments, &given)?)));
        matching
            .max_by_key(|(route, _)| {
                route.segments.iter().filter(|segment| !segment.starts_with('{')).count()
            })
            .map(|(route, parameters)| (route.name.as_str(), parameters))
    }

    /// A value with the required fields of a schema and nothing in them, with `fields` laid over it.
    ///
    /// # Panics
    /// When there is no such schema.
    #[must_use]
    pub fn shaped(&self, schema: &str, fields: Value) -> Value {
        let mut skeletons = self.skeletons.lock().expect("nobody panics while it is held");
        let skeleton = skeletons.entry(schema.to_owned()).or_insert_with(|| {
            let schema_value = &self.document["schemas"][schema];
            assert!(!schema_value.is_null(), "the description has no schema {schema}");
            self.empty_object(schema_value, 0)
        });
        let Value::Object(mut fields) = fields else { return skeleton.clone() };
        for (name, value) in skeleton.as_object().into_iter().flatten() {
            if !fields.contains_key(name) {
                fields.insert(name.clone(), value.clone());
            }
        }
        Value::Object(fields)
    }

    /// The least that a schema accepts.
    fn empty(&self, schema: &Value, depth: usize) -> Value {
        if depth > DEPTH_MAX {
            return Value::Null;
        }
        if let Some(reference) = schema["$ref"].as_str() {
            let name = reference.rsplit('/').next().unwrap_or_default();
            return self.empty(&self.document["schemas"][name], depth + 1);
        }
        if let Some(parts) = schema["allOf"].as_array() {
            let mut whole = Map::new();
            for part in parts {
                if let Value::Object(part) = self.empty(part, depth + 1) {
                    whole.extend(part);
                }
            }
            return Value::Object(whole);
        }
        for choice in ["anyOf", "oneOf"] {
            if let Some(options) = schema[choice].as_array() {
                let null = options.iter().any(|option| option["type"] == "null");
                return if null { Value::Null } else { self.empty(&options[0], depth + 1) };
            }
        }
        if let Some(first) = schema["enum"].get(0) {
            return first.clone();
        }
        match &schema["type"] {
            Value::Array(_) => Value::Null,
            Value::String(kind) => match kind.as_str() {
                "string" => match schema["format"].as_str() {
                    Some("uri") => json!("https://github.example/"),
                    Some("date-time") => json!("2026-01-01T00:00:00Z"),
                    Some("email") => json!("nobody@github.example"),
                    _ => json!(""),
                },
                "integer" | "number" => json!(0),
                "boolean" => json!(false),
                "array" => json!([]),
                "null" => Value::Null,
                _ => self.empty_object(schema, depth),
            },
            _ => self.empty_object(schema, depth),
        }
    }

    /// An object with its required fields, also where null would do.
    fn empty_object(&self, schema: &Value, depth: usize) -> Value {
        if schema.get("allOf").is_some() || schema.get("anyOf").is_some() || schema.get("oneOf").is_some() {
            return self.empty(schema, depth);
        }
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let fields =
            required.map(|name| (name.to_owned(), self.empty(&schema["properties"][name], depth + 1)));
        Value::Object(fields.collect())
    }
}

/// Segments of a template. `{base}...{head}` is one segment of two parameters.
fn segments(path: &str) -> Vec<String> {
    path.trim_matches('/').split('/').map(ToOwned::to_owned).collect()
}

/// Parameters of a path, where it has this shape. `ref`, `path` and `basehead` take several segments, as on GitHub.
fn captures(template: &[String], given: &[String]) -> Option<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    let mut at = 0;
    for (index, segment) in template.iter().enumerate() {
        let rest = template.len() - index - 1;
        let free = given.len().checked_sub(at + rest)?;
        if segment == "{base}...{head}" {
            let (base, head) = given.get(at..at + free)?.join("/").split_once("...").map(own)?;
            found.extend([("base".to_owned(), base), ("head".to_owned(), head)]);
            at += free;
        } else if let Some(name) = segment.strip_prefix('{').and_then(|segment| segment.strip_suffix('}')) {
            let take = if matches!(name, "ref" | "path") { free } else { 1 };
            if free == 0 {
                return None;
            }
            found.insert(name.to_owned(), given.get(at..at + take)?.join("/"));
            at += take;
        } else {
            (given.get(at)? == segment).then_some(())?;
            at += 1;
        }
    }
    (at == given.len()).then_some(found)
}

fn own((one, other): (&str, &str)) -> (String, String) {
    (one.to_owned(), other.to_owned())
}

/// Percent-decoding (RFC 3986 section 2.1); what is no encoding stays.
#[must_use]
pub fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let encoded = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        match encoded.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| bytes[at] == b'%') {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
