//! Merges relations: who states them, who denies them, and which of several excluding ones counts.

use std::collections::{BTreeMap, BTreeSet};

use ontology::model::Link;
use ontology::release::{Cardinality, LinkType};
use ontology::{Name, ObjectId};

use super::Merge;
use crate::input::InputError;
use crate::muninn::model::stated::{Relation, Stated};

/// Who says what of a relation.
#[derive(Debug, Clone, Default)]
pub(super) struct Voices {
    /// Sources that state it.
    pub(super) stated: BTreeSet<Name>,
    /// Sources that deny it.
    pub(super) denied: BTreeSet<Name>,
}

/// All relations of a model.
pub(super) type Relations = BTreeMap<Relation, Voices>;

/// The relations between things that exist.
pub(super) fn merge(files: &[Stated], merge: &mut Merge) -> Result<Relations, InputError> {
    let mut relations = Relations::new();
    for file in files {
        for relation in &file.facts.links {
            admit(relation, file, merge, &mut relations)?;
        }
    }
    connect_by_apis(files, merge, &mut relations);
    keep_cardinalities(merge, &mut relations);
    check_containment(&relations)?;
    deny_what_full_lists_lack(files, &mut relations);
    deny_contradicted(merge, &mut relations);
    Ok(relations)
}

/// The links of a model, sorted by type and both ends.
pub(super) fn into_links(relations: Relations) -> Vec<Link> {
    let link = |((kind, from, to), voices): (Relation, Voices)| Link {
        kind,
        from,
        to,
        sources: voices.stated.into_iter().collect(),
        denied_by: voices.denied.into_iter().collect(),
    };
    relations.into_iter().map(link).collect()
}

fn shown((kind, from, to): &Relation) -> String {
    format!("{from} {} {to}", kind.as_str())
}

/// Takes in one relation that a file states. One that leads nowhere is left out with a warning: its file may be
/// right and the other end's file missing.
fn admit(
    relation: &Relation,
    file: &Stated,
    merge: &mut Merge,
    all: &mut Relations,
) -> Result<(), InputError> {
    let (kind, from, to) = relation;
    let source = &file.source.id;
    if from == to {
        merge.warn(format!("{source}: {}: it leads to itself; the relation is left out", shown(relation)));
        return Ok(());
    }
    let declaration = kind.declaration();
    for (end, allowed) in [(from, declaration.from), (to, declaration.to)] {
        match merge.objects.get(end) {
            None => {
                merge.warn(format!(
                    "{source}: {}: no file describes {end}; the relation is left out",
                    shown(relation)
                ));
                return Ok(());
            }
            Some(object) if !allowed.contains(&object.detail.object_type()) => {
                return Err(InputError::at(
                    source.as_str(),
                    "",
                    format!("{}: {end} is of a type that this relation does not join", shown(relation)),
                ));
            }
            Some(_) => {}
        }
    }
    all.entry(relation.clone()).or_default().stated.insert(source.clone());
    Ok(())
}

/// A component that consumes an API depends on those that provide it.
fn connect_by_apis(files: &[Stated], merge: &mut Merge, all: &mut Relations) {
    let mut providers: BTreeMap<&ObjectId, BTreeSet<&ObjectId>> = BTreeMap::new();
    for (component, api) in files.iter().flat_map(|file| &file.facts.provides) {
        providers.entry(api).or_default().insert(component);
    }
    for file in files {
        for (component, api) in &file.facts.consumes {
            let Some(providers) = providers.get(api) else {
                let source = &file.source.id;
                merge.warn(format!("{source}: {component} consumes {api}, which no component provides"));
                continue;
            };
            for provider in providers.iter().filter(|provider| **provider != component) {
                let relation = (LinkType::WorkloadDependsOn, component.clone(), (*provider).clone());
                all.entry(relation).or_default().stated.insert(file.source.id.clone());
            }
        }
    }
}

