//! Groups of a change that is given as manifests: a component for each workload with the objects of its name, and one
//! for what is left in a namespace.

use std::collections::{BTreeMap, BTreeSet};

use ontology::policy::pods_of;
use ontology::records::ChangeDocument;
use ontology::records::document::Target;

use super::{Group, Owner, quoted, slug, unused};
use crate::mimir;

/// What holds objects that live in no namespace.
const CLUSTER: &str = "cluster";

/// Namespace, kind and name of a target; no namespace where it has none.
fn parts(target: &Target) -> (Option<&str>, &str, &str) {
    let parts: Vec<&str> = target.address.as_str().splitn(3, '/').collect();
    match parts.as_slice() {
        [namespace, kind, name] => (Some(namespace), kind, name),
        [kind, name] => (None, kind, name),
        _ => (None, target.kind.as_str(), target.address.as_str()),
    }
}

fn holds_data(target: &Target) -> bool {
    pods_of(&target.kind).is_none() && mimir::starter().is_stateful(&target.kind)
}

pub(super) fn groups(document: &ChangeDocument, codeowners: &str) -> Vec<Group> {
    let (mut names, mut resources) = (BTreeSet::new(), BTreeSet::new());
    let mut named: BTreeMap<(Option<&str>, &str), Vec<&Target>> = BTreeMap::new();
    let mut data: BTreeSet<&str> = BTreeSet::new();
    for target in &document.targets {
        let (namespace, _, name) = parts(target);
        if holds_data(target) {
            data.insert(target.address.as_str());
        } else {
            named.entry((namespace, name)).or_default().push(target);
        }
    }
    let runs = |targets: &[&Target]| targets.iter().any(|target| pods_of(&target.kind).is_some());
    let (workloads, left): (Vec<_>, Vec<_>) = named.into_iter().partition(|(_, targets)| runs(targets));
    let mut groups = Vec::new();
    for ((namespace, name), targets) in workloads {
        let component = unused(slug(name), &mut names);
        let mounted: Vec<&str> = targets
            .iter()
            .flat_map(|target| &target.needs)
            .map(|id| id.as_str())
            .filter(|address| data.remove(address))
            .collect();
        let kinds: BTreeSet<&str> = targets.iter().map(|target| target.kind.as_str()).collect();
        let stateful = stateful(document, &mounted, &mut resources);
        groups.push(group(component, codeowners, vec![selector(namespace, &kinds, Some(name))], stateful));
    }
    let mut rest: BTreeMap<Option<&str>, Vec<(&str, &str)>> = BTreeMap::new();
    for ((namespace, name), targets) in left {
        rest.entry(namespace).or_default().extend(targets.iter().map(|target| (target.kind.as_str(), name)));
    }
    for target in document.targets.iter().filter(|target| data.contains(target.address.as_str())) {
        rest.entry(parts(target).0).or_default();
    }
    for (namespace, objects) in rest {
        let component = unused(slug(namespace.unwrap_or(CLUSTER)), &mut names);
        let selectors = match namespace {
            Some(_) => vec![selector(namespace, &BTreeSet::new(), None)],
            None => objects
                .iter()
                .map(|(kind, name)| selector(None, &BTreeSet::from([*kind]), Some(name)))
                .collect(),
        };
        let here: Vec<&str> =
            data.iter().copied().filter(|address| in_namespace(document, address) == namespace).collect();
        let stateful = stateful(document, &here, &mut resources);
        groups.push(group(component, codeowners, selectors, stateful));
    }
    groups
}

fn in_namespace<'d>(document: &'d ChangeDocument, address: &str) -> Option<&'d str> {
    document
        .targets
        .iter()
        .find(|target| target.address.as_str() == address)
        .and_then(|target| parts(target).0)
}

fn group(
    name: String,
    codeowners: &str,
    selectors: Vec<String>,
    stateful: Vec<(String, String, String)>,
) -> Group {
    let owner = Owner::of(&name, codeowners);
    Group { name, owner, workspace: None, addresses: Vec::new(), selectors, stateful }
}

/// Name, type and binding of the objects at these addresses.
fn stateful(
    document: &ChangeDocument,
    addresses: &[&str],
    taken: &mut BTreeSet<String>,
) -> Vec<(String, String, String)> {
    let found = document.targets.iter().filter(|target| addresses.contains(&target.address.as_str()));
    found
        .map(|target| {
            let (namespace, kind, name) = parts(target);
            let binding = selector(namespace, &BTreeSet::from([kind]), Some(name));
            (unused(slug(name), taken), target.kind.clone(), format!("kubernetes: {binding}"))
        })
        .collect()
}

/// A selector of `bindings.yaml`.
fn selector(namespace: Option<&str>, kinds: &BTreeSet<&str>, name: Option<&str>) -> String {
    let kinds: Vec<&str> = kinds.iter().copied().collect();
    let kind = match kinds.as_slice() {
        [] => None,
        [only] => Some(format!("kind: {only}")),
        several => Some(format!("kind: [{}]", several.join(", "))),
    };
    let namespace = namespace.map(|namespace| format!("namespace: {}", quoted(namespace)));
    let name = name.map(|name| format!("name: {}", quoted(name)));
    let parts: Vec<String> = [namespace, kind, name].into_iter().flatten().collect();
    format!("{{ {} }}", parts.join(", "))
}
