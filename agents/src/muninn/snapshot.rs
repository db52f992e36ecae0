//! The operational context: the model around the targets, frozen at the cut-off (S-09, arb.md 2.3).

mod conflicts;
pub mod scope;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use ontology::graph::Node;
use ontology::records::snapshot::{PAIRS_MAX, Pair, Resolution};
use ontology::records::{Evaluation, Pins, StateSnapshot};
use ontology::{Digest, Name, ObjectId};

pub use scope::{Scope, Setting, scope};

/// The access scope that reviews read under.
const ACCESS_SCOPE: &str = "review";
/// What they read for.
const PURPOSE: &str = "architecture_review";

/// Freezes the model around the targets of a change.
#[must_use]
pub fn freeze(evaluation: Evaluation, pins: &Pins, setting: &Setting<'_>) -> StateSnapshot {
    let scope = scope(setting);
    let conflicts = conflicts::conflicts(setting, &scope);
    let (objects, links) = (objects_of(setting, &scope), links_of(setting, &scope));
    let pairs_digest = Digest::of_value(&(&objects, &links));
    let (objects_total, links_total) = (count(objects.len()), count(links.len()));
    let listed = objects.len() + links.len() <= PAIRS_MAX;
    let targets_total = count(scope.targets.len());
    let mut targets = scope.targets;
    targets.truncate(PAIRS_MAX);
    StateSnapshot {
        evaluation,
        cutoff: setting.cutoff,
        release: pins.release,
        generation: pins.model,
        access_scope: name(ACCESS_SCOPE),
        purpose: name(PURPOSE),
        targets,
        targets_total,
        objects: if listed { objects } else { Vec::new() },
        links: if listed { links } else { Vec::new() },
        objects_total,
        links_total,
        pairs_digest,
        left_out: scope.left_out,
        complete: scope.left_out == 0 && !scope.truncated,
        truncated: scope.truncated,
        conflicts,
    }
}

/// What a snapshot says about targets and objects, whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// How each target that changes was found, sorted by address.
    pub targets: Vec<Resolution>,
    /// Objects in scope.
    pub objects: BTreeSet<Node>,
}

impl Contents {
    /// Reads them from the snapshot's lists; where those were cut, recomputes them from what it was made from.
    #[must_use]
    pub fn of(snapshot: &StateSnapshot, setting: &Setting<'_>) -> Self {
        let whole = count(snapshot.objects.len()) == snapshot.objects_total
            && count(snapshot.targets.len()) == snapshot.targets_total;
        if whole {
            let node = |pair: &Pair| setting.graph.node(&ObjectId::new(pair.id.as_str()).ok()?);
            let objects = snapshot.objects.iter().filter_map(node).collect();
            return Self { targets: snapshot.targets.clone(), objects };
        }
        let Scope { targets, objects, .. } = scope(setting);
        Self { targets, objects: objects.into_keys().collect() }
    }
}

fn objects_of(setting: &Setting<'_>, scope: &Scope) -> Vec<Pair> {
    let pair = |node: &Node| {
        let id = setting.graph.object(*node)?.id.to_string();
        Some(Pair { id, digest: setting.graph.object_digest(*node) })
    };
    sorted(scope.objects.keys().filter_map(pair).collect())
}

fn links_of(setting: &Setting<'_>, scope: &Scope) -> Vec<Pair> {
    let pair = |link: &u32| {
        let id = conflicts::link_id(setting.graph, *link);
        Pair { id, digest: setting.graph.link_digest(*link) }
    };
    sorted(scope.links.iter().map(pair).collect())
}

fn sorted(mut pairs: Vec<Pair>) -> Vec<Pair> {
    pairs.sort();
    pairs
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn name(text: &str) -> Name {
    Name::new(text).expect("it is a short literal")
}
