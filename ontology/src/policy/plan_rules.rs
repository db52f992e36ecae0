//! Rules over the plan alone: the starter catalog's (U1).

use super::constraint::{Constraint, PlanRule};
use super::evaluate::{Evaluated, Subject};

pub(super) fn evaluate(rule: PlanRule, constraint: &Constraint, subject: &Subject<'_>) -> Evaluated {
    let _ = (rule, constraint, subject);
    todo!()
}
