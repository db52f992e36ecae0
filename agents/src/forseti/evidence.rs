//! Reasons that lie in the evidence: what is missing, late, unavailable, or says something against the change.

use std::collections::BTreeSet;

use ontology::records::evidence::Unavailable;
use ontology::records::{EvidenceKey, OptionId, Recovery};
use ontology::{Digest, Effect, ObjectId, Reason, ReasonCode};
use topics::Topic;

use super::Filed;
use super::judge::Bench;
use super::option::Course;
use super::paths::Judged;
use super::scope;
use crate::muninn::snapshot::Scope;

/// What holds for every option: stages and keys that are not there, and those that came too late (S-11, S-15).
pub(super) fn general(bench: &Bench<'_>) -> Vec<Reason> {
    let docket = bench.inputs.docket;
    let mut reasons = Vec::new();
    if docket.bundle.is_none() {
        let detail = format!("nothing was sealed within {} ms", docket.pins.budget_ms);
        reasons.push(Reason::new(ReasonCode::DeadlineExceeded).with_detail(detail));
    }
    let stages = [
        (docket.snapshot.is_some(), Topic::StateSnapshot),
        (docket.policies.is_some(), Topic::PolicySet),
        (docket.options.is_some(), Topic::OptionSet),
        (docket.schedule.is_some(), Topic::ReviewSchedule),
        (docket.bundle.is_some(), Topic::EvidenceBundle),
    ];
    let absent = stages.iter().filter(|(here, _)| !here);
    reasons.extend(absent.map(|(_, topic)| Reason::about(ReasonCode::MissingStage, topic)));
    reasons.extend(keys(bench));
    reasons.extend(late(bench));
    if docket.policies.as_ref().is_some_and(|filed| filed.object.constraints.is_empty()) {
        let reason = Reason::about(ReasonCode::MissingEvidence, EvidenceKey::Policy.as_str());
        reasons.push(weighed(bench, EvidenceKey::Policy, reason.with_detail("0 rules are in force")));
    }
    reasons
}

/// Required keys without evidence, and scheduled branches that did not answer.
fn keys(bench: &Bench<'_>) -> Vec<Reason> {
    let docket = bench.inputs.docket;
    let Some(schedule) = docket.schedule.as_ref().map(|filed| &filed.object) else { return Vec::new() };
    let Some(bundle) = docket.bundle.as_ref().map(|filed| &filed.object) else {
        let branches = [
            (EvidenceKey::ConcurrentChanges, docket.concurrent.is_some()),
            (EvidenceKey::Cost, docket.cost.is_some()),
            (EvidenceKey::Recovery, docket.recovery.is_some()),
        ];
        let silent = branches.iter().filter(|(key, here)| !here && schedule.activated.contains(key));
        return silent.map(|(key, _)| Reason::about(ReasonCode::MissingStage, key.as_str())).collect();
    };
    let mut reasons = Vec::new();
    for key in bench.required.difference(&bundle.present) {
        let reason = Reason::about(ReasonCode::MissingEvidence, key.as_str());
        let late = bundle.missing.contains(key);
        reasons.push(if late { reason.with_detail("it did not answer in time") } else { reason });
    }
    let optional = bundle.missing.difference(&bench.required);
    reasons.extend(optional.map(|key| Reason::about(ReasonCode::MissingStage, key.as_str()).noted()));
    reasons
}

/// Observations that are on record and not in the bundle: they arrived after the seal and are not used.
fn late(bench: &Bench<'_>) -> Vec<Reason> {
    let docket = bench.inputs.docket;
    let arrived = [
        (EvidenceKey::ConcurrentChanges, docket.concurrent.as_ref().map(|filed| filed.digest)),
        (EvidenceKey::Cost, docket.cost.as_ref().map(|filed| filed.digest)),
        (EvidenceKey::Recovery, docket.recovery.as_ref().map(|filed| filed.digest)),
    ];
    let late = |digest: &Option<Digest>| {
        digest.is_some_and(|digest| docket.bundle.is_some() && !docket.seals(&digest))
    };
    let late = arrived.iter().filter(|(_, digest)| late(digest));
    late.map(|(key, _)| Reason::about(ReasonCode::LateStage, key.as_str())).collect()
}

