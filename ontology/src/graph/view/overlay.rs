//! What a change lays over a graph: whole rows of neighbours, for touched nodes only.

use std::collections::{BTreeMap, BTreeSet};

use super::Edge;
use crate::graph::index::{broken_ends, keeps_cardinality, name};
use crate::graph::{Edits, Graph, Node};
use crate::model::Object;
use crate::release::LinkType;
use crate::{Digest, ObjectId, Reason, ReasonCode};

/// A row's place: node, link type, and whether its links start there.
type Place = (Node, LinkType, bool);

/// Edits, indexed against a graph.
#[derive(Debug)]
pub(super) struct Overlay {
    edits: Edits,
    /// Ids of added objects, sorted: the first has the number after the model's last.
    added: Vec<ObjectId>,
    altered: BTreeMap<Node, ObjectId>,
    removed: BTreeSet<Node>,
    /// Nodes with a row of their own, to answer for all others at once.
    touched: BTreeSet<Node>,
    rows: BTreeMap<Place, Vec<Edge>>,
}

impl Overlay {
    pub(super) fn new(graph: &Graph, edits: &Edits) -> (Self, Vec<Reason>) {
        let mut overlay = Self {
            edits: edits.clone(),
            added: Vec::new(),
            altered: BTreeMap::new(),
            removed: BTreeSet::new(),
            touched: BTreeSet::new(),
            rows: BTreeMap::new(),
        };
        let mut broken = Broken::default();
        overlay.lay_objects(graph, &mut broken);
        overlay.lay_links(graph, &mut broken);
        overlay.check_altered(graph, &mut broken);
        overlay.check_cardinalities(graph, &mut broken);
        (overlay, broken.0.into_iter().collect())
    }

    fn lay_objects(&mut self, graph: &Graph, broken: &mut Broken) {
        for id in self.edits.put.keys() {
            if self.edits.removed.contains(id) {
                broken.about(id, "is both put and removed");
            }
            match graph.node(id) {
                Some(node) => {
                    self.altered.insert(node, id.clone());
                }
                None => self.added.push(id.clone()),
            }
        }
        let removed = std::mem::take(&mut self.edits.removed);
        for id in &removed {
            match graph.node(id) {
                Some(node) if !self.edits.put.contains_key(id) => {
                    self.removed.insert(node);
                    self.unlink_all(graph, node);
                }
                Some(_) => {}
                None => broken.about(id, "is removed and was not there"),
            }
        }
        self.edits.removed = removed;
    }

    fn unlink_all(&mut self, graph: &Graph, node: Node) {
        for kind in LinkType::ALL {
            for outward in [true, false] {
                let row = self.row_mut(graph, (node, kind, outward));
                for edge in std::mem::take(row) {
                    self.row_mut(graph, (edge.node, kind, !outward)).retain(|back| back.node != node);
                }
            }
        }
    }

    fn lay_links(&mut self, graph: &Graph, broken: &mut Broken) {
        let edits = std::mem::take(&mut self.edits);
        for (kind, from, to) in &edits.unlinked {
            let key = (*kind, from.clone(), to.clone());
            if edits.linked.contains(&key) {
                broken.about(&name(*kind, from, to), "is both added and removed");
                continue;
            }
            let ends = graph.node(from).zip(graph.node(to));
            let there = ends.filter(|(from, to)| {
                graph.links_from(*from, *kind).iter().any(|link| graph.ends(*link).1 == *to)
            });
            match there {
                None => broken.about(&name(*kind, from, to), "is removed and was not there"),
                Some((from, to)) => {
                    self.row_mut(graph, (from, *kind, true)).retain(|edge| edge.node != to);
                    self.row_mut(graph, (to, *kind, false)).retain(|edge| edge.node != from);
                }
            }
        }
        self.edits = edits;
        let linked = std::mem::take(&mut self.edits.linked);
        for (kind, from, to) in &linked {
            let name = || name(*kind, from, to);
            match (self.node(graph, from), self.node(graph, to)) {
                (None, _) => broken.about(&name(), &format!("starts at {from}, which is no object")),
                (_, None) => broken.about(&name(), &format!("leads to {to}, which is no object")),
                (Some(start), Some(end)) if start == end => {
                    broken.about(&name(), "leads from an object to itself");
                }
                (Some(start), Some(end)) => {
                    self.check_ends(graph, *kind, (start, end), broken);
                    add(self.row_mut(graph, (start, *kind, true)), end);
                    add(self.row_mut(graph, (end, *kind, false)), start);
                }
            }
        }
        self.edits.linked = linked;
    }

    fn check_ends(&self, graph: &Graph, kind: LinkType, ends: (Node, Node), broken: &mut Broken) {
        if let (Some(from), Some(to)) = (self.object(graph, ends.0), self.object(graph, ends.1)) {
            let types = (from.detail.object_type(), to.detail.object_type());
            if let Some(why) = broken_ends(kind, false, types.0, types.1) {
                broken.about(&name(kind, &from.id, &to.id), &why);
            }
        }
    }

