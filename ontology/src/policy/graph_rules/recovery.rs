//! A recovery objective is met by a rehearsal that is not too old.

use super::judged::{Judge, Judged};
use crate::Timestamp;
use crate::graph::{Node, View};
use crate::model::{Detail, RecoveryObjective, Rehearsal};
use crate::release::LinkType;

pub(super) fn evaluate(judge: &mut Judge<'_>, age_max_s: u64) {
    let cutoff = judge.subject.cutoff;
    let oldest = cutoff.plus_seconds(-i64::try_from(age_max_s).unwrap_or(i64::MAX));
    judge.reached(|view, node| {
        let details =
            |kind| view.edges(node, kind, true).filter_map(|edge| Some(&view.object(edge.node)?.detail));
        let objectives = details(LinkType::HasRecoveryObjective);
        let objectives =
            objectives.filter_map(|it| if let Detail::RecoveryObjective(it) = it { Some(it) } else { None });
        let worst = objectives.map(|objective| recovered(view, node, objective, (oldest, cutoff)));
        worst.max_by_key(degree).unwrap_or(Judged::Apart)
    });
}

fn degree(judged: &Judged) -> Option<(u8, u64)> {
    if let Judged::Broken { degree, .. } = judged { Some(*degree) } else { None }
}

/// The best that any plan of the object at `node` does for an objective.
fn recovered(
    view: &View<'_>,
    node: Node,
    objective: &RecoveryObjective,
    span: (Timestamp, Timestamp),
) -> Judged {
    let plans = view
        .edges(node, LinkType::RecoveredBy, true)
        .filter_map(|edge| Some(&view.object(edge.node)?.detail));
    let plans = plans.filter_map(|it| if let Detail::RecoveryPlan(plan) = it { Some(plan) } else { None });
    let best = plans.map(|plan| rehearsed(&plan.rehearsals, objective, span)).min_by_key(degree);
    best.unwrap_or_else(|| Judged::Broken { degree: (4, 0), value: "no recovery plan".to_owned() })
}

/// What a plan's newest successful rehearsal up to the cut-off says.
fn rehearsed(
    rehearsals: &[Rehearsal],
    objective: &RecoveryObjective,
    (oldest, cutoff): (Timestamp, Timestamp),
) -> Judged {
    let done = rehearsals.iter().filter(|rehearsal| rehearsal.succeeded && rehearsal.at <= cutoff);
    let Some(newest) = done.max_by_key(|rehearsal| rehearsal.at) else {
        return Judged::Broken { degree: (3, 0), value: "never rehearsed with success".to_owned() };
    };
    let over = |took: u64, allowed: u64| took.saturating_sub(allowed);
    let missed = over(newest.rto_s, objective.rto_s).saturating_add(over(newest.rpo_s, objective.rpo_s));
    if missed > 0 {
        let value = format!(
            "rehearsed with RTO {} s and RPO {} s, at most {} s and {} s",
            newest.rto_s, newest.rpo_s, objective.rto_s, objective.rpo_s
        );
        return Judged::Broken { degree: (2, missed), value };
    }
    if newest.at < oldest {
        let age = u64::try_from(oldest.micros_since(newest.at)).unwrap_or(0);
        return Judged::Broken { degree: (1, age), value: format!("last rehearsed at {}", newest.at) };
    }
    Judged::Kept
}
