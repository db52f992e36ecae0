//! The two forms of a state: the state file itself, and what `terraform show -json` prints of it.

use std::collections::{BTreeMap, BTreeSet};

use ontology::ObjectId;
use serde_json::Value;

use crate::huginn::redact::keep_tags;
use crate::huginn::terraform::format_version;
use crate::input::InputError;
use crate::input::json::{self, Options, Place, Segment, quote};

/// Resources of one state at most: as many objects as a model has.
const RESOURCES_MAX: usize = ontology::model::OBJECTS_MAX;
/// Modules within each other at most in what `terraform show` prints.
const MODULES_MAX: usize = 32;
/// Where providers keep tags; all of them first, where a provider says so.
const TAGS: [&str; 3] = ["tags_all", "tags", "labels"];
/// The version of state files that is read: Terraform 0.12 and newer, and OpenTofu.
const VERSION: u64 = 4;
/// What to do with a state in no readable form.
const SHOW: &str = "run: terraform show -json > state.json (or tofu show -json), and give that";

/// What is kept of one instance of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Resource {
    pub(super) address: ObjectId,
    pub(super) kind: String,
    pub(super) tags: BTreeMap<String, String>,
    /// Addresses, mostly without indices.
    pub(super) dependencies: BTreeSet<String>,
}

/// Reads a state's managed resources, by address.
pub(super) fn read(file: &str, bytes: &[u8]) -> Result<Vec<Resource>, InputError> {
    let value = json::parse_with(file, bytes, Options { forget, reserved: None })?;
    let root = Place::root(file, &value);
    let map = root.object()?;
    let mut found = BTreeMap::new();
    if map.contains_key("encrypted_data") {
        return Err(root.error(format!("is an encrypted state; {SHOW}")));
    }
    if map.contains_key("resource_changes") || map.contains_key("planned_values") {
        return Err(root.error("is a plan, not a state; a plan is reviewed: arbctl review PLAN"));
    }
    if map.contains_key("version") {
        check_version(&root)?;
        each(&root, "resources", |resource| of_file(resource, &mut found))?;
    } else if map.contains_key("format_version") {
        format_version(&root)?;
        if let Some(values) = root.get("values")?
            && let Some(module) = values.get("root_module")?
        {
            of_module(&module, 0, &mut found)?;
        }
    } else {
        return Err(root.error(format!("is no state: it has neither version nor format_version; {SHOW}")));
    }
    Ok(found.into_values().collect())
}

/// Of attributes, tags alone are held; outputs and whatever providers keep for themselves are not.
fn forget(path: &[Segment], key: &str) -> bool {
    match path.last() {
        None => matches!(key, "outputs" | "check_results" | "checks"),
        Some(Segment::Key(within)) => match within.as_str() {
            "attributes" => !TAGS.contains(&key),
            "values" if path.len() > 1 => !TAGS.contains(&key),
            "values" => key == "outputs",
            "sensitive_values" => !TAGS.contains(&key),
            _ => false,
        },
        Some(Segment::Index(_)) => {
            matches!(
                key,
                "attributes_flat" | "private" | "identity" | "identity_schema_version" | "schema_version"
            )
        }
    }
}

fn check_version(root: &Place<'_>) -> Result<(), InputError> {
    let place = root.required("version")?;
    match place.value().as_u64() {
        Some(VERSION) => Ok(()),
        Some(version) if version < VERSION => {
            Err(place
                .error(format!("{version} is too old: state files of version {VERSION} are read; {SHOW}")))
        }
        _ => Err(place.error(format!("is not supported: state files of version {VERSION} are read; {SHOW}"))),
    }
}

