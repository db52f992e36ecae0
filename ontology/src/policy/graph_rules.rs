//! Constraints over the graph.

use super::constraint::Constraint;
use super::evaluate::{Evaluated, Subject};

pub(super) fn evaluate(constraint: &Constraint, subject: &Subject<'_>) -> Evaluated {
    let _ = (constraint, subject);
    todo!()
}
