//! What is reached from what a change touches, in the model as it is and as it would be.

use std::collections::BTreeSet;

use super::touched::Touched;
use crate::ObjectId;
use crate::graph::{Node, Traversal, View};
use crate::policy::evaluate::Subject;
use crate::policy::placement_of;
use crate::release::LinkType;

/// Links that say what runs on, in or because of what.
const TOPOLOGY: [LinkType; 5] = [
    LinkType::ImplementedBy,
    LinkType::WorkloadRunsOn,
    LinkType::WorkloadDependsOn,
    LinkType::DependsOn,
    LinkType::Contains,
];

/// Both traversals; one, where the change leaves everything where it is.
pub(super) struct Reach<'s> {
    base: (&'s View<'s>, Traversal),
    overlay: Option<(&'s View<'s>, Traversal)>,
}

/// A reached object: where it is in the model as it is, and as it would be.
pub(super) type Places = (Option<Node>, Option<Node>);

impl<'s> Reach<'s> {
    pub(super) fn of(subject: &Subject<'s>, touched: &Touched<'s>) -> Self {
        let depth_max = depth_max(subject, touched);
        let from = |view: &'s View<'s>| {
            let starts: Vec<Node> = touched.keys().filter_map(|id| view.node(id)).collect();
            (view, Traversal::without_links(view, &starts, &TOPOLOGY, depth_max))
        };
        let relinks = subject.base.relinks() || subject.overlay.relinks();
        Self { base: from(subject.base), overlay: relinks.then(|| from(subject.overlay)) }
    }

    pub(super) fn truncated(&self) -> bool {
        self.base.1.truncated || self.overlay.as_ref().is_some_and(|(_, traversal)| traversal.truncated)
    }

    /// Every reached object, by node. What is reached in one of the two and exists in the other is there as well.
    pub(super) fn objects(&self) -> Vec<Places> {
        let base = self.base.1.reached.keys().copied();
        let Some((overlay, traversal)) = &self.overlay else {
            return base.map(|node| (Some(node), Some(node))).collect();
        };
        let mut nodes: Vec<Node> = base.chain(traversal.reached.keys().copied()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let place = |view: &View<'_>, node| view.object(node).is_some().then_some(node);
        nodes.into_iter().map(|node| (place(self.base.0, node), place(overlay, node))).collect()
    }

    /// The path from a target to a reached object, and the targets it starts at.
    pub(super) fn path(
        &self,
        touched: &Touched<'s>,
        places: Places,
    ) -> (Vec<ObjectId>, BTreeSet<&'s ObjectId>) {
        let in_view = |(view, traversal): &(&View<'_>, Traversal), node: Option<Node>| {
            Some(traversal.path(view, node?)).filter(|path| !path.is_empty())
        };
        let overlaid = self.overlay.as_ref().and_then(|overlay| in_view(overlay, places.1));
        let path = overlaid.or_else(|| in_view(&self.base, places.0)).unwrap_or_default();
        let Some(touch) = path.first().and_then(|start| touched.get(start)) else {
            return (path, BTreeSet::new());
        };
        let before = touch.path[..touch.path.len() - 1].iter().map(|id| (*id).clone());
        (before.chain(path).collect(), touch.targets.clone())
    }
}

/// The depth that the catalog's limits set: of the first whose selector selects something that is touched.
fn depth_max(subject: &Subject<'_>, touched: &Touched<'_>) -> u32 {
    let selects = |limits: &&crate::policy::Limits| {
        limits.when.is_everything()
            || touched.keys().any(|id| {
                let placement = subject.base.node(id).and_then(|node| placement_of(subject.base, node));
                let kind = placement.as_ref().and_then(|it| it.kind.as_deref()).unwrap_or_default();
                limits.when.matches(placement.as_deref(), kind)
            })
    };
    subject.catalog.limits.iter().find(selects).map_or(0, |limits| limits.depth_max)
}
