//! What an option does to the objectives in scope (review.md, step 4 to 6).
//!
//! Utility in basis points = clamp(10,000 × (margin after − margin before) ÷ allowance); the margin is the distance
//! to the objective's bound, the allowance |bound|.

use ontology::graph::{Edits, Graph};
use ontology::model::{CostObjective, Detail, Placement, RecoveryObjective};
use ontology::records::evidence::{CONFIDENCE_ASSUMED_BP, CONFIDENCE_MEASURED_BP, RecoveryEffect};
use ontology::records::{EvidenceKey, ObjectiveEffect};
use ontology::{ObjectId, Reason, ReasonCode};

use super::evidence::sealed;
use super::judge::Bench;
use super::option::Course;
use super::paths::{self, Judged};

/// All of something, in basis points.
const WHOLE_BP: i64 = 10_000;
/// Weight of service and recovery objectives where the catalog says nothing (arb.md 2.7).
const WEIGHT_DEFAULT_BP: u32 = 10_000;
/// Weight of cost objectives where the catalog says nothing (arb.md 2.7).
const WEIGHT_COST_DEFAULT_BP: u32 = 7_000;
/// The metric of a service objective that redundancy serves.
const AVAILABILITY: &str = "availability";
/// From 10⁻¹², the unit of a product of three basis points, to the 10⁻⁸ of a recorded score.
const SCORE_DIVISOR: i128 = 10_000;

/// What one option does to the objectives.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Effects {
    /// One effect an objective that something is known about, sorted by objective.
    pub(super) each: Vec<ObjectiveEffect>,
    /// Σ weight × utility × confidence, in 10⁻⁸.
    pub(super) score: i64,
    /// What follows for the ceiling.
    pub(super) reasons: Vec<Reason>,
    /// A protected objective gets worse.
    pub(super) worsens: bool,
}

/// The effects of `course` on the judged objectives.
pub(super) fn effects(bench: &Bench<'_>, course: &Course<'_>, edits: &Edits, judged: &Judged) -> Effects {
    let mut effects = Effects::default();
    let mut total: i128 = 0;
    let graph = bench.inputs.graph;
    let redundancy = redundancy(graph, edits);
    for id in &judged.objectives {
        let Some(object) = graph.node(id).and_then(|node| graph.object(node)) else { continue };
        if paths::objective(&object.detail) == Some(true) && course.acts() {
            effects.reasons.push(Reason::about(ReasonCode::ObjectiveAssumed, id));
        }
        let found = match &object.detail {
            Detail::CostObjective(objective) => cost(bench, course, id, objective),
            Detail::RecoveryObjective(objective) => recovery(bench, course, id, objective),
            Detail::ServiceObjective(objective) if objective.metric.as_str() == AVAILABILITY => redundancy
                .map(|utility| Found {
                    why: Some(format!("redundancy of what is altered: {} %", utility / 100)),
                    ..Found::protected(utility, CONFIDENCE_ASSUMED_BP)
                }),
            _ => None,
        };
        let Some(found) = found else { continue };
        if found.worsens {
            effects.worsens = true;
            let reason = Reason::about(ReasonCode::ObjectiveWorsened, id);
            effects.reasons.push(found.why.map_or(reason.clone(), |why| reason.with_detail(why)));
        }
        let weight = weight(bench, &object.detail);
        total += i128::from(weight) * i128::from(found.utility_bp) * i128::from(found.confidence_bp);
        effects.each.push(ObjectiveEffect {
            objective: id.clone(),
            utility_bp: found.utility_bp,
            confidence_bp: found.confidence_bp,
        });
    }
    let score = (total / SCORE_DIVISOR).clamp(i128::from(i64::MIN), i128::from(i64::MAX));
    effects.score = i64::try_from(score).unwrap_or(0);
    effects.reasons.extend(currency(bench, judged));
    effects
}

/// An effect on one objective.
struct Found {
    utility_bp: i32,
    confidence_bp: u32,
    worsens: bool,
    why: Option<String>,
}

impl Found {
    /// On an objective that may not get worse without a person: service and recovery (arb.md 2.7).
    fn protected(utility_bp: i32, confidence_bp: u32) -> Self {
        Self { utility_bp, confidence_bp, worsens: utility_bp < 0 && confidence_bp > 0, why: None }
    }
}

fn weight(bench: &Bench<'_>, detail: &Detail) -> u32 {
    let (kind, default) = match detail {
        Detail::CostObjective(_) => ("cost", WEIGHT_COST_DEFAULT_BP),
        Detail::RecoveryObjective(_) => ("recovery", WEIGHT_DEFAULT_BP),
        _ => ("service", WEIGHT_DEFAULT_BP),
    };
    bench.inputs.catalog.weights_bp.get(kind).copied().unwrap_or(default)
}

/// `part` of `whole` in basis points, held between −10,000 and 10,000.
fn share_bp(part: i128, whole: i128) -> i32 {
    let whole = whole.abs().max(1);
    let share = (part * i128::from(WHOLE_BP) / whole).clamp(-i128::from(WHOLE_BP), i128::from(WHOLE_BP));
    i32::try_from(share).unwrap_or(0)
}

