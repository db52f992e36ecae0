//! Evaluates constraints on base and overlay.

use super::constraint::{Constraint, ConstraintKind, Violation};
use super::{Catalog, graph_rules, plan_rules};
use crate::Timestamp;
use crate::graph::View;
use crate::records::ChangeDocument;
use crate::records::snapshot::Resolution;

/// Everything a constraint may look at.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The change.
    pub document: &'a ChangeDocument,
    /// How its targets were found.
    pub targets: &'a [Resolution],
    /// The model as it is.
    pub base: &'a View<'a>,
    /// The model with the change laid over it.
    pub overlay: &'a View<'a>,
    /// The catalog in force.
    pub catalog: &'a Catalog,
    /// Facts up to here.
    pub cutoff: Timestamp,
}

/// What a constraint found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evaluated {
    /// Things it looked at.
    pub checked: u32,
    /// What is, or was, violated; sorted, introduced first.
    pub violations: Vec<Violation>,
    /// Why it could not be evaluated on everything: inputs that are missing.
    pub unknown: Option<String>,
}

/// Evaluates one constraint.
#[must_use]
pub fn evaluate(constraint: &Constraint, subject: &Subject<'_>) -> Evaluated {
    let mut evaluated = match &constraint.rule {
        ConstraintKind::Plan(rule) => plan_rules::evaluate(*rule, constraint, subject),
        _ => graph_rules::evaluate(constraint, subject),
    };
    evaluated.violations.sort();
    evaluated
}
