//! `bindings.yaml`: a component, a Terraform address, workspace or tag, a Kubernetes selector and source paths are
//! one thing (U7). The paths say whose rule of CODEOWNERS is whose.

mod kubernetes;

use std::collections::BTreeMap;

use ontology::ObjectId;
use ontology::model::Binding;
use ontology::policy::Catalog;
use serde::Deserialize;

use super::header::Header;
use super::reference::{self, NAMESPACE_DEFAULT};
use super::stated::{Facts, Stated};
use super::{ModelFile, placement};
use crate::input::{InputError, yaml};
use kubernetes::Kubernetes;

/// Bytes of an address pattern at most, as of an address.
const PATTERN_BYTES_MAX: usize = ontology::identity::OBJECT_ID_BYTES_MAX;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// A Backstage reference; its kind is component unless it says another.
    #[serde(default)]
    component: Option<String>,
    /// The id of any object, as it is.
    #[serde(default)]
    object: Option<String>,
    #[serde(default)]
    terraform: Option<Terraform>,
    #[serde(default)]
    kubernetes: Option<Kubernetes>,
    #[serde(default)]
    paths: Option<OneOrMany>,
    #[serde(default)]
    tier: Option<u8>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Terraform {
    #[serde(default)]
    workspace: Option<OneOrMany>,
    #[serde(default)]
    address: Option<OneOrMany>,
    #[serde(default)]
    tag: Option<BTreeMap<String, String>>,
}

/// A text, or a list of them.
#[derive(Debug, Default)]
struct OneOrMany(Vec<String>);

impl<'de> Deserialize<'de> for OneOrMany {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> serde::de::Visitor<'de> for Read {
            type Value = OneOrMany;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a text, or a list of texts")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<OneOrMany, E> {
                Ok(OneOrMany(vec![text.to_owned()]))
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<OneOrMany, A::Error> {
                let mut texts = Vec::new();
                while let Some(text) = list.next_element()? {
                    texts.push(text);
                }
                Ok(OneOrMany(texts))
            }
        }
        deserializer.deserialize_any(Read)
    }
}

/// Reads a list of bindings.
pub(super) fn read(file: &ModelFile, catalog: &Catalog) -> Result<Stated, InputError> {
    let entries: Vec<Entry> = yaml::parse(&file.path, &file.bytes)?;
    let source = Header::default().source(file, catalog)?;
    let mut facts = Facts::default();
    for (index, entry) in entries.into_iter().enumerate() {
        let fault = |message: String| InputError::at(&file.path, format!("$[{index}]"), message);
        let object = entry.object_id().map_err(&fault)?;
        if let Some(tier) = entry.tier {
            placement::check_tier(tier).map_err(|message| fault(format!("tier: {message}")))?;
            if facts.tiers.insert(object.clone(), tier).is_some_and(|other| other != tier) {
                return Err(fault(format!("{object} has another tier above")));
            }
        }
        let paths = sorted(entry.paths);
        check_patterns("paths", paths.iter()).map_err(&fault)?;
        facts.paths.entry(object.clone()).or_default().extend(paths);
        let mut bind = |what, addresses, workspaces, tags| {
            let source = source.id.clone();
            let binding = Binding { object: object.clone(), addresses, workspaces, tags, source };
            check_patterns(what, binding.addresses.iter().chain(&binding.workspaces)).map_err(&fault)?;
            facts.bindings.push(binding);
            Ok::<(), InputError>(())
        };
        if let Some(terraform) = entry.terraform {
            let (addresses, workspaces) = (sorted(terraform.address), sorted(terraform.workspace));
            let tags = terraform.tag.unwrap_or_default();
            if addresses.is_empty() && workspaces.is_empty() && tags.is_empty() {
                return Err(fault("terraform: it has an address, a workspace or a tag".into()));
            }
            bind("terraform", addresses, workspaces, tags)?;
        }
        if let Some(kubernetes) = entry.kubernetes {
            let meant = kubernetes.meant();
            let (addresses, labels) = meant.map_err(|message| fault(format!("kubernetes: {message}")))?;
            bind("kubernetes", addresses, sorted(kubernetes.cluster), labels)?;
        }
    }
    Ok(Stated { source, complete_for: std::collections::BTreeSet::new(), facts })
}

impl Entry {
    fn object_id(&self) -> Result<ObjectId, String> {
        match (&self.component, &self.object) {
            (Some(text), None) => reference::entity(text, Some("component"), NAMESPACE_DEFAULT)
                .map_err(|error| format!("component: {error}")),
            (None, Some(text)) => reference::object(text).map_err(|error| format!("object: {error}")),
            _ => Err("it has either \"component\" or \"object\"".into()),
        }
    }
}

/// Texts in order, once each.
fn sorted(texts: Option<OneOrMany>) -> Vec<String> {
    let mut texts = texts.unwrap_or_default().0;
    texts.sort();
    texts.dedup();
    texts
}

fn check_patterns<'p>(what: &str, patterns: impl Iterator<Item = &'p String>) -> Result<(), String> {
    for pattern in patterns {
        if pattern.trim().is_empty()
            || pattern.len() > PATTERN_BYTES_MAX
            || pattern.chars().any(char::is_control)
        {
            return Err(format!("{what}: a pattern is a text of 1 to {PATTERN_BYTES_MAX} bytes"));
        }
    }
    Ok(())
}