/// Money: the margin shrinks by what the option costs. It is worse where the bound is passed by this change.
fn cost(bench: &Bench<'_>, course: &Course<'_>, id: &ObjectId, objective: &CostObjective) -> Option<Found> {
    let cost = sealed(bench, bench.inputs.docket.cost.as_ref())?;
    let effect = cost.effects.iter().find(|effect| effect.option == course.draft.id)?;
    let (delta, max) = (&effect.monthly_delta, &objective.monthly_max);
    if delta.currency != max.currency {
        return None;
    }
    let now = objective.monthly_now.as_ref().filter(|now| now.currency == max.currency);
    let now = now.map_or(0, |now| i128::from(now.micro.0));
    let (delta, max) = (i128::from(delta.micro.0), i128::from(max.micro.0));
    let worsens = delta > 0 && now + delta > max;
    let why = worsens.then(|| {
        format!("the change costs {} a month, {id} allows {}", effect.monthly_delta, objective.monthly_max)
    });
    Some(Found { utility_bp: share_bp(-delta, max), confidence_bp: effect.confidence_bp, worsens, why })
}

/// A price in another currency than the objective's bound says nothing about it.
fn currency(bench: &Bench<'_>, judged: &Judged) -> Vec<Reason> {
    let Some(cost) = sealed(bench, bench.inputs.docket.cost.as_ref()) else { return Vec::new() };
    let graph = bench.inputs.graph;
    let objects = judged.objectives.iter().filter_map(|id| graph.object(graph.node(id)?));
    let bounds = objects.filter_map(|object| match &object.detail {
        Detail::CostObjective(objective) => Some((&object.id, &objective.monthly_max.currency)),
        _ => None,
    });
    let mut reasons = Vec::new();
    for (id, bound) in bounds {
        let mut deltas = cost.effects.iter().map(|effect| &effect.monthly_delta);
        if let Some(priced) = deltas.find(|delta| delta.currency != *bound && delta.micro.0 != 0) {
            let reason = Reason::about(ReasonCode::CostUnpriced, id);
            let reason = reason.with_detail(format!("priced in {}, bound in {bound}", priced.currency));
            let required = bench.required.contains(&EvidenceKey::Cost);
            reasons.push(if required { reason } else { reason.noted() });
        }
    }
    reasons
}

/// Recovery: nothing is gained by a rehearsal that meets the objective; one that misses it counts against the
/// option by how far it misses. Where nothing was measured, the utility is the lowest at no confidence: it does
/// not weigh in the score, and the missing rehearsal is a reason of its own.
fn recovery(
    bench: &Bench<'_>,
    course: &Course<'_>,
    id: &ObjectId,
    objective: &RecoveryObjective,
) -> Option<Found> {
    let recovery = sealed(bench, bench.inputs.docket.recovery.as_ref())?;
    let effects =
        recovery.effects.iter().filter(|effect| effect.option == course.draft.id && effect.objective == *id);
    effects.map(|effect| measured(effect, objective)).min_by_key(|found| found.utility_bp)
}

fn measured(effect: &RecoveryEffect, objective: &RecoveryObjective) -> Found {
    if effect.met {
        return Found::protected(0, CONFIDENCE_MEASURED_BP);
    }
    let (Some(rto), Some(rpo)) = (effect.rto_s, effect.rpo_s) else {
        return Found::protected(-10_000, 0);
    };
    let share = |bound: u64, taken: u64| share_bp(i128::from(bound) - i128::from(taken), i128::from(bound));
    let utility = share(objective.rto_s, rto).min(share(objective.rpo_s, rpo)).min(-1);
    let why = format!(
        "{} was recovered in {rto} s with {rpo} s lost, allowed are {} s and {} s",
        effect.object, objective.rto_s, objective.rpo_s
    );
    Found { why: Some(why), ..Found::protected(utility, CONFIDENCE_MEASURED_BP) }
}

/// How the redundancy of what the edits alter changes, as a share of what it was: the worst loss, else the best
/// gain. Nothing where no placement with known zones or replicas is altered.
fn redundancy(graph: &Graph, edits: &Edits) -> Option<i32> {
    let base = |id: &ObjectId| graph.object(graph.node(id)?)?.detail.placement();
    let nothing = Placement::default();
    let put = edits.put.iter().filter_map(|(id, after)| share_of(base(id)?, after.detail.placement()?));
    let removed = edits.removed.iter().filter_map(|id| share_of(base(id)?, &nothing));
    let shares: Vec<i32> = put.chain(removed).filter(|share| *share != 0).collect();
    let worst = shares.iter().copied().min()?;
    if worst < 0 { Some(worst) } else { shares.into_iter().max() }
}

fn share_of(before: &Placement, after: &Placement) -> Option<i32> {
    let zones = |placement: &Placement| i128::try_from(placement.zones.len()).unwrap_or(0);
    let mut shares = Vec::new();
    if zones(before) > 0 {
        shares.push(share_bp(zones(after) - zones(before), zones(before)));
    }
    if let Some(replicas) = before.replicas.filter(|replicas| *replicas > 0) {
        let after = after.replicas.unwrap_or(0);
        shares.push(share_bp(i128::from(after) - i128::from(replicas), i128::from(replicas)));
    }
    let worst = shares.iter().copied().min()?;
    if worst < 0 { Some(worst) } else { shares.into_iter().max() }
}
