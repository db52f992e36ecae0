//! What is reached from what a change touches, in the model as it is and as it would be.

use std::collections::{BTreeMap, BTreeSet};

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

/// Both traversals.
pub(super) struct Reach<'s> {
    base: (&'s View<'s>, Traversal),
    overlay: (&'s View<'s>, Traversal),
}

/// A reached object: where it is in the model as it is, and as it would be.
pub(super) type Places = (Option<Node>, Option<Node>);

impl<'s> Reach<'s> {
    pub(super) fn of(subject: &Subject<'s>, touched: &Touched<'s>) -> Self {
        let depth_max = depth_max(subject, touched);
        let from = |view: &'s View<'s>| {
            let starts: Vec<Node> = touched.keys().filter_map(|id| view.node(id)).collect();
            (view, Traversal::of(view, &starts, &TOPOLOGY, depth_max))
        };
        Self { base: from(subject.base), overlay: from(subject.overlay) }
    }

    pub(super) fn truncated(&self) -> bool {
        self.base.1.truncated || self.overlay.1.truncated
    }

    /// Every reached object. What is reached in one of the two and exists in the other is there as well.
    pub(super) fn objects(&self) -> BTreeMap<&ObjectId, Places> {
        let mut objects = BTreeMap::new();
        for (view, traversal) in [&self.base, &self.overlay] {
            for node in traversal.reached.keys() {
                if let Some(object) = view.object(*node) {
                    objects
                        .entry(&object.id)
                        .or_insert_with(|| (self.base.0.node(&object.id), self.overlay.0.node(&object.id)));
                }
            }
        }
        objects
    }

    /// The path from a target to a reached object, and the targets it starts at.
    pub(super) fn path<'t>(
        &self,
        touched: &'t Touched<'s>,
        places: Places,
    ) -> (Vec<ObjectId>, BTreeSet<&'s ObjectId>) {
        let in_view = |(view, traversal): &(&View<'_>, Traversal), node: Option<Node>| {
            Some(traversal.path(view, node?)).filter(|path| !path.is_empty())
        };
        let path =
            in_view(&self.overlay, places.1).or_else(|| in_view(&self.base, places.0)).unwrap_or_default();
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
                let kind = placement.as_ref().and_then(|it| it.kind.clone()).unwrap_or_default();
                limits.when.matches(placement.as_deref(), &kind)
            })
    };
    subject.catalog.limits.iter().find(selects).map_or(0, |limits| limits.depth_max)
}
