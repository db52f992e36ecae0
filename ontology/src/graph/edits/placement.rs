//! What attributes of a planned change say about zones and replicas.

use std::collections::BTreeSet;

use crate::model::Placement;
use crate::records::document::Target;
use crate::value::{Attributes, Value};

/// Attributes that list availability zones.
const ZONE_LISTS: &[&str] = &["availability_zones", "zones"];
/// Attributes that name the one zone.
const ZONES: &[&str] = &["availability_zone", "zone"];
/// Attributes that say whether the provider keeps a second zone by itself.
const SECOND_ZONE: &[&str] = &["multi_az", "zone_redundant"];
/// Attributes that count instances, the most telling first.
const COUNTS: &[&str] =
    &["desired_count", "desired_capacity", "replicas", "node_count", "instance_count", "min_size"];
/// Where manifests count them.
const MANIFEST_COUNT: &str = "spec.replicas";
/// All attributes that are read here of any type.
pub(crate) const ATTRIBUTES: &[&[&str]] = &[ZONE_LISTS, ZONES, SECOND_ZONE, COUNTS];
/// Stands for zones that the provider chooses and the plan does not name.
const UNNAMED_ZONES: [&str; 2] = ["unnamed-zone-1", "unnamed-zone-2"];

/// Alters a placement where the target's attributes alter. What is known only after apply is unknown: it is cleared.
pub(super) fn alter(placement: &mut Placement, target: &Target) {
    if says(target, ZONE_LISTS) || says(target, ZONES) || says(target, SECOND_ZONE) {
        placement.zones = zones(&placement.zones, target);
    }
    for name in COUNTS.iter().chain([&MANIFEST_COUNT]) {
        if target.unknown.contains(*name) {
            placement.replicas = None;
            break;
        }
        let after = target.after.as_ref().and_then(|after| at(after, name)).and_then(Value::as_integer);
        if let Some(count) = after.and_then(|count| u32::try_from(count).ok()) {
            if changes(target, name) {
                placement.replicas = Some(count);
            }
            break;
        }
    }
}

/// Whether a target's attributes speak of more than one zone: it is not in one zone by its nature.
pub(crate) fn may_spread(target: &Target) -> bool {
    let speaks = |name: &&str| {
        target.unknown.contains(*name) || target.after.as_ref().is_some_and(|after| after.contains_key(*name))
    };
    ZONE_LISTS.iter().chain(SECOND_ZONE).any(speaks)
}

/// Whether one of these attributes is set, to something else than before, or not yet known.
fn says(target: &Target, names: &[&str]) -> bool {
    names.iter().any(|name| changes(target, name))
}

fn changes(target: &Target, name: &str) -> bool {
    let value = |side: &Option<Attributes>| side.as_ref().and_then(|side| at(side, name)).cloned();
    let after = value(&target.after);
    target.unknown.contains(name)
        || (after.as_ref().is_some_and(|after| *after != Value::Null) && after != value(&target.before))
}

/// The value at a dotted path.
fn at<'v>(side: &'v Attributes, path: &str) -> Option<&'v Value> {
    match path.split_once('.') {
        None => side.get(path),
        Some((name, rest)) => at(side.get(name)?.as_map()?, rest),
    }
}

fn zones(now: &BTreeSet<String>, target: &Target) -> BTreeSet<String> {
    let after = |name: &&str| target.after.as_ref().and_then(|after| after.get(*name));
    let listed =
        ZONE_LISTS.iter().filter_map(after).filter_map(Value::as_list).flatten().filter_map(Value::as_text);
    let mut zones: BTreeSet<String> = listed.map(str::to_owned).collect();
    let one = ZONES.iter().filter_map(after).find_map(Value::as_text);
    let second = SECOND_ZONE.iter().filter_map(after).find_map(Value::as_boolean);
    let unknown = |names: &[&str]| names.iter().any(|name| target.unknown.contains(*name));
    let unnamed = UNNAMED_ZONES.iter().map(|name| (*name).to_owned());
    match (second, one) {
        _ if !zones.is_empty() || unknown(ZONE_LISTS) || unknown(SECOND_ZONE) => {}
        (Some(true), _) => {
            zones.clone_from(now);
            zones.extend(one.map(str::to_owned));
            let missing = UNNAMED_ZONES.len().saturating_sub(zones.len());
            zones.extend(unnamed.take(missing));
        }
        (_, Some(one)) => zones.extend([one.to_owned()]),
        (Some(false), None) => zones.extend(now.iter().cloned().chain(unnamed).take(1)),
        (None, None) => {}
    }
    zones
}
