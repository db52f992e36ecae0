//! From events, in any order, to a trace.

use std::collections::BTreeSet;

use ontology::Timestamp;
use ontology::records::{Evaluation, EvidenceKey};
use topics::Topic;

use super::{Fault, FaultKind, Stage, StageSaid, Trace, TraceEvent, TraceOutcome};

/// Stages before the observations, in order. Where a further evaluation was opened, its opening stands after the
/// change.
const BEFORE: [Topic; 5] =
    [Topic::Change, Topic::StateSnapshot, Topic::PolicySet, Topic::OptionSet, Topic::ReviewSchedule];
/// Observations, in order, each with the key that activates it.
const OBSERVATIONS: [(Topic, EvidenceKey); 3] = [
    (Topic::ConcurrentChanges, EvidenceKey::ConcurrentChanges),
    (Topic::Cost, EvidenceKey::Cost),
    (Topic::Recovery, EvidenceKey::Recovery),
];
/// Stages after the observations, in order.
const AFTER: [Topic; 10] = [
    Topic::EvidenceBundle,
    Topic::GraphReceipt,
    Topic::Scenario,
    Topic::Case,
    Topic::ImpactEnvelope,
    Topic::Recommendation,
    Topic::Verdict,
    Topic::AuditEntry,
    Topic::DecisionReceipt,
    Topic::ReviewProjection,
];

/// Whether records of a topic are stages of a trace.
pub(super) fn is_stage(topic: Topic) -> bool {
    let observed = OBSERVATIONS.iter().any(|(observation, _)| *observation == topic);
    topic == Topic::EvaluationOpened || BEFORE.contains(&topic) || observed || AFTER.contains(&topic)
}

pub(super) fn replay(evaluation: Evaluation, events: &[TraceEvent]) -> Trace {
    let events: BTreeSet<&TraceEvent> =
        events.iter().filter(|event| event.evaluation == evaluation).collect();
    let deadline = events.iter().filter_map(|event| event.deadline).min();
    let activated: BTreeSet<EvidenceKey> =
        events.iter().flat_map(|event| event.activated.iter().copied()).collect();
    let sealed =
        events.iter().filter(|event| event.stage == Topic::EvidenceBundle).map(|event| event.time).min();
    let mut faults = BTreeSet::new();
    let mut stages = Vec::new();
    for topic in required(evaluation, &activated, &events) {
        let found: Vec<&TraceEvent> = events.iter().copied().filter(|event| event.stage == topic).collect();
        let due = if is_observation(topic) { sealed.into_iter().chain(deadline).min() } else { deadline };
        let said = stage(topic, found, due, &mut faults);
        stages.push(Stage { stage: topic, owner: topic.owner(), said });
    }
    let outcome = if faults.is_empty() { TraceOutcome::Closed } else { TraceOutcome::Held };
    Trace { evaluation, deadline, stages, faults: faults.into_iter().collect(), outcome }
}

/// The stages that have to be there. An observation that was not asked for is shown where it was made.
fn required(
    evaluation: Evaluation,
    activated: &BTreeSet<EvidenceKey>,
    events: &BTreeSet<&TraceEvent>,
) -> Vec<Topic> {
    let mut stages = BEFORE.to_vec();
    if evaluation > 1 {
        stages.insert(1, Topic::EvaluationOpened);
    }
    let made = |topic: Topic| events.iter().any(|event| event.stage == topic);
    let observations = OBSERVATIONS.iter().filter(|(topic, key)| activated.contains(key) || made(*topic));
    stages.extend(observations.map(|(topic, _)| *topic));
    stages.extend(AFTER);
    stages
}

fn is_observation(topic: Topic) -> bool {
    OBSERVATIONS.iter().any(|(observation, _)| *observation == topic)
}

/// One stage: the smallest record of its owner's, whatever came first, so that every order gives one trace. A
/// closing entry for late records is a stage of the same topic by nature, and no conflict.
fn stage(
    topic: Topic,
    found: Vec<&TraceEvent>,
    due: Option<Timestamp>,
    faults: &mut BTreeSet<Fault>,
) -> Option<StageSaid> {
    let mut fault = |what| faults.insert(Fault { what, stage: topic });
    if found.iter().any(|event| event.owner != topic.owner()) {
        fault(FaultKind::OwnerMismatch);
    }
    let own = found.into_iter().filter(|event| event.owner == topic.owner());
    let mut own: Vec<&TraceEvent> = own.collect();
    own.sort_by_key(|event| (event.time, event.digest));
    let Some(first) = own.first() else {
        fault(FaultKind::MissingStage);
        return None;
    };
    let several = own.iter().any(|event| event.digest != first.digest);
    if several && topic != Topic::AuditEntry {
        fault(FaultKind::ConflictingStage);
    }
    let late_us = due.map(|due| first.time.micros_since(due)).filter(|late| *late > 0);
    if late_us.is_some() {
        fault(FaultKind::LateStage);
    }
    Some(StageSaid { record: first.record.clone(), digest: first.digest, time: first.time, late_us })
}
