//! `constraints/*.yaml`: one rule a file.

use std::collections::BTreeSet;

use ontology::policy::rego::RegoRules;
use ontology::policy::{
    Catalog, ConditionCheck, Constraint, ConstraintKind, Demand, Enforcement, PlanRule, Selector,
};
use ontology::{Money, Name};
use serde::Deserialize;

use super::{CatalogFile, policies};
use crate::input::yaml::quantity::{Currency, Decimal, Moment, Seconds};
use crate::input::{InputError, yaml};

/// Bytes of a title or remedy at most: a sentence or two.
const SENTENCE_BYTES_MAX: usize = 512;
/// Seconds that there are to give what a condition asks for, where it does not say: a week.
const WITHIN_S_DEFAULT: u64 = 7 * 86_400;
/// The least of the precedences (arb.md 2.9): 1 safety, security, identity; 2 data and recovery; 3 objectives;
/// 4 safety of the change; 5 performance; 6 cost.
const PRECEDENCE_MAX: u8 = 6;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    id: Option<Name>,
    title: String,
    rule: Rule,
    enforcement: Enforcement,
    #[serde(default)]
    deny_from: Option<Moment>,
    #[serde(default)]
    precedence: Option<u8>,
    #[serde(default)]
    applies_to: Selector,
    #[serde(default)]
    remedy: Option<String>,
    #[serde(default)]
    condition: Option<ConditionCheck>,
    /// How long there is to give it.
    #[serde(default)]
    within: Option<Seconds>,
    #[serde(default)]
    approvers: BTreeSet<Name>,
}

/// A rule as people write it: [`ConstraintKind`] with lengths of time.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Rule {
    OwnerPresent,
    NoDeleteWithDependents,
    RedundancyPerZone {
        zones_min: u32,
    },
    RecoveryRehearsed {
        #[serde(default)]
        age_max: Option<Seconds>,
    },
    SinglePointOfDependency {
        dependents_min: u32,
    },
    Reachability {
        never: Selector,
    },
    Residency {
        regions: BTreeSet<String>,
    },
    ChangeWindow,
    BudgetDelta {
        monthly_max: Decimal,
        currency: Currency,
    },
    Plan(PlanRule),
    Rego {
        package: String,
        #[serde(default)]
        rules: Option<RegoRules>,
    },
}

/// Reads one constraint; `stem` is its file's name without the ending.
pub(super) fn read(file: &CatalogFile, stem: &str, catalog: &Catalog) -> Result<Constraint, InputError> {
    let read: File = yaml::parse(&file.path, &file.bytes)?;
    let fault = |key: &str, message: String| InputError::at(&file.path, format!("$.{key}"), message);
    let id = match read.id {
        Some(id) => id,
        None => Name::new(stem).map_err(|error| fault("id", error.to_string()))?,
    };
    if !id.as_str().bytes().all(|it| it.is_ascii_alphanumeric() || b"-_.".contains(&it)) {
        return Err(fault("id", "expected letters, digits and - _ .".into()));
    }
    let rule = rule(read.rule, catalog).map_err(|message| fault("rule", message.to_owned()))?;
    let precedence = read.precedence.unwrap_or_else(|| usual_precedence(&rule));
    if !(1..=PRECEDENCE_MAX).contains(&precedence) {
        return Err(fault(
            "precedence",
            format!("expected 1 (safety, security, identity) to {PRECEDENCE_MAX} (cost)"),
        ));
    }
    for (key, text) in [("title", Some(&read.title)), ("remedy", read.remedy.as_ref())] {
        if text.is_some_and(|text| text.trim().is_empty() || text.len() > SENTENCE_BYTES_MAX) {
            return Err(fault(key, format!("expected a sentence of 1 to {SENTENCE_BYTES_MAX} bytes")));
        }
    }
    let asks = read.enforcement == Enforcement::Condition;
    let condition = match (read.condition, read.within) {
        (Some(check), within) if asks => {
            Some(Demand { check, within_s: within.map_or(WITHIN_S_DEFAULT, |it| it.0) })
        }
        (None, _) if asks => {
            return Err(fault("condition", "the enforcement \"condition\" needs one".into()));
        }
        (None, None) => None,
        _ => return Err(fault("condition", "only the enforcement \"condition\" has one".into())),
    };
    Ok(Constraint {
        condition,
        approvers: read.approvers,
        id,
        title: read.title.trim().to_owned(),
        rule,
        enforcement: read.enforcement,
        deny_from: read.deny_from.map(|moment| moment.0),
        precedence,
        applies_to: read.applies_to,
        remedy: read.remedy.map(|remedy| remedy.trim().to_owned()),
    })
}