/// What the observations and the snapshot say against `course`, without what is only about targets that it leaves
/// out.
pub(super) fn observed(
    bench: &Bench<'_>,
    course: &Course<'_>,
    scope: &Scope,
    judged: &Judged,
) -> Vec<Reason> {
    let gone = Gone::of(bench, course, scope);
    let mut reasons = conflicts(bench, scope, judged);
    reasons.extend(concurrent(bench, &gone));
    if let Some(cost) = sealed(bench, bench.inputs.docket.cost.as_ref()) {
        reasons.extend(answered(bench, EvidenceKey::Cost, &cost.reasons, cost.unavailable.as_ref()));
    }
    if let Some(recovery) = sealed(bench, bench.inputs.docket.recovery.as_ref()) {
        reasons.extend(recovered(bench, recovery));
    }
    reasons.retain(|reason| reason.subject.as_deref().is_none_or(|subject| !gone.0.contains(subject)));
    reasons
}

/// The record, if the bundle holds it.
pub(super) fn sealed<'a, T>(bench: &Bench<'a>, filed: Option<&'a Filed<T>>) -> Option<&'a T> {
    filed.filter(|filed| bench.inputs.docket.seals(&filed.digest)).map(|filed| &*filed.object)
}

fn recovered(bench: &Bench<'_>, recovery: &Recovery) -> Vec<Reason> {
    answered(bench, EvidenceKey::Recovery, &recovery.reasons, recovery.unavailable.as_ref())
}

/// Takes the missing key of a specialist away from a smaller change whose part of the answer is whole: what is
/// missing lies in what it leaves out.
pub(super) fn relieve(bench: &Bench<'_>, course: &Course<'_>, reasons: &mut Vec<Reason>) {
    if course.as_proposed() {
        return;
    }
    let docket = bench.inputs.docket;
    let of = |option: &OptionId| *option == course.draft.id;
    let cost = sealed(bench, docket.cost.as_ref()).filter(|cost| cost.unavailable.is_none());
    let priced = cost.is_some_and(|cost| cost.effects.iter().any(|effect| of(&effect.option)));
    let recovery = sealed(bench, docket.recovery.as_ref()).filter(|recovery| recovery.unavailable.is_none());
    let rehearsed = recovery.is_some_and(|recovery| recovery.effects.iter().any(|effect| of(&effect.option)));
    let faults = [
        (EvidenceKey::Cost, priced, [ReasonCode::CostUnpriced, ReasonCode::EvidenceUnverified]),
        (EvidenceKey::Recovery, rehearsed, [ReasonCode::RehearsalMissing, ReasonCode::RehearsalStale]),
    ];
    for (key, answered, codes) in faults {
        let whole = answered && !reasons.iter().any(|reason| codes.contains(&reason.code));
        let is_missing = |reason: &Reason| {
            reason.code == ReasonCode::MissingEvidence && reason.subject.as_deref() == Some(key.as_str())
        };
        reasons.retain(|reason| !(whole && is_missing(reason)));
    }
}

/// No objective in force is around what `course` touches, and the catalog requires one.
pub(super) fn objectives(bench: &Bench<'_>, judged: &Judged) -> Option<Reason> {
    let missing = judged.objectives.is_empty() && bench.required.contains(&EvidenceKey::Objectives);
    missing.then(|| Reason::new(ReasonCode::ObjectivesMissing))
}

/// What a specialist says: as it says it where its key is required, else noted (U8).
fn answered(
    bench: &Bench<'_>,
    key: EvidenceKey,
    said: &[Reason],
    unavailable: Option<&Unavailable>,
) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = said.iter().map(|reason| weighed(bench, key, reason.clone())).collect();
    reasons.extend(unavailable.map(|why| {
        let reason = Reason::about(ReasonCode::EvidenceUnavailable, key.as_str());
        weighed(bench, key, reason.with_detail(format!("{}; {}", why.cause, why.cure)))
    }));
    reasons
}

