//! `catalog.yaml` (`arb: catalog/1`).

use std::collections::{BTreeMap, BTreeSet};

use ontology::Name;
use ontology::policy::catalog::Mode;
use ontology::policy::{ApprovalRule, Catalog, Limits, RequiredEvidence, Selector};
use ontology::records::EvidenceKey;
use serde::Deserialize;

use super::{CatalogFile, starter};
use crate::input::yaml::quantity::{Milliseconds, Seconds};
use crate::input::{InputError, yaml};

/// Time for a review at most: beyond, somebody who waits has given up.
const BUDGET_MS_MAX: u64 = 10 * 60 * 1_000;
/// Weights add up to this, in basis points.
const WEIGHT_BP_MAX: u32 = 10_000;
/// Depth of a traversal at most; the shipped one is 3.
const DEPTH_MAX: u32 = 10;
/// People that one rule may ask for at most: beyond, nobody waits for the last of them.
const QUORUM_MAX: u32 = 16;
/// A request lives so long at most, in seconds: 90 days, after which what was judged is history.
const EXPIRES_S_MAX: u64 = 90 * 86_400;
/// Kinds of objectives that have a weight.
const WEIGHED: [&str; 3] = ["service", "recovery", "cost"];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    arb: String,
    name: Name,
    #[serde(default)]
    mode: Option<Mode>,
    #[serde(default)]
    budget: Option<Milliseconds>,
    #[serde(default)]
    limits: Option<Vec<Limits>>,
    #[serde(default)]
    required: Option<Vec<Required>>,
    #[serde(default)]
    stateful_types: Option<BTreeSet<String>>,
    #[serde(default)]
    baseline_kinds: Option<BTreeSet<String>>,
    #[serde(default)]
    plan_age_max: Option<Seconds>,
    #[serde(default)]
    rehearsal_age_max: Option<Seconds>,
    #[serde(default)]
    receipt_valid: Option<Seconds>,
    #[serde(default)]
    review_after: Option<Seconds>,
    /// Percent by kind of objective.
    #[serde(default)]
    weights: Option<BTreeMap<Name, u32>>,
    #[serde(default)]
    authorities: Option<BTreeMap<String, Name>>,
    #[serde(default)]
    approvals: Option<Vec<Approval>>,
    #[serde(default)]
    kept_attributes: Option<BTreeMap<String, BTreeSet<String>>>,
}

/// Evidence that is required, as people write it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Required {
    #[serde(default)]
    when: Selector,
    evidence: BTreeSet<EvidenceKey>,
}

/// Who decides where a person has to, as people write it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Approval {
    #[serde(default)]
    when: Selector,
    roles: BTreeSet<Name>,
    #[serde(default)]
    quorum: Option<u32>,
    #[serde(default)]
    expires_in: Option<Seconds>,
}

impl From<Required> for RequiredEvidence {
    fn from(written: Required) -> Self {
        Self { when: written.when, keys: written.evidence }
    }
}

