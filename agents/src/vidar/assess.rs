//! Recovery of what each option touches, against its objectives, from rehearsals on record.

use std::collections::BTreeSet;

use ontology::graph::Node;
use ontology::model::{Detail, RecoveryObjective, Rehearsal};
use ontology::records::change::AttachmentKind;
use ontology::records::evidence::RecoveryEffect;
use ontology::records::snapshot::Resolution;
use ontology::records::{OptionDraft, Recovery};
use ontology::release::LinkType;
use ontology::time::SECOND_US;
use ontology::{ObjectId, Reason, ReasonCode};
use topics::question::Assessment;

use crate::muninn::snapshot::Setting;
use crate::muninn::snapshot::scope::{facts_of, resolve, touched};

/// Assesses every option.
pub(super) fn assess(assessment: &Assessment, setting: &Setting<'_>, objects: &BTreeSet<Node>) -> Recovery {
    let targets = resolve(setting);
    let (mut effects, mut reasons) = (Vec::new(), Vec::new());
    for option in &assessment.options.options {
        effects.extend(of_option(option, &targets, setting, objects, &mut reasons));
    }
    // A claim is never evidence; where recovery is shown without it, nothing rests on it (U8).
    let shown = !effects.is_empty() && effects.iter().all(|effect| effect.met);
    for attachment in &assessment.attachments {
        if matches!(attachment.claim, AttachmentKind::RecoveryRehearsal(_)) {
            let reason = Reason::about(ReasonCode::EvidenceUnverified, &attachment.name);
            reasons.push(if shown { reason.noted() } else { reason });
        }
    }
    reasons.sort();
    reasons.dedup();
    Recovery { evaluation: assessment.evaluation, effects, reasons, unavailable: None }
}

/// One effect for each recovery objective of what the option touches, sorted by objective and object.
fn of_option(
    option: &OptionDraft,
    targets: &[Resolution],
    setting: &Setting<'_>,
    objects: &BTreeSet<Node>,
    reasons: &mut Vec<Reason>,
) -> Vec<RecoveryEffect> {
    let carried_out = targets.iter().filter(|target| !option.leaves_out(&target.address));
    let mut effects = Vec::new();
    for node in touched(setting.graph, carried_out, objects) {
        let Some(object) = setting.graph.object(node) else { continue };
        let rehearsal = newest_rehearsal(node, setting, objects);
        for objective in facts_of(setting.graph, node, LinkType::HasRecoveryObjective, objects) {
            let Some(found) = setting.graph.object(objective) else { continue };
            let Detail::RecoveryObjective(bound) = &found.detail else { continue };
            let stale = rehearsal.is_some_and(|rehearsal| is_stale(rehearsal, setting));
            match rehearsal {
                None => reasons.push(Reason::about(ReasonCode::RehearsalMissing, &object.id)),
                Some(rehearsal) if stale => {
                    let reason = Reason::about(ReasonCode::RehearsalStale, &object.id);
                    reasons.push(reason.with_detail(format_args!("rehearsed {}", rehearsal.at)));
                }
                Some(_) => {}
            }
            effects.push(effect(option, &found.id, &object.id, rehearsal, bound, stale));
        }
    }
    effects.sort_by(|a, b| (&a.objective, &a.object).cmp(&(&b.objective, &b.object)));
    effects
}

fn effect(
    option: &OptionDraft,
    objective: &ObjectId,
    object: &ObjectId,
    rehearsal: Option<&Rehearsal>,
    bound: &RecoveryObjective,
    stale: bool,
) -> RecoveryEffect {
    let within = |rehearsal: &Rehearsal| rehearsal.rto_s <= bound.rto_s && rehearsal.rpo_s <= bound.rpo_s;
    RecoveryEffect {
        option: option.id.clone(),
        objective: objective.clone(),
        object: object.clone(),
        rto_s: rehearsal.map(|rehearsal| rehearsal.rto_s),
        rpo_s: rehearsal.map(|rehearsal| rehearsal.rpo_s),
        rehearsed_at: rehearsal.map(|rehearsal| rehearsal.at),
        met: !stale && rehearsal.is_some_and(within),
    }
}

/// The newest rehearsal at or before the cut-off that succeeded, of the plans that recover this object. Of two at
/// one instant, the slower counts.
fn newest_rehearsal<'a>(
    node: Node,
    setting: &Setting<'a>,
    objects: &BTreeSet<Node>,
) -> Option<&'a Rehearsal> {
    let plans = facts_of(setting.graph, node, LinkType::RecoveredBy, objects);
    let rehearsals = plans.filter_map(|plan| match &setting.graph.object(plan)?.detail {
        Detail::RecoveryPlan(plan) => Some(&plan.rehearsals),
        _ => None,
    });
    let counted =
        rehearsals.flatten().filter(|rehearsal| rehearsal.succeeded && rehearsal.at <= setting.cutoff);
    counted.max_by_key(|rehearsal| (rehearsal.at, rehearsal.rto_s, rehearsal.rpo_s))
}

fn is_stale(rehearsal: &Rehearsal, setting: &Setting<'_>) -> bool {
    let age_max_s = i64::try_from(setting.catalog.rehearsal_age_max_s).unwrap_or(i64::MAX);
    setting.cutoff.micros_since(rehearsal.at) > age_max_s.saturating_mul(SECOND_US)
}
