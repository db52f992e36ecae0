//! The catalog: what reviews are judged by. Its files are parsed by Mimir; this is the normalised form.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::constraint::Constraint;
use super::people::{ApprovalRule, People};
use super::prices::PriceBook;
use super::rego::Modules;
use super::rollout::Row;
use super::waivers::Waiver;
use crate::records::{BUDGET_MS_DEFAULT, EvidenceKey};
use crate::time::DAY_S;
use crate::{Digest, Name};

/// Media type of a catalog's body.
pub const MEDIA_TYPE: &str = "application/vnd.arb.catalog+cbor";
/// Constraints of a catalog at most.
pub const CONSTRAINTS_MAX: usize = 256;

/// One catalog. Lists are sorted by id and unique: one content has one digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Catalog {
    /// Its name: `starter`, `acme`.
    pub name: Name,
    /// Whether it is the shipped starter catalog (U1).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub starter: bool,
    /// What the deployment does with verdicts.
    pub mode: Mode,
    /// The rules.
    pub constraints: Vec<Constraint>,
    /// Rego modules by their path under the catalog directory.
    #[serde(default, skip_serializing_if = "Modules::is_empty")]
    pub policies: Modules,
    /// Violations that somebody answers for, sorted (U11).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waivers: Vec<Waiver>,
    /// Where verdicts count for how much; the first row that matches applies (U11).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rollout: Vec<Row>,
    /// Bounds, the general one last; the first whose selector matches applies.
    pub limits: Vec<Limits>,
    /// Which evidence is required when; the union of all that match.
    pub required: Vec<RequiredEvidence>,
    /// Resource types whose deletion or replacement loses data, with `*`.
    pub stateful_types: BTreeSet<String>,
    /// Path segments of sources that are the baseline itself (S-36).
    #[serde(default)]
    pub baseline_kinds: BTreeSet<String>,
    /// What things cost.
    pub prices: PriceBook,
    /// Milliseconds to decide in.
    pub budget_ms: u64,
    /// A plan older than this is stale.
    pub plan_age_max_s: u64,
    /// A rehearsal older than this is stale.
    pub rehearsal_age_max_s: u64,
    /// How long a receipt is valid.
    pub receipt_valid_s: u64,
    /// Weight of each objective kind in basis points: `service`, `recovery`, `cost`.
    pub weights_bp: BTreeMap<Name, u32>,
    /// Attributes kept beside the shipped table, by resource type (U3).
    #[serde(default)]
    pub kept_attributes: BTreeMap<String, BTreeSet<String>>,
    /// Who stands behind which source: path pattern → authority.
    #[serde(default)]
    pub authorities: BTreeMap<String, Name>,
    /// Who is who (U13).
    #[serde(default, skip_serializing_if = "People::is_empty")]
    pub people: People,
    /// Who decides where a person has to, the general rule last; the first whose selector matches applies.
    #[serde(default = "shipped_approvals")]
    pub approvals: Vec<ApprovalRule>,
    /// How long a source without `review_by` stays current after it was asserted.
    pub review_after_s: u64,
}

/// What a deployment does with verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Blocks nothing.
    Observe,
    /// What does not conform is blocked.
    Enforce,
}

/// To what something applies. Each list that is not empty must hold a match.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Selector {
    /// Environments of the model.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub environments: BTreeSet<String>,
    /// Tiers.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub tiers: BTreeSet<u8>,
    /// Kinds of objects or resource types, with `*`.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub kinds: BTreeSet<String>,
}

impl Selector {
    /// Whether it selects everything.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.environments.is_empty() && self.tiers.is_empty() && self.kinds.is_empty()
    }

    /// Whether it selects a thing placed so.
    #[must_use]
    pub fn matches(&self, placement: Option<&crate::model::Placement>, kind: &str) -> bool {
        let environment = placement.and_then(|placement| placement.environment.as_ref());
        let tier = placement.and_then(|placement| placement.tier);
        (self.environments.is_empty() || environment.is_some_and(|it| self.environments.contains(it)))
            && (self.tiers.is_empty() || tier.is_some_and(|it| self.tiers.contains(&it)))
            && (self.kinds.is_empty() || self.kinds.iter().any(|pattern| wildcard(pattern, kind)))
    }
}

/// Bounds of a review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// When they apply.
    #[serde(default, skip_serializing_if = "Selector::is_everything")]
    pub when: Selector,
    /// Objects affected at most without a person.
    pub affected_max: u32,
    /// Depth of the traversal.
    pub depth_max: u32,
}

/// Evidence that is required for some changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequiredEvidence {
    /// When it is required.
    #[serde(default, skip_serializing_if = "Selector::is_everything")]
    pub when: Selector,
    /// Without these nothing may proceed.
    pub keys: BTreeSet<EvidenceKey>,
}

impl Catalog {
    /// The digest that pins this catalog: SHA-256 of its canonical CBOR, which is its body's.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of_value(self)
    }

    /// Whether deleting or replacing a resource of this type loses data.
    #[must_use]
    pub fn is_stateful(&self, resource_type: &str) -> bool {
        self.stateful_types.iter().any(|pattern| wildcard(pattern, resource_type))
    }

    /// An empty catalog with the shipped bounds: what [`Catalog`] files start from.
    #[must_use]
    pub fn empty(name: Name) -> Self {
        Self {
            name,
            starter: false,
            mode: Mode::Observe,
            constraints: Vec::new(),
            policies: Modules::default(),
            waivers: Vec::new(),
            rollout: Vec::new(),
            limits: vec![Limits { when: Selector::default(), affected_max: 10, depth_max: 3 }],
            required: Vec::new(),
            stateful_types: BTreeSet::new(),
            baseline_kinds: BTreeSet::new(),
            prices: PriceBook::default(),
            budget_ms: BUDGET_MS_DEFAULT,
            plan_age_max_s: (7 * DAY_S).unsigned_abs(),
            rehearsal_age_max_s: (180 * DAY_S).unsigned_abs(),
            receipt_valid_s: (7 * DAY_S).unsigned_abs(),
            weights_bp: BTreeMap::new(),
            kept_attributes: BTreeMap::new(),
            authorities: BTreeMap::new(),
            people: People::default(),
            approvals: shipped_approvals(),
            review_after_s: (365 * DAY_S).unsigned_abs(),
        }
    }
}

fn shipped_approvals() -> Vec<ApprovalRule> {
    vec![ApprovalRule::shipped()]
}

/// Whether `text` matches `pattern`, in which `*` stands for any run of characters.
#[must_use]
pub fn wildcard(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(first) = parts.next() else { return text.is_empty() };
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}
