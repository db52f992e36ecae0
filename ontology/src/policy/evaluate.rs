//! Evaluates constraints on base and overlay.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::constraint::{Constraint, ConstraintKind, VALUE_BYTES_MAX, Violation};
use super::{Catalog, graph_rules, plan_rules, rego};
use crate::Timestamp;
use crate::graph::{Node, View};
use crate::model::Placement;
use crate::records::ChangeDocument;
use crate::records::snapshot::Resolution;
use crate::release::LinkType;

/// Things that an answer names whose inputs are missing; beyond, their number is stated.
const UNKNOWN_NAMED_MAX: usize = 3;

/// Everything a constraint may look at.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The change; for a smaller option, without the targets that it leaves out.
    pub document: &'a ChangeDocument,
    /// How its targets were found, sorted by address.
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
    /// The rule itself failed, for the reason that `unknown` states (a Rego module that divides by zero).
    pub errored: bool,
}

/// Evaluates one constraint. Rules over the plan look at every managed target of the plan; rules over the graph look
/// at what the change touches, and at what lies around that: along topology links, both ways, as deep as the
/// catalog's limits say. The rest of the model costs nothing.
#[must_use]
pub fn evaluate(constraint: &Constraint, subject: &Subject<'_>) -> Evaluated {
    let mut evaluated = match &constraint.rule {
        ConstraintKind::Rego { package, rules } => rego::evaluate((package, *rules), constraint, subject),
        ConstraintKind::Plan(rule) => plan_rules::evaluate(*rule, constraint, subject),
        _ => graph_rules::evaluate(constraint, subject),
    };
    evaluated.violations.sort();
    evaluated
}

/// Links from a thing to what it is a part of, and which way they are followed: a resource is a part of what contains
/// it and of the workloads that run on it, a workload of the services that it implements.
const PART_OF: [LinkType; 3] = [LinkType::Contains, LinkType::WorkloadRunsOn, LinkType::ImplementedBy];

/// Where the object at `node` is placed. What it does not say of its environment and tier, it has from what it is a
/// part of, one step up.
pub(super) fn placement_of<'v>(view: &'v View<'_>, node: Node) -> Option<Cow<'v, Placement>> {
    let own = view.object(node)?.detail.placement()?;
    if own.environment.is_some() && own.tier.is_some() {
        return Some(Cow::Borrowed(own));
    }
    let mut placement = own.clone();
    let wholes = PART_OF.into_iter().flat_map(|kind| view.edges(node, kind, false));
    for whole in wholes.filter_map(|edge| view.object(edge.node)?.detail.placement()) {
        if placement.environment.is_none() {
            placement.environment.clone_from(&whole.environment);
        }
        placement.tier = placement.tier.or(whole.tier);
    }
    Some(Cow::Owned(placement))
}

/// A few of many, and how many more there are.
pub(super) fn list(all: BTreeSet<String>) -> Option<String> {
    let more = all.len().saturating_sub(UNKNOWN_NAMED_MAX);
    let named: Vec<String> = all.into_iter().take(UNKNOWN_NAMED_MAX).collect();
    match (named.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(named.join("; ")),
        (false, more) => Some(format!("{}; and {more} more", named.join("; "))),
    }
}

/// Cuts a value at [`VALUE_BYTES_MAX`], at a character.
pub(super) fn bounded(value: &str) -> String {
    if value.len() <= VALUE_BYTES_MAX {
        return value.to_owned();
    }
    let room = VALUE_BYTES_MAX - '…'.len_utf8();
    let cut = (0..=room).rev().find(|cut| value.is_char_boundary(*cut)).unwrap_or(0);
    format!("{}…", &value[..cut])
}
