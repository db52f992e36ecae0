//! Everything that a change touches has an owner.

use super::judged::{Judge, Judged};
use super::touched::changed;
use crate::graph::{Node, View};
use crate::records::snapshot::{Found, Resolution};
use crate::release::LinkType;

/// A resource is owned with what contains it and with the workloads that run on it.
const OWNED_THROUGH: [LinkType; 2] = [LinkType::Contains, LinkType::WorkloadRunsOn];

pub(super) fn evaluate(judge: &mut Judge<'_>) {
    let subject = judge.subject;
    judge.touched(|view, node| {
        let Some(object) = view.object(node) else { return Judged::Apart };
        let whole = match Resolution::of(subject.targets, &object.id) {
            Found::PartOf(whole) => view.node(whole),
            _ => None,
        };
        if owned(view, node) || whole.is_some_and(|whole| owned(view, whole)) {
            Judged::Kept
        } else {
            Judged::Broken { degree: (0, 0), value: "nobody owns it".to_owned() }
        }
    });
    for (target, found) in changed(subject) {
        match found {
            Found::Unbound => judge.unknown(&target.address, "nothing in the model claims it"),
            Found::Conflict(_) => judge.unknown(&target.address, "several objects of the model claim it"),
            Found::Is(_) | Found::PartOf(_) => {}
        }
    }
}

fn owned(view: &View<'_>, node: Node) -> bool {
    let mut seen = vec![node];
    let mut next = 0;
    while let Some(node) = seen.get(next).copied() {
        next += 1;
        if view.edges(node, LinkType::OwnedBy, true).next().is_some() {
            return true;
        }
        for kind in OWNED_THROUGH {
            for edge in view.edges(node, kind, false) {
                if !seen.contains(&edge.node) {
                    seen.push(edge.node);
                }
            }
        }
    }
    false
}