/// The rule as it is evaluated.
fn rule(written: Rule, catalog: &Catalog) -> Result<ConstraintKind, &'static str> {
    Ok(match written {
        Rule::OwnerPresent => ConstraintKind::OwnerPresent,
        Rule::NoDeleteWithDependents => ConstraintKind::NoDeleteWithDependents,
        Rule::RedundancyPerZone { zones_min: 0 } => return Err("zones_min is 1 or more"),
        Rule::RedundancyPerZone { zones_min } => ConstraintKind::RedundancyPerZone { zones_min },
        Rule::RecoveryRehearsed { age_max } => ConstraintKind::RecoveryRehearsed {
            age_max_s: age_max.map_or(catalog.rehearsal_age_max_s, |it| it.0),
        },
        Rule::SinglePointOfDependency { dependents_min: 0 } => return Err("dependents_min is 1 or more"),
        Rule::SinglePointOfDependency { dependents_min } => {
            ConstraintKind::SinglePointOfDependency { dependents_min }
        }
        Rule::Reachability { never } if never.is_everything() => {
            return Err("never names environments, tiers or kinds; without one it would forbid everything");
        }
        Rule::Reachability { never } => ConstraintKind::Reachability { never },
        Rule::Residency { regions } if regions.is_empty() => return Err("regions names one or more"),
        Rule::Residency { regions } => ConstraintKind::Residency { regions },
        Rule::ChangeWindow => ConstraintKind::ChangeWindow,
        Rule::BudgetDelta { monthly_max, .. } if monthly_max.micro < 0 => {
            return Err("monthly_max is 0 or more");
        }
        Rule::BudgetDelta { monthly_max, currency } => {
            ConstraintKind::BudgetDelta { monthly_max: Money::new(monthly_max.micro, currency.0) }
        }
        Rule::Plan(rule) => ConstraintKind::Plan(rule),
        Rule::Rego { package, rules } => {
            ConstraintKind::Rego { package, rules: rules.unwrap_or(RegoRules::Deny) }
        }
    })
}

/// The precedence of a rule that states none (arb.md 2.9).
const fn usual_precedence(rule: &ConstraintKind) -> u8 {
    match rule {
        ConstraintKind::OwnerPresent
        | ConstraintKind::NoDeleteWithDependents
        | ConstraintKind::ChangeWindow => 4,
        ConstraintKind::Reachability { .. } | ConstraintKind::Residency { .. } => 1,
        ConstraintKind::BudgetDelta { .. } => 6,
        ConstraintKind::RedundancyPerZone { .. } | ConstraintKind::SinglePointOfDependency { .. } => 3,
        ConstraintKind::RecoveryRehearsed { .. } => 2,
        ConstraintKind::Rego { .. } => policies::PRECEDENCE,
        ConstraintKind::Plan(rule) => match rule {
            PlanRule::PublicExposure
            | PlanRule::SecurityGroupRemoved
            | PlanRule::EncryptionOff
            | PlanRule::IamWildcard
            | PlanRule::SecretUnmarked
            | PlanRule::LoggingOff
            | PlanRule::PrivilegedWorkload => 1,
            PlanRule::StatefulDestroyed | PlanRule::DeletionProtectionOff | PlanRule::BackupsOff => 2,
            PlanRule::SafeguardRemoved | PlanRule::SingleReplica => 3,
            PlanRule::DuplicateIdentity
            | PlanRule::Drift
            | PlanRule::IncompletePlan
            | PlanRule::Forgotten => 4,
        },
    }
}
