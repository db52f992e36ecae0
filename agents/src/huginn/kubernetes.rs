//! Reads Kubernetes manifests before and after a change: a target per object.
//!
//! An object is what its namespace, kind and name say; what stands on one side only is created or deleted. Kept of it
//! are the parts that rules read, never the values of Secrets, ConfigMaps or environment variables (U3).

mod needs;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ontology::records::document::{Format, TARGETS_MAX};
use ontology::records::{Action, ChangeDocument, Target};
use ontology::value::Attributes;
use ontology::{ObjectId, Value};

use super::intake::{Context, Intake, kind_default};
use super::redact::{self, Marks, Redactor, Sides};
use crate::input::InputError;
use crate::input::manifest::{self, Manifest};

/// The format's version in documents: manifests carry none of their own.
const FORMAT_VERSION: &str = "1";
/// The provider of every target.
const PROVIDER: &str = "kubernetes";

/// A file, as its giver names it.
#[derive(Debug, Clone, Copy)]
pub struct ManifestFile<'a> {
    /// Its path.
    pub path: &'a str,
    /// What it holds.
    pub bytes: &'a [u8],
}

/// What is there, and what will be.
#[derive(Debug, Clone, Copy)]
pub struct BeforeAndAfter<'a> {
    /// The manifests before the change.
    pub before: &'a [ManifestFile<'a>],
    /// The manifests after it.
    pub after: &'a [ManifestFile<'a>],
    /// The cluster that they are for, where it is told; becomes the document's workspace.
    pub cluster: Option<&'a str>,
}

/// The objects of one side, by address, each with the file it stands in.
type Objects<'a> = BTreeMap<ObjectId, (&'a str, Manifest)>;

/// Reads a change from its manifests.
///
/// # Errors
/// [`InputError`] names the file, the document and the place in it, and what is allowed there; it quotes no value.
pub fn read(given: &BeforeAndAfter<'_>, context: &Context<'_>) -> Result<Intake, InputError> {
    let (mut before, mut after) = (objects(given.before)?, objects(given.after)?);
    let addresses: BTreeSet<ObjectId> = before.keys().chain(after.keys()).cloned().collect();
    if addresses.is_empty() {
        return Err(InputError::at("manifests", "", "neither side holds an object"));
    }
    if addresses.len() > TARGETS_MAX {
        let message = format!("they are {} objects, at most {TARGETS_MAX} are read", addresses.len());
        return Err(InputError::at("manifests", "", message));
    }
    let mut redactor = Redactor::new(context.catalog, context.key);
    let mut targets = Vec::with_capacity(addresses.len());
    for address in &addresses {
        let (then, now) = (before.remove(address), after.remove(address));
        let Some((file, _)) = now.as_ref().or(then.as_ref()) else { continue };
        let file = *file;
        let sides = (then.map(|(_, manifest)| manifest), now.map(|(_, manifest)| manifest));
        targets.push(target(file, sides, &addresses, &mut redactor)?);
    }
    let document = ChangeDocument {
        format: Format::KubernetesManifests,
        format_version: FORMAT_VERSION.to_owned(),
        tool: None,
        workspace: given.cluster.map(str::to_owned),
        drift: BTreeSet::new(),
        links: Vec::new(),
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
        planned_at: None,
        change_kind: kind_default(),
        process_ref: None,
    })
}

fn objects<'a>(files: &[ManifestFile<'a>]) -> Result<Objects<'a>, InputError> {
    let mut objects = Objects::new();
    for file in files {
        for manifest in manifest::read(file.path, file.bytes)? {
            let (address, place) = (manifest.address.clone(), manifest.place.clone());
            if let Some((other, first)) = objects.insert(address.clone(), (file.path, manifest)) {
                let comma = if first.place.is_empty() { "" } else { ", " };
                let message = format!("{address} stands already in {other}{comma}{}", first.place);
                return Err(InputError::at(file.path, place, message));
            }
        }
    }
    Ok(objects)
}

/// The target of one object.
fn target(
    file: &str,
    (before, after): (Option<Manifest>, Option<Manifest>),
    addresses: &BTreeSet<ObjectId>,
    redactor: &mut Redactor<'_>,
) -> Result<Target, InputError> {
    let action = match (&before, &after) {
        (None, _) => Action::Create,
        (_, None) => Action::Delete,
        (Some(before), Some(after)) if before.value == after.value => Action::NoOp,
        _ => Action::Update,
    };
    let shown = after.as_ref().or(before.as_ref()).expect("an address comes from one of the sides");
    let (address, kind) = (shown.address.clone(), shown.kind.clone());
    let mut needs = needs::of(shown, addresses);
    needs.remove(&address);
    let tags = redact::keep_tags(shown.labels());
    let sides = Sides { before: before.map(attributes), after: after.map(attributes) };
    let sides = redactor
        .attributes(&kind, action.changes(), sides, Marks::default())
        .map_err(|error| InputError::at(file, "", error.to_string()))?;
    Ok(Target {
        address,
        kind,
        provider: Some(PROVIDER.to_owned()),
        action,
        action_reason: None,
        moved_from: None,
        data: false,
        imported: false,
        before: sides.before,
        after: sides.after,
        unknown: BTreeSet::new(),
        replace_paths: BTreeSet::new(),
        needs,
        tags,
        object: None,
    })
}

fn attributes(manifest: Manifest) -> Attributes {
    match Value::from_json(manifest.value) {
        Value::Map(map) => map,
        _ => Attributes::new(),
    }
}
