//! What the constraints in force say of an option (U2, U10, U11).

use std::collections::BTreeSet;

use ontology::policy::waivers::{Waived, Waiver, waive};
use ontology::policy::{Constraint, ConstraintKind, Enforcement, Evaluated, Subject, Violation, evaluate};
use ontology::records::decision::{Outcome, VIOLATIONS_LISTED_MAX};
use ontology::records::{Condition, ConstraintOutcome};
use ontology::{Name, ObjectId, Reason, ReasonCode, Timestamp};

use super::judge::Inputs;
use super::reach::count;

/// What the rules say of one option.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Ruled {
    /// One outcome a constraint in force, in the catalog's order.
    pub(super) outcomes: Vec<ConstraintOutcome>,
    /// What follows for the ceiling.
    pub(super) reasons: Vec<Reason>,
    /// Hard constraints that put the option out.
    pub(super) violates: BTreeSet<Name>,
}

impl Ruled {
    /// The paths to what breaks a rule and counts.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Vec<ObjectId>> {
        let violations = self.outcomes.iter().flat_map(|outcome| &outcome.violations);
        violations.filter(|violation| violation.standing.counts()).map(|violation| &violation.path)
    }
}

/// The constraints of the catalog that the policy set names.
pub(super) fn in_force<'a>(inputs: &Inputs<'a>) -> Vec<&'a Constraint> {
    let Some(policies) = &inputs.docket.policies else { return Vec::new() };
    let named: BTreeSet<&str> = policies.object.constraints.iter().map(|pair| pair.id.as_str()).collect();
    inputs.catalog.constraints.iter().filter(|constraint| named.contains(constraint.id.as_str())).collect()
}

/// What has to be given: one condition a rule that asks for one and is broken by this change.
pub(super) fn conditions(rules: &[&Constraint], ruled: &Ruled, cutoff: Timestamp) -> Vec<Condition> {
    let asks = |outcome: &&ConstraintOutcome| {
        outcome.outcome == Outcome::Violated && outcome.enforcement == Enforcement::Condition
    };
    let asking = ruled.outcomes.iter().filter(asks);
    let mut conditions: Vec<Condition> = asking
        .filter_map(|outcome| {
            let constraint = rules.iter().find(|rule| rule.id == outcome.constraint)?;
            let demand = constraint.condition.as_ref()?;
            let within_s = i64::try_from(demand.within_s).unwrap_or(i64::MAX);
            Some(Condition {
                key: constraint.id.clone(),
                check: demand.check.clone(),
                expires_at: cutoff.plus_seconds(within_s),
            })
        })
        .collect();
    conditions.sort();
    conditions
}

/// Evaluates every rule on `subject`.
pub(super) fn ruled(rules: &[&Constraint], subject: &Subject<'_>) -> Ruled {
    let mut ruled = Ruled::default();
    for constraint in rules {
        let mut evaluated = evaluate(constraint, subject);
        let waived = waive(&constraint.id, &mut evaluated, subject);
        ruled.reasons.extend(said_of_waivers(constraint, &waived));
        let enforcement = constraint.enforcement_at(subject.cutoff);
        let outcome = outcome(&evaluated);
        if outcome == Outcome::Violated && enforcement == Enforcement::Deny && evaluated.unknown.is_none() {
            ruled.violates.insert(constraint.id.clone());
        }
        ruled.reasons.extend(reasons(constraint, enforcement, &evaluated, subject));
        let violations_total = count(evaluated.violations.len());
        let mut violations = evaluated.violations;
        violations.truncate(VIOLATIONS_LISTED_MAX);
        ruled.outcomes.push(ConstraintOutcome {
            constraint: constraint.id.clone(),
            enforcement,
            outcome,
            checked: evaluated.checked,
            violations,
            violations_total,
            unknown: evaluated.unknown,
        });
    }
    ruled.reasons.extend(unevaluated(rules, subject, &ruled.outcomes));
    ruled
}

/// A catalog with policies of which none looked at anything (U12).
fn unevaluated(
    rules: &[&Constraint],
    subject: &Subject<'_>,
    outcomes: &[ConstraintOutcome],
) -> Option<Reason> {
    if subject.catalog.policies.is_empty() {
        return None;
    }
    let is_rego = |rule: &Constraint| matches!(rule.rule, ConstraintKind::Rego { .. });
    let looked = rules
        .iter()
        .zip(outcomes)
        .any(|(rule, outcome)| is_rego(rule) && (outcome.checked > 0 || outcome.unknown.is_some()));
    let modules = subject.catalog.policies.texts().len();
    let detail = format!("0 policies evaluated, {modules} modules in the catalog");
    (!looked).then(|| Reason::new(ReasonCode::PolicyNotEvaluated).with_detail(detail))
}