/// Reads the settings. Tables that are left out are the starter's.
pub(super) fn read(file: &CatalogFile) -> Result<Catalog, InputError> {
    let read: File = yaml::parse(&file.path, &file.bytes)?;
    let fault = |at: &str, message: String| InputError::at(&file.path, format!("$.{at}"), message);
    if read.arb != "catalog/1" {
        return Err(fault("arb", "expected catalog/1".into()));
    }
    let mut catalog = Catalog::empty(read.name);
    let seconds = |written: Option<Seconds>, default: u64| written.map_or(default, |it| it.0);
    catalog.plan_age_max_s = seconds(read.plan_age_max, catalog.plan_age_max_s);
    catalog.rehearsal_age_max_s = seconds(read.rehearsal_age_max, catalog.rehearsal_age_max_s);
    catalog.receipt_valid_s = seconds(read.receipt_valid, catalog.receipt_valid_s);
    catalog.review_after_s = seconds(read.review_after, catalog.review_after_s);
    catalog.budget_ms = read.budget.map_or(catalog.budget_ms, |it| it.0);
    if !(1..=BUDGET_MS_MAX).contains(&catalog.budget_ms) {
        return Err(fault("budget", "expected 1ms to 10m".into()));
    }
    catalog.mode = read.mode.unwrap_or(catalog.mode);
    if let Some(limits) = read.limits {
        catalog.limits = check_limits(limits).map_err(|message| fault("limits", message))?;
    }
    let shipped = starter::tables();
    catalog.stateful_types = read.stateful_types.unwrap_or(shipped.stateful_types);
    catalog.baseline_kinds = read.baseline_kinds.unwrap_or(shipped.baseline_kinds);
    catalog.required = match read.required {
        Some(required) => required.into_iter().map(Required::into).collect(),
        None => shipped.required,
    };
    catalog.weights_bp =
        weights(read.weights.unwrap_or_default()).map_err(|message| fault("weights", message))?;
    catalog.authorities = read.authorities.unwrap_or_default();
    if let Some(approvals) = read.approvals {
        catalog.approvals = check_approvals(approvals).map_err(|message| fault("approvals", message))?;
    }
    catalog.kept_attributes = read.kept_attributes.unwrap_or_default();
    Ok(catalog)
}

/// The last of the rules applies to everything, so that somebody always decides.
fn check_approvals(approvals: Vec<Approval>) -> Result<Vec<ApprovalRule>, String> {
    let shipped = ApprovalRule::shipped();
    let rule = |(number, written): (usize, Approval)| {
        let quorum = written.quorum.unwrap_or(shipped.quorum);
        if written.roles.is_empty() {
            return Err(format!("rule {number} names no role"));
        }
        if !(1..=QUORUM_MAX).contains(&quorum) {
            return Err(format!("rule {number} has the quorum {quorum}, from 1 to {QUORUM_MAX} are allowed"));
        }
        let expires_s = written.expires_in.map_or(shipped.expires_s, |it| it.0);
        if !(1..=EXPIRES_S_MAX).contains(&expires_s) {
            return Err(format!("rule {number} expires in {expires_s}s, from 1s to 90d are allowed"));
        }
        Ok(ApprovalRule { when: written.when, roles: written.roles, quorum, expires_s })
    };
    let rules: Vec<ApprovalRule> = approvals.into_iter().enumerate().map(rule).collect::<Result<_, _>>()?;
    match rules.last() {
        Some(last) if last.when.is_everything() => Ok(rules),
        _ => Err("the last rule has no \"when\": it applies where no other does".to_owned()),
    }
}

/// The last of the limits applies to everything, so that some limit always does.
fn check_limits(limits: Vec<Limits>) -> Result<Vec<Limits>, String> {
    if let Some(index) = limits.iter().position(|it| !(1..=DEPTH_MAX).contains(&it.depth_max)) {
        return Err(format!("entry {}: depth_max is 1 to {DEPTH_MAX}", index + 1));
    }
    let general = limits.iter().position(|it| it.when.is_everything());
    match general {
        Some(index) if index + 1 == limits.len() => Ok(limits),
        Some(index) => Err(format!("entry {} applies to everything, and those after it never do", index + 1)),
        None => Err("the last entry has no \"when\", so that it applies to everything else".into()),
    }
}

fn weights(percent: BTreeMap<Name, u32>) -> Result<BTreeMap<Name, u32>, String> {
    if percent.keys().any(|kind| !WEIGHED.contains(&kind.as_str())) {
        return Err(format!("expected percentages of {}", WEIGHED.join(", ")));
    }
    let weights: BTreeMap<Name, u32> =
        percent.into_iter().map(|(kind, percent)| (kind, percent.saturating_mul(100))).collect();
    let sum: u64 = weights.values().copied().map(u64::from).sum();
    if weights.is_empty() || sum == u64::from(WEIGHT_BP_MAX) {
        Ok(weights)
    } else {
        Err("the percentages add up to 100".into())
    }
}
