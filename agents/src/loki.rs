//! Proposes experiments: a rehearsal for each recovery objective that nothing shows to be met, of what has enough
//! redundancy to be rehearsed on. Proposes, and never runs (review.md, "Who owns what").

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use ontology::graph::{Graph, Node};
use ontology::model::{Detail, RecoveryObjective};
use ontology::records::evaluation::AS_PROPOSED;
use ontology::records::experiment::{PROPOSALS_MAX, REDUNDANCY_MIN};
use ontology::records::{Evaluation, ExperimentProposal, Recovery};
use ontology::release::LinkType;
use ontology::{Digest, Name, ObjectId};
use topics::{Agent, Answer, Event, Key, Library, Object, Owed, Owner, Question, Topic};

use crate::followed::{Current, Followed};

/// The strategy where no recovery plan names one.
const STRATEGY_DEFAULT: &str = "restore";

/// Proposes experiments.
#[derive(Debug, Clone, Copy)]
pub struct Loki;

/// That something was proposed in the newest evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Proposed(bool);

impl Agent for Loki {
    const ROLE: Owner = Owner::Loki;
    const LOGIC: u16 = 1;
    const READS: &'static [Topic] =
        &[Topic::Change, Topic::EvaluationOpened, Topic::Recovery, Topic::DecisionReceipt];
    type State = Followed<Proposed>;

    fn evolve(state: &mut Self::State, event: &Event<'_>) {
        state.follow(event);
        for object in event.objects() {
            if let Object::ExperimentProposal(proposal) = object
                && let Some(current) = state.of(proposal.evaluation)
            {
                current.work = Proposed(true);
            }
        }
    }

    fn decide(state: &Self::State, event: &Event<'_>, library: &Library) -> Vec<(Option<Key>, Object)> {
        let Some((_, current)) = state.open_evaluation().filter(|(_, current)| !current.work.0) else {
            return Vec::new();
        };
        let Some(graph) = library.model(&current.pins.model) else { return Vec::new() };
        let observed = event.step.records().iter().find_map(|record| match &record.object {
            Object::Recovery(recovery) if recovery.evaluation == current.evaluation => {
                Some((recovery.as_ref(), record.digest))
            }
            _ => None,
        });
        let Some((recovery, digest)) = observed else { return Vec::new() };
        proposals(current, recovery, digest, graph).into_iter().map(|it| (None, it.into())).collect()
    }

    fn observe(_: &Question, _: &Answer, _: &Library) -> Vec<Object> {
        Vec::new()
    }

    fn owed(_: &Self::State) -> Owed {
        Owed::default()
    }
}

/// One proposal an objective and object without a rehearsal, in order.
fn proposals(
    current: &Current<Proposed>,
    recovery: &Recovery,
    recovery_digest: Digest,
    graph: &Graph,
) -> Vec<ExperimentProposal> {
    let untried = recovery.effects.iter().filter(|effect| effect.option.as_str() == AS_PROPOSED);
    let untried = untried.filter(|effect| effect.rehearsed_at.is_none());
    let pairs: BTreeSet<(&ObjectId, &ObjectId)> =
        untried.map(|effect| (&effect.objective, &effect.object)).collect();
    let found = pairs.into_iter().filter_map(|(objective, object)| {
        proposal(current.evaluation, objective, object, recovery_digest, graph)
    });
    found.take(PROPOSALS_MAX).collect()
}

fn proposal(
    evaluation: Evaluation,
    objective: &ObjectId,
    object: &ObjectId,
    recovery_digest: Digest,
    graph: &Graph,
) -> Option<ExperimentProposal> {
    let node = graph.node(object)?;
    let redundancy = redundancy(graph, node).filter(|redundancy| *redundancy >= REDUNDANCY_MIN)?;
    let Detail::RecoveryObjective(RecoveryObjective { rto_s, rpo_s, .. }) =
        &graph.object(graph.node(objective)?)?.detail
    else {
        return None;
    };
    Some(ExperimentProposal {
        evaluation,
        objective: objective.clone(),
        object: object.clone(),
        strategy: strategy(graph, node),
        redundancy,
        rto_s: *rto_s,
        rpo_s: *rpo_s,
        recovery_digest,
    })
}

/// Instances or zones of an object, whichever are more; of a service, those of its weakest workload.
fn redundancy(graph: &Graph, node: Node) -> Option<u32> {
    let own = |node: Node| {
        let placement = graph.object(node)?.detail.placement()?;
        let zones = u32::try_from(placement.zones.len()).ok().filter(|zones| *zones > 0);
        placement.replicas.max(zones)
    };
    own(node).or_else(|| {
        let workloads = graph.links_from(node, LinkType::ImplementedBy).iter();
        workloads.map(|link| own(graph.ends(*link).1)).min().flatten()
    })
}

fn strategy(graph: &Graph, node: Node) -> Name {
    let plans = graph.links_from(node, LinkType::RecoveredBy).iter();
    let strategies = plans.filter_map(|link| match &graph.object(graph.ends(*link).1)?.detail {
        Detail::RecoveryPlan(plan) => Some(plan.strategy.clone()),
        _ => None,
    });
    strategies.min().unwrap_or_else(|| Name::new(STRATEGY_DEFAULT).expect("a short literal"))
}
