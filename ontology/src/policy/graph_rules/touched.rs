//! What a change touches by itself: the objects that its targets are or are a part of, what it creates, and the ends
//! of relations that it alters.

use std::collections::{BTreeMap, BTreeSet};

use crate::ObjectId;
use crate::graph::View;
use crate::policy::evaluate::Subject;
use crate::records::document::Target;
use crate::records::snapshot::{Found, Resolution};
use crate::release::LinkType;

/// One touched object.
#[derive(Debug, Default)]
pub(super) struct Touch<'s> {
    /// From a target to the object, both included.
    pub(super) path: Vec<&'s ObjectId>,
    /// The targets that touch it.
    pub(super) targets: BTreeSet<&'s ObjectId>,
}

/// Everything that is touched, by the object's id.
pub(super) type Touched<'s> = BTreeMap<&'s ObjectId, Touch<'s>>;

/// Links that hang an objective, a plan or an owner on a thing: who touches the one, touches the other.
const HANGING: [LinkType; 5] = [
    LinkType::OwnedBy,
    LinkType::HasServiceObjective,
    LinkType::HasRecoveryObjective,
    LinkType::HasCostObjective,
    LinkType::RecoveredBy,
];

/// The targets that change, each with how it was found.
pub(super) fn changed<'s>(subject: &Subject<'s>) -> impl Iterator<Item = (&'s Target, &'s Found)> + use<'s> {
    let targets = subject.targets;
    let changed = subject.document.changed().filter(|target| !target.data);
    changed.map(move |target| (target, Resolution::of(targets, &target.address)))
}

pub(super) fn touched<'s>(subject: &Subject<'s>) -> Touched<'s> {
    let mut touched = Touched::new();
    for (target, found) in changed(subject) {
        let address = &target.address;
        if let Some(object) = found.object() {
            touch(&mut touched, subject, object, Some(address));
        }
        if subject.overlay.node(address).is_some() && subject.base.node(address).is_none() {
            touch(&mut touched, subject, address, Some(address));
        }
    }
    for link in &subject.document.links {
        touch(&mut touched, subject, &link.from, None);
        touch(&mut touched, subject, &link.to, None);
    }
    touched
}

fn touch<'s>(
    touched: &mut Touched<'s>,
    subject: &Subject<'s>,
    object: &'s ObjectId,
    target: Option<&'s ObjectId>,
) {
    let mut path: Vec<&ObjectId> = target.into_iter().filter(|target| *target != object).collect();
    path.push(object);
    let views = [subject.base, subject.overlay];
    let mut placed = false;
    for view in views {
        let Some(node) = view.node(object) else { continue };
        if view.object(node).is_some_and(|object| object.detail.placement().is_some()) {
            placed = true;
            continue;
        }
        for kind in HANGING {
            for edge in view.edges(node, kind, false) {
                let Some(thing) = id(view, edge.node) else { continue };
                let longer = path.iter().copied().chain([thing]).collect();
                note(touched, thing, longer, target);
            }
        }
    }
    if placed {
        note(touched, object, path, target);
    }
}

fn id<'s>(view: &'s View<'s>, node: crate::graph::Node) -> Option<&'s ObjectId> {
    view.object(node).map(|object| &object.id)
}

/// Keeps the shortest path, of equally long ones the first.
fn note<'s>(
    touched: &mut Touched<'s>,
    object: &'s ObjectId,
    path: Vec<&'s ObjectId>,
    target: Option<&'s ObjectId>,
) {
    let touch = touched.entry(object).or_default();
    if touch.path.is_empty() || (path.len(), &path) < (touch.path.len(), &touch.path) {
        touch.path = path;
    }
    touch.targets.extend(target);
}
