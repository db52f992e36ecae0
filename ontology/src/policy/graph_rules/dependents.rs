//! Nothing is deleted that something else needs.

use std::collections::BTreeSet;

use super::judged::Judge;
use super::touched::changed;
use crate::ObjectId;
use crate::graph::{Node, View};
use crate::policy::applies::{Applies, UNTOLD};
use crate::policy::constraint::Standing;
use crate::records::document::{Action, Target};
use crate::records::snapshot::Found;
use crate::release::LinkType;

/// Links to what is needed, and whether the one that needs it is where they start.
const NEEDED: [(LinkType, bool); 5] = [
    (LinkType::ImplementedBy, true),
    (LinkType::WorkloadRunsOn, true),
    (LinkType::WorkloadDependsOn, true),
    (LinkType::DependsOn, true),
    (LinkType::Contains, false),
];

pub(super) fn evaluate(judge: &mut Judge<'_>) {
    let subject = judge.subject;
    let mut deleted = BTreeSet::new();
    for (target, found) in changed(subject).filter(|(target, _)| target.action == Action::Delete) {
        let node = if let Found::Is(object) = found { subject.base.node(object) } else { None };
        let place = node.or_else(|| found.object().and_then(|whole| subject.base.node(whole)));
        let applies = judge.applies((place, None));
        if applies == Applies::No {
            continue;
        }
        judge.looked();
        if applies == Applies::Yes {
            deleted.insert(&target.address);
        }
        for dependent in node.into_iter().flat_map(|node| dependents(subject.base, node)) {
            let Found::Is(object) = found else { continue };
            if subject.overlay.node(dependent).is_none() {
                continue;
            }
            if applies == Applies::Untold {
                judge.unknown(object, UNTOLD);
                continue;
            }
            let mut path = vec![target.address.clone(), object.clone(), dependent.clone()];
            path.dedup();
            let value = format!("needs {object}, which is deleted");
            judge.violates(
                Standing::Introduced,
                dependent.clone(),
                path,
                &value,
                vec![target.address.clone()],
            );
        }
    }
    if !deleted.is_empty() {
        needed_in_the_plan(judge, &deleted);
    }
}

/// What needs the object at a node, sorted, each once.
fn dependents<'v>(view: &'v View<'_>, node: Node) -> BTreeSet<&'v ObjectId> {
    let edges = NEEDED.into_iter().flat_map(|(kind, starts)| view.edges(node, kind, !starts));
    edges.filter_map(|edge| view.object(edge.node).map(|object| &object.id)).collect()
}

/// Targets that stay and, by the plan's own references, need one that is deleted.
fn needed_in_the_plan(judge: &mut Judge<'_>, deleted: &BTreeSet<&ObjectId>) {
    let document = judge.subject.document;
    let stays = |target: &&Target| !target.data && !matches!(target.action, Action::Delete | Action::Forget);
    for target in document.targets.iter().filter(stays) {
        for need in target.needs.iter().filter(|need| deleted.contains(need)) {
            let path = vec![need.clone(), target.address.clone()];
            let value = format!("needs {need}, which is deleted");
            judge.violates(Standing::Introduced, target.address.clone(), path, &value, vec![need.clone()]);
        }
    }
}
