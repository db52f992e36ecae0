//! `arb: model/1`: things and relations in the ontology's own words, for whatever no other format says, and for a
//! second, independent source.

use std::collections::{BTreeMap, BTreeSet};

use ontology::model::{Detail, Ownership, Placement};
use ontology::policy::Catalog;
use ontology::release::{Cardinality, LinkType};
use ontology::{Name, ObjectId};
use serde::Deserialize;

use super::header::Header;
use super::stated::{Facts, Stated, StatedObject};
use super::{ModelFile, placement, reference};
use crate::input::yaml::quantity::Moment;
use crate::input::{InputError, yaml};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "arb")]
    _arb: String,
    #[serde(default)]
    authority: Option<Name>,
    #[serde(default)]
    review_by: Option<Moment>,
    #[serde(default)]
    synthetic: bool,
    #[serde(default)]
    incomplete: bool,
    #[serde(default)]
    complete_for: BTreeSet<LinkType>,
    #[serde(default)]
    objects: Option<Vec<Entry>>,
    #[serde(default)]
    links: Option<Vec<Link>>,
}

/// The types that this format describes; objectives, plans, windows and processes have a format of their own.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Type {
    BusinessService,
    Workload,
    Resource,
    Ownership,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    #[serde(rename = "type")]
    object_type: Type,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    environment: Option<String>,
    #[serde(default)]
    tier: Option<u8>,
    #[serde(default)]
    zones: Option<Vec<String>>,
    #[serde(default)]
    replicas: Option<u32>,
    #[serde(default)]
    effective_from: Option<Moment>,
    #[serde(default)]
    effective_to: Option<Moment>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Link {
    #[serde(rename = "type")]
    kind: LinkType,
    from: String,
    to: String,
}

/// Reads a topology.
pub(super) fn read(file: &ModelFile, catalog: &Catalog) -> Result<Stated, InputError> {
    let read: File = yaml::parse(&file.path, &file.bytes)?;
    let header = Header {
        authority: read.authority,
        review_by: read.review_by.map(|moment| moment.0),
        synthetic: read.synthetic,
        incomplete: read.incomplete,
    };
    let mut facts = Facts::default();
    for (index, entry) in read.objects.unwrap_or_default().into_iter().enumerate() {
        let fault = |message: String| InputError::at(&file.path, format!("$.objects[{index}]"), message);
        let id = reference::object(&entry.id).map_err(|error| fault(format!("id: {error}")))?;
        let object = describe(entry).map_err(fault)?;
        if facts.objects.insert(id.clone(), object).is_some() {
            return Err(fault(format!("{id} is described twice")));
        }
    }
    let mut ends = Ends::default();
    for (index, link) in read.links.unwrap_or_default().into_iter().enumerate() {
        let fault = |message: String| InputError::at(&file.path, format!("$.links[{index}]"), message);
        let end = |which: &str, text: &str| {
            reference::object(text).map_err(|error| fault(format!("{which}: {error}")))
        };
        let (from, to) = (end("from", &link.from)?, end("to", &link.to)?);
        ends.admit(link.kind, &from, &to).map_err(fault)?;
        if !facts.links.insert((link.kind, from, to)) {
            return Err(fault("the same relation stands above".into()));
        }
    }
    Ok(Stated { source: header.source(file, catalog)?, complete_for: read.complete_for, facts })
}

fn describe(entry: Entry) -> Result<StatedObject, String> {
    let word = |key: &str, text: Option<String>| {
        text.map(|text| placement::word(&text)).transpose().map_err(|message| format!("{key}: {message}"))
    };
    let kind = word("kind", entry.kind)?;
    if let Some(tier) = entry.tier {
        placement::check_tier(tier).map_err(|message| format!("tier: {message}"))?;
    }
    let zones = entry.zones.unwrap_or_default();
    let placed = Placement {
        kind: kind.clone(),
        environment: word("environment", entry.environment)?,
        tier: entry.tier,
        zones: placement::zones(zones.iter().map(String::as_str))
            .map_err(|message| format!("zones: {message}"))?,
        replicas: entry.replicas,
    };
    let detail = match entry.object_type {
        Type::BusinessService => Detail::BusinessService(placed),
        Type::Workload => Detail::Workload(placed),
        Type::Resource => Detail::Resource(placed),
        Type::Ownership if placed == (Placement { kind: kind.clone(), ..Placement::default() }) => {
            Detail::Ownership(Ownership { kind })
        }
        Type::Ownership => return Err("an ownership has no environment, tier, zones or replicas".into()),
    };
    if entry.effective_from.zip(entry.effective_to).is_some_and(|(from, to)| from >= to) {
        return Err("\"effective_from\" is before \"effective_to\"".into());
    }
    Ok(StatedObject {
        title: entry.title.map(|title| placement::title(&title)),
        detail,
        effective_from: entry.effective_from.map(|moment| moment.0),
        effective_to: entry.effective_to.map(|moment| moment.0),
    })
}

/// Ends of which a file may name one only.
#[derive(Debug, Default)]
struct Ends(BTreeMap<(LinkType, ObjectId), ObjectId>);

impl Ends {
    /// Takes in a link, unless the file contradicts itself.
    fn admit(&mut self, kind: LinkType, from: &ObjectId, to: &ObjectId) -> Result<(), String> {
        let (one, other) = match kind.declaration().cardinality {
            Cardinality::ManyToOne => (from, to),
            Cardinality::OneToMany => (to, from),
            Cardinality::ManyToMany => return Ok(()),
        };
        match self.0.insert((kind, one.clone()), other.clone()) {
            Some(before) if before != *other => {
                Err(format!("{one} has one relation {} at most, and another stands above", kind.as_str()))
            }
            _ => Ok(()),
        }
    }
}
