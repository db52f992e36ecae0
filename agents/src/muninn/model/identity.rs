//! Joins what tools say is there with what people call it (U7): by its bindings, a thing that was seen is an object
//! that others describe, or a part of one.

use std::collections::{BTreeMap, BTreeSet};

use ontology::ObjectId;
use ontology::graph::Graph;
use ontology::model::{Binding, Detail, Model, Object};
use ontology::records::document::{Action, Target};
use ontology::records::snapshot::Found;
use ontology::release::{LinkType, ObjectType};

use super::merge::placement_mut;
use super::stated::{Seen, Stated};

/// What a thing that was seen is.
enum Meaning {
    /// It is this object.
    Is(ObjectId),
    /// It is a thing of its own; the object has it in this sense.
    Part(LinkType, ObjectId),
}

/// Settles what everything that was seen is.
pub(super) fn settle(files: &mut [Stated]) {
    if files.iter().all(|file| file.facts.seen.is_empty()) {
        return;
    }
    lead_to_pods(files);
    let Some(graph) = described(files) else { return };
    let found: Vec<Vec<Found>> =
        files.iter().map(|file| file.facts.seen.iter().map(|seen| resolve(&graph, seen)).collect()).collect();
    let mut workloads: BTreeMap<ObjectId, usize> = BTreeMap::new();
    for (file, found) in files.iter().zip(&found) {
        for (seen, found) in file.facts.seen.iter().zip(found) {
            if let (Found::PartOf(id), true) = (found, is_workload(file, &seen.address)) {
                *workloads.entry(id.clone()).or_default() += 1;
            }
        }
    }
    for (file, found) in files.iter_mut().zip(found) {
        let seen = std::mem::take(&mut file.facts.seen);
        for (seen, found) in seen.iter().zip(found) {
            let alone = |id: &ObjectId| workloads.get(id) == Some(&1);
            match meaning(file, &graph, seen, found, alone) {
                Some(Meaning::Is(id)) => rename(file, seen, &id),
                Some(Meaning::Part(kind, whole)) => {
                    file.facts.links.insert((kind, whole, seen.address.clone()));
                }
                None => {}
            }
        }
        file.facts.seen = seen;
    }
}

/// A graph of the bound objects and their bindings, whatever cluster or workspace they are for: a file of a model
/// does not say its own.
fn described(files: &[Stated]) -> Option<Graph> {
    let mut objects: BTreeMap<ObjectId, Object> = BTreeMap::new();
    let bound: BTreeSet<&ObjectId> =
        files.iter().flat_map(|file| &file.facts.bindings).map(|binding| &binding.object).collect();
    for file in files.iter().filter(|file| file.facts.seen.is_empty()) {
        for (id, stated) in file.facts.objects.iter().filter(|(id, _)| bound.contains(id)) {
            objects.entry(id.clone()).or_insert_with(|| Object {
                id: id.clone(),
                title: None,
                detail: stated.detail.clone(),
                sources: vec![file.source.id.clone()],
                effective_from: None,
                effective_to: None,
            });
        }
    }
    let bindings = files.iter().flat_map(|file| &file.facts.bindings);
    let bindings = bindings.filter(|binding| objects.contains_key(&binding.object));
    let bindings = bindings.map(|binding| Binding { workspaces: Vec::new(), ..binding.clone() }).collect();
    let mut sources: Vec<_> = files.iter().map(|file| file.source.clone()).collect();
    sources.sort_by(|one, other| one.id.cmp(&other.id));
    Graph::index(Model { sources, objects: objects.into_values().collect(), links: Vec::new(), bindings })
        .ok()
}

fn resolve(graph: &Graph, seen: &Seen) -> Found {
    let target = Target {
        address: seen.address.clone(),
        kind: seen.kind.clone(),
        provider: None,
        action: Action::NoOp,
        action_reason: None,
        moved_from: None,
        data: false,
        imported: false,
        before: None,
        after: None,
        unknown: BTreeSet::new(),
        replace_paths: BTreeSet::new(),
        needs: BTreeSet::new(),
        tags: seen.tags.clone(),
        object: None,
    };
    graph.bindings().resolve(graph, &target, None)
}

