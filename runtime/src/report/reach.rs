//! How far the change may reach.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use agents::review::Part;
use ontology::graph::{Graph, Node, View};
use ontology::model::{Detail, ServiceObjective};
use ontology::records::ImpactEnvelope;
use ontology::release::LinkType;
use ontology::{ObjectId, Timestamp};

/// Links whose start depends on their end: along them, backwards, a change reaches (arb.md 2.8).
const DEPENDS: [LinkType; 4] =
    [LinkType::WorkloadRunsOn, LinkType::DependsOn, LinkType::WorkloadDependsOn, LinkType::ImplementedBy];

/// What the change may reach.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reach {
    /// Objects that the change alters itself.
    pub direct: u32,
    /// Objects reached.
    pub total: u32,
    /// The catalog's bound for this class and environment.
    pub affected_max: u32,
    /// Nothing was cut.
    pub complete: bool,
    /// Objects reached, sorted; at most 64.
    pub affected: Vec<ObjectId>,
    /// The listed ones by distance: what is altered, what depends on it, what depends on that.
    pub by_distance: Vec<Vec<ObjectId>>,
    /// Objectives on a path from the targets.
    pub objectives: Vec<ObjectiveShown>,
    /// Not valid after this.
    pub expires_at: Timestamp,
}

/// An objective that is protected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectiveShown {
    /// The objective.
    pub id: ObjectId,
    /// What it demands, for people: `99.95 %`, `RTO 1 h`. Empty where the model is not at hand.
    pub bound: String,
    /// Taken from the tier's defaults.
    pub assumed: bool,
}

pub(super) fn shown(part: &Part<'_>, graph: Option<&Graph>) -> Option<Reach> {
    let envelope = part.envelope()?.record;
    let objectives = part.case().map_or(&[][..], |known| &known.record.protected_objectives);
    Some(Reach {
        direct: envelope.direct_total,
        total: envelope.affected_total,
        affected_max: envelope.affected_max,
        complete: envelope.complete,
        affected: envelope.affected.clone(),
        by_distance: graph.map_or_else(Vec::new, |graph| by_distance(part, envelope, graph)),
        objectives: objectives.iter().map(|id| objective(id, graph)).collect(),
        expires_at: envelope.expires_at,
    })
}

/// Layers of the affected objects, breadth first; at most as many as there are objects.
fn by_distance(part: &Part<'_>, envelope: &ImpactEnvelope, graph: &Graph) -> Vec<Vec<ObjectId>> {
    let view = View::base(graph);
    let targets = part.snapshot().map_or(&[][..], |known| &known.record.targets);
    let altered: BTreeSet<&ObjectId> =
        targets.iter().map(|target| target.found.object().unwrap_or(&target.address)).collect();
    let mut rest: BTreeSet<&ObjectId> = envelope.affected.iter().collect();
    let mut layer: Vec<&ObjectId> = rest.iter().copied().filter(|id| altered.contains(id)).collect();
    let mut layers = Vec::new();
    while !layer.is_empty() {
        rest.retain(|id| !layer.contains(id));
        let next: BTreeSet<&ObjectId> = layer
            .iter()
            .filter_map(|id| view.node(id))
            .flat_map(|node| dependents(&view, node))
            .filter_map(|node| graph.object(node))
            .filter_map(|object| rest.get(&object.id).copied())
            .collect();
        layers.push(layer.into_iter().cloned().collect());
        layer = next.into_iter().collect();
    }
    layers
}

fn dependents(view: &View<'_>, node: Node) -> Vec<Node> {
    DEPENDS.iter().flat_map(|kind| view.into(node, *kind)).map(|edge| edge.node).collect()
}

fn objective(id: &ObjectId, graph: Option<&Graph>) -> ObjectiveShown {
    let object = graph.and_then(|graph| graph.object(graph.node(id)?));
    let (bound, assumed) = match object.map(|object| &object.detail) {
        Some(Detail::ServiceObjective(it)) => (service(it), it.assumed),
        Some(Detail::RecoveryObjective(it)) => {
            (format!("RTO {}, RPO {}", span(it.rto_s), span(it.rpo_s)), it.assumed)
        }
        Some(Detail::CostObjective(it)) => (format!("at most {} a month", it.monthly_max), it.assumed),
        _ => (String::new(), false),
    };
    ObjectiveShown { id: id.clone(), bound, assumed }
}

fn service(objective: &ServiceObjective) -> String {
    let micro = objective.target_micro;
    match objective.unit.as_str() {
        "ratio" => format!("{} {} %", objective.metric, decimal(micro, 10_000)),
        unit => format!("{} {} {unit}", objective.metric, decimal(micro, 1_000_000)),
    }
}

/// `micro` in units of `unit_micro`, without trailing zeros.
pub(super) fn decimal(micro: i64, unit_micro: i64) -> String {
    let (whole, rest) = (micro / unit_micro, (micro % unit_micro).unsigned_abs());
    let digits = unit_micro.to_string().len() - 1;
    let fraction = format!("{rest:0digits$}");
    let sign = if micro < 0 && whole == 0 { "-" } else { "" };
    match fraction.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        fraction => format!("{sign}{whole}.{fraction}"),
    }
}

/// A length of time in its largest whole unit: `90 s`, `41 min`, `1 h`, `12 d`.
#[must_use]
pub fn span(seconds: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(86_400, "d"), (3_600, "h"), (60, "min")];
    match UNITS.iter().find(|(unit, _)| seconds >= *unit && seconds.is_multiple_of(*unit)) {
        Some((unit, name)) => format!("{} {name}", seconds / unit),
        None => format!("{seconds} s"),
    }
}
