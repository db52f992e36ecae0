//! One resource change of a plan.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ontology::records::Target;
use ontology::value::Attributes;
use ontology::{ObjectId, Value};

use super::actions;
use crate::huginn::redact::{self, Marks, Redactor, Sides};
use crate::input::InputError;
use crate::input::json::{Place, quote};

/// Reads the target of a resource change; its needs come from the configuration.
pub(super) fn read(item: &Place<'_>, redactor: &mut Redactor<'_>) -> Result<Target, InputError> {
    let address = address(item)?;
    let kind = item.required("type")?.text()?.to_owned();
    let change = item.required("change")?;
    let action = actions::read(&change.required("actions")?)?;

    let mut sides = Sides { before: attributes(&change, "before")?, after: attributes(&change, "after")? };
    let unknown = match change.value().get("after_unknown") {
        Some(unknown) => redact::overlay_unknown(&mut sides.after, unknown),
        None => BTreeSet::new(),
    };
    let marks = Marks {
        before: change.value().get("before_sensitive"),
        after: change.value().get("after_sensitive"),
    };
    let tags = redact::tags(&sides, marks);
    let moved = item.optional("previous_address", |place| place.object_id())?;
    let sides = redactor
        .attributes(&kind, action.changes(), sides, marks)
        .map_err(|error| item.error(error.to_string()))?;
    Ok(Target {
        moved_from: moved.filter(|moved| *moved != address),
        address,
        kind,
        provider: item.optional("provider_name", |place| place.text().map(str::to_owned))?,
        action,
        action_reason: item.optional("action_reason", |place| place.text().map(str::to_owned))?,
        data: data(item)?,
        imported: change.get("importing")?.is_some(),
        before: sides.before,
        after: sides.after,
        unknown,
        replace_paths: replace_paths(&change)?,
        needs: BTreeSet::new(),
        tags,
        object: None,
    })
}

/// The address, unique in a plan: an object that is deposed stands beside the current one under the same address.
pub(super) fn address(item: &Place<'_>) -> Result<ObjectId, InputError> {
    let place = item.required("address")?;
    let address = place.object_id()?;
    match item.get("deposed")? {
        None => Ok(address),
        Some(deposed) => {
            let text = format!("{address} (deposed {})", deposed.text()?);
            ObjectId::new(text).map_err(|_| deposed.error("is not the key of a deposed object"))
        }
    }
}

fn data(item: &Place<'_>) -> Result<bool, InputError> {
    let Some(mode) = item.get("mode")? else { return Ok(false) };
    match mode.text()? {
        "managed" => Ok(false),
        "data" => Ok(true),
        other => Err(mode.error(format!("{} is not a mode (managed, data)", quote(other)))),
    }
}

fn attributes(change: &Place<'_>, key: &str) -> Result<Option<Attributes>, InputError> {
    let Some(place) = change.get(key)? else { return Ok(None) };
    let map = place.object()?;
    Ok(Some(map.iter().map(|(name, value)| (name.clone(), Value::from_json(value.clone()))).collect()))
}

/// The attribute paths that force a replacement: lists of names and indices.
fn replace_paths(change: &Place<'_>) -> Result<BTreeSet<String>, InputError> {
    let mut paths = BTreeSet::new();
    let Some(list) = change.get("replace_paths")? else { return Ok(paths) };
    for path in list.items()? {
        let mut text = String::new();
        for step in path.items()? {
            match step.value() {
                serde_json::Value::String(name) => {
                    text.push_str(if text.is_empty() { "" } else { "." });
                    text.push_str(name);
                }
                serde_json::Value::Number(index) => {
                    let _ = write!(text, "[{index}]");
                }
                _ => return Err(step.error("is neither a name nor an index")),
            }
        }
        paths.insert(text);
    }
    Ok(paths)
}
