//! Constraints over the graph. They look at what the change touches, and at what is reached from there.

mod budget;
mod dependents;
mod judged;
mod owner;
mod reach;
mod reachability;
mod recovery;
mod redundancy;
mod residency;
mod single_point;
mod touched;
mod window;

use super::constraint::{Constraint, ConstraintKind};
use super::evaluate::{Evaluated, Subject};
use judged::Judge;

pub(super) fn evaluate(constraint: &Constraint, subject: &Subject<'_>) -> Evaluated {
    let mut judge = Judge::new(constraint, subject);
    match &constraint.rule {
        ConstraintKind::OwnerPresent => owner::evaluate(&mut judge),
        ConstraintKind::NoDeleteWithDependents => dependents::evaluate(&mut judge),
        ConstraintKind::RedundancyPerZone { zones_min } => redundancy::evaluate(&mut judge, *zones_min),
        ConstraintKind::RecoveryRehearsed { age_max_s } => recovery::evaluate(&mut judge, *age_max_s),
        ConstraintKind::SinglePointOfDependency { dependents_min } => {
            single_point::evaluate(&mut judge, *dependents_min);
        }
        ConstraintKind::Reachability { never } => reachability::evaluate(&mut judge, never),
        ConstraintKind::Residency { regions } => residency::evaluate(&mut judge, regions),
        ConstraintKind::ChangeWindow => window::evaluate(&mut judge),
        ConstraintKind::BudgetDelta { monthly_max } => budget::evaluate(&mut judge, monthly_max),
        ConstraintKind::Plan(_) | ConstraintKind::Rego { .. } => {}
    }
    judge.finish()
}
