//! Backstage entities: `catalog-info.yaml`, or the array of the catalog API. Of an entity only what rules use is
//! read at all; labels, annotations and specs of other names never leave the reader (U3).

mod entity;
mod reduced;

use std::collections::BTreeSet;

use ontology::ObjectId;
use ontology::model::{Detail, Ownership, Placement};
use ontology::policy::Catalog;
use ontology::release::LinkType;

use super::header::Header;
use super::reference::{self, NAMESPACE_DEFAULT};
use super::stated::{Facts, Stated, StatedObject};
use super::{ModelFile, placement};
use crate::input::{InputError, yaml};
use entity::{Entity, Marks};

pub use reduced::reduce;

/// What the version of every API of Backstage holds.
const VERSION: &str = "backstage.io/";

/// Reads a file of documents, an entity each.
pub(super) fn documents(file: &ModelFile, catalog: &Catalog) -> Result<Stated, InputError> {
    let entities = yaml::parse_all(&file.path, &file.bytes)?;
    state(file, catalog, entities, |index| format!("document {}", index + 1))
}

/// Reads the array that `GET /api/catalog/entities` answers with.
pub(super) fn array(file: &ModelFile, catalog: &Catalog) -> Result<Stated, InputError> {
    let entities = yaml::parse(&file.path, &file.bytes)?;
    state(file, catalog, entities, |index| format!("$[{index}]"))
}

fn state(
    file: &ModelFile,
    catalog: &Catalog,
    entities: Vec<Entity>,
    place: impl Fn(usize) -> String,
) -> Result<Stated, InputError> {
    let mut facts = Facts::default();
    for (index, entity) in entities.iter().enumerate() {
        let fault = |message: String| InputError::at(&file.path, place(index), message);
        if !entity.api_version.contains(VERSION) {
            return Err(fault("apiVersion: it is not Backstage's".into()));
        }
        let mut reader = Reader::new(entity, &file.path, &mut facts).map_err(&fault)?;
        reader.read().map_err(&fault)?;
    }
    Ok(Stated { source: Header::default().source(file, catalog)?, complete_for: BTreeSet::new(), facts })
}

/// What an entity is in the ontology.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Component,
    System,
    Resource,
    Owner,
    Ignored(&'static str),
}

impl Kind {
    fn of(text: &str) -> Self {
        match text.to_lowercase().as_str() {
            "component" => Self::Component,
            "system" => Self::System,
            "resource" => Self::Resource,
            "group" | "user" => Self::Owner,
            "api" => Self::Ignored("API"),
            "domain" => Self::Ignored("Domain"),
            "location" => Self::Ignored("Location"),
            "template" => Self::Ignored("Template"),
            _ => Self::Ignored("other"),
        }
    }
}

/// Reads one entity into the facts of its file.
struct Reader<'a> {
    entity: &'a Entity,
    kind: Kind,
    id: ObjectId,
    namespace: String,
    owner: Option<ObjectId>,
    path: &'a str,
    facts: &'a mut Facts,
}

impl<'a> Reader<'a> {
    fn new(entity: &'a Entity, path: &'a str, facts: &'a mut Facts) -> Result<Self, String> {
        let namespace = entity.metadata.namespace.as_deref().unwrap_or(NAMESPACE_DEFAULT).to_owned();
        let name = &entity.metadata.name;
        if name.contains([':', '/']) {
            return Err("metadata.name: it holds no \":\" and no \"/\"".into());
        }
        let id = reference::entity(name, Some(&entity.kind), &namespace)
            .map_err(|error| format!("metadata.name: {error}"))?;
        Ok(Self { entity, kind: Kind::of(&entity.kind), id, namespace, owner: None, path, facts })
    }

    fn read(&mut self) -> Result<(), String> {
        if let Kind::Ignored(kind) = self.kind {
            *self.facts.ignored.entry(kind).or_default() += 1;
            return Ok(());
        }
        let detail = match self.kind {
            Kind::Component => Detail::Workload(self.placement()),
            Kind::System => Detail::BusinessService(self.placement()),
            Kind::Resource => Detail::Resource(self.placement()),
            Kind::Owner | Kind::Ignored(_) => {
                Detail::Ownership(Ownership { kind: Some(self.entity.kind.to_lowercase()) })
            }
        };
        let title =
            self.entity.metadata.title.as_deref().map(placement::title).filter(|title| !title.is_empty());
        let object = StatedObject { title, ..StatedObject::new(detail) };
        if self.facts.objects.insert(self.id.clone(), object).is_some() {
            return Err(format!("{} is described twice", self.id));
        }
        if self.kind != Kind::Owner {
            self.relate_by_spec();
            self.relate_by_relations();
        }
        Ok(())
    }

    fn placement(&mut self) -> Placement {
        let metadata = &self.entity.metadata;
        let none = Marks::default();
        let marks =
            [metadata.annotations.as_ref(), metadata.labels.as_ref()].map(|marks| marks.unwrap_or(&none));
        let find = |pick: fn(&Marks) -> Option<&String>| marks.into_iter().find_map(pick).map(String::as_str);
        let tagged = metadata.tags.iter().flatten().find_map(|tag| tag.strip_prefix("tier-"));
        let zones = find(|marks| marks.zones.as_ref());
        let (tier, replicas) =
            (find(|marks| marks.tier.as_ref()).or(tagged), find(|marks| marks.replicas.as_ref()));
        let environment = find(|marks| marks.environment.as_ref());
        let kind = self.entity.spec.as_ref().and_then(|spec| spec.kind.as_deref());
        Placement {
            kind: self.usable("spec.type", kind.map(placement::word)),
            environment: self.usable("environment", environment.map(placement::word)),
            tier: self.usable("tier", tier.map(placement::tier)),
            zones: self
                .usable("zones", zones.map(|zones| placement::zones(zones.split(','))))
                .unwrap_or_default(),
            replicas: self.usable("replicas", replicas.map(placement::replicas)),
        }
    }

