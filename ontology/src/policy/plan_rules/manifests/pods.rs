//! What pods may do on their node, and what keeps them well.

use super::kept::{CONTAINER_LISTS, PROBES};
use super::{maps, shields_removed, weaknesses};
use crate::policy::plan_rules::finding::Finder;
use crate::policy::plan_rules::side::{Weakness, first_at, is_nothing, text_at, texts_at};
use crate::policy::pods_of;
use crate::value::{Attributes, Value};

/// Switches that put a pod into a namespace of its node.
const NODE_NAMESPACES: &[&str] = &["hostIPC", "hostNetwork", "hostPID"];
/// Capabilities with which a container is its node, sorted.
const CAPABILITIES: &[&str] =
    &["ALL", "BPF", "DAC_READ_SEARCH", "NET_ADMIN", "SYS_ADMIN", "SYS_MODULE", "SYS_PTRACE", "SYS_RAWIO"];
/// What is missed when it is taken from a container.
const LIMITS: &[&str] = &["resources.limits.memory", "resources.requests.cpu", "resources.requests.memory"];
/// Kinds whose deletion takes a bound away that people set for what runs beside.
const BOUNDS: &[&str] = &["LimitRange", "ResourceQuota"];

/// A pod may do what its node may.
pub(in crate::policy::plan_rules) fn privileged_workload(finder: &mut Finder<'_>) {
    weaknesses(
        finder,
        |kind| pods_of(kind).is_some(),
        |target, side, _| {
            let Some((at, pods)) = specification(&target.kind, side) else { return Vec::new() };
            let mut found: Vec<Weakness> = NODE_NAMESPACES
                .iter()
                .filter(|name| pods.get(**name).and_then(Value::as_boolean) == Some(true))
                .map(|name| Weakness::new(format!("{at}.{name}"), true))
                .collect();
            let mounted = maps(pods.get("volumes")).filter(|volume| volume.contains_key("hostPath"));
            found.extend(mounted.map(|volume| {
                Weakness::one_of_many(format!("{at}.volumes.hostPath"), text_at(volume, "hostPath.path"))
            }));
            for (list, container) in containers(pods) {
                found.extend(privileges(&format!("{at}.{list}"), container));
            }
            found
        },
    );
}

fn privileges(at: &str, container: &Attributes) -> Vec<Weakness> {
    let name = text_at(container, "name");
    let mut found = Vec::new();
    if first_at(container, "securityContext.privileged").and_then(Value::as_boolean) == Some(true) {
        let attribute = format!("{at}.securityContext.privileged");
        found.push(Weakness::one_of_many(attribute, format!("{name} is privileged")));
    }
    for added in texts_at(container, "securityContext.capabilities.add") {
        let plain = added.strip_prefix("CAP_").unwrap_or(added);
        if CAPABILITIES.binary_search(&plain).is_ok() {
            let attribute = format!("{at}.securityContext.capabilities.add");
            found.push(Weakness::one_of_many(attribute, format!("{name} may {added}")));
        }
    }
    found
}

/// A probe, a limit or a disruption budget is taken away.
pub(in crate::policy::plan_rules) fn safeguard_removed(finder: &mut Finder<'_>) {
    shields_removed(finder, &["PodDisruptionBudget"], "spec.selector.matchLabels");
    shields_removed(finder, BOUNDS, "");
    weaknesses(
        finder,
        |kind| pods_of(kind).is_some(),
        |target, side, before| {
            let now = specification(&target.kind, side);
            let then = before.and_then(|before| specification(&target.kind, before));
            let (Some((at, now)), Some((_, then))) = (now, then) else { return Vec::new() };
            let mut found = Vec::new();
            for (list, container) in containers(now) {
                let name = text_at(container, "name");
                let same = |(_, other): &(&str, &Attributes)| text_at(other, "name") == name;
                let Some((_, other)) = containers(then).find(same) else { continue };
                let lost = PROBES.iter().chain(LIMITS).filter(|path| {
                    !is_nothing(first_at(other, path)) && is_nothing(first_at(container, path))
                });
                found.extend(lost.map(|path| {
                    Weakness::one_of_many(format!("{at}.{list}.{path}"), format!("taken from {name}"))
                }));
            }
            found
        },
    );
}

/// The specification of an object's pods, and where it stands.
fn specification<'s>(kind: &str, side: &'s Attributes) -> Option<(&'static str, &'s Attributes)> {
    let at = pods_of(kind)?;
    Some((at, first_at(side, at)?.as_map()?))
}

/// The containers of a specification, each with the name of its list.
fn containers(pods: &Attributes) -> impl Iterator<Item = (&'static str, &Attributes)> {
    CONTAINER_LISTS.iter().flat_map(|list| maps(pods.get(*list)).map(|container| (*list, container)))
}
