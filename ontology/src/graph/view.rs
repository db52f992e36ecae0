//! A graph as it is, or with a change laid over it; nothing is copied but what the change touches.

mod overlay;

use std::borrow::Cow;
use std::sync::Arc;

use crate::graph::{Edits, Graph, Node};
use crate::model::Object;
use crate::release::LinkType;
use crate::{Digest, ObjectId, Reason};
use overlay::Overlay;

/// A neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// Who.
    pub node: Node,
    /// The link's number in the model; absent where the overlay added it.
    pub link: Option<u32>,
}

/// A graph with edits (none, for the base).
#[derive(Debug, Clone)]
pub struct View<'a> {
    graph: &'a Graph,
    overlay: Option<Arc<Overlay>>,
}

/// One row of neighbours: the model's own, or the overlay's.
enum Row<'a> {
    Model { graph: &'a Graph, links: &'a [u32], outward: bool },
    Overlay(&'a [Edge]),
}

impl Row<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Model { links, .. } => links.len(),
            Self::Overlay(edges) => edges.len(),
        }
    }

    fn edge(&self, index: usize) -> Edge {
        match self {
            Self::Overlay(edges) => edges[index],
            Self::Model { graph, links, outward } => {
                let (from, to) = graph.ends(links[index]);
                Edge { node: if *outward { to } else { from }, link: Some(links[index]) }
            }
        }
    }
}

impl<'a> View<'a> {
    /// The graph as it is.
    #[must_use]
    pub fn base(graph: &'a Graph) -> Self {
        Self { graph, overlay: None }
    }

    /// The graph with `edits` laid over it, and the rules of the ontology that the touched rows break
    /// (`scenario_invalid`), sorted. Links that lead nowhere or to themselves are not laid; whatever else breaks a
    /// rule is, so that the view shows what was asked for.
    #[must_use]
    pub fn with(graph: &'a Graph, edits: &Edits) -> (Self, Vec<Reason>) {
        let (overlay, reasons) = Overlay::new(graph, edits);
        (Self { graph, overlay: Some(Arc::new(overlay)) }, reasons)
    }

    /// The graph below.
    #[must_use]
    pub fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// The node of an object, added ones included, removed ones not.
    #[must_use]
    pub fn node(&self, id: &ObjectId) -> Option<Node> {
        match &self.overlay {
            None => self.graph.node(id),
            Some(overlay) => overlay.node(self.graph, id),
        }
    }

    /// The object at a node, as the overlay has it; `None` where it was removed.
    #[must_use]
    pub fn object(&self, node: Node) -> Option<&Object> {
        match &self.overlay {
            None => self.graph.object(node),
            Some(overlay) => overlay.object(self.graph, node),
        }
    }

    /// Where links of `kind` from `node` lead, sorted by node.
    #[must_use]
    pub fn out(&self, node: Node, kind: LinkType) -> Vec<Edge> {
        self.edges(node, kind, true).collect()
    }

    /// Where links of `kind` to `node` come from, sorted by node.
    #[must_use]
    pub fn into(&self, node: Node, kind: LinkType) -> Vec<Edge> {
        self.edges(node, kind, false).collect()
    }

    /// The same as [`View::out`] (`outward`) or [`View::into`], without a list.
    pub fn edges(&self, node: Node, kind: LinkType, outward: bool) -> impl Iterator<Item = Edge> + '_ {
        let row = self.row(node, kind, outward);
        (0..row.len()).map(move |index| row.edge(index))
    }

    /// The same as [`View::edges`] for every type, outward first, without looking up a row each.
    pub(super) fn around(&self, node: Node, mut found: impl FnMut(LinkType, bool, Node)) {
        if !self.overlay.as_ref().is_some_and(|overlay| overlay.touches(node)) {
            return self.graph.around(node, found);
        }
        for outward in [true, false] {
            for kind in LinkType::ALL {
                for edge in self.edges(node, kind, outward) {
                    found(kind, outward, edge.node);
                }
            }
        }
    }

    /// Whether anything lies elsewhere than in the base: an object was added or removed, or a link.
    pub(crate) fn relinks(&self) -> bool {
        self.overlay.as_ref().is_some_and(|overlay| overlay.relinks())
    }

    /// Numbers of the model's links that start at `node` and are there in the view.
    pub(super) fn links_out(&self, node: Node) -> Cow<'a, [u32]> {
        if !self.overlay.as_ref().is_some_and(|overlay| overlay.touches(node)) {
            return Cow::Borrowed(self.graph.links_out(node));
        }
        let edges = LinkType::ALL.into_iter().flat_map(|kind| self.edges(node, kind, true));
        edges.filter_map(|edge| edge.link).collect()
    }

    fn row(&self, node: Node, kind: LinkType, outward: bool) -> Row<'_> {
        if let Some(edges) = self.overlay.as_ref().and_then(|overlay| overlay.row(node, kind, outward)) {
            return Row::Overlay(edges);
        }
        let links = if outward { self.graph.links_from(node, kind) } else { self.graph.links_to(node, kind) };
        Row::Model { graph: self.graph, links, outward }
    }

    /// Objects and links added, altered or removed. Links that go with a removed object are not counted by
    /// themselves.
    #[must_use]
    pub fn operations(&self) -> u32 {
        self.overlay.as_ref().map_or(0, |overlay| overlay.operations())
    }

    /// The digest of this view: SHA-256 of the base's digest and the canonical form of every operation.
    #[must_use]
    pub fn digest(&self, base: Digest) -> Digest {
        match &self.overlay {
            None => overlay::digest(base, &Edits::default()),
            Some(overlay) => overlay::digest(base, overlay.edits()),
        }
    }
}
