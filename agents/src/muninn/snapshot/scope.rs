//! What lies around the targets of a change: the part of the model that a review may judge on.

use std::collections::{BTreeMap, BTreeSet};

use ontology::graph::traverse::NODES_MAX;
use ontology::graph::{Edits, Graph, Node, Traversal, View};
use ontology::model::Object;
use ontology::policy::{Catalog, Limits, Selector};
use ontology::records::Pins;
use ontology::records::document::{ChangeDocument, Target};
use ontology::records::snapshot::Resolution;
use ontology::release::{LinkType, ObjectType};
use ontology::{Content, ObjectId, Timestamp};
use topics::Library;

/// The traversal's depth where the catalog says nothing (arb.md 2.3).
pub const DEPTH_MAX_DEFAULT: u32 = 3;
/// Objects affected at most without a person where the catalog says nothing (arb.md 2.8).
pub const AFFECTED_MAX_DEFAULT: u32 = 10;

/// Link types along which a change spreads.
pub const STRUCTURE: [LinkType; 5] = [
    LinkType::ImplementedBy,
    LinkType::WorkloadRunsOn,
    LinkType::WorkloadDependsOn,
    LinkType::DependsOn,
    LinkType::Contains,
];
/// Link types that say something about an object and lead no further: what else a team owns, or which other things
/// share an objective or a plan, is not around a target.
pub const FACTS: [LinkType; 5] = [
    LinkType::OwnedBy,
    LinkType::HasServiceObjective,
    LinkType::HasRecoveryObjective,
    LinkType::HasCostObjective,
    LinkType::RecoveredBy,
];

/// Everything that a scope follows from: the same four give the same scope, for anybody.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// The change.
    pub document: &'a ChangeDocument,
    /// The model revision that is pinned.
    pub graph: &'a Graph,
    /// The catalog that is pinned.
    pub catalog: &'a Catalog,
    /// Facts up to here.
    pub cutoff: Timestamp,
}

impl<'a> Setting<'a> {
    /// Looks everything up that a review has pinned; `None` where the library does not hold it.
    #[must_use]
    pub fn of(
        library: &'a Library,
        document: &'a Content<ChangeDocument>,
        pins: &Pins,
        cutoff: Timestamp,
    ) -> Option<Self> {
        let document: &ChangeDocument = library.document(document)?;
        let (graph, catalog) = (library.model(&pins.model)?, library.catalog(&pins.catalog)?);
        Some(Self { document, graph, catalog, cutoff })
    }
}

/// The part of the model around the targets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// How each target that changes was found, sorted by address.
    pub targets: Vec<Resolution>,
    /// Objects in scope, with their distance from the nearest target in hops.
    pub objects: BTreeMap<Node, u32>,
    /// Numbers of the links in scope, sorted.
    pub links: Vec<u32>,
    /// Objects that were reached and are out of force at the cut-off: left away with their links.
    pub excluded: BTreeSet<Node>,
    /// How many objects lay outside the access scope.
    pub left_out: u32,
    /// The traversal met its bound.
    pub truncated: bool,
    /// The bounds that apply: the deepest traversal and the smallest impact cap of all targets.
    pub limits: Limits,
}

/// The scope of a change: breadth first from what its targets are or are part of, both ways, along [`STRUCTURE`],
/// with the [`FACTS`] of what was reached (arb.md 2.3).
#[must_use]
pub fn scope(setting: &Setting<'_>) -> Scope {
    let graph = setting.graph;
    let targets = resolve(setting);
    let limits = limits(setting, &targets);
    let starts = starts(setting, &targets);
    let (mut excluded, mut hidden) = (BTreeSet::new(), BTreeSet::new());
    let traversal = loop {
        let before = excluded.len() + hidden.len();
        let traversal = around(graph, &starts, excluded.union(&hidden), limits.depth_max);
        for (node, object) in traversal.reached.keys().filter_map(|node| Some((*node, graph.object(*node)?)))
        {
            if !readable(object.detail.object_type()) {
                hidden.insert(node);
            } else if !in_force(object, setting.cutoff) {
                excluded.insert(node);
            }
        }
        if excluded.len() + hidden.len() == before {
            break traversal;
        }
    };
    let objects = traversal.reached.iter().map(|(node, reached)| (*node, reached.depth)).collect();
    let left_out = u32::try_from(hidden.len()).unwrap_or(u32::MAX);
    let Traversal { links, truncated, .. } = traversal;
    let mut scope = Scope { targets, objects, links, excluded, left_out, truncated, limits };
    scope.add_facts(setting);
    scope
}

impl Scope {
    fn add_facts(&mut self, setting: &Setting<'_>) {
        let reached: Vec<(Node, u32)> = self.objects.iter().map(|(node, depth)| (*node, *depth)).collect();
        for (node, depth) in reached {
            if depth >= self.limits.depth_max {
                continue;
            }
            for link in FACTS.iter().flat_map(|kind| setting.graph.links_from(node, *kind)) {
                let (_, fact) = setting.graph.ends(*link);
                let current =
                    setting.graph.object(fact).is_some_and(|object| in_force(object, setting.cutoff));
                if !current {
                    self.excluded.insert(fact);
                } else if self.objects.len() < NODES_MAX || self.objects.contains_key(&fact) {
                    let nearest = self.objects.entry(fact).or_insert(depth + 1);
                    *nearest = (*nearest).min(depth + 1);
                    self.links.push(*link);
                } else {
                    self.truncated = true;
                }
            }
        }
        self.links.sort_unstable();
        self.links.dedup();
    }
}

