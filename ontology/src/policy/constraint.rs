//! What a constraint is and what violating it looks like.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::catalog::Selector;
use super::rego::RegoRules;
use crate::{Money, Name, ObjectId, Timestamp};

/// Longest value shown of a violation, in bytes.
pub const VALUE_BYTES_MAX: usize = 256;

/// A rule of the organisation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// Unique in the catalog: `owner-present`.
    pub id: Name,
    /// A sentence for people.
    pub title: String,
    /// What it demands.
    pub rule: ConstraintKind,
    /// What a violation does.
    pub enforcement: Enforcement,
    /// From then on, a violation denies (U11).
    pub deny_from: Option<Timestamp>,
    /// 1 (safety, security, identity) to 6 (cost): which goes first (arb.md 2.9).
    pub precedence: u8,
    /// To what it applies; everything, where it says nothing.
    #[serde(default, skip_serializing_if = "Selector::is_everything")]
    pub applies_to: Selector,
    /// What would satisfy it, for people.
    pub remedy: Option<String>,
    /// What has to be given for a change that violates it, where the enforcement is [`Enforcement::Condition`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Demand>,
    /// Roles of which a person has to approve a change that violates it; the catalog's, where there are none (U11).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub approvers: BTreeSet<Name>,
}

impl Constraint {
    /// What a violation does at `cutoff` (U11).
    #[must_use]
    pub fn enforcement_at(&self, cutoff: Timestamp) -> Enforcement {
        if self.deny_from.is_some_and(|from| cutoff >= from) { Enforcement::Deny } else { self.enforcement }
    }
}

/// What has to be given, and within what time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Demand {
    /// What.
    pub check: ConditionCheck,
    /// Seconds from the evaluation's cut-off.
    pub within_s: u64,
}

/// What somebody outside can tell to be so: who merges or applies evaluates it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ConditionCheck {
    /// A check-run of this name succeeded on the head.
    CheckRun {
        /// Its name.
        name: Name,
        /// The app that has to have made it.
        app_id: Option<u64>,
    },
    /// The pull request has this label.
    Label(Name),
    /// A change window is open.
    MergeWindow,
}

impl std::fmt::Display for ConditionCheck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::CheckRun { name, app_id: Some(app_id) } => {
                write!(f, "the check {name} of app {app_id} succeeds")
            }
            Self::CheckRun { name, app_id: None } => write!(f, "the check {name} succeeds"),
            Self::Label(label) => write!(f, "the label {label} is set"),
            Self::MergeWindow => f.write_str("a change window is open"),
        }
    }
}

/// What violating a constraint does (U11), mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Enforcement {
    /// Recorded.
    Observe,
    /// Shown.
    Warn,
    /// Something has to be given.
    Condition,
    /// A person decides.
    Approve,
    /// The change is rejected.
    Deny,
}

/// What a constraint demands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ConstraintKind {
    /// Everything that the change touches has an owner.
    OwnerPresent,
    /// Nothing is deleted that something else needs.
    NoDeleteWithDependents,
    /// What runs, runs in enough zones.
    RedundancyPerZone {
        /// Zones at least.
        zones_min: u32,
    },
    /// A recovery objective is met by a rehearsal that is not too old.
    RecoveryRehearsed {
        /// Age of the rehearsal at most.
        age_max_s: u64,
    },
    /// What many things need runs more than once.
    SinglePointOfDependency {
        /// From so many direct dependents on.
        dependents_min: u32,
    },
    /// What the constraint applies to does not reach something along what it needs.
    Reachability {
        /// What is never reached.
        never: Selector,
    },
    /// What is touched stays where it may be.
    Residency {
        /// Regions or zones, with `*`: `eu-*`.
        regions: BTreeSet<String>,
    },
    /// Changes are made in an open window of the model, and never in a freeze.
    ChangeWindow,
    /// What the change adds to the monthly cost, by the price book, is bounded.
    BudgetDelta {
        /// The bound.
        monthly_max: Money,
    },
    /// A rule over the plan alone.
    Plan(PlanRule),
    /// What the Rego rules of a package say (review.md, Policies).
    Rego {
        /// The package, dotted: `main`.
        package: String,
        /// Which of its rules.
        rules: RegoRules,
    },
}

/// A rule over the plan alone: it needs no model (U1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlanRule {
    /// A stateful resource is deleted or replaced.
    StatefulDestroyed,
    /// Something becomes reachable from everywhere.
    PublicExposure,
    /// A security group is detached, emptied or deleted.
    SecurityGroupRemoved,
    /// Encryption at rest is off.
    EncryptionOff,
    /// Deletion protection, or the final snapshot, is off.
    DeletionProtectionOff,
    /// A policy grants everything on everything.
    IamWildcard,
    /// Two targets claim one identity.
    DuplicateIdentity,
    /// The world drifted from the state.
    Drift,
    /// The plan failed or leaves things out.
    IncompletePlan,
    /// A secret stands in the plan without a marker.
    SecretUnmarked,
    /// Backups are off or short.
    BackupsOff,
    /// Something stays in the world and is no longer managed.
    Forgotten,
    /// Logging or audit is switched off.
    LoggingOff,
    /// A pod may do what its node may.
    PrivilegedWorkload,
    /// A probe, a limit or a disruption budget is taken away.
    SafeguardRemoved,
    /// What serves runs in a single copy.
    SingleReplica,
}

impl PlanRule {
    /// Every rule, in order.
    pub const ALL: [Self; 16] = [
        Self::StatefulDestroyed,
        Self::PublicExposure,
        Self::SecurityGroupRemoved,
        Self::EncryptionOff,
        Self::DeletionProtectionOff,
        Self::IamWildcard,
        Self::DuplicateIdentity,
        Self::Drift,
        Self::IncompletePlan,
        Self::SecretUnmarked,
        Self::BackupsOff,
        Self::Forgotten,
        Self::LoggingOff,
        Self::PrivilegedWorkload,
        Self::SafeguardRemoved,
        Self::SingleReplica,
    ];
}

/// One thing that breaks one constraint.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Violation {
    /// How it relates to this change (U10).
    pub standing: Standing,
    /// The offending object or target.
    pub subject: ObjectId,
    /// The path from a target of the change to it, both ends included (S-38).
    pub path: Vec<ObjectId>,
    /// The attribute, for rules over the plan.
    pub attribute: Option<String>,
    /// The offending value, for people; never a withheld one.
    pub value: String,
    /// The targets of the change that cause it by themselves, sorted; what a reduction leaves out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caused_by: Vec<ObjectId>,
}

/// How a violation relates to the change (U10). Only the first two count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It was not there before.
    Introduced,
    /// It was there, and gets worse.
    Worsened,
    /// It was there.
    PreExisting,
    /// It was there, and will not be.
    Fixed,
    /// Somebody answers for it (U11).
    Waived,
}

impl Standing {
    /// Whether it counts against the change.
    #[must_use]
    pub const fn counts(self) -> bool {
        matches!(self, Self::Introduced | Self::Worsened)
    }
}