    /// A value, or a warning that says why it was left out and does not repeat it.
    fn usable<T>(&mut self, key: &str, value: Option<Result<T, &'static str>>) -> Option<T> {
        match value? {
            Ok(value) => Some(value),
            Err(message) => {
                self.warn(&format!("{key}: {message}; it is left out"));
                None
            }
        }
    }

    fn warn(&mut self, message: &str) {
        self.facts.warnings.push(format!("{}: {}: {message}", self.path, self.id));
    }

    /// The entity that a reference in this one means.
    fn refer(&mut self, key: &str, text: &str, kind: Option<&str>) -> Option<ObjectId> {
        let referred = reference::entity(text, kind, &self.namespace);
        referred.map_err(|error| self.warn(&format!("{key}: {error}; the relation is left out"))).ok()
    }

    fn relate_by_spec(&mut self) {
        let entity = self.entity;
        let Some(spec) = &entity.spec else { return };
        if let Some(owner) = &spec.owner {
            self.own("spec.owner", owner);
        }
        let system = spec.system.as_deref().filter(|_| self.kind == Kind::Component);
        if let Some(system) = system.and_then(|text| self.refer("spec.system", text, Some("system"))) {
            self.facts.links.insert((LinkType::ImplementedBy, system, self.id.clone()));
        }
        for text in spec.depends_on.iter().flatten() {
            self.depend("spec.dependsOn", text, false);
        }
        for text in spec.dependency_of.iter().flatten() {
            self.depend("spec.dependencyOf", text, true);
        }
        for text in spec.provides_apis.iter().flatten() {
            self.api("spec.providesApis", text, true);
        }
        for text in spec.consumes_apis.iter().flatten() {
            self.api("spec.consumesApis", text, false);
        }
    }

    /// The catalog API lists in `relations` what the spec says, from both sides.
    fn relate_by_relations(&mut self) {
        let entity = self.entity;
        for relation in entity.relations.iter().flatten() {
            let Some(text) = relation.target_ref() else { continue };
            match relation.kind.as_str() {
                "ownedBy" => self.own("relations.ownedBy", &text),
                "dependsOn" => self.depend("relations.dependsOn", &text, false),
                "dependencyOf" => self.depend("relations.dependencyOf", &text, true),
                "providesApi" => self.api("relations.providesApi", &text, true),
                "consumesApi" => self.api("relations.consumesApi", &text, false),
                "partOf" => self.part("relations.partOf", &text, false),
                "hasPart" => self.part("relations.hasPart", &text, true),
                _ => {}
            }
        }
    }

    fn own(&mut self, key: &str, text: &str) {
        let Some(owner) = self.refer(key, text, Some("group")) else { return };
        match &self.owner {
            Some(other) if *other != owner => {
                self.warn(&format!("{key}: it names a second owner; the first counts"));
            }
            Some(_) => {}
            None => {
                self.facts.links.insert((LinkType::OwnedBy, self.id.clone(), owner.clone()));
                self.owner = Some(owner);
            }
        }
    }

    fn depend(&mut self, key: &str, text: &str, reversed: bool) {
        let Some(other) = self.refer(key, text, None) else { return };
        let this = (self.kind, self.id.clone());
        let other_kind = Kind::of(other.as_str().split(':').next().unwrap_or_default());
        let (from, to) = if reversed { ((other_kind, other), this) } else { (this, (other_kind, other)) };
        let link = match (from.0, to.0) {
            (Kind::Component, Kind::Component) => LinkType::WorkloadDependsOn,
            (Kind::Component, Kind::Resource) => LinkType::WorkloadRunsOn,
            (Kind::Resource, Kind::Resource) => LinkType::DependsOn,
            _ => {
                return self.warn(&format!(
                    "{key}: a component depends on components and resources, a resource on resources; \
                     the relation is left out"
                ));
            }
        };
        self.facts.links.insert((link, from.1, to.1));
    }

    fn api(&mut self, key: &str, text: &str, provides: bool) {
        if self.kind != Kind::Component {
            return;
        }
        let Some(api) = self.refer(key, text, Some("api")) else { return };
        let apis = if provides { &mut self.facts.provides } else { &mut self.facts.consumes };
        apis.insert((self.id.clone(), api));
    }

    fn part(&mut self, key: &str, text: &str, reversed: bool) {
        let Some(other) = self.refer(key, text, None) else { return };
        let other_kind = Kind::of(other.as_str().split(':').next().unwrap_or_default());
        let (whole, part) = if reversed { (self.kind, other_kind) } else { (other_kind, self.kind) };
        if (whole, part) == (Kind::System, Kind::Component) {
            let (system, component) =
                if reversed { (self.id.clone(), other) } else { (other, self.id.clone()) };
            self.facts.links.insert((LinkType::ImplementedBy, system, component));
        }
    }
}
