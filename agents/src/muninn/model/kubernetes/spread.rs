//! In how many copies and zones a workload runs, as far as its manifest says so.

use std::collections::BTreeSet;

use ontology::policy::pods_of;
use serde_json::Value;

use super::{at, list};
use crate::input::manifest::Manifest;
use crate::muninn::model::placement;

/// The labels of nodes that name their zone; the second is the older one.
const ZONE_KEYS: [&str; 2] = ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"];
/// Zones that a spread keeps at least, where it does not say how many.
const ZONES_MIN: u64 = 2;
/// Kinds of which a manifest counts the copies; one that says nothing has one.
const COUNTED: [&str; 4] = ["Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"];

/// The copies that a manifest asks for.
pub(super) fn replicas(manifest: &Manifest) -> Option<u32> {
    if !COUNTED.contains(&manifest.kind.as_str()) {
        return None;
    }
    match at(&manifest.value, "spec.replicas") {
        Value::Null => Some(1),
        count => count.as_u64().and_then(|count| u32::try_from(count).ok()),
    }
}

/// The zones that its copies are certain to be in: those that it must be spread over, or the one that it must be in.
/// A spread over zones that it does not name stands for as many without a name.
pub(super) fn zones(manifest: &Manifest, replicas: Option<u32>) -> BTreeSet<String> {
    let Some(pods) = pods_of(&manifest.kind).map(|path| at(&manifest.value, path)) else {
        return BTreeSet::new();
    };
    let named = named(pods);
    let copies = replicas.map_or(1, |replicas| usize::try_from(replicas).unwrap_or(usize::MAX));
    match spread(pods) {
        None if named.len() == 1 => named,
        None => BTreeSet::new(),
        Some(_) if named.len() > 1 && named.len() <= copies => named,
        Some(least) => {
            let bound = if named.is_empty() { least } else { named.len() };
            (1..=bound.min(copies)).map(|number| format!("unnamed-zone-{number}")).collect()
        }
    }
}

/// Over how many zones the pods must be spread, where they must.
fn spread(pods: &Value) -> Option<usize> {
    let is_zonal =
        |rule: &&Value| at(rule, "topologyKey").as_str().is_some_and(|key| ZONE_KEYS.contains(&key));
    let must = |rule: &&Value| at(rule, "whenUnsatisfiable").as_str() != Some("ScheduleAnyway");
    let constrained = list(pods, "topologySpreadConstraints").filter(is_zonal).find(must);
    let apart =
        list(pods, "affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution").find(is_zonal);
    let least = at(constrained.or(apart)?, "minDomains").as_u64().unwrap_or(ZONES_MIN);
    usize::try_from(least).ok()
}

/// The zones that the pods may be in, where the manifest names them.
fn named(pods: &Value) -> BTreeSet<String> {
    let selected = ZONE_KEYS.iter().filter_map(|key| pods.get("nodeSelector")?.get(key)?.as_str());
    let terms =
        list(pods, "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms");
    let is_zonal = |rule: &&Value| {
        at(rule, "key").as_str().is_some_and(|key| ZONE_KEYS.contains(&key))
            && at(rule, "operator").as_str() == Some("In")
    };
    let listed = terms.flat_map(|term| list(term, "matchExpressions")).filter(is_zonal);
    let listed = listed.flat_map(|rule| list(rule, "values")).filter_map(Value::as_str);
    placement::zones(selected.chain(listed)).unwrap_or_default()
}
