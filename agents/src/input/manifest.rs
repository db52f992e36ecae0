//! Kubernetes manifests: files of YAML documents or of JSON, each an object or a list of objects.
//!
//! What the server fills in is dropped, so that an object as it is and as it was written compare equal. Nothing is
//! kept or withheld here: that is redaction's (U3).

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use ontology::ObjectId;
use ontology::policy::{ManifestKind, manifest_kind, pods_of};
use serde_json::{Map, Value};

use super::json::Place;
use super::{InputError, json, yaml};

/// Lists within lists at most: `kubectl get -o yaml` writes one, a list of lists is nobody's.
const LISTS_MAX: usize = 4;
/// Bytes of a name at most, as the API server has it.
const NAME_BYTES_MAX: usize = 253;
/// The namespace of an object that names none.
const NAMESPACE_DEFAULT: &str = "default";
/// Keys of metadata that the server fills in.
const SERVER_METADATA: [&str; 6] =
    ["creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid"];
/// Annotations that tools fill in. The first repeats the whole object, secrets included.
const TOOL_ANNOTATIONS: [&str; 2] =
    ["kubectl.kubernetes.io/last-applied-configuration", "deployment.kubernetes.io/revision"];
/// What is accepted, for people.
const ACCEPTED: &str = "accepted are Kubernetes manifests, each with apiVersion, kind and metadata.name";

/// One object.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    /// `NAMESPACE/KIND/NAME`, or `KIND/NAME` of an object without a namespace.
    pub address: ObjectId,
    /// Its kind, with the group behind it where a cluster does not know the kind by itself.
    pub kind: String,
    /// Its namespace; `default` where the kind has one and the manifest names none.
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
    /// All of it, without what the server fills in.
    pub value: Value,
    /// Where it stands: the document, and the member of a list.
    pub place: String,
}

impl Manifest {
    /// Its labels, and those of its pods, or of the pods that it is for, where it has no such label itself: a selector
    /// of bindings means them all.
    #[must_use]
    pub fn labels(&self) -> BTreeMap<String, String> {
        let of_pods = pods_of(&self.kind).and_then(|path| path.strip_suffix(".spec"));
        let of_pods = of_pods.map(|path| path.split('.').chain(["metadata", "labels"]).collect());
        let selected = SELECTORS.iter().find(|(kind, _)| *kind == self.kind).map(|(_, path)| path.to_vec());
        let path: Vec<&str> = of_pods.or(selected).unwrap_or_default();
        let beside = if path.is_empty() { Vec::new() } else { self.texts(&path) };
        let texts = beside.into_iter().chain(self.texts(&["metadata", "labels"]));
        texts.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
    }

    /// The texts of a map of it, at a path of keys.
    #[must_use]
    pub fn texts(&self, path: &[&str]) -> Vec<(&str, &str)> {
        let map = path.iter().try_fold(&self.value, |value, key| value.get(key)).and_then(Value::as_object);
        map.into_iter().flatten().filter_map(|(key, value)| Some((key.as_str(), value.as_str()?))).collect()
    }
}

/// Where objects that run nothing name the pods that they are for.
const SELECTORS: [(&str, &[&str]); 3] = [
    ("NetworkPolicy", &["spec", "podSelector", "matchLabels"]),
    ("PodDisruptionBudget", &["spec", "selector", "matchLabels"]),
    ("Service", &["spec", "selector"]),
];

/// Reads the objects of one file. An empty file holds none: that is how `kubectl diff` says that there is nothing.
///
/// # Errors
/// [`InputError`] when it is neither YAML nor JSON, over a bound, or a document is no manifest; it quotes no value.
pub fn read(file: &str, bytes: &[u8]) -> Result<Vec<Manifest>, InputError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Vec::new());
    }
    let text = json::text(file, bytes)?;
    let is_json = text.trim_start().starts_with(['{', '[']) && !text.trim_start().starts_with("{{");
    let documents: Vec<Value> = if is_json {
        vec![json::parse(file, bytes)?]
    } else {
        yaml::parse_all(file, bytes).map_err(|error| hinted(error, text))?
    };
    let several = documents.len() > 1;
    let mut manifests = Vec::new();
    for (index, document) in documents.iter().enumerate().filter(|(_, document)| !document.is_null()) {
        let prefix = if several { format!("document {}", index + 1) } else { String::new() };
        object(&Place::root(file, document), &prefix, 0, &mut manifests).map_err(|mut error| {
            if several {
                error.at = format!("{prefix}, {}", error.at);
            }
            error
        })?;
    }
    Ok(manifests)
}

/// A template that was not rendered is no YAML, and that is easily told.
fn hinted(mut error: InputError, text: &str) -> InputError {
    if text.contains("{{") {
        error.message.push_str("; it looks like a template: render it first (helm template)");
    }
    error
}

