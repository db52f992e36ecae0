//! What a change does to the graph.

pub(crate) mod placement;

use std::collections::{BTreeMap, BTreeSet};

use crate::ObjectId;
use crate::graph::{Graph, Node};
use crate::model::{Detail, Object, Placement};
use crate::records::document::{Action, ChangeDocument, Target};
use crate::records::evaluation::OptionDraft;
use crate::records::snapshot::{Found, Resolution};
use crate::release::{LinkType, ObjectType};

/// Objects and links to lay over a graph. The same thing is never both put and removed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edits {
    /// Objects added or altered.
    pub put: BTreeMap<ObjectId, Object>,
    /// Objects removed, with their links.
    pub removed: BTreeSet<ObjectId>,
    /// Links added.
    pub linked: BTreeSet<(LinkType, ObjectId, ObjectId)>,
    /// Links removed.
    pub unlinked: BTreeSet<(LinkType, ObjectId, ObjectId)>,
}

impl Edits {
    /// What `option` of the change does to the graph. A created target becomes a Resource under its address,
    /// run on by the workload it is a part of (contained by the resource, for a service by the one workload that
    /// implements it); a deleted or forgotten one that *is* an object removes it; an update that *is* an object
    /// alters its placement where its attributes say so (zones, replicas). What our own format describes is put as
    /// it is, with the relations it adds and removes, except those of targets that the option leaves out.
    #[must_use]
    pub fn of(
        document: &ChangeDocument,
        targets: &[Resolution],
        option: &OptionDraft,
        graph: &Graph,
    ) -> Self {
        let mut edits = Self::default();
        for target in document.changed().filter(|target| !option.leaves_out(&target.address)) {
            edits.lay(target, Resolution::of(targets, &target.address), graph);
        }
        for link in &document.links {
            if option.leaves_out(&link.from) || option.leaves_out(&link.to) {
                continue;
            }
            let key = (link.kind, link.from.clone(), link.to.clone());
            if link.add {
                edits.linked.insert(key)
            } else {
                edits.unlinked.insert(key)
            };
        }
        edits.settle();
        edits
    }

    fn lay(&mut self, target: &Target, found: &Found, graph: &Graph) {
        let known = if let Found::Is(id) = found { object(graph, id) } else { None };
        match (target.action, known) {
            (Action::Delete | Action::Forget, Some(known)) => {
                self.removed.insert(known.id.clone());
            }
            (Action::Create | Action::Update | Action::Replace, known) if target.object.is_some() => {
                self.put.extend(described(target, known));
            }
            (Action::Create | Action::Update | Action::Replace, Some(known)) => self.alter(target, known),
            (Action::Create, None) => self.create(target, found, graph),
            _ => {}
        }
    }

    fn alter(&mut self, target: &Target, known: &Object) {
        let mut altered = known.clone();
        if let Some(placement) = placed_mut(&mut altered.detail) {
            placement::alter(placement, target);
        }
        if altered != *known {
            self.put.insert(altered.id.clone(), altered);
        }
    }

    fn create(&mut self, target: &Target, found: &Found, graph: &Graph) {
        let owner = found.object().and_then(|id| object(graph, id));
        let surroundings = owner.and_then(|object| object.detail.placement()).cloned().unwrap_or_default();
        let mut placement = Placement {
            kind: Some(target.kind.clone()),
            environment: surroundings.environment,
            tier: surroundings.tier,
            ..Placement::default()
        };
        placement::alter(&mut placement, target);
        let id = target.address.clone();
        let created = Object {
            id: id.clone(),
            title: None,
            detail: Detail::Resource(placement),
            sources: Vec::new(),
            effective_from: None,
            effective_to: None,
        };
        self.put.insert(id.clone(), created);
        if let Some((kind, from)) = owner.and_then(|owner| holder(owner, graph)) {
            self.linked.insert((kind, from, id));
        }
    }

    /// Drops what contradicts itself or says nothing: a link of a removed object goes with it; a link that is both
    /// added and removed, or an object both put and removed by two targets that are one object, is there after.
    fn settle(&mut self) {
        let Self { put, removed, linked, unlinked } = self;
        removed.retain(|id| !put.contains_key(id));
        unlinked
            .retain(|key| !linked.contains(key) && !removed.contains(&key.1) && !removed.contains(&key.2));
    }
}

/// The object as our own format describes it; what it does not speak of stays as it was.
fn described(target: &Target, known: Option<&Object>) -> Option<(ObjectId, Object)> {
    let detail = target.object.clone()?;
    let object = match known {
        Some(known) => Object { detail, ..known.clone() },
        None => Object {
            id: target.address.clone(),
            title: None,
            detail,
            sources: Vec::new(),
            effective_from: None,
            effective_to: None,
        },
    };
    Some((object.id.clone(), object))
}

/// The link, and where it starts, that makes a new resource a part of `owner`.
fn holder(owner: &Object, graph: &Graph) -> Option<(LinkType, ObjectId)> {
    match owner.detail.object_type() {
        ObjectType::Workload => Some((LinkType::WorkloadRunsOn, owner.id.clone())),
        ObjectType::Resource => Some((LinkType::Contains, owner.id.clone())),
        ObjectType::BusinessService => {
            match graph.links_from(graph.node(&owner.id)?, LinkType::ImplementedBy) {
                [only] => Some((LinkType::WorkloadRunsOn, graph.link(*only).to.clone())),
                _ => None,
            }
        }
        _ => None,
    }
}

fn object<'a>(graph: &'a Graph, id: &ObjectId) -> Option<&'a Object> {
    graph.node(id).and_then(|node: Node| graph.object(node))
}

fn placed_mut(detail: &mut Detail) -> Option<&mut Placement> {
    match detail {
        Detail::BusinessService(placement) | Detail::Workload(placement) | Detail::Resource(placement) => {
            Some(placement)
        }
        _ => None,
    }
}
