//! Bounded traversal, both ways, breadth first, deterministic.

use std::collections::{BTreeMap, BTreeSet};

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
    /// Numbers of the model's links, of the followed types, whose both ends were reached; sorted.
    pub links: Vec<u32>,
    /// A bound was met: there is more. The depth by itself is a question asked, not a bound met.
    pub truncated: bool,
    /// Every arrival at a node, in order: a node may be reached again by a link that lets the traversal go on
    /// where its first arrival may not.
    arrivals: Vec<Arrival>,
}

/// How a node was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// Hops from the nearest start.
    pub depth: u32,
    /// The node before it on a shortest path; `None` for a start.
    pub via: Option<Node>,
    /// The number of its first arrival.
    arrival: usize,
    /// The way that no arrival has opened yet.
    closed: Option<Way>,
}

/// One way of being at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Arrival {
    node: Node,
    depth: u32,
    before: Option<usize>,
    /// What may be followed from here.
    open: Open,
}

/// A link type and whether its links are followed from their start.
type Way = (LinkType, bool);

/// What may be followed from an arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Every,
    AllBut(Way),
    /// All else was followed from the node's first arrival.
    Only(Way),
}

impl Traversal {
    /// From `starts`, along links of `kinds` in both directions, at most `depth_max` hops and [`NODES_MAX`] nodes.
    /// A link type that is not transitive is not followed twice in a row in the same direction (arb.md 4.2).
    #[must_use]
    pub fn of(view: &View<'_>, starts: &[Node], kinds: &[LinkType], depth_max: u32) -> Self {
        let kinds: BTreeSet<LinkType> = kinds.iter().copied().collect();
        let starts: BTreeSet<Node> =
            starts.iter().copied().filter(|node| view.object(*node).is_some()).collect();
        let mut traversal = Self::default();
        for start in starts {
            traversal.arrive(start, 0, None, Open::Every);
        }
        let mut next = 0;
        while let Some(arrival) = traversal.arrivals.get(next).copied() {
            if arrival.depth < depth_max {
                traversal.expand(view, next, arrival, &kinds);
            }
            next += 1;
        }
        traversal.links = traversal.links_between(view, &kinds);
        traversal
    }

    fn expand(&mut self, view: &View<'_>, number: usize, from: Arrival, kinds: &BTreeSet<LinkType>) {
        for kind in kinds {
            for outward in [true, false] {
                let way = (*kind, outward);
                let open = match from.open {
                    Open::Every => true,
                    Open::AllBut(closed) => way != closed,
                    Open::Only(only) => way == only,
                };
                if !open {
                    continue;
                }
                let behind = if kind.declaration().transitive { Open::Every } else { Open::AllBut(way) };
                for edge in view.edges(from.node, *kind, outward) {
                    self.arrive(edge.node, from.depth + 1, Some(number), behind);
                }
            }
        }
    }

    /// Notes an arrival: a node's first, or the first that opens the way which its first one closed.
    fn arrive(&mut self, node: Node, depth: u32, before: Option<usize>, open: Open) {
        let number = self.arrivals.len();
        let open = if let Some(reached) = self.reached.get_mut(&node) {
            let Some(closed) = reached.closed.filter(|closed| open != Open::AllBut(*closed)) else { return };
            reached.closed = None;
            Open::Only(closed)
        } else if self.reached.len() < NODES_MAX {
            let via = before.map(|before| self.arrivals[before].node);
            let closed = if let Open::AllBut(closed) = open { Some(closed) } else { None };
            self.reached.insert(node, Reached { depth, via, arrival: number, closed });
            open
        } else {
            self.truncated = true;
            return;
        };
        self.arrivals.push(Arrival { node, depth, before, open });
    }

    fn links_between(&self, view: &View<'_>, kinds: &BTreeSet<LinkType>) -> Vec<u32> {
        let mut links = Vec::new();
        for node in self.reached.keys() {
            for kind in kinds {
                let ends =
                    view.edges(*node, *kind, true).filter(|edge| self.reached.contains_key(&edge.node));
                links.extend(ends.filter_map(|edge| edge.link));
            }
        }
        links.sort_unstable();
        links
    }

    /// The shortest path from a start to `node`, both included; empty where it was not reached.
    #[must_use]
    pub fn path(&self, view: &View<'_>, node: Node) -> Vec<ObjectId> {
        let mut path = Vec::new();
        let mut next = self.reached.get(&node).map(|reached| reached.arrival);
        while let Some(arrival) = next.and_then(|number| self.arrivals.get(number)) {
            path.extend(view.object(arrival.node).map(|object| object.id.clone()));
            next = arrival.before;
        }
        path.reverse();
        path
    }
}
