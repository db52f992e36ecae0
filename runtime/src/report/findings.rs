//! What the constraints found: seen in the plan alone, or in the model with the change laid over it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use agents::review::Part;
use ontology::policy::{Catalog, Constraint, ConstraintKind, Enforcement, Standing, Violation};
use ontology::records::ConstraintOutcome;
use ontology::records::decision::Outcome as Found;
use ontology::{Digest, Name, ObjectId};

use super::{CatalogShown, count};

/// All constraints in force, with what they found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The catalog they are from.
    pub catalog: CatalogShown,
    /// Constraints in force.
    pub in_force: u32,
    /// Of them, nothing is violated.
    pub passed: u32,
    /// Of them, this change introduces or worsens a violation.
    pub violated: u32,
    /// Of them, an input is missing.
    pub unknown: u32,
    /// Things they looked at, of the largest one.
    pub checked: u32,
    /// Violations that were there before, which do not count (U10).
    pub pre_existing: u32,
    /// Violations that this change removes.
    pub fixed: u32,
    /// Every constraint.
    pub constraints: Vec<RuleShown>,
    /// Every violation that is listed, hardest enforcement first; those that count before those that do not.
    pub findings: Vec<Finding>,
}

/// One constraint in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleShown {
    /// The constraint.
    pub constraint: Name,
    /// A sentence for people.
    pub title: Option<String>,
    /// What a violation does.
    pub enforcement: Enforcement,
    /// What it found.
    pub outcome: Found,
    /// Things it looked at.
    pub checked: u32,
    /// How many violations there are; the findings list at most sixteen of them.
    pub violations: u32,
    /// It needs the plan alone, no model (U1).
    pub plan_alone: bool,
    /// Why it could not be evaluated.
    pub unknown: Option<String>,
}

/// One violation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The constraint.
    pub constraint: Name,
    /// A sentence for people.
    pub title: Option<String>,
    /// What it does.
    pub enforcement: Enforcement,
    /// How it relates to this change (U10).
    pub standing: Standing,
    /// Whether it counts against the change.
    pub counts: bool,
    /// The offending object or target.
    pub subject: ObjectId,
    /// The path from a target of the change to it (S-38).
    pub path: Vec<ObjectId>,
    /// The attribute, for rules over the plan.
    pub attribute: Option<String>,
    /// The offending value; never a withheld one.
    pub value: String,
    /// What would satisfy the constraint.
    pub remedy: Option<String>,
    /// It was seen in the plan alone (U1).
    pub plan_alone: bool,
}

pub(super) fn rules(part: &Part<'_>, digest: Digest, catalog: Option<&Catalog>) -> Rules {
    let outcomes: &[ConstraintOutcome] = part.case().map_or(&[], |known| &known.record.constraints);
    let declared = |outcome: &ConstraintOutcome| {
        catalog.and_then(|catalog| catalog.constraints.iter().find(|it| it.id == outcome.constraint))
    };
    let found = |found: Found| count(outcomes.iter().filter(|it| it.outcome == found).count());
    let standing = |standing: Standing| {
        let violations = outcomes.iter().flat_map(|it| &it.violations);
        count(violations.filter(|it| it.standing == standing).count())
    };
    let mut findings: Vec<Finding> = outcomes
        .iter()
        .flat_map(|outcome| outcome.violations.iter().map(move |violation| (outcome, violation)))
        .map(|(outcome, violation)| finding(outcome, declared(outcome), violation))
        .collect();
    findings.sort_by(|a, b| {
        let order = |it: &Finding| (!it.counts, std::cmp::Reverse(it.enforcement));
        order(a).cmp(&order(b)).then_with(|| (&a.constraint, &a.subject).cmp(&(&b.constraint, &b.subject)))
    });
    Rules {
        catalog: named(digest, catalog),
        in_force: count(outcomes.len()),
        passed: found(Found::Passed),
        violated: found(Found::Violated),
        unknown: found(Found::Unknown),
        checked: outcomes.iter().map(|it| it.checked).max().unwrap_or_default(),
        pre_existing: standing(Standing::PreExisting),
        fixed: standing(Standing::Fixed),
        constraints: outcomes.iter().map(|outcome| rule(outcome, declared(outcome))).collect(),
        findings,
    }
}

fn named(digest: Digest, catalog: Option<&Catalog>) -> CatalogShown {
    CatalogShown {
        name: catalog.map(|catalog| catalog.name.clone()),
        starter: catalog.is_some_and(|catalog| catalog.starter),
        digest,
    }
}

fn rule(outcome: &ConstraintOutcome, declared: Option<&Constraint>) -> RuleShown {
    RuleShown {
        constraint: outcome.constraint.clone(),
        title: declared.map(|it| it.title.clone()),
        enforcement: outcome.enforcement,
        outcome: outcome.outcome,
        checked: outcome.checked,
        violations: outcome.violations_total,
        plan_alone: declared.is_some_and(is_plan_alone),
        unknown: outcome.unknown.clone(),
    }
}

fn finding(outcome: &ConstraintOutcome, declared: Option<&Constraint>, violation: &Violation) -> Finding {
    Finding {
        constraint: outcome.constraint.clone(),
        title: declared.map(|it| it.title.clone()),
        enforcement: outcome.enforcement,
        standing: violation.standing,
        counts: violation.standing.counts(),
        subject: violation.subject.clone(),
        path: violation.path.clone(),
        attribute: violation.attribute.clone(),
        value: violation.value.clone(),
        remedy: declared.and_then(|it| it.remedy.clone()),
        plan_alone: declared.is_some_and(is_plan_alone),
    }
}

fn is_plan_alone(constraint: &Constraint) -> bool {
    matches!(constraint.rule, ConstraintKind::Plan(_) | ConstraintKind::Rego { .. })
}
