//! The judged part of the model, computed again from the pinned revision (S-11): a snapshot is checked, not
//! trusted.

use std::collections::BTreeSet;

use ontology::graph::{Graph, Node, Traversal, View};
use ontology::records::snapshot::{Found, Pair, Resolution};
use ontology::release::LinkType;
use ontology::{Digest, ObjectId};

use super::judge::Inputs;
use super::option::Course;

/// Depth of a snapshot's traversal, both ways: a resource, its workload, its service, the objective.
const DEPTH_MAX: u32 = 3;

/// What surrounds the targets of an option.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scope {
    /// The objects that the changed targets are, or are parts of.
    pub(super) starts: BTreeSet<Node>,
    /// Everything around them.
    pub(super) traversal: Traversal,
}

impl Scope {
    /// The scope of the targets that `course` carries out.
    pub(super) fn of(view: &View<'_>, targets: &[Resolution], course: &Course<'_>) -> Self {
        let changed = course.changed().filter_map(|target| found(targets, &target.address)?.object());
        let starts: BTreeSet<Node> = changed.filter_map(|object| view.graph().node(object)).collect();
        let from: Vec<Node> = starts.iter().copied().collect();
        Self { traversal: Traversal::of(view, &from, &LinkType::ALL, DEPTH_MAX), starts }
    }

    /// SHA-256 of the lists of (identity, digest) of objects and links in scope.
    pub(super) fn pairs_digest(&self, graph: &Graph) -> Digest {
        let objects = self.traversal.reached.keys().filter_map(|node| {
            let object = graph.object(*node)?;
            Some(Pair { id: object.id.to_string(), digest: graph.object_digest(*node) })
        });
        let links = self
            .traversal
            .links
            .iter()
            .map(|link| Pair { id: link_name(graph, *link), digest: graph.link_digest(*link) });
        let (mut objects, mut links): (Vec<Pair>, Vec<Pair>) = (objects.collect(), links.collect());
        objects.sort();
        links.sort();
        Digest::of_value(&(objects, links))
    }
}

/// How the targets are found in the model: the snapshot's list, or the same computed again where it was cut.
pub(super) fn targets(inputs: &Inputs<'_>) -> Vec<Resolution> {
    let snapshot = inputs.docket.snapshot.as_ref().map(|filed| &filed.object);
    if let Some(snapshot) = snapshot.filter(|it| it.targets.len() == it.targets_total as usize) {
        return snapshot.targets.clone();
    }
    let workspace = inputs.document.workspace.as_deref();
    let bindings = inputs.graph.bindings();
    let resolve = |target| bindings.resolve(inputs.graph, target, workspace);
    let changed = inputs.document.changed();
    changed.map(|target| Resolution { address: target.address.clone(), found: resolve(target) }).collect()
}

/// How the target at `address` is found; the list is sorted by address.
pub(super) fn found<'a>(targets: &'a [Resolution], address: &ObjectId) -> Option<&'a Found> {
    let at = targets.binary_search_by(|resolution| resolution.address.cmp(address)).ok()?;
    Some(&targets[at].found)
}

/// `type:from:to`, the identity of a link.
pub(super) fn link_name(graph: &Graph, link: u32) -> String {
    let link = graph.link(link);
    format!("{}:{}:{}", link.kind.as_str(), link.from, link.to)
}
