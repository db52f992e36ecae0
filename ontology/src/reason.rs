//! Reason codes: stable, closed, a page each in `docs/reasons/`. Every reason says what it does to the ceiling,
//! and nothing raises a ceiling (S-12).

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer};
use serde::{Serialize, Serializer};

/// What a reason does to the recommendation, from mildest to hardest. The ceiling is the maximum over all reasons.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Shown, without effect.
    Noted,
    /// Something has to be given.
    Conditional,
    /// A person may decide.
    Approval,
    /// Not decidable yet.
    Held,
    /// A hard constraint is violated by this change.
    Rejected,
}

/// Longest detail of a reason, in bytes; what is longer is cut at a character.
pub const DETAIL_BYTES_MAX: usize = 512;

/// One reason: a code, what it is about, and a sentence fragment for people.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// The stable code.
    pub code: ReasonCode,
    /// What it does to the ceiling. Usually [`ReasonCode::effect`]; the catalog may tighten it, nothing loosens it.
    pub effect: Effect,
    /// The object, link, source, key or attribute it is about.
    pub subject: Option<String>,
    /// What was found, without any withheld value.
    pub detail: Option<String>,
}

impl Reason {
    /// A reason with its code's own effect.
    #[must_use]
    pub fn new(code: ReasonCode) -> Self {
        Self { code, effect: code.effect(), subject: None, detail: None }
    }

    /// A reason about `subject`.
    #[must_use]
    pub fn about(code: ReasonCode, subject: impl fmt::Display) -> Self {
        Self { subject: Some(bounded(subject.to_string())), ..Self::new(code) }
    }

    /// The same reason, with what was found.
    #[must_use]
    pub fn with_detail(mut self, detail: impl fmt::Display) -> Self {
        self.detail = Some(bounded(detail.to_string()));
        self
    }

    /// The same reason, shown without effect: no judged path used the fact (U8).
    #[must_use]
    pub fn noted(mut self) -> Self {
        self.effect = Effect::Noted;
        self
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code.as_str())?;
        if let Some(subject) = &self.subject {
            write!(f, ":{subject}")?;
        }
        if let Some(detail) = &self.detail {
            write!(f, " ({detail})")?;
        }
        Ok(())
    }
}

fn bounded(mut text: String) -> String {
    if text.len() > DETAIL_BYTES_MAX {
        let cut = (0..=DETAIL_BYTES_MAX - 3).rev().find(|cut| text.is_char_boundary(*cut)).unwrap_or(0);
        text.truncate(cut);
        text.push('…');
    }
    text
}

/// A code that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("find a reason: there is no code {0:?}")]
pub struct UnknownCode(pub String);

macro_rules! codes {
    ($($effect:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)* })*) => {
        /// Every reason there is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ReasonCode { $($($(#[$doc])* $variant,)*)* }

        impl ReasonCode {
            /// Every code, in the order of declaration.
            pub const ALL: &'static [Self] = &[$($(Self::$variant,)*)*];

            /// The stable text.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $($(Self::$variant => $text,)*)* }
            }

            /// What a reason of this code does to the ceiling unless the catalog tightens it.
            #[must_use]
            pub const fn effect(self) -> Effect {
                match self { $($(Self::$variant => Effect::$effect,)*)* }
            }
        }

        impl FromStr for ReasonCode {
            type Err = UnknownCode;
            fn from_str(text: &str) -> Result<Self, UnknownCode> {
                match text { $($($text => Ok(Self::$variant),)*)* _ => Err(UnknownCode(text.chars().take(64).collect())) }
            }
        }
    };
}

