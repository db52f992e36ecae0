//! What a held change would be if what is missing were there (U1): the same judgement with evidence assumed.
//! Hypothetical, never recorded.

use std::collections::BTreeSet;

use ontology::policy::ConstraintKind;
use ontology::records::snapshot::{Found, Resolution};
use ontology::records::{EvidenceKey, RecommendationKind};
use ontology::{Effect, Reason, ReasonCode};
use topics::Topic;

use super::judge::{Inputs, judge};
use super::scope;
use crate::muninn::snapshot::scope::resolve;

/// Places named in an advice at most; it has to fit a line.
const NAMED_MAX: usize = 3;
/// What the address of a resource in a module starts with.
const MODULE: &str = "module.";

/// One missing key, what it takes, and what would follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hypothesis {
    /// The key without evidence.
    pub key: EvidenceKey,
    /// What a person can do about it.
    pub takes: String,
    /// The recommendation if everything that is missing were there.
    pub would_be: RecommendationKind,
    /// The recommendation if only this were there.
    pub alone: RecommendationKind,
}

/// One hypothesis for each key whose evidence holds the change; none for a change that is not held, or that is
/// held by nothing evidence could cure.
#[must_use]
pub fn hypotheses(inputs: &Inputs<'_>) -> Vec<Hypothesis> {
    let now = judge(inputs).recommendation;
    let held = now.reasons.iter().filter(|reason| reason.effect == Effect::Held);
    let held: Vec<&Reason> = held.collect();
    let missing: BTreeSet<EvidenceKey> = held.iter().filter_map(|reason| cured_by(inputs, reason)).collect();
    let with = |assumed: &BTreeSet<EvidenceKey>| {
        judge(&Inputs { assumed: assumed.clone(), ..inputs.clone() }).recommendation.kind
    };
    if missing.is_empty() {
        return Vec::new();
    }
    let would_be = with(&missing);
    let hypothesis = |key: &EvidenceKey| Hypothesis {
        key: *key,
        takes: takes(inputs, *key, &held),
        would_be,
        alone: if missing.len() == 1 { would_be } else { with(&BTreeSet::from([*key])) },
    };
    missing.iter().map(hypothesis).collect()
}

/// Takes the reasons away that the assumed keys would cure, and puts in what first evidence of that kind brings:
/// a model from one file is one source, objectives of a tier are assumed. An assumption promises no more than that.
pub(super) fn assume(inputs: &Inputs<'_>, reasons: &mut Vec<Reason>) {
    if inputs.assumed.is_empty() {
        return;
    }
    let mut cured: BTreeSet<EvidenceKey> = BTreeSet::new();
    reasons.retain(|reason| {
        let key = cured_by(inputs, reason).filter(|key| inputs.assumed.contains(key));
        cured.extend(key);
        key.is_none()
    });
    let brings = |key: &EvidenceKey| match key {
        EvidenceKey::Topology => Some(ReasonCode::LinkEvidenceUnverified),
        EvidenceKey::Objectives => Some(ReasonCode::ObjectiveAssumed),
        _ => None,
    };
    let brought = cured.iter().filter_map(brings);
    reasons.extend(brought.map(|code| Reason::about(code, "hypothetical")));
}

