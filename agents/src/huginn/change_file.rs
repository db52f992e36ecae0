//! Our own format of a change, `arb: change/1`, in YAML or JSON: for changes that no tool plans.
//!
//! ```yaml
//! arb: change/1
//! kind: infrastructure
//! workspace: production
//! planned_at: 2026-11-30T09:00:00Z
//! targets:
//!   - address: resource:default/orders-db
//!     type: aws_db_instance
//!     action: update
//!     before: { multi_az: false }
//!     after: { multi_az: true }
//!     object: { resource: { kind: database, zones: [a, b] } }
//! links:
//!   add:
//!     - { type: depends_on, from: "resource:default/orders-db", to: "resource:default/vpc" }
//! ```

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ontology::records::document::{Format, LinkEdit, TARGETS_MAX};
use ontology::records::{Action, ChangeDocument, Target};
use ontology::release::LinkType;
use ontology::value::Attributes;
use ontology::{ObjectId, Value};

use super::intake::{Context, Intake, kind_default};
use super::redact::{self, Marks, Redactor, Sides};
use crate::input::InputError;
use crate::input::json::{Place, quote};

/// What such a file says of itself under `arb`.
pub const HEADER: &str = "change/1";
/// Relations that one change adds or removes at most.
pub const LINKS_MAX: usize = 10_000;

const KEYS: [&str; 7] = ["arb", "kind", "workspace", "planned_at", "process_ref", "targets", "links"];
const TARGET_KEYS: [&str; 11] = [
    "address",
    "type",
    "provider",
    "action",
    "reason",
    "moved_from",
    "before",
    "after",
    "needs",
    "tags",
    "object",
];

/// Reads a change from its parsed file.
///
/// # Errors
/// [`InputError`] names the place and what is allowed there; it quotes no attribute's value.
pub fn read(root: &Place<'_>, context: &Context<'_>) -> Result<Intake, InputError> {
    root.only(&KEYS)?;
    let mut redactor = Redactor::new(context.catalog, context.key);
    let targets = targets(root, &mut redactor)?;
    let document = ChangeDocument {
        format: Format::ArbChange,
        format_version: "1".to_owned(),
        tool: None,
        workspace: root.optional("workspace", |place| place.text().map(str::to_owned))?,
        drift: BTreeSet::new(),
        links: links(root)?,
        outputs: BTreeSet::new(),
        errored: false,
        incomplete: false,
        sensitivity_unmarked: false,
        withheld_unkeyed: redact::any_unkeyed(&targets),
        withheld: redact::count(&targets),
        targets,
    };
    Ok(Intake {
        content_digest: document.content_digest(),
        document: Arc::new(document),
        planned_at: root.optional("planned_at", |place| place.time())?,
        change_kind: root.optional("kind", |place| place.name())?.unwrap_or_else(kind_default),
        process_ref: root.optional("process_ref", |place| place.object_id())?,
    })
}

fn targets(root: &Place<'_>, redactor: &mut Redactor<'_>) -> Result<Vec<Target>, InputError> {
    let list = root.required("targets")?;
    let items = list.items()?;
    if items.len() > TARGETS_MAX {
        return Err(list.error(format!("has {} members, at most {TARGETS_MAX} are read", items.len())));
    }
    let mut targets: BTreeMap<ObjectId, (usize, Target)> = BTreeMap::new();
    for (index, item) in items.enumerate() {
        let target = target(&item, redactor)?;
        if let Some((first, _)) = targets.get(&target.address) {
            let message =
                format!("{} is also the address of $.targets[{first}]", quote(target.address.as_str()));
            return Err(item.missing("address", message));
        }
        targets.insert(target.address.clone(), (index, target));
    }
    Ok(targets.into_values().map(|(_, target)| target).collect())
}

