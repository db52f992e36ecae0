//! Constraints over the graph. They look at what the change touches, and at what is reached from there.

mod dependents;
mod judged;
mod owner;
mod reach;
mod recovery;
mod redundancy;
mod touched;

use super::constraint::{Constraint, ConstraintKind};
use super::evaluate::{Evaluated, Subject};
use judged::Judge;

pub(super) fn evaluate(constraint: &Constraint, subject: &Subject<'_>) -> Evaluated {
    let mut judge = Judge::new(constraint, subject);
    match constraint.rule {
        ConstraintKind::OwnerPresent => owner::evaluate(&mut judge),
        ConstraintKind::NoDeleteWithDependents => dependents::evaluate(&mut judge),
        ConstraintKind::RedundancyPerZone { zones_min } => redundancy::evaluate(&mut judge, zones_min),
        ConstraintKind::RecoveryRehearsed { age_max_s } => recovery::evaluate(&mut judge, age_max_s),
        ConstraintKind::Plan(_) => {}
    }
    judge.finish()
}
