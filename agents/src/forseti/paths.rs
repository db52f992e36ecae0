//! Which facts the judgement looked at (U8). Only they lower the ceiling.
//!
//! Judged are the relations on
//! - the way up from what is changed, over the workloads and services that it is a part of, to the nearest owner;
//! - the shortest path to every objective in scope that is in force;
//! - the path to everything that breaks a constraint;
//! - the relations of destroyed objects to what needs them, where a constraint in force asks for dependents;
//! - the relations to recovery plans, where recovery is required or a constraint in force asks for rehearsals.
//!
//! Everything here visits a relation in scope a bounded number of times.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ontology::ObjectId;
use ontology::graph::{Graph, Node};
use ontology::model::Detail;
use ontology::policy::ConstraintKind;
use ontology::records::EvidenceKey;
use ontology::records::snapshot::Resolution;
use ontology::release::LinkType;

use super::judge::Bench;
use super::option::Course;
use super::scope;
use crate::muninn::snapshot::Scope;

/// Links whose end is a part of their start, for the way up.
const PART_OF: [LinkType; 3] = [LinkType::WorkloadRunsOn, LinkType::ImplementedBy, LinkType::Contains];
/// Hops of the way up at most: a contained resource, its container, workload, service.
const UP_MAX: u32 = 4;

/// What the judgement of one option looks at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Judged {
    /// Numbers of judged links of the model.
    pub(super) links: BTreeSet<u32>,
    /// What is changed, and what that is a part of.
    pub(super) lineage: BTreeSet<Node>,
    /// Objectives in scope that are in force, sorted by id.
    pub(super) objectives: Vec<ObjectId>,
}

/// What the judgement of `course` looks at; `violated` are the paths to what breaks a constraint.
pub(super) fn judged<'p>(
    bench: &Bench<'_>,
    scope: &Scope,
    course: &Course<'_>,
    violated: impl Iterator<Item = &'p Vec<ObjectId>>,
) -> Judged {
    let graph = bench.inputs.graph;
    let mut links = BTreeSet::new();
    let lineage = way_up(graph, scope, &mut links);
    let objectives = objectives(graph, scope);
    shortest_paths(graph, scope, objectives.iter().filter_map(|id| graph.node(id)), &mut links);
    along(graph, violated, &mut links);
    let asks = |wanted: fn(&ConstraintKind) -> bool| bench.rules.iter().any(|rule| wanted(&rule.rule));
    if asks(|rule| matches!(rule, ConstraintKind::NoDeleteWithDependents)) {
        destroyed_needs(graph, scope, course, &mut links);
    }
    let rehearsed = asks(|rule| matches!(rule, ConstraintKind::RecoveryRehearsed { .. }));
    if rehearsed || bench.required.contains(&EvidenceKey::Recovery) {
        let plans = lineage.iter().flat_map(|node| graph.links_from(*node, LinkType::RecoveredBy));
        links.extend(plans.copied());
    }
    Judged { links, lineage, objectives }
}

/// Whether `detail` is an objective, and whether it is only assumed.
pub(super) fn objective(detail: &Detail) -> Option<bool> {
    match detail {
        Detail::ServiceObjective(objective) => Some(objective.assumed),
        Detail::RecoveryObjective(objective) => Some(objective.assumed),
        Detail::CostObjective(objective) => Some(objective.assumed),
        _ => None,
    }
}

/// Objectives in scope, sorted by id. What is out of force at the cut-off is in no scope.
pub(super) fn objectives(graph: &Graph, scope: &Scope) -> Vec<ObjectId> {
    let objects = scope.objects.keys().filter_map(|node| graph.object(*node));
    let found = objects.filter(|object| objective(&object.detail).is_some());
    let mut found: Vec<ObjectId> = found.map(|object| object.id.clone()).collect();
    found.sort();
    found
}

/// Climbs from what is changed to what it is a part of, and takes each nearest owner. A node is visited at most
/// twice: below an owner, and where one was already found.
fn way_up(graph: &Graph, scope: &Scope, links: &mut BTreeSet<u32>) -> BTreeSet<Node> {
    let mut seen: BTreeSet<(Node, bool)> =
        scope::starts(scope).into_iter().map(|start| (start, false)).collect();
    let mut waiting: VecDeque<(Node, bool, u32)> =
        seen.iter().map(|(node, owned)| (*node, *owned, 0)).collect();
    while let Some((node, owned, depth)) = waiting.pop_front() {
        let owners = graph.links_from(node, LinkType::OwnedBy);
        if !owned {
            links.extend(owners);
        }
        let owned = owned || !owners.is_empty();
        if depth == UP_MAX {
            continue;
        }
        for link in PART_OF.iter().flat_map(|kind| graph.links_to(node, *kind)) {
            links.insert(*link);
            let whole = graph.ends(*link).0;
            if seen.insert((whole, owned)) {
                waiting.push_back((whole, owned, depth + 1));
            }
        }
    }
    seen.into_iter().map(|(node, _)| node).collect()
}

/// Takes the links on every shortest path from what is changed to `ends`: from each end back, one hop nearer at a
/// time.
fn shortest_paths(graph: &Graph, scope: &Scope, ends: impl Iterator<Item = Node>, links: &mut BTreeSet<u32>) {
    let mut nearer: BTreeMap<Node, Vec<(u32, Node)>> = BTreeMap::new();
    for link in &scope.links {
        let (from, to) = graph.ends(*link);
        let (Some(a), Some(b)) = (scope.objects.get(&from), scope.objects.get(&to)) else { continue };
        if a + 1 == *b {
            nearer.entry(to).or_default().push((*link, from));
        } else if b + 1 == *a {
            nearer.entry(from).or_default().push((*link, to));
        }
    }
    let mut waiting: Vec<Node> = ends.collect();
    let mut passed: BTreeSet<Node> = waiting.iter().copied().collect();
    while let Some(node) = waiting.pop() {
        for (link, before) in nearer.get(&node).into_iter().flatten() {
            links.insert(*link);
            if passed.insert(*before) {
                waiting.push(*before);
            }
        }
    }
}

/// Takes the links between neighbours of each path.
fn along<'p>(graph: &Graph, paths: impl Iterator<Item = &'p Vec<ObjectId>>, links: &mut BTreeSet<u32>) {
    let steps = paths.flat_map(|path| path.windows(2));
    let steps: BTreeSet<(Node, Node)> =
        steps.filter_map(|pair| Some((graph.node(&pair[0])?, graph.node(&pair[1])?))).collect();
    for (from, to) in steps {
        for kind in LinkType::ALL {
            links.extend(graph.links_from(from, kind).iter().filter(|link| graph.ends(**link).1 == to));
            links.extend(graph.links_to(from, kind).iter().filter(|link| graph.ends(**link).0 == to));
        }
    }
}

/// Takes the links by which other objects need those that `course` destroys.
fn destroyed_needs(graph: &Graph, scope: &Scope, course: &Course<'_>, links: &mut BTreeSet<u32>) {
    let destroyed = course.changed().filter(|target| target.action.destroys());
    let objects = destroyed.filter_map(|target| Resolution::of(&scope.targets, &target.address).object());
    let nodes: BTreeSet<Node> = objects.filter_map(|object| graph.node(object)).collect();
    for node in nodes {
        for kind in [LinkType::WorkloadRunsOn, LinkType::DependsOn, LinkType::WorkloadDependsOn] {
            links.extend(graph.links_to(node, kind));
        }
    }
}