fn target(item: &Place<'_>, redactor: &mut Redactor<'_>) -> Result<Target, InputError> {
    item.only(&TARGET_KEYS)?;
    let text = |key: &str| item.optional(key, |place| place.text().map(str::to_owned));
    let kind = item.required("type")?.text()?.to_owned();
    let action = action(&item.required("action")?)?;
    let sides =
        Sides { before: item.optional("before", attributes)?, after: item.optional("after", attributes)? };
    check_sides(item, action, &sides)?;
    let mut tags = match item.get("tags")? {
        Some(place) => place.read()?,
        None => redact::tags(&sides, Marks::default()),
    };
    tags = redact::keep_tags(tags);
    let sides = redactor.attributes(&kind, action.changes(), sides, Marks::default());
    let sides = sides.map_err(|error| item.error(error.to_string()))?;
    Ok(Target {
        address: item.required("address")?.object_id()?,
        kind,
        provider: text("provider")?,
        action,
        action_reason: text("reason")?,
        moved_from: item.optional("moved_from", |place| place.object_id())?,
        data: false,
        imported: false,
        before: sides.before,
        after: sides.after,
        unknown: BTreeSet::new(),
        replace_paths: BTreeSet::new(),
        needs: item.optional("needs", ids)?.unwrap_or_default(),
        tags,
        object: item.optional("object", |place| place.read())?,
    })
}

fn action(place: &Place<'_>) -> Result<Action, InputError> {
    let word = place.text()?;
    Action::ALL.into_iter().find(|action| action.as_str() == word).ok_or_else(|| {
        let allowed: Vec<&str> = Action::ALL.iter().map(|action| action.as_str()).collect();
        place.error(format!("{} is not an action ({})", quote(word), allowed.join(", ")))
    })
}

/// What appears was not there before, what disappears will not be there after.
fn check_sides(item: &Place<'_>, action: Action, sides: &Sides) -> Result<(), InputError> {
    match action {
        Action::Create if sides.before.is_some() => {
            Err(item.missing("before", "stands beside the action \"create\": what is created was not there"))
        }
        Action::Delete if sides.after.is_some() => {
            Err(item
                .missing("after", "stands beside the action \"delete\": what is deleted will not be there"))
        }
        _ => Ok(()),
    }
}

fn attributes(place: &Place<'_>) -> Result<Attributes, InputError> {
    let mut attributes = Attributes::new();
    for (name, value) in place.entries()? {
        unreserved(name, &value)?;
        attributes.insert(name.to_owned(), Value::from_json(value.value().clone()));
    }
    Ok(attributes)
}

/// Refuses keys that mean something in documents of ours.
fn unreserved(name: &str, place: &Place<'_>) -> Result<(), InputError> {
    if name.starts_with("$arb_") {
        return Err(place.error("the key is reserved; rename it"));
    }
    if place.value().is_object() {
        for (name, inner) in place.entries()? {
            unreserved(name, &inner)?;
        }
    }
    if place.value().is_array() {
        for inner in place.items()? {
            unreserved("", &inner)?;
        }
    }
    Ok(())
}

fn ids(place: &Place<'_>) -> Result<BTreeSet<ObjectId>, InputError> {
    place.items()?.map(|item| item.object_id()).collect()
}

fn links(root: &Place<'_>) -> Result<Vec<LinkEdit>, InputError> {
    let mut edits = Vec::new();
    let Some(links) = root.get("links")? else { return Ok(edits) };
    links.only(&["add", "remove"])?;
    for (key, list) in links.entries()? {
        for item in list.items()? {
            item.only(&["type", "from", "to"])?;
            edits.push(LinkEdit {
                add: key == "add",
                kind: link_type(&item.required("type")?)?,
                from: item.required("from")?.object_id()?,
                to: item.required("to")?.object_id()?,
            });
            if edits.len() > LINKS_MAX {
                return Err(links.error(format!("has more than {LINKS_MAX} relations")));
            }
        }
    }
    redact::sort_links(&mut edits);
    if let Some(pair) = edits
        .windows(2)
        .find(|pair| (pair[0].kind, &pair[0].from, &pair[0].to) == (pair[1].kind, &pair[1].from, &pair[1].to))
    {
        let (kind, from, to) = (pair[0].kind.as_str(), &pair[0].from, &pair[0].to);
        return Err(links.error(format!("adds and removes one relation: {kind} from {from} to {to}")));
    }
    Ok(edits)
}

fn link_type(place: &Place<'_>) -> Result<LinkType, InputError> {
    let word = place.text()?;
    LinkType::ALL.into_iter().find(|link| link.as_str() == word).ok_or_else(|| {
        let allowed: Vec<&str> = LinkType::ALL.iter().map(|link| link.as_str()).collect();
        place.error(format!("{} is not a link type ({})", quote(word), allowed.join(", ")))
    })
}
