//! The evidence bundle: what there is for each key, in four lanes. It states which keys have evidence; it does not
//! join them (S-03, S-15).

use std::collections::BTreeSet;

use ontology::ReasonCode;
use ontology::records::change::AttachmentKind;
use ontology::records::evaluation::AS_PROPOSED;
use ontology::records::{EvidenceBundle, EvidenceItem, EvidenceKey};
use ontology::release::ObjectType;
use ontology::{Digest, Effect, Reason};

use super::Evidence;
use super::snapshot::{Contents, Setting};
use crate::followed::{Current, Said};

/// Seals what was said in the evaluation about the change with this record.
pub(super) fn seal(
    change: Option<Digest>,
    current: &Current<Evidence>,
    setting: Option<&Setting<'_>>,
) -> EvidenceBundle {
    let held = &current.work;
    let snapshot = held.snapshot.as_ref();
    let ontology = [EvidenceKey::Topology, EvidenceKey::Objectives].map(|key| item(key, snapshot)).into();
    let state = vec![
        item(EvidenceKey::ConcurrentChanges, held.concurrent.as_ref()),
        item(EvidenceKey::Cost, held.cost.as_ref()),
        item(EvidenceKey::Recovery, held.recovery.as_ref()),
    ];
    let claims =
        current.claims.iter().map(|claim| EvidenceItem { key: key_of(&claim.claim), digest: claim.digest });
    let itself = change.map(|digest| EvidenceItem { key: EvidenceKey::Change, digest });
    EvidenceBundle {
        evaluation: current.evaluation,
        cutoff: current.cutoff,
        release: current.pins.release,
        catalog: current.pins.catalog,
        ontology: lane(ontology),
        state: lane(state),
        catalog_items: lane(vec![item(EvidenceKey::Policy, held.policy.as_ref())]),
        document: lane(claims.map(Some).chain([itself]).collect()),
        present: present(held, setting),
        missing: missing(held),
        sealed_by_deadline: held.sealed.is_some_and(|sealed| sealed.at_deadline),
    }
}

/// Keys that have usable evidence. A branch that answered without any is not missing, and its key is not present.
fn present(held: &Evidence, setting: Option<&Setting<'_>>) -> BTreeSet<EvidenceKey> {
    let protects = |snapshot, setting: &Setting<'_>| {
        let objects = Contents::of(snapshot, setting).objects;
        objects
            .iter()
            .filter_map(|node| setting.graph.object(*node))
            .any(|object| is_objective(object.detail.object_type()))
    };
    let snapshot = held.snapshot.as_ref().map(|said| &*said.record);
    let has = |key| match key {
        EvidenceKey::Change => true,
        EvidenceKey::Topology => snapshot.is_some_and(|snapshot| snapshot.objects_total > 0),
        EvidenceKey::Objectives => {
            snapshot.zip(setting).is_some_and(|(snapshot, setting)| protects(snapshot, setting))
        }
        EvidenceKey::Policy => held.policy.as_ref().is_some_and(|policy| {
            !policy.record.constraints.is_empty() || !policy.record.policies.is_empty()
        }),
        EvidenceKey::ConcurrentChanges => {
            held.concurrent.as_ref().is_some_and(|found| found.record.unavailable.is_none())
        }
        EvidenceKey::Cost => held.cost.as_ref().is_some_and(|cost| {
            let counted = cost.record.effects.iter().any(|effect| effect.option.as_str() == AS_PROPOSED);
            counted
                && cost.record.unavailable.is_none()
                && !says(&cost.record.reasons, ReasonCode::CostUnpriced)
        }),
        EvidenceKey::Recovery => held.recovery.as_ref().is_some_and(|recovery| {
            let known = recovery.record.effects.iter().any(|effect| effect.option.as_str() == AS_PROPOSED);
            let missing = says(&recovery.record.reasons, ReasonCode::RehearsalMissing);
            known && recovery.record.unavailable.is_none() && !missing
        }),
    };
    EvidenceKey::ALL.into_iter().filter(|key| has(*key)).collect()
}

/// Scheduled branches that did not answer. Without a snapshot neither topology nor objectives are known.
fn missing(held: &Evidence) -> BTreeSet<EvidenceKey> {
    let activated =
        |key| held.schedule.as_ref().is_some_and(|schedule| schedule.record.activated.contains(&key));
    let silent = |key: &EvidenceKey| match key {
        EvidenceKey::Change => false,
        EvidenceKey::Topology | EvidenceKey::Objectives => held.snapshot.is_none(),
        EvidenceKey::Policy => held.policy.is_none(),
        EvidenceKey::ConcurrentChanges => held.concurrent.is_none(),
        EvidenceKey::Cost => held.cost.is_none() && activated(*key),
        EvidenceKey::Recovery => held.recovery.is_none() && activated(*key),
    };
    EvidenceKey::ALL.into_iter().filter(silent).collect()
}

fn item<T>(key: EvidenceKey, said: Option<&Said<T>>) -> Option<EvidenceItem> {
    let digest: Digest = said?.digest;
    Some(EvidenceItem { key, digest })
}

fn lane(items: Vec<Option<EvidenceItem>>) -> Vec<EvidenceItem> {
    let mut lane: Vec<EvidenceItem> = items.into_iter().flatten().collect();
    lane.sort();
    lane.dedup();
    lane
}

/// Whether a reason of this code counts, beyond being noted.
fn says(reasons: &[Reason], code: ReasonCode) -> bool {
    reasons.iter().any(|reason| reason.code == code && reason.effect > Effect::Noted)
}

const fn key_of(claim: &AttachmentKind) -> EvidenceKey {
    match claim {
        AttachmentKind::CostEstimate(_) => EvidenceKey::Cost,
        AttachmentKind::RecoveryRehearsal(_) => EvidenceKey::Recovery,
    }
}

const fn is_objective(object_type: ObjectType) -> bool {
    matches!(
        object_type,
        ObjectType::ServiceObjective | ObjectType::RecoveryObjective | ObjectType::CostObjective
    )
}