fn weighed(bench: &Bench<'_>, key: EvidenceKey, reason: Reason) -> Reason {
    if bench.required.contains(&key) { reason } else { reason.noted() }
}

/// Other open changes that share a target which `course` still carries out.
fn concurrent(bench: &Bench<'_>, gone: &Gone<'_>) -> Vec<Reason> {
    let Some(found) = sealed(bench, bench.inputs.docket.concurrent.as_ref()) else { return Vec::new() };
    let mut reasons = answered(bench, EvidenceKey::ConcurrentChanges, &[], found.unavailable.as_ref());
    for other in &found.open {
        let mut shared = other.targets.iter().filter(|target| !gone.0.contains(target.as_str())).peekable();
        if shared.peek().is_some() || other.targets.is_empty() {
            let names: Vec<&str> = shared.map(|target| target.as_str()).collect();
            let reason = Reason::about(ReasonCode::ConcurrentChange, other.review);
            reasons.push(reason.with_detail(names.join(", ")));
        }
    }
    if found.truncated {
        reasons.push(Reason::new(ReasonCode::ConcurrentChange).with_detail("and more that are not listed"));
    }
    reasons
}

/// The snapshot's own conflicts. What it says of relations that were computed again is not relied on (S-13); two
/// owners of something that the change is no part of are noted (U8).
fn conflicts(bench: &Bench<'_>, scope: &Scope, judged: &Judged) -> Vec<Reason> {
    let Some(filed) = &bench.inputs.docket.snapshot else { return Vec::new() };
    let mut reasons = filed.object.conflicts.clone();
    let graph = bench.inputs.graph;
    if reasons.iter().any(|reason| is_about_link(reason.code)) {
        let again: BTreeSet<String> = scope.links.iter().map(|link| scope::link_name(graph, *link)).collect();
        let recomputed = |reason: &Reason| {
            is_about_link(reason.code)
                && reason.subject.as_ref().is_none_or(|subject| again.contains(subject))
        };
        reasons.retain(|reason| !recomputed(reason));
    }
    for reason in &mut reasons {
        let object =
            reason.subject.as_ref().and_then(|subject| graph.node(&ObjectId::new(subject.as_str()).ok()?));
        let elsewhere = object.is_some_and(|node| !judged.lineage.contains(&node));
        if reason.code == ReasonCode::OwnershipConflict && elsewhere {
            reason.effect = Effect::Noted;
        }
    }
    reasons
}

const fn is_about_link(code: ReasonCode) -> bool {
    matches!(
        code,
        ReasonCode::LinkEvidenceUnverified
            | ReasonCode::LinkEvidenceStale
            | ReasonCode::LinkEvidenceConflicting
            | ReasonCode::LinkEvidenceSynthetic
            | ReasonCode::LinkEvidenceAfterCutoff
            | ReasonCode::LinkEvidenceIncomplete
    )
}

/// Subjects that only what an option leaves out is about: addresses, types, objects of the model.
struct Gone<'a>(BTreeSet<&'a str>);

impl<'a> Gone<'a> {
    fn of(bench: &Bench<'a>, course: &Course<'_>, scope: &Scope) -> Self {
        if course.as_proposed() {
            return Self(BTreeSet::new());
        }
        let kept: BTreeSet<&str> = course.changed().map(|target| target.kind.as_str()).collect();
        let out = bench.inputs.document.changed().filter(|target| course.draft.leaves_out(&target.address));
        let mut gone = BTreeSet::new();
        for target in out {
            gone.insert(target.address.as_str());
            if !kept.contains(target.kind.as_str()) {
                gone.insert(target.kind.as_str());
            }
        }
        let lost = bench.scope.objects.keys().filter(|node| !scope.objects.contains_key(node));
        let lost = lost.filter_map(|node| bench.inputs.graph.object(*node));
        gone.extend(lost.map(|object| object.id.as_str()));
        Self(gone)
    }
}
