//! What many things need runs more than once.

use std::collections::BTreeSet;

use super::judged::{Judge, Judged};
use crate::graph::{Node, View};
use crate::model::Placement;
use crate::release::LinkType;

/// Links that start at what needs something.
const NEEDS: [LinkType; 3] = [LinkType::WorkloadRunsOn, LinkType::WorkloadDependsOn, LinkType::DependsOn];

pub(super) fn evaluate(judge: &mut Judge<'_>, dependents_min: u32) {
    judge.reached(|view, node| {
        let Some(placement) = view.object(node).and_then(|object| object.detail.placement()) else {
            return Judged::Apart;
        };
        let dependents = dependents(view, node);
        if dependents < dependents_min {
            return Judged::Apart;
        }
        match copies(placement) {
            None => Judged::Untold("its replicas and zones are not known"),
            Some(0 | 1) => Judged::Broken {
                degree: (0, u64::from(dependents)),
                value: format!("{dependents} need it, and it runs once"),
            },
            Some(_) => Judged::Kept,
        }
    });
}

fn dependents(view: &View<'_>, node: Node) -> u32 {
    let needing = NEEDS.into_iter().flat_map(|kind| view.edges(node, kind, false));
    let needing: BTreeSet<Node> = needing.map(|edge| edge.node).collect();
    u32::try_from(needing.len()).unwrap_or(u32::MAX)
}

/// How often it runs: its replicas, else its zones.
fn copies(placement: &Placement) -> Option<u32> {
    let zones = u32::try_from(placement.zones.len()).unwrap_or(u32::MAX);
    placement.replicas.or(Some(zones).filter(|zones| *zones > 0))
}