    /// An object that became another type may no longer hold the links it has.
    fn check_altered(&self, graph: &Graph, broken: &mut Broken) {
        for (node, id) in &self.altered {
            let now = self.edits.put.get(id).map(|object| object.detail.object_type());
            if graph.object(*node).map(|object| object.detail.object_type()) == now {
                continue;
            }
            for kind in LinkType::ALL {
                for edge in self.neighbours(graph, (*node, kind, true)) {
                    self.check_ends(graph, kind, (*node, edge), broken);
                }
                for edge in self.neighbours(graph, (*node, kind, false)) {
                    self.check_ends(graph, kind, (edge, *node), broken);
                }
            }
        }
    }

    fn check_cardinalities(&self, graph: &Graph, broken: &mut Broken) {
        for ((node, kind, outward), row) in &self.rows {
            let (out, into) = if *outward { (row.len(), 1) } else { (1, row.len()) };
            if !keeps_cardinality(*kind, out, into)
                && let Some(object) = self.object(graph, *node)
            {
                let way = if *outward { "from" } else { "to" };
                broken.about(&object.id, &format!("has {} links {} {way} it", row.len(), kind.as_str()));
            }
        }
    }

    fn neighbours(&self, graph: &Graph, place: Place) -> Vec<Node> {
        match self.rows.get(&place) {
            Some(row) => row.iter().map(|edge| edge.node).collect(),
            None => base_row(graph, place).iter().map(|edge| edge.node).collect(),
        }
    }

    fn row_mut(&mut self, graph: &Graph, place: Place) -> &mut Vec<Edge> {
        self.touched.insert(place.0);
        self.rows.entry(place).or_insert_with(|| base_row(graph, place))
    }

    pub(super) fn row(&self, node: Node, kind: LinkType, outward: bool) -> Option<&[Edge]> {
        if !self.touched.contains(&node) {
            return None;
        }
        self.rows.get(&(node, kind, outward)).map(Vec::as_slice)
    }

    pub(super) fn relinks(&self) -> bool {
        !(self.added.is_empty() && self.removed.is_empty() && self.touched.is_empty())
    }

    /// Whether the node has a row of its own.
    pub(super) fn touches(&self, node: Node) -> bool {
        self.touched.contains(&node)
    }

    pub(super) fn node(&self, graph: &Graph, id: &ObjectId) -> Option<Node> {
        match graph.node(id) {
            Some(node) => Some(node).filter(|node| !self.removed.contains(node)),
            None => {
                let index = self.added.binary_search(id).ok()?;
                u32::try_from(graph.model().objects.len() + index).ok().map(Node)
            }
        }
    }

    pub(super) fn object<'a>(&'a self, graph: &'a Graph, node: Node) -> Option<&'a Object> {
        if self.removed.contains(&node) {
            return None;
        }
        let count = graph.model().objects.len();
        let put = match (node.0 as usize).checked_sub(count) {
            Some(index) => Some(self.added.get(index)?),
            None => self.altered.get(&node),
        };
        match put {
            Some(id) => self.edits.put.get(id),
            None => graph.object(node),
        }
    }

    pub(super) fn edits(&self) -> &Edits {
        &self.edits
    }

    pub(super) fn operations(&self) -> u32 {
        let Edits { put, removed, linked, unlinked } = &self.edits;
        u32::try_from(put.len() + removed.len() + linked.len() + unlinked.len()).unwrap_or(u32::MAX)
    }
}

/// Broken rules, sorted, each once.
#[derive(Default)]
struct Broken(BTreeSet<Reason>);

impl Broken {
    fn about(&mut self, subject: &dyn std::fmt::Display, why: &str) {
        self.0.insert(Reason::about(ReasonCode::ScenarioInvalid, subject).with_detail(why));
    }
}

fn base_row(graph: &Graph, (node, kind, outward): Place) -> Vec<Edge> {
    let links = if outward { graph.links_from(node, kind) } else { graph.links_to(node, kind) };
    let end = |link: u32| if outward { graph.ends(link).1 } else { graph.ends(link).0 };
    links.iter().map(|link| Edge { node: end(*link), link: Some(*link) }).collect()
}

/// Adds a neighbour in its place, unless it is one.
fn add(row: &mut Vec<Edge>, node: Node) {
    if let Err(index) = row.binary_search_by_key(&node, |edge| edge.node) {
        row.insert(index, Edge { node, link: None });
    }
}

/// SHA-256 over the base and the edits, in canonical form: objects in the order of their ids, then what is removed,
/// linked and unlinked, each sorted.
pub(super) fn digest(base: Digest, edits: &Edits) -> Digest {
    let put: Vec<&Object> = edits.put.values().collect();
    Digest::of_value(&(base, put, &edits.removed, &edits.linked, &edits.unlinked))
}
