//! Which resources of a plan need which, by the references of its configuration.
//!
//! Followed are references to resources, to outputs of called modules and to variables of the own module; locals are
//! not part of a plan. A reference means every instance of what it names, within the own module instance.

use std::collections::{BTreeMap, BTreeSet};

use ontology::ObjectId;
use ontology::records::Target;
use serde_json::Value;

use super::address::{same_instances, without_indices};

/// Pairs of one plan at most, as many as a model has links.
pub const NEEDS_MAX: usize = ontology::model::LINKS_MAX;
/// Modules called within each other, at most, that are followed; and references through outputs and variables.
const CALLS_MAX: usize = 32;

/// References of every resource: its address without indices → the addresses, without indices, that it names.
type References = BTreeMap<String, BTreeSet<String>>;

/// More than [`NEEDS_MAX`] pairs.
pub(super) struct TooMany;

/// Fills in the needs of the targets.
pub(super) fn resolve(targets: &mut [Target], configuration: &Value) -> Result<(), TooMany> {
    let Some(root) = configuration.get("root_module") else { return Ok(()) };
    let mut references = References::new();
    collect(&Module { config: root, path: "", parent: None }, &mut references, 0);

    let mut instances: BTreeMap<String, Vec<ObjectId>> = BTreeMap::new();
    for target in targets.iter() {
        instances.entry(without_indices(target.address.as_str())).or_default().push(target.address.clone());
    }
    let mut total = 0;
    for target in targets.iter_mut() {
        let Some(named) = references.get(&without_indices(target.address.as_str())) else { continue };
        for name in named {
            let Some(found) = instances.get(name) else { continue };
            let near = found.iter().filter(|it| same_instances(it.as_str(), target.address.as_str()));
            target.needs.extend(near.filter(|it| **it != target.address).cloned());
        }
        total += target.needs.len();
        if total > NEEDS_MAX {
            return Err(TooMany);
        }
    }
    Ok(())
}

/// A module's configuration, where it is called, and by which call of which module.
struct Module<'a> {
    config: &'a Value,
    /// `module.a.module.b.`, or nothing for the root.
    path: &'a str,
    parent: Option<(&'a Module<'a>, &'a Value)>,
}

fn collect(module: &Module<'_>, references: &mut References, depth: usize) {
    if depth > CALLS_MAX {
        return;
    }
    for resource in list(module.config, "resources") {
        let Some(address) = resource.get("address").and_then(Value::as_str) else { continue };
        let mut named = BTreeSet::new();
        for part in ["expressions", "count_expression", "for_each_expression", "depends_on"] {
            if let Some(part) = resource.get(part) {
                follow_all(module, part, &mut named);
            }
        }
        references.insert(format!("{}{address}", module.path), named);
    }
    for (name, call) in calls(module.config) {
        if let Some(config) = call.get("module") {
            let path = format!("{}module.{name}.", module.path);
            collect(&Module { config, path: &path, parent: Some((module, call)) }, references, depth + 1);
        }
    }
}

/// Follows every reference in `part`, seen from `module`.
fn follow_all(module: &Module<'_>, part: &Value, named: &mut BTreeSet<String>) {
    let mut seen = BTreeSet::new();
    walk(part, &mut |reference| follow(module, reference, named, &mut seen, 0));
}

/// Calls `each` with every reference: the texts under `references`, and those of a bare list (`depends_on`).
fn walk(part: &Value, each: &mut impl FnMut(&str)) {
    match part {
        Value::Array(items) => {
            for item in items {
                match item {
                    Value::String(reference) => each(reference),
                    other => walk(other, each),
                }
            }
        }
        Value::Object(map) => map.values().for_each(|value| walk(value, each)),
        _ => {}
    }
}

fn follow(
    module: &Module<'_>,
    reference: &str,
    named: &mut BTreeSet<String>,
    seen: &mut BTreeSet<String>,
    depth: usize,
) {
    if depth > CALLS_MAX || !seen.insert(format!("{}{reference}", module.path)) {
        return;
    }
    let plain = without_indices(reference);
    let words: Vec<&str> = plain.split('.').collect();
    match words.as_slice() {
        ["var", name, ..] => {
            let Some((parent, call)) = module.parent else { return };
            if let Some(argument) = call.get("expressions").and_then(|arguments| arguments.get(name)) {
                walk(argument, &mut |reference| follow(parent, reference, named, seen, depth + 1));
            }
        }
        ["module", name, rest @ ..] => {
            let call = module.config.get("module_calls").and_then(|calls| calls.get(name));
            let Some((call, config)) = call.and_then(|call| Some((call, call.get("module")?))) else {
                return;
            };
            let path = format!("{}module.{name}.", module.path);
            let called = Module { config, path: &path, parent: Some((module, call)) };
            let outputs = config.get("outputs").and_then(Value::as_object);
            for (output, expression) in outputs.into_iter().flatten() {
                if rest.first().is_none_or(|wanted| wanted == output) {
                    walk(expression, &mut |reference| follow(&called, reference, named, seen, depth + 1));
                }
            }
        }
        ["local" | "each" | "count" | "self" | "path" | "terraform", ..] => {}
        ["data", kind, name, ..] => {
            named.insert(format!("{}data.{kind}.{name}", module.path));
        }
        [kind, name, ..] => {
            named.insert(format!("{}{kind}.{name}", module.path));
        }
        _ => {}
    }
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn calls(config: &Value) -> impl Iterator<Item = (&String, &Value)> {
    config.get("module_calls").and_then(Value::as_object).into_iter().flatten()
}