/// Which key's evidence would take a reason away.
pub(super) fn cured_by(inputs: &Inputs<'_>, reason: &Reason) -> Option<EvidenceKey> {
    if reason.effect != Effect::Held {
        return None;
    }
    let subject = reason.subject.as_deref();
    match reason.code {
        ReasonCode::TargetResourceMissing
        | ReasonCode::ServiceMappingMissing
        | ReasonCode::GraphReceiptUnverified
        | ReasonCode::GraphUnavailable => Some(EvidenceKey::Topology),
        ReasonCode::ObjectivesMissing | ReasonCode::ObjectiveMappingMissing => Some(EvidenceKey::Objectives),
        ReasonCode::CostUnpriced => Some(EvidenceKey::Cost),
        ReasonCode::RehearsalMissing | ReasonCode::RehearsalStale => Some(EvidenceKey::Recovery),
        ReasonCode::MissingEvidence | ReasonCode::MissingStage | ReasonCode::EvidenceUnavailable => {
            named(subject?)
        }
        ReasonCode::ConstraintUnknown => {
            let rule = inputs.catalog.constraints.iter().find(|it| Some(it.id.as_str()) == subject)?;
            match rule.rule {
                ConstraintKind::Plan(_) | ConstraintKind::Rego { .. } | ConstraintKind::ChangeWindow => None,
                ConstraintKind::BudgetDelta { .. } => Some(EvidenceKey::Cost),
                ConstraintKind::RecoveryRehearsed { .. } => Some(EvidenceKey::Recovery),
                _ => Some(EvidenceKey::Topology),
            }
        }
        _ => None,
    }
}

/// The key that a reason's subject names, by itself or by the stage that brings it.
fn named(subject: &str) -> Option<EvidenceKey> {
    let by_stage = [(Topic::StateSnapshot, EvidenceKey::Topology), (Topic::PolicySet, EvidenceKey::Policy)];
    let key = EvidenceKey::ALL.into_iter().find(|key| key.as_str() == subject);
    key.or_else(|| by_stage.into_iter().find(|(topic, _)| topic.as_str() == subject).map(|(_, key)| key))
}

fn takes(inputs: &Inputs<'_>, key: EvidenceKey, held: &[&Reason]) -> String {
    match key {
        EvidenceKey::Topology => {
            let places = unbound(inputs);
            let bind = if places.is_empty() { "relations".to_owned() } else { listed(&places) };
            format!("bind {bind}: arbctl model init --from PLAN")
        }
        EvidenceKey::Objectives => "a tier in the same file: its defaults apply, marked assumed".to_owned(),
        EvidenceKey::Cost => {
            let unpriced = held.iter().filter(|reason| reason.code == ReasonCode::CostUnpriced);
            let types: Vec<&str> = unpriced.filter_map(|reason| reason.subject.as_deref()).collect();
            let of = if types.is_empty() { String::new() } else { format!(" of {}", listed(&types)) };
            format!("prices{of} in the catalog's price book, or a confirmed estimate")
        }
        EvidenceKey::Recovery => {
            "a rehearsal in the model, not older than the catalog allows, that meets the objective".to_owned()
        }
        EvidenceKey::Policy => "rules in the catalog that are in force".to_owned(),
        EvidenceKey::ConcurrentChanges => "an answer about other open changes: arbctl recheck".to_owned(),
        EvidenceKey::Change => "the change as its tool wrote it".to_owned(),
    }
}

/// The modules, then the addresses outside any, of changed targets that nothing in the model claims.
fn unbound<'a>(inputs: &'a Inputs<'_>) -> Vec<&'a str> {
    let targets = resolve(&scope::setting(inputs, inputs.document));
    let free = inputs
        .document
        .changed()
        .filter(|target| matches!(Resolution::of(&targets, &target.address), Found::Unbound));
    let places: BTreeSet<&str> = free.map(|target| module(target.address.as_str())).collect();
    let (modules, alone): (Vec<&str>, Vec<&str>) =
        places.into_iter().partition(|place| place.starts_with(MODULE));
    modules.into_iter().chain(alone).collect()
}

/// `module.db` of `module.db.module.x.aws_db_instance.this[0]`; the address itself outside any module.
fn module(address: &str) -> &str {
    let Some(rest) = address.strip_prefix(MODULE) else { return address };
    rest.find('.').map_or(address, |dot| &address[..MODULE.len() + dot])
}

fn listed(names: &[&str]) -> String {
    let mut text = names.iter().take(NAMED_MAX).copied().collect::<Vec<&str>>().join(", ");
    if names.len() > NAMED_MAX {
        text.push_str(&format!(" and {} more", names.len() - NAMED_MAX));
    }
    text
}