/// Of relations that exclude each other (two owners of one thing), the one of the first source counts, and the
/// sources of the others deny it.
fn keep_cardinalities(merge: &mut Merge, all: &mut Relations) {
    let mut rivals: BTreeMap<(LinkType, ObjectId), Vec<Relation>> = BTreeMap::new();
    for relation in all.keys() {
        let one = match relation.0.declaration().cardinality {
            Cardinality::ManyToOne => &relation.1,
            Cardinality::OneToMany => &relation.2,
            Cardinality::ManyToMany => continue,
        };
        rivals.entry((relation.0, one.clone())).or_default().push(relation.clone());
    }
    for ((kind, one), rivals) in rivals.into_iter().filter(|(_, rivals)| rivals.len() > 1) {
        let first_source = |relation: &Relation| all[relation].stated.first().cloned();
        let Some(kept) = rivals.iter().min_by_key(|relation| first_source(relation)).cloned() else {
            continue;
        };
        let mut deniers = BTreeSet::new();
        for other in rivals.iter().filter(|other| **other != kept) {
            if let Some(voices) = all.remove(other) {
                deniers.extend(voices.stated);
            }
        }
        let names: Vec<&str> = deniers.iter().map(Name::as_str).collect();
        merge.warn(format!(
            "{one}: sources differ about {}; {} counts, and {} denies it",
            kind.as_str(),
            shown(&kept),
            names.join(", ")
        ));
        all.entry(kept).or_default().denied.extend(deniers);
    }
}

/// Nothing contains itself, by however many steps.
fn check_containment(all: &Relations) -> Result<(), InputError> {
    let parents: BTreeMap<&ObjectId, (&ObjectId, &Voices)> = all
        .iter()
        .filter(|((kind, ..), _)| *kind == LinkType::Contains)
        .map(|((_, from, to), voices)| (to, (from, voices)))
        .collect();
    let mut free: BTreeSet<&ObjectId> = BTreeSet::new();
    for start in parents.keys() {
        let mut path = vec![*start];
        while let Some((parent, voices)) = path.last().and_then(|last| parents.get(*last)) {
            if let Some(at) = path.iter().position(|id| id == parent) {
                let file = voices.stated.first().map_or("", Name::as_str);
                let circle: Vec<&str> = path[at..].iter().chain([parent]).map(|id| id.as_str()).collect();
                return Err(InputError::at(
                    file,
                    "",
                    format!("contains goes in a circle: {}", circle.join(" in ")),
                ));
            }
            if free.contains(parent) {
                break;
            }
            path.push(parent);
        }
        free.extend(path);
    }
    Ok(())
}

/// A file that lists all relations of a type between the things it mentions denies those that it leaves out.
fn deny_what_full_lists_lack(files: &[Stated], all: &mut Relations) {
    for file in files.iter().filter(|file| !file.complete_for.is_empty()) {
        let ends = file.facts.links.iter().flat_map(|(_, from, to)| [from, to]);
        let mentioned: BTreeSet<&ObjectId> = file.facts.objects.keys().chain(ends).collect();
        for ((kind, from, to), voices) in all.iter_mut() {
            let is_judged =
                file.complete_for.contains(kind) && mentioned.contains(from) && mentioned.contains(to);
            if is_judged && !voices.stated.contains(&file.source.id) {
                voices.denied.insert(file.source.id.clone());
            }
        }
    }
}

/// A source that describes an objective otherwise than the first one does not confirm that a thing has it: it
/// denies it.
fn deny_contradicted(merge: &Merge, all: &mut Relations) {
    let is_objective = |kind: LinkType| {
        matches!(
            kind,
            LinkType::HasServiceObjective
                | LinkType::HasRecoveryObjective
                | LinkType::HasCostObjective
                | LinkType::RecoveredBy
        )
    };
    for ((_, _, to), voices) in all.iter_mut().filter(|((kind, ..), _)| is_objective(*kind)) {
        let (denied, stated): (BTreeSet<Name>, BTreeSet<Name>) = std::mem::take(&mut voices.stated)
            .into_iter()
            .partition(|source| merge.contradicted.contains(&(to.clone(), source.clone())));
        voices.stated = stated;
        voices.denied.extend(denied);
    }
    all.retain(|_, voices| !voices.stated.is_empty());
}