fn is_workload(file: &Stated, id: &ObjectId) -> bool {
    file.facts.objects.get(id).is_some_and(|object| matches!(object.detail, Detail::Workload(_)))
}

/// A workload that is the only part of a component is the component. Of several, each is one of its own.
fn meaning(
    file: &mut Stated,
    graph: &Graph,
    seen: &Seen,
    found: Found,
    alone: impl Fn(&ObjectId) -> bool,
) -> Option<Meaning> {
    let whole = match found {
        Found::Is(id) if id == seen.address => return None,
        Found::Is(id) => return Some(Meaning::Is(id)),
        Found::PartOf(id) => id,
        Found::Unbound => return None,
        Found::Conflict(_) => {
            let (source, address) = (&file.source.id, &seen.address);
            file.facts.warnings.push(format!("{source}: {address}: bindings say that it is several things"));
            return None;
        }
    };
    let kind = graph.node(&whole).and_then(|node| graph.object(node))?.detail.object_type();
    match (kind, is_workload(file, &seen.address)) {
        (ObjectType::Workload, true) if alone(&whole) => Some(Meaning::Is(whole)),
        (ObjectType::Workload, true) => Some(Meaning::Part(LinkType::WorkloadDependsOn, whole)),
        (ObjectType::Workload, false) => Some(Meaning::Part(LinkType::WorkloadRunsOn, whole)),
        (ObjectType::Resource, false) => Some(Meaning::Part(LinkType::Contains, whole)),
        (ObjectType::BusinessService, true) => Some(Meaning::Part(LinkType::ImplementedBy, whole)),
        _ => None,
    }
}

/// Gives a thing that was seen its name in the model. Its type there is a word of the tool and no contradiction.
fn rename(file: &mut Stated, seen: &Seen, id: &ObjectId) {
    let address = &seen.address;
    if let Some(mut object) = file.facts.objects.remove(address) {
        if let Some(placement) = placement_mut(&mut object.detail) {
            placement.kind = None;
        }
        if file.facts.objects.contains_key(id) {
            let source = &file.source.id;
            file.facts.warnings.push(format!(
                "{source}: {address}: another object of this file is {id}, too; it is left out"
            ));
        } else {
            file.facts.objects.insert(id.clone(), object);
        }
    }
    let renamed = |end: ObjectId| if end == *address { id.clone() } else { end };
    let links = std::mem::take(&mut file.facts.links);
    file.facts.links = links.into_iter().map(|(kind, from, to)| (kind, renamed(from), renamed(to))).collect();
    file.facts.bindings.push(Binding {
        object: id.clone(),
        addresses: vec![address.to_string()],
        workspaces: Vec::new(),
        tags: BTreeMap::new(),
        source: file.source.id.clone(),
    });
}

/// A workload runs on the Services that lead to its pods, in whatever files both are.
fn lead_to_pods(files: &mut [Stated]) {
    let namespace = |id: &ObjectId| id.as_str().split('/').next().unwrap_or_default().to_owned();
    let mut pods: BTreeMap<String, Vec<Seen>> = BTreeMap::new();
    for file in files.iter() {
        for seen in file.facts.seen.iter().filter(|seen| is_workload(file, &seen.address)) {
            pods.entry(namespace(&seen.address)).or_default().push(seen.clone());
        }
    }
    for file in files.iter_mut() {
        for (service, selector) in std::mem::take(&mut file.facts.selecting) {
            let beside = pods.get(&namespace(&service)).into_iter().flatten();
            let selected =
                beside.filter(|seen| selector.iter().all(|(key, value)| seen.tags.get(key) == Some(value)));
            let links =
                selected.map(|seen| (LinkType::WorkloadRunsOn, seen.address.clone(), service.clone()));
            file.facts.links.extend(links);
        }
    }
}
