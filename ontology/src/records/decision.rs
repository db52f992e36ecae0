//! The join: six records of one step, Forseti's (S-11, S-44).

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Evaluation, OptionId};
use crate::policy::{ConditionCheck, Enforcement, Violation};
use crate::{Digest, Name, ObjectId, Reason, Timestamp};

/// Objects that an envelope lists; beyond, their total and digest are stated.
pub const AFFECTED_LISTED_MAX: usize = 64;
/// Violations that a constraint's outcome lists; beyond, their total is stated.
pub const VIOLATIONS_LISTED_MAX: usize = 16;

/// What the snapshot is worth, recomputed from link metadata alone (S-11, S-13, S-39).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GraphReceipt {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// How current the judged facts are.
    pub freshness: Freshness,
    /// Whether the snapshot's release is the requested one.
    pub release_state: ReleaseState,
    /// The snapshot's digest of pairs, if there is a snapshot.
    pub graph_revision: Option<Digest>,
    /// Every judged link is verified, and there is at least one.
    pub authenticated: bool,
    /// Nothing is missing from the snapshot.
    pub source_complete: bool,
    /// The model revision it was made from.
    pub source_generation: Option<Digest>,
    /// The traversal met its bound.
    pub truncated: bool,
    /// What lowers it, sorted. Facts that no judged path used are noted only (U8).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
}

/// How current facts are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Freshness {
    /// Within their review dates.
    Current,
    /// At least one is past it.
    Stale,
    /// It cannot be told.
    Unknown,
    /// There are no facts.
    Unavailable,
}

/// How the snapshot's release relates to the requested one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReleaseState {
    /// The same.
    Aligned,
    /// Another.
    Mixed,
    /// It cannot be told.
    Unknown,
}

/// The change laid over the snapshot, without touching anything (S-32).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// ASCII, at most 64 characters: `arb-`, a readable prefix, `-`, 32 hexadecimal digits (S-32).
    pub branch_id: String,
    /// What it was laid over.
    pub base_digest: Digest,
    /// The evidence it was made with.
    pub bundle_digest: Option<Digest>,
    /// The result.
    pub scenario_digest: Digest,
    /// Objects and links added, altered or removed.
    pub operations: u32,
    /// Rules of the ontology that the result breaks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
}

/// Bounded options, a no-action baseline, what each does (S-03). Immutable; later evidence opens another case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// SHA-256 over everything the judgement used.
    pub case_digest: Digest,
    /// The options, as in the option set.
    pub options: Vec<OptionOutcome>,
    /// Objectives on a path from the targets, sorted.
    pub protected_objectives: Vec<ObjectId>,
    /// Every constraint in force, with what it found.
    pub constraints: Vec<ConstraintOutcome>,
    /// The option that is recommended, if one is eligible.
    pub selected: Option<OptionId>,
    /// (first − second) ÷ |first| of the scores, in basis points, where two options were eligible.
    pub margin_bp: Option<u32>,
}

/// What one option does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OptionOutcome {
    /// The option.
    pub id: OptionId,
    /// Its effect on each objective.
    pub effects: Vec<ObjectiveEffect>,
    /// Hard constraints it violates: it is out.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub violates: BTreeSet<Name>,
    /// Σ weight × utility × confidence, in 10⁻⁸.
    pub score: i64,
    /// What it would be recommended as, by itself.
    pub would_be: RecommendationKind,
    /// Targets it carries out.
    pub targets: u32,
}

/// What an option does to one objective.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectiveEffect {
    /// The objective.
    pub objective: ObjectId,
    /// From −10,000 to 10,000.
    pub utility_bp: i32,
    /// From 0 to 10,000.
    pub confidence_bp: u32,
}

/// What a constraint found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConstraintOutcome {
    /// The constraint.
    pub constraint: Name,
    /// What a violation of it does, at the cut-off (U11).
    pub enforcement: Enforcement,
    /// What it found.
    pub outcome: Outcome,
    /// Things it looked at.
    pub checked: u32,
    /// The violations, introduced ones first; at most [`VIOLATIONS_LISTED_MAX`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Violation>,
    /// How many there are.
    pub violations_total: u32,
    /// Why it could not be evaluated.
    pub unknown: Option<String>,
}

/// What a constraint found, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Nothing is violated.
    Passed,
    /// Something is violated that this change introduces or worsens.
    Violated,
    /// Something is violated already.
    PreExisting,
    /// An input is missing.
    Unknown,
}

/// How far the change may reach (S-03). Write-once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImpactEnvelope {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The case it bounds.
    pub case_digest: Digest,
    /// Objects the change alters itself.
    pub direct_total: u32,
    /// Objects reached, sorted; at most [`AFFECTED_LISTED_MAX`].
    pub affected: Vec<ObjectId>,
    /// How many are reached.
    pub affected_total: u32,
    /// SHA-256 of the whole sorted list.
    pub affected_digest: Digest,
    /// The catalog's bound for this class and environment.
    pub affected_max: u32,
    /// The traversal's depth.
    pub depth_max: u32,
    /// Nothing was cut.
    pub complete: bool,
    /// Not valid after this.
    pub expires_at: Timestamp,
}

/// What Forseti recommends, with every reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recommendation {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The recommendation for the change as proposed.
    pub kind: RecommendationKind,
    /// The case it rests on.
    pub case_digest: Digest,
    /// Every reason, hardest first, then by code and subject.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// Required keys with evidence, and all required keys.
    pub keys_present: u32,
    /// All required keys.
    pub keys_required: u32,
    /// What has to be given, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// Other options that may go by themselves now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<OptionId>,
}

/// Something that has to be given before the change goes ahead.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// The constraint that asks for it.
    pub key: Name,
    /// What.
    pub check: ConditionCheck,
    /// After this it is too late: the review has to be judged again.
    pub expires_at: Timestamp,
}

/// A recommendation, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RecommendationKind {
    /// It may go ahead.
    Conformant,
    /// It may go ahead under conditions.
    Conditional,
    /// A person decides.
    ApprovalRequired,
    /// It cannot be decided yet.
    Held,
    /// It may not go ahead.
    Rejected,
}

impl RecommendationKind {
    /// For people and tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Conformant => "conformant",
            Self::Conditional => "conditional",
            Self::ApprovalRequired => "approval-required",
            Self::Held => "held",
            Self::Rejected => "rejected",
        }
    }
}

/// The last word of an evaluation. Audit-only: nobody acts on it (S-29).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Always `architecture_review`: Odin does not count it, Thor never acts on it.
    pub kind: Name,
    /// The word.
    pub verdict: VerdictKind,
    /// What it rests on.
    pub basis: Basis,
    /// The change it is about.
    pub change_digest: Digest,
    /// The bundle it used, if one was sealed in time.
    pub bundle_digest: Option<Digest>,
    /// The case it rests on.
    pub case_digest: Digest,
}

/// The kind of every verdict of a review.
pub const VERDICT_KIND: &str = "architecture_review";

/// A verdict, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// It conforms.
    Conformant,
    /// It conforms under conditions.
    Conditional,
    /// It is held.
    Held,
    /// It is rejected.
    Rejected,
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// Seen, not authorised.
    Observation,
    /// A standing authorisation of the catalog.
    StandingAuthorization,
    /// A person's approval.
    HumanApproval,
    /// A denial.
    Denied,
}