/// Reads one object, or the members of a list.
fn object(
    place: &Place<'_>,
    within: &str,
    lists: usize,
    found: &mut Vec<Manifest>,
) -> Result<(), InputError> {
    let Some(map) = place.value().as_object() else {
        return Err(place.error(format!("is no object; {ACCEPTED}")));
    };
    for key in ["apiVersion", "kind"] {
        if !map.contains_key(key) {
            return Err(place.missing(key, format!("is missing; {ACCEPTED}")));
        }
    }
    let kind_place = place.required("kind")?;
    let written = kind_place.text()?;
    let group = group(&place.required("apiVersion")?)?;
    if written.is_empty() || !written.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(kind_place.error("is not a kind: letters and digits"));
    }
    if let Some(items) = place.get("items")?.filter(|_| written.ends_with("List")) {
        if lists == LISTS_MAX {
            return Err(items.error(format!("lists nest at most {LISTS_MAX} deep")));
        }
        for item in items.items()? {
            object(&item, within, lists + 1, found)?;
        }
        return Ok(());
    }
    refuse_foreign(place, group, written)?;
    found.push(manifest(place, group, written, within)?);
    Ok(())
}

/// The group of an `apiVersion`: `apps` of `apps/v1`, nothing of `v1`.
fn group<'a>(place: &Place<'a>) -> Result<&'a str, InputError> {
    let text = place.text()?;
    let (group, version) = text.rsplit_once('/').unwrap_or(("", text));
    let is_group = group.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte));
    if is_version(version) && is_group && (group.is_empty() != text.contains('/')) {
        return Ok(group);
    }
    Err(place.error("is not a version of an API (v1, apps/v1, GROUP/v1beta1)"))
}

/// `v1`, `v2beta1`.
fn is_version(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('v') else { return false };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    ["alpha", "beta"]
        .into_iter()
        .find_map(|word| rest.split_once(word))
        .map_or_else(|| digits(rest), |(major, minor)| digits(major) && digits(minor))
}

/// What has the look of a manifest and is for another tool.
fn refuse_foreign(place: &Place<'_>, group: &str, kind: &str) -> Result<(), InputError> {
    if group == "kustomize.config.k8s.io" {
        return Err(place.error(format!("is a {kind}, not what it makes; run: kubectl kustomize DIR > FILE")));
    }
    if group == "backstage.io" {
        return Err(place.error("is an entity of Backstage; it belongs in the model"));
    }
    Ok(())
}

fn manifest(place: &Place<'_>, group: &str, written: &str, within: &str) -> Result<Manifest, InputError> {
    unreserved(place)?;
    let metadata = place.required("metadata")?;
    if metadata.get("name")?.is_none() && metadata.get("generateName")?.is_some() {
        return Err(metadata.missing("name", "is missing: what is named by the server cannot be compared"));
    }
    let name_place = metadata.required("name")?;
    let name = name_place.text()?;
    let is_name = |text: &str| {
        !text.is_empty()
            && text.len() <= NAME_BYTES_MAX
            && !text.chars().any(|it| it.is_control() || it.is_whitespace() || "/%".contains(it))
    };
    if !is_name(name) {
        return Err(name_place.error(format!("is not a name: 1 to {NAME_BYTES_MAX} bytes without / and %")));
    }
    let known = manifest_kind(written).filter(|kind| kind.groups.contains(&group));
    let kind = match (known, group) {
        (Some(kind), _) => kind.name.to_owned(),
        (None, "") => format!("{written}.core"),
        (None, group) => format!("{written}.{group}"),
    };
    let namespace = namespace(&metadata, known, is_name)?;
    let address = match &namespace {
        Some(namespace) => format!("{namespace}/{kind}/{name}"),
        None => format!("{kind}/{name}"),
    };
    let address = ObjectId::new(address).map_err(|error| place.error(format!("has no address: {error}")))?;
    Ok(Manifest {
        address,
        kind,
        namespace,
        name: name.to_owned(),
        value: without_server_fields(place.object()?.clone()),
        place: within.to_owned(),
    })
}

/// An object of a kind without namespaces has none, whatever its manifest says; one of an unknown kind has what it
/// says.
fn namespace(
    metadata: &Place<'_>,
    known: Option<&ManifestKind>,
    is_name: impl Fn(&str) -> bool,
) -> Result<Option<String>, InputError> {
    let said = metadata.get("namespace")?;
    let said = match &said {
        Some(place) => match place.text()? {
            "" => None,
            text if is_name(text) && !text.contains('.') => Some(text),
            _ => return Err(place.error("is not a namespace: a name without / and dots")),
        },
        None => None,
    };
    Ok(match known {
        Some(kind) if !kind.namespaced => None,
        Some(_) => Some(said.unwrap_or(NAMESPACE_DEFAULT).to_owned()),
        None => said.map(str::to_owned),
    })
}

/// Refuses keys that mean something in documents of ours.
fn unreserved(place: &Place<'_>) -> Result<(), InputError> {
    if place.value().is_object() {
        for (key, inner) in place.entries()? {
            if key.starts_with("$arb_") {
                return Err(inner.error("the key is reserved; rename it"));
            }
            unreserved(&inner)?;
        }
    }
    if place.value().is_array() {
        for inner in place.items()? {
            unreserved(&inner)?;
        }
    }
    Ok(())
}

fn without_server_fields(mut object: Map<String, Value>) -> Value {
    object.remove("status");
    if let Some(Value::Object(metadata)) = object.get_mut("metadata") {
        for key in SERVER_METADATA {
            metadata.remove(key);
        }
        if let Some(Value::Object(annotations)) = metadata.get_mut("annotations") {
            for key in TOOL_ANNOTATIONS {
                annotations.remove(key);
            }
            if annotations.is_empty() {
                metadata.remove("annotations");
            }
        }
    }
    Value::Object(object)
}
