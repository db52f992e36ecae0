//! A graph as it is, or with a change laid over it; nothing is copied but what the change touches.

use crate::graph::{Edits, Graph, Node};
use crate::model::Object;
use crate::release::LinkType;
use crate::{Digest, ObjectId, Reason};

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
}

impl<'a> View<'a> {
    /// The graph as it is.
    #[must_use]
    pub fn base(graph: &'a Graph) -> Self {
        Self { graph }
    }

    /// The graph with `edits` laid over it, and the rules of the ontology that the touched rows break
    /// (`scenario_invalid`).
    #[must_use]
    pub fn with(graph: &'a Graph, edits: &Edits) -> (Self, Vec<Reason>) {
        let _ = edits;
        (Self { graph }, Vec::new())
    }

    /// The graph below.
    #[must_use]
    pub fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// The node of an object, added ones included, removed ones not.
    #[must_use]
    pub fn node(&self, id: &ObjectId) -> Option<Node> {
        let _ = id;
        todo!()
    }

    /// The object at a node, as the overlay has it; `None` where it was removed.
    #[must_use]
    pub fn object(&self, node: Node) -> Option<&Object> {
        let _ = node;
        todo!()
    }

    /// Where links of `kind` from `node` lead, sorted by node.
    #[must_use]
    pub fn out(&self, node: Node, kind: LinkType) -> Vec<Edge> {
        let _ = (node, kind);
        todo!()
    }

    /// Where links of `kind` to `node` come from, sorted by node.
    #[must_use]
    pub fn into(&self, node: Node, kind: LinkType) -> Vec<Edge> {
        let _ = (node, kind);
        todo!()
    }

    /// Objects and links added, altered or removed.
    #[must_use]
    pub fn operations(&self) -> u32 {
        todo!()
    }

    /// The digest of this view: of the base's and every operation.
    #[must_use]
    pub fn digest(&self, base: Digest) -> Digest {
        let _ = base;
        todo!()
    }
}