/// Reads each member of a list that may be absent.
fn each(
    place: &Place<'_>,
    key: &str,
    mut read: impl FnMut(&Place<'_>) -> Result<(), InputError>,
) -> Result<(), InputError> {
    if let Some(list) = place.get(key)? {
        for item in list.items()? {
            read(&item)?;
        }
    }
    Ok(())
}

type Found = BTreeMap<ObjectId, Resource>;

/// A resource of a state file, with its instances.
fn of_file(resource: &Place<'_>, found: &mut Found) -> Result<(), InputError> {
    if resource.required("mode")?.text()? != "managed" {
        return Ok(());
    }
    let (kind, name) = (resource.required("type")?.text()?, resource.required("name")?.text()?);
    let module = resource.optional("module", |place| place.text().map(|module| format!("{module}.")))?;
    let base = format!("{}{kind}.{name}", module.unwrap_or_default());
    each(resource, "instances", |instance| {
        if instance.get("deposed")?.is_some() {
            return Ok(());
        }
        let index = match instance.get("index_key")?.map(|place| place.value().clone()) {
            None => String::new(),
            Some(Value::Number(number)) => format!("[{number}]"),
            Some(Value::String(key)) => format!("[{}]", Value::String(key)),
            Some(_) => return Err(instance.missing("index_key", "is neither a number nor a text")),
        };
        let address = ObjectId::new(format!("{base}{index}"));
        let address = address.map_err(|error| instance.error(format!("has no address: {error}")))?;
        let marked = mentions_tags(instance.value().get("sensitive_attributes"));
        let tags = if marked { BTreeMap::new() } else { tags(instance.value().get("attributes")) };
        let dependencies = names(instance, "dependencies")?;
        add(Resource { address, kind: kind.to_owned(), tags, dependencies }, instance, found)
    })
}

/// The resources of a module as `terraform show -json` prints it, and of those within.
fn of_module(module: &Place<'_>, depth: usize, found: &mut Found) -> Result<(), InputError> {
    if depth > MODULES_MAX {
        return Err(module.error(format!("modules nest at most {MODULES_MAX} deep")));
    }
    each(module, "resources", |resource| {
        if resource.required("mode")?.text()? != "managed" || resource.get("deposed_key")?.is_some() {
            return Ok(());
        }
        let address = resource.required("address")?.object_id()?;
        let kind = resource.required("type")?.text()?.to_owned();
        let marked = resource.value().get("sensitive_values").is_some_and(|marks| {
            TAGS.iter().any(|tags| marks.get(tags).is_some_and(|mark| mark.to_string().contains("true")))
        });
        let tags = if marked { BTreeMap::new() } else { tags(resource.value().get("values")) };
        let dependencies = names(resource, "depends_on")?;
        add(Resource { address, kind, tags, dependencies }, resource, found)
    })?;
    each(module, "child_modules", |child| of_module(child, depth + 1, found))
}

fn add(resource: Resource, place: &Place<'_>, found: &mut Found) -> Result<(), InputError> {
    if found.len() == RESOURCES_MAX {
        return Err(place.error(format!("is one too many: at most {RESOURCES_MAX} resources are read")));
    }
    let address = resource.address.clone();
    match found.insert(address.clone(), resource) {
        None => Ok(()),
        Some(_) => Err(place.error(format!("{} stands twice in the state", quote(address.as_str())))),
    }
}

fn names(place: &Place<'_>, key: &str) -> Result<BTreeSet<String>, InputError> {
    let mut names = BTreeSet::new();
    each(place, key, |item| {
        names.insert(item.text()?.to_owned());
        Ok(())
    })?;
    Ok(names)
}

fn mentions_tags(marks: Option<&Value>) -> bool {
    let text = marks.map(Value::to_string).unwrap_or_default();
    TAGS.iter().any(|tags| text.contains(&format!("\"{tags}\"")))
}

/// The provider's tags, without what has the name or the look of a secret.
fn tags(attributes: Option<&Value>) -> BTreeMap<String, String> {
    let map =
        attributes.and_then(|attributes| TAGS.iter().find_map(|place| attributes.get(place)?.as_object()));
    let texts =
        map.into_iter().flatten().filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())));
    keep_tags(texts.collect())
}
