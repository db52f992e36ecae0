//! What runs, runs in enough zones.

use std::collections::BTreeSet;

use super::judged::{Judge, Judged};
use super::touched::changed;
use crate::graph::edits::placement::may_spread;
use crate::graph::{Node, View};
use crate::model::Placement;

pub(super) fn evaluate(judge: &mut Judge<'_>, zones_min: u32) {
    let subject = judge.subject;
    // What is new and lives in one zone by its nature (an instance, a disk) says nothing of the whole it is a part of.
    let zonal: BTreeSet<_> = changed(subject)
        .filter(|(target, _)| target.object.is_none() && !may_spread(target))
        .map(|(target, _)| &target.address)
        .collect();
    judge.reached(|view, node| match placement(view, node) {
        Some((id, _)) if zonal.contains(id) && subject.base.node(id).is_none() => Judged::Apart,
        Some((_, placement)) => spread(placement, zones_min),
        None => Judged::Apart,
    });
}

fn placement<'v>(view: &'v View<'_>, node: Node) -> Option<(&'v crate::ObjectId, &'v Placement)> {
    let object = view.object(node)?;
    Some((&object.id, object.detail.placement()?))
}

/// One replica runs in one zone, however many it could run in.
fn spread(placement: &Placement, zones_min: u32) -> Judged {
    let zones = u32::try_from(placement.zones.len()).unwrap_or(u32::MAX);
    let replicas = placement.replicas;
    let known = match (zones, replicas) {
        (0, Some(replicas)) if replicas < zones_min => Some(replicas),
        (0, _) => None,
        (zones, replicas) => Some(replicas.map_or(zones, |replicas| replicas.min(zones))),
    };
    let Some(spread) = known else { return Judged::Untold("its zones are not known") };
    if spread >= zones_min {
        return Judged::Kept;
    }
    let names: Vec<&str> = placement.zones.iter().map(String::as_str).collect();
    let replicas = replicas.map(|count| format!(", replicas {count}")).unwrap_or_default();
    let value = format!("zones [{}]{replicas}, at least {zones_min}", names.join(", "));
    Judged::Broken { degree: (0, u64::from(zones_min - spread)), value }
}
