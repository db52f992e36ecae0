//! Bounded traversal, both ways, breadth first, deterministic.

use std::collections::BTreeMap;

use crate::ObjectId;
use crate::graph::{Node, View};
use crate::release::LinkType;

/// Objects of one traversal at most (arb.md 2.8).
pub const NODES_MAX: usize = 1_000;

/// What was reached.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Traversal {
    /// Every reached node, the starts included.
    pub reached: BTreeMap<Node, Reached>,
    /// Numbers of the model's links whose both ends were reached, sorted.
    pub links: Vec<u32>,
    /// A bound was met: there is more.
    pub truncated: bool,
}

/// How a node was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// Hops from the nearest start.
    pub depth: u32,
    /// The node before it on a shortest path; `None` for a start.
    pub via: Option<Node>,
}

impl Traversal {
    /// From `starts`, along links of `kinds` in both directions, at most `depth_max` hops and [`NODES_MAX`] nodes.
    /// A link type that is not transitive is not followed twice in a row in the same direction.
    #[must_use]
    pub fn of(view: &View<'_>, starts: &[Node], kinds: &[LinkType], depth_max: u32) -> Self {
        let _ = (view, starts, kinds, depth_max);
        todo!()
    }

    /// The shortest path from a start to `node`, both included.
    #[must_use]
    pub fn path(&self, view: &View<'_>, node: Node) -> Vec<ObjectId> {
        let _ = (view, node);
        todo!()
    }
}