/// How each target that changes is found in the model, sorted by address.
#[must_use]
pub fn resolve(setting: &Setting<'_>) -> Vec<Resolution> {
    let workspace = setting.document.workspace.as_deref();
    let found = |target: &Target| setting.graph.bindings().resolve(setting.graph, target, workspace);
    let resolution = |target: &Target| Resolution { address: target.address.clone(), found: found(target) };
    let mut targets: Vec<Resolution> = setting.document.changed().map(resolution).collect();
    targets.sort();
    targets
}

/// Whether `selector` selects a target, by its own type or by what it belongs to in the model.
#[must_use]
pub fn selects(selector: &Selector, target: &Target, object: Option<&Object>) -> bool {
    let placement = object.and_then(|object| object.detail.placement());
    let placed_kind = placement.and_then(|placement| placement.kind.as_deref());
    selector.matches(placement, &target.kind)
        || placed_kind.is_some_and(|kind| selector.matches(placement, kind))
}

/// The object of the model that a target belongs to.
#[must_use]
pub fn object_of<'a>(graph: &'a Graph, resolution: &Resolution) -> Option<&'a Object> {
    graph.object(graph.node(resolution.found.object()?)?)
}

/// The objects that a change of these targets touches: what each is or is part of, the workloads that run on that,
/// and the services that those implement; only what is in scope.
#[must_use]
pub fn touched<'a>(
    graph: &Graph,
    targets: impl Iterator<Item = &'a Resolution>,
    objects: &BTreeSet<Node>,
) -> BTreeSet<Node> {
    let bound = |resolution: &Resolution| graph.node(resolution.found.object()?);
    let mut touched: BTreeSet<Node> =
        targets.filter_map(bound).filter(|node| objects.contains(node)).collect();
    for kind in [LinkType::WorkloadRunsOn, LinkType::ImplementedBy] {
        let above = |node: &Node| graph.links_to(*node, kind).iter().map(|link| graph.ends(*link).0);
        let above: Vec<Node> = touched.iter().flat_map(above).filter(|node| objects.contains(node)).collect();
        touched.extend(above);
    }
    touched
}

/// What links of `kind` from `node` lead to, as far as it is in scope.
pub fn facts_of<'a>(
    graph: &'a Graph,
    node: Node,
    kind: LinkType,
    objects: &'a BTreeSet<Node>,
) -> impl Iterator<Item = Node> + 'a {
    graph.links_from(node, kind).iter().map(|link| graph.ends(*link).1).filter(|fact| objects.contains(fact))
}

/// The bounds of a review: for each target the first that match; of several targets the deepest traversal, so that
/// nothing goes unseen, and the smallest cap.
fn limits(setting: &Setting<'_>, targets: &[Resolution]) -> Limits {
    let mut found: Option<Limits> = None;
    for target in setting.document.changed() {
        let at = targets.binary_search_by(|resolution| resolution.address.cmp(&target.address)).ok();
        let object = at.and_then(|at| object_of(setting.graph, &targets[at]));
        let Some(limits) = setting.catalog.limits.iter().find(|limits| selects(&limits.when, target, object))
        else {
            continue;
        };
        found = Some(Limits {
            when: Selector::default(),
            affected_max: found
                .as_ref()
                .map_or(limits.affected_max, |found| found.affected_max.min(limits.affected_max)),
            depth_max: found.as_ref().map_or(limits.depth_max, |found| found.depth_max.max(limits.depth_max)),
        });
    }
    let (affected_max, depth_max) = (AFFECTED_MAX_DEFAULT, DEPTH_MAX_DEFAULT);
    found.unwrap_or(Limits { when: Selector::default(), affected_max, depth_max })
}

/// What the targets belong to, and what the relations that the change edits join.
fn starts(setting: &Setting<'_>, targets: &[Resolution]) -> Vec<Node> {
    let bound = targets.iter().filter_map(|resolution| resolution.found.object());
    let joined = setting.document.links.iter().flat_map(|link| [&link.from, &link.to]);
    bound.chain(joined).filter_map(|id| setting.graph.node(id)).collect()
}

fn around<'a>(
    graph: &Graph,
    starts: &[Node],
    without: impl Iterator<Item = &'a Node>,
    depth_max: u32,
) -> Traversal {
    let ids = without.filter_map(|node| graph.object(*node)).map(|object| object.id.clone());
    let removed: BTreeSet<ObjectId> = ids.collect();
    let view = if removed.is_empty() {
        View::base(graph)
    } else {
        View::with(graph, &Edits { removed, ..Edits::default() }).0
    };
    Traversal::of(&view, starts, &STRUCTURE, depth_max)
}

/// Whether the access scope `review` may read objects of this type. Processes belong to their engines: a change
/// names one by `process_ref`, and a review reads no other.
const fn readable(object_type: ObjectType) -> bool {
    !matches!(object_type, ObjectType::Process)
}

fn in_force(object: &Object, cutoff: Timestamp) -> bool {
    object.effective_from.is_none_or(|from| from <= cutoff)
        && object.effective_to.is_none_or(|to| cutoff < to)
}