/// What waivers cover, no longer cover, and need not cover (U11).
fn said_of_waivers(constraint: &Constraint, waived: &Waived<'_>) -> Vec<Reason> {
    let about = |code| Reason::about(code, &constraint.id);
    let of = |one: &Waiver| format!("{}, by {} until {}", one.target, one.owner, one.expires);
    let covering = waived.covering.iter().map(|(waiver, many)| {
        about(ReasonCode::ConstraintWaived).with_detail(format!("{many}: {}: {}", of(waiver), waiver.reason))
    });
    let expired = waived.expired.iter().map(|it| about(ReasonCode::WaiverExpired).with_detail(of(it)));
    let unmatched = waived.unmatched.iter().map(|it| about(ReasonCode::WaiverUnmatched).with_detail(of(it)));
    covering.chain(expired).chain(unmatched).collect()
}

fn outcome(evaluated: &Evaluated) -> Outcome {
    let any = |wanted: fn(&Violation) -> bool| evaluated.violations.iter().any(wanted);
    if any(|violation| violation.standing.counts()) {
        Outcome::Violated
    } else if evaluated.unknown.is_some() {
        Outcome::Unknown
    } else if any(is_pre_existing) {
        Outcome::PreExisting
    } else {
        Outcome::Passed
    }
}

fn is_pre_existing(violation: &Violation) -> bool {
    violation.standing == ontology::policy::Standing::PreExisting
}

/// What follows from one rule. A hard violation rejects only where the rule's own inputs are complete; else the
/// rule is not decided, and that holds (U2).
fn reasons(
    constraint: &Constraint,
    enforcement: Enforcement,
    evaluated: &Evaluated,
    subject: &Subject<'_>,
) -> Vec<Reason> {
    if enforcement == Enforcement::Observe {
        return Vec::new();
    }
    let mut reasons = Vec::new();
    let counting: Vec<&Violation> = evaluated.violations.iter().filter(|it| it.standing.counts()).collect();
    let code = match enforcement {
        Enforcement::Deny => ReasonCode::ConstraintViolated,
        Enforcement::Approve => ReasonCode::ConstraintApproval,
        Enforcement::Condition => ReasonCode::ConstraintCondition,
        Enforcement::Warn | Enforcement::Observe => ReasonCode::ConstraintWarned,
    };
    let undecided_denial = enforcement == Enforcement::Deny && evaluated.unknown.is_some();
    if let Some(first) = counting.first() {
        if !undecided_denial {
            let detail = told(constraint, first, counting.len());
            reasons.push(Reason::about(code, &constraint.id).with_detail(detail));
        }
    } else if let Some(first) = evaluated.violations.iter().find(|violation| is_pre_existing(violation)) {
        let many = evaluated.violations.iter().filter(|violation| is_pre_existing(violation)).count();
        let reason = Reason::about(ReasonCode::ConstraintPreExisting, &constraint.id);
        reasons.push(reason.with_detail(told(constraint, first, many)));
    }
    if let Some(unknown) = &evaluated.unknown {
        let seen = counting.first().filter(|_| undecided_denial);
        let seen = seen.map(|first| {
            format!("violated as far as it can be read: {}; ", told(constraint, first, counting.len()))
        });
        let unknown = seen.unwrap_or_default() + unknown;
        let code = if evaluated.errored { ReasonCode::PolicyError } else { ReasonCode::ConstraintUnknown };
        reasons.extend(undecided(
            constraint,
            enforcement,
            Reason::about(code, &constraint.id),
            &unknown,
            subject,
        ));
    }
    reasons
}

/// A rule that could not be decided: because of a value of the plan, or of something else.
fn undecided(
    constraint: &Constraint,
    enforcement: Enforcement,
    reason: Reason,
    unknown: &str,
    subject: &Subject<'_>,
) -> Vec<Reason> {
    let stops = matches!(enforcement, Enforcement::Condition | Enforcement::Approve | Enforcement::Deny);
    let mut reasons = vec![reason.with_detail(unknown)];
    let reads_plan = matches!(constraint.rule, ConstraintKind::Plan(_) | ConstraintKind::Rego { .. });
    if reads_plan && subject.document.changed().any(|target| !target.unknown.is_empty()) {
        reasons.push(Reason::about(ReasonCode::PlanUnknownValue, &constraint.id).with_detail(unknown));
    }
    if !stops {
        reasons = reasons.into_iter().map(Reason::noted).collect();
    }
    reasons
}

/// The first violation in words, how many more there are, and what would satisfy the rule.
fn told(constraint: &Constraint, first: &Violation, many: usize) -> String {
    let mut text = format!("{}: {}", first.subject, first.value);
    if many > 1 {
        text.push_str(&format!(" and {} more", many - 1));
    }
    if let Some(remedy) = &constraint.remedy {
        text.push_str(&format!("; {remedy}"));
    }
    if !constraint.approvers.is_empty() {
        let roles: Vec<&str> = constraint.approvers.iter().map(Name::as_str).collect();
        text.push_str(&format!("; {} may approve", roles.join(", ")));
    }
    text
}
