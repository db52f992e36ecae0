//! What rules mind in Kubernetes manifests. An object's attributes are the manifest itself, without what the server
//! fills in.

mod access;
mod exposure;
mod kept;
mod pods;
mod replicas;

use super::finding::Finder;
use super::side::{Weakness, compare, first_at};
use crate::policy::constraint::Standing;
use crate::records::document::{Action, Target};
use crate::value::{Attributes, Value};

pub(super) use access::{network_policies_removed, wildcard_grants};
pub(super) use exposure::public_exposure;
pub(in crate::policy) use kept::attributes;
pub(super) use pods::{privileged_workload, safeguard_removed};
pub(super) use replicas::single_replica;

/// Compares both sides of every target of these kinds.
fn weaknesses(
    finder: &mut Finder<'_>,
    is_meant: impl Fn(&str) -> bool,
    find: impl Fn(&Target, &Attributes, Option<&Attributes>) -> Vec<Weakness>,
) {
    for target in finder.targets().filter(|target| is_meant(&target.kind)) {
        finder.checked(target);
        for (standing, weakness) in compare(target, |side, before| find(target, side, before)) {
            finder.found(target, standing, weakness);
        }
    }
}

/// Notes every deletion of an object of these kinds that shields something which stays.
fn shields_removed(finder: &mut Finder<'_>, kinds: &[&str], selector: &str) {
    for target in finder.targets().filter(|target| kinds.contains(&target.kind.as_str())) {
        finder.checked(target);
        if target.action == Action::Delete && shields_something(finder, target, selector) {
            let caused_by = std::iter::once(target.address.clone()).collect();
            finder.violates(target, Standing::Introduced, None, "delete", caused_by);
        }
    }
}

/// Whether a shield is missed: of the workloads that it selects, one stays, or the change shows none of them.
fn shields_something(finder: &Finder<'_>, shield: &Target, selector: &str) -> bool {
    let Some(before) = &shield.before else { return true };
    let labels = first_at(before, selector).and_then(Value::as_map);
    let namespace = namespace(shield);
    let selects = |target: &&Target| {
        let selected = |(key, value): (&String, &Value)| {
            value.as_text().is_some_and(|value| target.tags.get(key).is_some_and(|own| own == value))
        };
        let has_labels = labels.is_none_or(|labels| labels.iter().all(selected));
        crate::policy::pods_of(&target.kind).is_some() && self::namespace(target) == namespace && has_labels
    };
    let mut shielded = finder.targets().filter(selects).peekable();
    shielded.peek().is_none() || shielded.any(|target| target.action != Action::Delete)
}

/// The namespace that an address of a manifest begins with.
fn namespace(target: &Target) -> &str {
    target.address.as_str().split('/').next().unwrap_or_default()
}

/// The maps of a list.
fn maps(value: Option<&Value>) -> impl Iterator<Item = &Attributes> {
    value.and_then(Value::as_list).into_iter().flatten().filter_map(Value::as_map)
}
