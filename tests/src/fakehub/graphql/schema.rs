//! Holding a document against the schema.

use std::sync::LazyLock;

use serde_json::Value;

use super::super::description::GRAPHQL;
use super::document::{Document, Field, Selection};

static SCHEMA: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(GRAPHQL).expect("the pruned schema is JSON"));

/// What of a document the schema does not have. The pruned schema holds what the client uses: a fault may also mean
/// that a field is to be added to `tests/github/graphql-fields.txt`.
#[must_use]
pub fn faults(document: &Document) -> Vec<String> {
    let mut found = Vec::new();
    check(document.root, &document.selections, &mut found);
    let unknown = document.variables.values().filter(|kind| SCHEMA["types"][bare(kind)].is_null());
    found.extend(unknown.map(|kind| format!("there is no type {kind}")));
    found
}

fn check(kind: &str, selections: &[Selection], found: &mut Vec<String>) {
    let described = &SCHEMA["types"][kind];
    if described.is_null() {
        return found.push(format!("there is no type {kind}"));
    }
    for selection in selections {
        match selection {
            Selection::Field(field) if field.name == "__typename" => {}
            Selection::Field(field) => check_field(kind, field, &described["fields"][&field.name], found),
            Selection::On(other, inner) => {
                let possible =
                    described["possible"].as_array().into_iter().flatten().any(|name| name == other);
                if !possible && other != kind {
                    found.push(format!("{kind} is never {other}"));
                }
                check(other, inner, found);
            }
        }
    }
}

fn check_field(kind: &str, field: &Field, described: &Value, found: &mut Vec<String>) {
    let Some(of) = described["type"].as_str() else {
        return found.push(format!("Field '{}' doesn't exist on type '{kind}'", field.name));
    };
    let arguments = &described["arguments"];
    for (name, value) in &field.arguments {
        match arguments[name].as_str() {
            None => found.push(format!("{kind}.{} has no argument {name}", field.name)),
            Some(wanted) => check_value(wanted, value, &format!("{}.{name}", field.name), found),
        }
    }
    for (name, wanted) in arguments.as_object().into_iter().flatten() {
        let required = wanted.as_str().is_some_and(|wanted| wanted.ends_with('!'));
        if required && !field.arguments.contains_key(name) {
            found.push(format!("{kind}.{} needs the argument {name}", field.name));
        }
    }
    let inner = bare(of);
    let is_leaf = matches!(SCHEMA["types"][inner]["kind"].as_str(), Some("SCALAR" | "ENUM"));
    match (is_leaf, field.selections.is_empty()) {
        (true, false) => found.push(format!("{kind}.{} has no fields", field.name)),
        (false, true) => found.push(format!("{kind}.{} needs a selection", field.name)),
        (true, true) => {}
        (false, false) => check(inner, &field.selections, found),
    }
}

fn check_value(wanted: &str, value: &Value, place: &str, found: &mut Vec<String>) {
    let described = &SCHEMA["types"][bare(wanted)];
    if value.is_null() {
        if wanted.ends_with('!') {
            found.push(format!("{place} must not be null"));
        }
        return;
    }
    match (described["kind"].as_str(), value) {
        (Some("INPUT_OBJECT"), Value::Object(object)) => {
            for (name, inner) in object {
                match described["fields"][name]["type"].as_str() {
                    Some(wanted) => check_value(wanted, inner, &format!("{place}.{name}"), found),
                    None => found.push(format!("{place} has no field {name}")),
                }
            }
            for (name, field) in described["fields"].as_object().into_iter().flatten() {
                let required = field["type"].as_str().is_some_and(|kind| kind.ends_with('!'));
                if required && object.get(name).is_none_or(Value::is_null) {
                    found.push(format!("{place} needs {name}"));
                }
            }
        }
        (Some("ENUM"), Value::String(word)) => {
            let known = described["values"].as_array().into_iter().flatten().any(|known| known == word);
            if !known {
                found.push(format!("{place} is never {word}"));
            }
        }
        (Some("SCALAR"), value) => {
            let fits = match bare(wanted) {
                "Int" => value.is_i64(),
                "Boolean" => value.is_boolean(),
                _ => value.is_string(),
            };
            if !fits {
                found.push(format!("{place} is no {wanted}"));
            }
        }
        _ => found.push(format!("{place} is no {wanted}")),
    }
}

fn bare(kind: &str) -> &str {
    kind.trim_matches(['[', ']', '!'])
}
