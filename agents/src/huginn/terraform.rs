//! Reads what `terraform show -json PLAN` and `tofu show -json PLAN` print: format versions 0.1 to 1.x.
//!
//! Of a plan, the resource changes and the names of changed outputs become the document; variables, constants of the
//! configuration, prior state and planned values are checked as JSON and never kept (U3).

mod actions;
mod address;
pub(crate) mod foreign;
mod needs;
mod resource;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use ontology::records::document::{Format, TARGETS_MAX};
use ontology::records::{ChangeDocument, Target};
use ontology::{ObjectId, Timestamp};
use serde_json::Value;

use super::intake::Context;
use super::redact::{self, Redactor};
use crate::input::InputError;
use crate::input::json::{self, Place, Segment, quote};

pub(crate) use address::{same_instances, without_indices};
pub use needs::NEEDS_MAX;

/// A plan, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What it does.
    pub document: ChangeDocument,
    /// When it was made, as it says.
    pub planned_at: Option<Timestamp>,
}

/// Parts of a plan that say nothing that the changes do not say, and are full of values.
const FORGOTTEN: [&str; 5] = ["variables", "prior_state", "planned_values", "relevant_attributes", "checks"];
/// Parts of a configuration that hold values and no references between resources.
const CONSTANTS: [&str; 3] = ["constant_value", "provider_config", "provisioners"];

/// How a plan's JSON is read: what is dropped is never held.
#[must_use]
pub(crate) fn options() -> json::Options {
    fn forget(path: &[Segment], key: &str) -> bool {
        match path {
            [] => FORGOTTEN.contains(&key),
            [Segment::Key(part), rest @ ..] if part == "configuration" => {
                let in_module =
                    matches!(rest.last(), Some(Segment::Key(at)) if at == "root_module" || at == "module");
                CONSTANTS.contains(&key) || (in_module && key == "variables")
            }
            [Segment::Key(_), ..] => false,
            [Segment::Index(_), ..] => false,
        }
    }
    json::Options { forget, reserved: Some("$arb_") }
}

/// Whether a JSON object looks like a plan, or like something that people take for one.
#[must_use]
pub(crate) fn is_like_plan(value: &Value) -> bool {
    const MARKS: [&str; 6] =
        ["format_version", "terraform_version", "resource_changes", "planned_values", "serial", "lineage"];
    MARKS.iter().any(|key| value.get(key).is_some())
}

/// Reads a plan from its parsed JSON.
///
/// # Errors
/// [`InputError`] names the place and what is allowed there; never a value.
pub fn read(file: &str, plan: &Value, context: &Context<'_>) -> Result<Plan, InputError> {
    let root = Place::root(file, plan);
    root.object()?;
    if let Some(what) = foreign::state(plan) {
        return Err(root.error(what));
    }
    let format_version = format_version(&root)?;
    let mut redactor = Redactor::new(context.catalog, context.key);
    let mut targets = targets(&root, &mut redactor)?;
    if let Some(configuration) = plan.get("configuration") {
        let too_many =
            |_| root.missing("configuration", format!("its references join more than {NEEDS_MAX} pairs"));
        needs::resolve(&mut targets, configuration).map_err(too_many)?;
    }
    let tool = root.optional("terraform_version", |place| Ok(format!("terraform {}", place.text()?)))?;
    let document = ChangeDocument {
        format: Format::TerraformPlan,
        format_version,
        tool,
        workspace: root.optional("workspace", |place| place.text().map(str::to_owned))?,
        drift: drift(&root)?,
        links: Vec::new(),
        outputs: outputs(&root)?,
        errored: root.optional("errored", |place| place.boolean())?.unwrap_or(false),
        incomplete: incomplete(&root)?,
        sensitivity_unmarked: !is_marked(plan) && targets.iter().any(has_values),
        withheld_unkeyed: redact::any_unkeyed(&targets),
        withheld: redact::count(&targets),
        targets,
    };
    Ok(Plan { document, planned_at: root.optional("timestamp", |place| place.time())? })
}

/// 0.1 to 1.x; a newer major version may mean something else by the same words.
pub(crate) fn format_version(root: &Place<'_>) -> Result<String, InputError> {
    const KNOWN: &str = "plans of format 0.1 to 1.x are read";
    let Some(place) = root.get("format_version")? else {
        return Err(root.missing("format_version", format!("is missing; {KNOWN}")));
    };
    let text = place.text()?;
    let number =
        |text: &str| text.parse::<u32>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    let parts = text.split_once('.').and_then(|(major, minor)| Some((number(major)?, number(minor)?)));
    match parts {
        Some((0 | 1, _)) => Ok(text.to_owned()),
        _ => Err(place.error(format!("{} is not supported; {KNOWN}", quote(text)))),
    }
}

fn targets(root: &Place<'_>, redactor: &mut Redactor<'_>) -> Result<Vec<Target>, InputError> {
    let Some(changes) = root.get("resource_changes")? else { return Ok(Vec::new()) };
    let items = changes.items()?;
    if items.len() > TARGETS_MAX {
        return Err(
            changes.error(format!("has {} resource changes, at most {TARGETS_MAX} are read", items.len()))
        );
    }
    let mut targets: BTreeMap<ObjectId, (usize, Target)> = BTreeMap::new();
    for (index, item) in items.enumerate() {
        let target = resource::read(&item, redactor)?;
        if let Some((first, _)) = targets.get(&target.address) {
            let message = format!(
                "{} is also the address of $.resource_changes[{first}]",
                quote(target.address.as_str())
            );
            return Err(item.missing("address", message));
        }
        targets.insert(target.address.clone(), (index, target));
    }
    Ok(targets.into_values().map(|(_, target)| target).collect())
}

fn drift(root: &Place<'_>) -> Result<BTreeSet<ObjectId>, InputError> {
    let mut drift = BTreeSet::new();
    if let Some(list) = root.get("resource_drift")? {
        for item in list.items()? {
            drift.insert(resource::address(&item)?);
        }
    }
    Ok(drift)
}

/// Names of outputs whose value changes. Their values are never looked at.
fn outputs(root: &Place<'_>) -> Result<BTreeSet<String>, InputError> {
    let mut outputs = BTreeSet::new();
    if let Some(map) = root.get("output_changes")? {
        for (name, change) in map.entries()? {
            let actions = change.required("actions")?;
            if actions::read(&actions)?.changes() {
                outputs.insert(name.to_owned());
            }
        }
    }
    Ok(outputs)
}

/// The plan says that it is not all, defers something, or invokes actions, which no target shows.
fn incomplete(root: &Place<'_>) -> Result<bool, InputError> {
    let cut = root.optional("complete", |place| place.boolean())? == Some(false);
    let beside = ["deferred_changes", "action_invocations", "deferred_action_invocations"];
    let beside = beside.into_iter().filter_map(|key| root.value().get(key)?.as_array());
    Ok(cut || beside.into_iter().any(|list| !list.is_empty()))
}

/// Whether the plan's format marks sensitive values anywhere.
fn is_marked(plan: &Value) -> bool {
    let changes = ["resource_changes", "resource_drift"]
        .into_iter()
        .filter_map(|key| plan.get(key)?.as_array())
        .flatten();
    let outputs =
        plan.get("output_changes").and_then(Value::as_object).into_iter().flat_map(|map| map.values());
    let changes = changes.filter_map(|item| item.get("change")).chain(outputs);
    let mut changes = changes.filter_map(Value::as_object);
    changes.any(|change| change.contains_key("before_sensitive") || change.contains_key("after_sensitive"))
}

const fn has_values(target: &Target) -> bool {
    target.before.is_some() || target.after.is_some()
}
