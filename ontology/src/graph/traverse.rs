//! Bounded traversal, both ways, breadth first, deterministic.

mod seen;

use std::collections::BTreeMap;

use crate::ObjectId;
use crate::graph::{Node, View};
use crate::release::LinkType;
use seen::Seen;

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

/// A traversal under way.
struct Walk {
    kinds: [bool; LinkType::ALL.len()],
    arrivals: Vec<Arrival>,
    /// First arrivals, by node.
    first: Seen,
    /// The way that no arrival at a node has opened yet, by the number of its first arrival.
    closed: Vec<Option<Way>>,
    nodes: usize,
    truncated: bool,
}

impl Traversal {
    /// From `starts`, along links of `kinds` in both directions, at most `depth_max` hops and [`NODES_MAX`] nodes.
    /// A link type that is not transitive is not followed twice in a row in the same direction (arb.md 4.2).
    #[must_use]
    pub fn of(view: &View<'_>, starts: &[Node], kinds: &[LinkType], depth_max: u32) -> Self {
        let mut traversal = Self::without_links(view, starts, kinds, depth_max);
        let mut links = Vec::new();
        for node in traversal.reached.keys() {
            let ends = |link: &u32| {
                let link = *link;
                kinds.contains(&view.graph().link(link).kind)
                    && traversal.reached.contains_key(&view.graph().ends(link).1)
            };
            links.extend(view.links_out(*node).iter().copied().filter(ends));
        }
        links.sort_unstable();
        traversal.links = links;
        traversal
    }

    /// The same, for who asks for nodes and paths only.
    pub(crate) fn without_links(
        view: &View<'_>,
        starts: &[Node],
        kinds: &[LinkType],
        depth_max: u32,
    ) -> Self {
        let mut starts: Vec<Node> =
            starts.iter().copied().filter(|node| view.object(*node).is_some()).collect();
        starts.sort_unstable();
        let mut walk = Walk {
            kinds: LinkType::ALL.map(|kind| kinds.contains(&kind)),
            arrivals: Vec::with_capacity(64),
            first: Seen::new(),
            closed: Vec::with_capacity(64),
            nodes: 0,
            truncated: false,
        };
        for start in starts {
            walk.arrive(start, 0, None, Open::Every);
        }
        let mut next = 0;
        while let Some(arrival) = walk.arrivals.get(next).copied() {
            if arrival.depth < depth_max {
                walk.expand(view, next, arrival);
            }
            next += 1;
        }
        walk.finish()
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

impl Walk {
    fn expand(&mut self, view: &View<'_>, number: usize, from: Arrival) {
        view.around(from.node, |kind, outward, node| {
            let way = (kind, outward);
            let open = match from.open {
                Open::Every => true,
                Open::AllBut(closed) => way != closed,
                Open::Only(only) => way == only,
            };
            if open && self.kinds[kind as usize] {
                let behind = if kind.declaration().transitive { Open::Every } else { Open::AllBut(way) };
                self.arrive(node, from.depth + 1, Some(number), behind);
            }
        });
    }

    /// Notes an arrival: a node's first, or the first that opens the way which its first one closed.
    fn arrive(&mut self, node: Node, depth: u32, before: Option<usize>, open: Open) {
        let number = self.arrivals.len();
        let (open, closed) = match self.first.get(node) {
            Some(first) => match self.closed[first].take() {
                Some(closed) if open != Open::AllBut(closed) => (Open::Only(closed), None),
                still => {
                    self.closed[first] = still;
                    return;
                }
            },
            None if self.nodes == NODES_MAX => {
                self.truncated = true;
                return;
            }
            None => {
                self.first.insert(node, number);
                self.nodes += 1;
                (open, if let Open::AllBut(closed) = open { Some(closed) } else { None })
            }
        };
        self.closed.push(closed);
        self.arrivals.push(Arrival { node, depth, before, open });
    }

    fn finish(self) -> Traversal {
        let first = |(number, arrival): &(usize, &Arrival)| self.first.get(arrival.node) == Some(*number);
        let reached = self.arrivals.iter().enumerate().filter(first).map(|(arrival, it)| {
            let via = it.before.map(|before| self.arrivals[before].node);
            (it.node, Reached { depth: it.depth, via, arrival })
        });
        Traversal {
            reached: reached.collect(),
            links: Vec::new(),
            truncated: self.truncated,
            arrivals: self.arrivals,
        }
    }
}
