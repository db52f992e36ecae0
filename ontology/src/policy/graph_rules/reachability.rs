//! Something does not reach something else along what it needs.

use std::collections::BTreeMap;

use super::judged::{Judge, Judged};
use crate::graph::{Node, View};
use crate::policy::applies::Applies;
use crate::policy::{Selector, placement_of};
use crate::release::LinkType;

/// Links from what needs something to what it needs.
const NEEDS: [LinkType; 4] =
    [LinkType::ImplementedBy, LinkType::WorkloadRunsOn, LinkType::WorkloadDependsOn, LinkType::DependsOn];
/// Objects looked at from one start at most; who reaches more is told so.
const REACHED_MAX: usize = 1_024;

pub(super) fn evaluate(judge: &mut Judge<'_>, never: &Selector) {
    judge.reached(|view, node| {
        if view.object(node).is_none_or(|object| object.detail.placement().is_none()) {
            return Judged::Apart;
        }
        look(view, node, never)
    });
}

fn look(view: &View<'_>, start: Node, never: &Selector) -> Judged {
    let mut from: BTreeMap<Node, Node> = BTreeMap::new();
    let mut next = vec![start];
    let (mut at, mut found, mut untold) = (0, Vec::new(), false);
    while let Some(node) = next.get(at).copied() {
        at += 1;
        for edge in NEEDS.into_iter().flat_map(|kind| view.edges(node, kind, true)) {
            if edge.node == start || from.contains_key(&edge.node) {
                continue;
            }
            if from.len() == REACHED_MAX {
                return Judged::Untold("it reaches more than one look follows");
            }
            from.insert(edge.node, node);
            next.push(edge.node);
            match selected(view, edge.node, never) {
                Applies::Yes => found.push(edge.node),
                Applies::Untold => untold = true,
                Applies::No => {}
            }
        }
    }
    match found.first() {
        Some(first) => Judged::Broken {
            degree: (0, u64::try_from(found.len()).unwrap_or(u64::MAX)),
            value: told(view, *first, &from, found.len()),
        },
        None if untold => Judged::Untold("the environment or tier of what it reaches is not modelled"),
        None => Judged::Kept,
    }
}

fn selected(view: &View<'_>, node: Node, never: &Selector) -> Applies {
    let placement = placement_of(view, node);
    if placement.is_none() {
        return Applies::No;
    }
    let kind = placement.as_ref().and_then(|placement| placement.kind.as_deref()).unwrap_or_default();
    Applies::of(never, placement.as_deref(), &[kind])
}

/// What is reached, and by what.
fn told(view: &View<'_>, node: Node, from: &BTreeMap<Node, Node>, many: usize) -> String {
    let name = |node: Node| view.object(node).map_or_else(String::new, |object| object.id.to_string());
    let mut way = Vec::new();
    let mut at = node;
    while let Some(before) = from.get(&at) {
        way.push(name(*before));
        at = *before;
    }
    // The last of the way is the start itself, which the violation names.
    way.pop();
    way.reverse();
    let by = if way.is_empty() { String::new() } else { format!(" by {}", way.join(", ")) };
    let more = if many > 1 { format!(" and {} more", many - 1) } else { String::new() };
    format!("reaches {}{by}{more}", name(node))
}
