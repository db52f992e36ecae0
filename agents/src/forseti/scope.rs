//! The judged part of the model, computed again from the pinned revision (S-11): a snapshot is checked, not
//! trusted.

use std::collections::BTreeSet;

use ontology::Digest;
use ontology::graph::{Graph, Node};
use ontology::records::ChangeDocument;
use ontology::records::snapshot::Pair;

use super::judge::Inputs;
use crate::muninn::snapshot::{Scope, Setting};

/// What a scope of `document`, the change or what an option leaves of it, follows from.
pub(super) fn setting<'a>(inputs: &Inputs<'a>, document: &'a ChangeDocument) -> Setting<'a> {
    Setting { document, graph: inputs.graph, catalog: inputs.catalog, cutoff: inputs.docket.opened_at }
}

/// The objects that the change touches itself.
pub(super) fn starts(scope: &Scope) -> BTreeSet<Node> {
    scope.objects.iter().filter(|(_, depth)| **depth == 0).map(|(node, _)| *node).collect()
}

/// SHA-256 of the sorted lists of (identity, digest) of objects and links in scope.
pub(super) fn pairs_digest(scope: &Scope, graph: &Graph) -> Digest {
    let objects = scope.objects.keys().filter_map(|node| {
        let object = graph.object(*node)?;
        Some(Pair { id: object.id.to_string(), digest: graph.object_digest(*node) })
    });
    let links =
        scope.links.iter().map(|link| Pair { id: link_name(graph, *link), digest: graph.link_digest(*link) });
    let (mut objects, mut links): (Vec<Pair>, Vec<Pair>) = (objects.collect(), links.collect());
    objects.sort();
    links.sort();
    Digest::of_value(&(objects, links))
}

/// `type:from:to`, the identity of a link.
pub(super) fn link_name(graph: &Graph, link: u32) -> String {
    let link = graph.link(link);
    format!("{}:{}:{}", link.kind.as_str(), link.from, link.to)
}
