//! A Terraform or OpenTofu state as a model: which resources there are, with their tags, and what depends on what.
//! Nothing else of a state is kept, in memory or anywhere: attributes are checked as JSON and forgotten (U3).

mod parts;
mod reduced;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use ontology::ObjectId;
use ontology::model::{Detail, Ownership, Placement};
use ontology::policy::Catalog;
use ontology::release::LinkType;

use super::header::Header;
use super::stated::{Facts, Seen, Stated, StatedObject};
use super::{ModelFile, placement, slug};
use crate::huginn::terraform::{same_instances, without_indices};
use crate::input::InputError;
use parts::Resource;

pub use reduced::reduce;

/// Tags, in lower case, that name the environment; the first that is there counts.
const ENVIRONMENT_TAGS: [&str; 3] = ["environment", "env", "stage"];
/// Tags that name the owner.
const OWNER_TAGS: [&str; 2] = ["owner", "team"];
/// The tag that names the tier.
const TIER_TAG: &str = "tier";
/// Relations of one state at most, as many as a model has.
const LINKS_MAX: usize = ontology::model::LINKS_MAX;

/// Whether a file is a state, by its name.
pub(super) fn is_named(path: &str) -> bool {
    path.to_ascii_lowercase().ends_with(".tfstate")
}

/// Reads a state.
pub(super) fn read(file: &ModelFile, catalog: &Catalog) -> Result<Stated, InputError> {
    let resources = parts::read(&file.path, &file.bytes)?;
    let mut facts = Facts::default();
    let mut instances: BTreeMap<String, Vec<ObjectId>> = BTreeMap::new();
    for resource in &resources {
        instances
            .entry(without_indices(resource.address.as_str()))
            .or_default()
            .push(resource.address.clone());
    }
    for resource in resources {
        let detail = Detail::Resource(placed(&resource, &file.path, &mut facts));
        own(&resource, &mut facts);
        for named in &resource.dependencies {
            let found = instances.get(&without_indices(named)).into_iter().flatten();
            let here = &resource.address;
            let near = found.filter(|it| *it != here && same_instances(it.as_str(), here.as_str()));
            facts.links.extend(near.map(|it| (LinkType::DependsOn, here.clone(), it.clone())));
        }
        if facts.links.len() > LINKS_MAX {
            let message = format!("its dependencies join more than {LINKS_MAX} pairs");
            return Err(InputError::at(&file.path, "", message));
        }
        facts.objects.insert(resource.address.clone(), StatedObject::new(detail));
        facts.seen.push(Seen { address: resource.address, kind: resource.kind, tags: resource.tags });
    }
    Ok(Stated { source: Header::default().source(file, catalog)?, complete_for: BTreeSet::new(), facts })
}

/// The value of the first of these tags that is there, whatever the case of its key.
fn tag<'r>(resource: &'r Resource, names: &[&str]) -> Option<&'r str> {
    let with = |name: &&str| resource.tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
    names.iter().find_map(with).map(|(_, value)| value.as_str())
}

fn placed(resource: &Resource, path: &str, facts: &mut Facts) -> Placement {
    let mut usable = |key: &str, message: &str| {
        facts.warnings.push(format!("{path}: {}: tag {key}: {message}; it is left out", resource.address));
    };
    let environment = tag(resource, &ENVIRONMENT_TAGS)
        .and_then(|text| placement::word(text).map_err(|message| usable("environment", message)).ok());
    let tier = tag(resource, &[TIER_TAG])
        .and_then(|text| placement::tier(text).map_err(|message| usable("tier", message)).ok());
    Placement { kind: placement::word(&resource.kind).ok(), environment, tier, ..Placement::default() }
}

/// The owner that a tag names, as a group.
fn own(resource: &Resource, facts: &mut Facts) {
    let Some(owner) = tag(resource, &OWNER_TAGS).map(slug) else { return };
    let Ok(owner) = ObjectId::new(format!("group:default/{owner}")) else { return };
    let detail = Detail::Ownership(Ownership { kind: Some("group".into()) });
    facts.objects.entry(owner.clone()).or_insert_with(|| StatedObject::new(detail));
    facts.links.insert((LinkType::OwnedBy, resource.address.clone(), owner));
}