codes! {
    Rejected {
        /// A constraint with enforcement `deny` is introduced or worsened by this change.
        ConstraintViolated = "constraint_violated",
    }
    Held {
        /// A target that the change alters or deletes is bound to nothing in the model.
        TargetResourceMissing = "target_resource_missing",
        /// No service or component claims the targets.
        ServiceMappingMissing = "service_mapping_missing",
        /// One target is claimed by several components.
        ServiceMappingConflict = "service_mapping_conflict",
        /// No active objective protects what the change touches.
        ObjectivesMissing = "objectives_missing",
        /// Objectives exist, and none is on a path from the targets.
        ObjectiveMappingMissing = "objective_mapping_missing",
        /// Two sources name different owners.
        OwnershipConflict = "ownership_conflict",
        /// No relation was found around the targets.
        GraphReceiptUnverified = "graph_receipt_unverified",
        /// The snapshot is not complete.
        GraphSourceIncomplete = "graph_source_incomplete",
        /// The snapshot's release is not the one the change asked for.
        GraphReleaseMixed = "graph_release_mixed",
        /// The snapshot names no release.
        GraphReleaseUnknown = "graph_release_unknown",
        /// Facts on a judged path are past their review date.
        GraphStale = "graph_stale",
        /// The age of facts on a judged path cannot be told.
        GraphFreshnessUnknown = "graph_freshness_unknown",
        /// There is no graph to judge on.
        GraphUnavailable = "graph_unavailable",
        /// The traversal met its bound.
        GraphTruncated = "graph_truncated",
        /// An object on a judged path is outside its interval of validity.
        ContextTemporalExclusion = "context_temporal_exclusion",
        /// A relation's source is past its review date.
        LinkEvidenceStale = "link_evidence_stale",
        /// Two sources contradict each other about a relation.
        LinkEvidenceConflicting = "link_evidence_conflicting",
        /// A relation was made up for a test.
        LinkEvidenceSynthetic = "link_evidence_synthetic",
        /// A relation was observed after the cut-off.
        LinkEvidenceAfterCutoff = "link_evidence_after_cutoff",
        /// A relation's source says it is incomplete.
        LinkEvidenceIncomplete = "link_evidence_incomplete",
        /// A required branch of the review did not arrive.
        MissingStage = "missing_stage",
        /// A key that the catalog requires has no evidence.
        MissingEvidence = "missing_evidence",
        /// The evaluation's time ran out.
        DeadlineExceeded = "deadline_exceeded",
        /// A source of evidence did not answer.
        EvidenceUnavailable = "evidence_unavailable",
        /// Evidence is older than the catalog allows.
        EvidenceStale = "evidence_stale",
        /// Evidence is dated after the cut-off.
        EvidenceAfterCutoff = "evidence_after_cutoff",
        /// Evidence was made up for a test.
        EvidenceSynthetic = "evidence_synthetic",
        /// The plan is older than the catalog's `plan_age_max`.
        PlanStale = "plan_stale",
        /// The tool that made the plan reported an error.
        PlanErrored = "plan_errored",
        /// The plan says that it is not complete.
        PlanIncomplete = "plan_incomplete",
        /// An attribute that an active rule reads is known only after apply.
        PlanUnknownValue = "plan_unknown_value",
        /// The overlaid graph breaks a rule of the ontology.
        ScenarioInvalid = "scenario_invalid",
        /// Another open change has a target in common.
        ConcurrentChange = "concurrent_change",
        /// No rehearsal of the recovery plan is on record.
        RehearsalMissing = "rehearsal_missing",
        /// The newest rehearsal is older than the catalog allows.
        RehearsalStale = "rehearsal_stale",
        /// A changed target has no price.
        CostUnpriced = "cost_unpriced",
        /// A constraint could not be evaluated.
        ConstraintUnknown = "constraint_unknown",
        /// A policy in force failed while it was evaluated.
        PolicyError = "policy_error",
        /// The catalog has policies, and none of them was evaluated (U12).
        PolicyNotEvaluated = "policy_not_evaluated",
    }
    Conditional {
        /// A constraint with enforcement `condition` is introduced or worsened by this change.
        ConstraintCondition = "constraint_condition",
    }
    Approval {
        /// A relation on a judged path is known from one source only.
        LinkEvidenceUnverified = "link_evidence_unverified",
        /// An objective comes from its tier's defaults.
        ObjectiveAssumed = "objective_assumed",
        /// An attachment is the requester's claim; nobody confirmed it.
        EvidenceUnverified = "evidence_unverified",
        /// More objects are affected than the catalog allows without a person.
        AffectedCapExceeded = "affected_resource_cap_exceeded",
        /// The two best options are too close to choose without a person.
        CloseCall = "close_call",
        /// No option keeps every protected objective.
        NoSafeOption = "no_safe_option",
        /// Excluded class: cannot be undone (S-36).
        ClassIrreversible = "class_irreversible",
        /// Excluded class: changes the baseline itself (S-36).
        ClassBaseline = "class_baseline",
        /// Excluded class: an exception that somebody asks for (S-36, U9).
        ClassException = "class_exception",
        /// Excluded class: a production promotion (S-36).
        ClassPromotion = "class_promotion",
        /// A constraint with enforcement `approve` is introduced or worsened by this change.
        ConstraintApproval = "constraint_approval",
        /// An objective that the catalog protects gets worse.
        ObjectiveWorsened = "objective_worsened",
    }
    Noted {
        /// A violation is covered by a waiver in force (U11).
        ConstraintWaived = "constraint_waived",
        /// A waiver has expired: what it covered counts again (U11).
        WaiverExpired = "waiver_expired",
        /// A waiver of a target of this change covers nothing (U11).
        WaiverUnmatched = "waiver_unmatched",
        /// A constraint with enforcement `warn` is introduced or worsened.
        ConstraintWarned = "constraint_warned",
        /// A constraint is violated already, and this change does not make it worse.
        ConstraintPreExisting = "constraint_pre_existing",
        /// The plan's format marks no secrets.
        SensitivityUnmarked = "sensitivity_unmarked",
        /// Values were withheld without a key: changes between them cannot be seen.
        WithheldUnkeyed = "withheld_unkeyed",
        /// The world drifted from the last known state.
        PlanDrift = "plan_drift",
        /// The log does not outlive the process.
        NotDurable = "not_durable",
        /// The requester's identity was not verified.
        RequesterUnverified = "requester_unverified",
        /// `process_ref` names no Process of the model.
        ProcessLineageUnavailable = "process_lineage_unavailable",
        /// An agent was degraded while this was judged.
        AgentDegraded = "agent_degraded",
        /// A branch arrived after the bundle was sealed.
        LateStage = "late_stage",
        /// The shipped starter catalog was used.
        StarterCatalog = "starter_catalog",
    }
}

impl fmt::Display for ReasonCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ReasonCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ReasonCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for ReasonCode {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ReasonCode".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let codes: Vec<&str> = Self::ALL.iter().map(|code| code.as_str()).collect();
        json_schema!({ "type": "string", "enum": codes })
    }
}
