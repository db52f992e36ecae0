//! Which format a file is in, by its name and by its first words.

use std::fmt;

use ontology::policy::Catalog;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::stated::Stated;
use super::{
    ModelFile, backstage, bindings, codeowners, kubernetes, objectives, terraform_state, tiers, topology,
};
use crate::input::{InputError, yaml};

/// What is accepted, for the errors.
const ACCEPTED: &str = "accepted are Backstage entities (catalog-info.yaml, or the array of the catalog API), \
    bindings (a list of component and terraform), Kubernetes manifests, a Terraform state (*.tfstate, or what terraform \
    show -json prints of it), CODEOWNERS, and files that begin with \"arb: model/1\", \"arb: objectives/1\" or \
    \"arb: tiers/1\"; README*.md and names that begin with a dot are skipped";

/// Reads a file in whatever format it is.
pub(super) fn read(file: &ModelFile, catalog: &Catalog) -> Result<Stated, InputError> {
    let name = file.path.rsplit('/').next().unwrap_or_default();
    if name == codeowners::FILE_NAME {
        return codeowners::read(file, catalog);
    }
    if terraform_state::is_named(name) {
        return terraform_state::read(file, catalog);
    }
    let lower = file.path.to_ascii_lowercase();
    if ![".yaml", ".yml", ".json"].iter().any(|ending| lower.ends_with(ending)) {
        return Err(InputError::at(&file.path, "", format!("it is no file of a model: {ACCEPTED}")));
    }
    // JSON is YAML 1.2, so one reader with one set of bounds serves both.
    let probes: Vec<Probe> = yaml::parse_all(&file.path, &file.bytes)?;
    let formats: Vec<Format> = probes.iter().map(Probe::format).collect();
    let Some(first) = formats.first() else {
        return Err(InputError::at(&file.path, "", format!("it is empty: {ACCEPTED}")));
    };
    if let Some(index) = formats.iter().position(|format| format != first) {
        let at = format!("document {}", index + 1);
        return Err(InputError::at(
            &file.path,
            at,
            "a file holds one format; move this document to a file of its own",
        ));
    }
    if formats.len() > 1 && !matches!(first, Format::Entities | Format::Manifests) {
        return Err(InputError::at(&file.path, "document 2", "one document is allowed in this format"));
    }
    match first {
        Format::Entities => backstage::documents(file, catalog),
        Format::EntityList => backstage::array(file, catalog),
        Format::Bindings => bindings::read(file, catalog),
        Format::Topology => topology::read(file, catalog),
        Format::Objectives => objectives::read(file, catalog),
        Format::Tiers => tiers::read(file, catalog),
        Format::Manifests => kubernetes::read(file, catalog),
        Format::State => terraform_state::read(file, catalog),
        Format::Unknown(why) => Err(InputError::at(&file.path, "", format!("{why}: {ACCEPTED}"))),
    }
}

/// A format of model files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Entities,
    EntityList,
    Bindings,
    Topology,
    Objectives,
    Tiers,
    Manifests,
    State,
    Unknown(&'static str),
}

/// The words by which a document is recognised; everything else in it is passed over.
#[derive(Debug, Default)]
struct Probe {
    arb: Option<String>,
    api_version: Option<String>,
    has_component: bool,
    is_state: bool,
    list: Option<Vec<Probe>>,
}

impl Probe {
    fn format(&self) -> Format {
        if let Some(members) = &self.list {
            return match members.first() {
                None => Format::EntityList,
                Some(first) if first.is_entity() => Format::EntityList,
                Some(first) if first.has_component => Format::Bindings,
                Some(_) => Format::Unknown("its list holds neither entities nor bindings"),
            };
        }
        match self.arb.as_deref() {
            Some("model/1") => Format::Topology,
            Some("objectives/1") => Format::Objectives,
            Some("tiers/1") => Format::Tiers,
            Some("catalog/1" | "prices/1") => Format::Unknown("it belongs in the catalog's directory"),
            Some("change/1") => Format::Unknown("it is a change, which is submitted"),
            Some(_) => Format::Unknown("its \"arb\" names no format that is known"),
            None if self.is_entity() => Format::Entities,
            None if self.api_version.is_some() => Format::Manifests,
            None if self.is_state => Format::State,
            None => Format::Unknown("its format is not known"),
        }
    }

    fn is_entity(&self) -> bool {
        self.api_version.as_deref().is_some_and(|version| version.contains("backstage.io/"))
    }
}

impl<'de> Deserialize<'de> for Probe {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Read)
    }
}

struct Read;

impl<'de> Visitor<'de> for Read {
    type Value = Probe;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mapping or a list of mappings")
    }

    fn visit_str<E>(self, _: &str) -> Result<Probe, E> {
        Ok(Probe::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Probe, E> {
        Ok(Probe::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Probe, E> {
        Ok(Probe::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Probe, E> {
        Ok(Probe::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Probe, A::Error> {
        let mut probe = Probe::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "arb" => probe.arb = Some(map.next_value()?),
                "apiVersion" => probe.api_version = Some(map.next_value()?),
                "lineage" | "format_version" | "encrypted_data" => {
                    map.next_value::<IgnoredAny>()?;
                    probe.is_state = true;
                }
                "component" | "object" => {
                    map.next_value::<IgnoredAny>()?;
                    probe.has_component = true;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(probe)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Probe, A::Error> {
        // Only the first member decides; the rest is read later, by its own format.
        let first = list.next_element::<Probe>()?;
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Probe { list: Some(first.into_iter().collect()), ..Probe::default() })
    }
}
