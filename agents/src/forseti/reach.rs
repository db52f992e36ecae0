//! How far a change may reach: what it alters, and what depends on that (S-03, arb.md 2.8).

use std::collections::{BTreeSet, VecDeque};

use ontology::graph::traverse::NODES_MAX;
use ontology::graph::{Graph, Node};
use ontology::policy::Limits;
use ontology::records::snapshot::Resolution;
use ontology::release::LinkType;
use ontology::{ObjectId, Reason, ReasonCode};

use super::option::Course;
use super::scope;
use crate::muninn::snapshot::Scope;

/// Links whose start depends on their end.
const DEPENDS: [LinkType; 4] =
    [LinkType::WorkloadRunsOn, LinkType::DependsOn, LinkType::WorkloadDependsOn, LinkType::ImplementedBy];

/// What a change reaches.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Reach {
    /// Everything reached, the altered things included. A changed target that is bound to nothing is itself.
    pub(super) affected: BTreeSet<ObjectId>,
    /// How many of them the change alters itself.
    pub(super) direct: u32,
    /// The walk met its bound: there may be more.
    pub(super) truncated: bool,
}

impl Reach {
    /// What `course` reaches: the objects of its changed targets, and everything that depends on them within the
    /// depth of the scope's limits. Parts of one object are one object.
    pub(super) fn of(graph: &Graph, scope: &Scope, course: &Course<'_>) -> Self {
        let changed = course.changed().map(|target| {
            Resolution::of(&scope.targets, &target.address).object().unwrap_or(&target.address)
        });
        let starts = scope::starts(scope);
        let mut affected: BTreeSet<ObjectId> = changed.cloned().collect();
        affected.extend(ids(graph, &starts));
        let direct = count(affected.len());
        let (reached, truncated) = dependents(graph, starts, scope.limits.depth_max);
        affected.extend(ids(graph, &reached));
        Self { affected, direct, truncated }
    }

    /// Why a person, or more knowledge, is needed.
    pub(super) fn reasons(&self, limits: &Limits) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let total = count(self.affected.len());
        if total > limits.affected_max {
            let what = if total == self.direct { "changed targets" } else { "affected objects" };
            let detail = format!("{total} {what}, limit {}", limits.affected_max);
            reasons.push(
                Reason::about(ReasonCode::AffectedCapExceeded, "limits.affected_max").with_detail(detail),
            );
        }
        if self.truncated {
            let detail = format!("more than {NODES_MAX} objects depend on what is changed");
            reasons.push(Reason::about(ReasonCode::GraphTruncated, "dependents").with_detail(detail));
        }
        reasons
    }
}

/// What depends on `starts` within `depth_max` hops, the starts included.
fn dependents(graph: &Graph, starts: BTreeSet<Node>, depth_max: u32) -> (BTreeSet<Node>, bool) {
    let mut waiting: VecDeque<(Node, u32)> = starts.iter().map(|node| (*node, 0)).collect();
    let mut reached = starts;
    while let Some((node, depth)) = waiting.pop_front() {
        if depth == depth_max {
            continue;
        }
        let dependent =
            DEPENDS.iter().flat_map(|kind| graph.links_to(node, *kind)).map(|link| graph.ends(*link).0);
        let contained = graph.links_from(node, LinkType::Contains).iter().map(|link| graph.ends(*link).1);
        for next in dependent.chain(contained) {
            if reached.contains(&next) {
                continue;
            }
            if reached.len() >= NODES_MAX {
                return (reached, true);
            }
            reached.insert(next);
            waiting.push_back((next, depth + 1));
        }
    }
    (reached, false)
}

fn ids(graph: &Graph, nodes: &BTreeSet<Node>) -> impl Iterator<Item = ObjectId> {
    nodes.iter().filter_map(|node| graph.object(*node)).map(|object| object.id.clone())
}

/// A count in a record. Counts are bounded far below 2^32 by the bounds of models and changes.
pub(super) fn count(many: usize) -> u32 {
    u32::try_from(many).unwrap_or(u32::MAX)
}
