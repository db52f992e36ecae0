//! The model: what the organisation says about itself. Content of a model revision, before it is indexed.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::release::{LinkType, ObjectType};
use crate::{Digest, Money, Name, ObjectId, Timestamp};

/// Objects of a model at most. Bounds what one revision costs to index and hold.
pub const OBJECTS_MAX: usize = 50_000;
/// Links of a model at most.
pub const LINKS_MAX: usize = 200_000;
/// Media type of a model's body.
pub const MEDIA_TYPE: &str = "application/vnd.arb.model+cbor";

/// One revision of the model. Objects are sorted by id and unique; links by (type, from, to) and unique; sources
/// by id and unique: one content has one digest.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Where facts come from.
    pub sources: Vec<Source>,
    /// Everything there is.
    pub objects: Vec<Object>,
    /// How it hangs together.
    pub links: Vec<Link>,
    /// Which plan addresses are which objects (U7).
    pub bindings: Vec<Binding>,
}

/// One file or feed that facts were read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Its path under the model directory.
    pub id: Name,
    /// Who stands behind it. Two sources are independent when this differs.
    pub authority: Name,
    /// When its content was last asserted (its commit), where known.
    pub asserted_at: Option<Timestamp>,
    /// When it was read.
    pub observed_at: Option<Timestamp>,
    /// Its facts are stale after this.
    pub review_by: Option<Timestamp>,
    /// Made up for a test.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub synthetic: bool,
    /// Says of itself that it leaves things out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
}

/// A thing in the graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Object {
    /// Unique in the model.
    pub id: ObjectId,
    /// What people call it.
    pub title: Option<String>,
    /// What it is, with the facts of its type.
    pub detail: Detail,
    /// The sources that state it, sorted.
    pub sources: Vec<Name>,
    /// In force from, where bounded.
    pub effective_from: Option<Timestamp>,
    /// In force until (exclusive), where bounded.
    pub effective_to: Option<Timestamp>,
}

/// The facts of an object, by its type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Detail {
    /// See [`ObjectType::BusinessService`].
    BusinessService(Placement),
    /// See [`ObjectType::Workload`].
    Workload(Placement),
    /// See [`ObjectType::Resource`].
    Resource(Placement),
    /// See [`ObjectType::Ownership`].
    Ownership(Ownership),
    /// See [`ObjectType::ServiceObjective`].
    ServiceObjective(ServiceObjective),
    /// See [`ObjectType::RecoveryObjective`].
    RecoveryObjective(RecoveryObjective),
    /// See [`ObjectType::CostObjective`].
    CostObjective(CostObjective),
    /// See [`ObjectType::RecoveryPlan`].
    RecoveryPlan(RecoveryPlan),
    /// See [`ObjectType::ChangeWindow`].
    ChangeWindow(ChangeWindow),
    /// See [`ObjectType::Process`].
    Process(Process),
}

impl Detail {
    /// The object's type.
    #[must_use]
    pub const fn object_type(&self) -> ObjectType {
        match self {
            Self::BusinessService(_) => ObjectType::BusinessService,
            Self::Workload(_) => ObjectType::Workload,
            Self::Resource(_) => ObjectType::Resource,
            Self::Ownership(_) => ObjectType::Ownership,
            Self::ServiceObjective(_) => ObjectType::ServiceObjective,
            Self::RecoveryObjective(_) => ObjectType::RecoveryObjective,
            Self::CostObjective(_) => ObjectType::CostObjective,
            Self::RecoveryPlan(_) => ObjectType::RecoveryPlan,
            Self::ChangeWindow(_) => ObjectType::ChangeWindow,
            Self::Process(_) => ObjectType::Process,
        }
    }

    /// Where and how it is placed, for the three types that are.
    #[must_use]
    pub const fn placement(&self) -> Option<&Placement> {
        match self {
            Self::BusinessService(placement) | Self::Workload(placement) | Self::Resource(placement) => {
                Some(placement)
            }
            _ => None,
        }
    }
}

/// Where and how a service, workload or resource runs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// What it is more precisely: `service`, `job`, `database`, `aws_db_instance`.
    pub kind: Option<String>,
    /// Its environment, as the model says.
    pub environment: Option<String>,
    /// 1 is the most critical.
    pub tier: Option<u8>,
    /// Availability zones it runs in.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub zones: BTreeSet<String>,
    /// Instances of it.
    pub replicas: Option<u32>,
}

/// Who answers for something.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ownership {
    /// `group` or `user`.
    pub kind: Option<String>,
}

/// Something to keep, measured over a window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ServiceObjective {
    /// `availability`, `latency_p99`, `error_rate` or another.
    pub metric: Name,
    /// The bound, in millionths of the unit.
    pub target_micro: i64,
    /// `ratio`, `seconds`, `requests`.
    pub unit: Name,
    /// Length of the window.
    pub window_s: u64,
    /// Taken from the tier's defaults.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assumed: bool,
}

/// How fast and how completely to recover.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecoveryObjective {
    /// Recovery time objective.
    pub rto_s: u64,
    /// Recovery point objective.
    pub rpo_s: u64,
    /// Taken from the tier's defaults.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assumed: bool,
}

/// What may be spent in a month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CostObjective {
    /// The bound on the monthly cost.
    pub monthly_max: Money,
    /// What is spent now.
    pub monthly_now: Option<Money>,
    /// Taken from the tier's defaults.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assumed: bool,
}

/// How recovery is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecoveryPlan {
    /// `restore`, `failover`, `rebuild`, `roll_back`.
    pub strategy: Name,
    /// When it was tried, newest last.
    pub rehearsals: Vec<Rehearsal>,
}

/// One rehearsal of a recovery plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rehearsal {
    /// When.
    pub at: Timestamp,
    /// How long recovery took.
    pub rto_s: u64,
    /// How much was lost, as time.
    pub rpo_s: u64,
    /// Whether it worked.
    pub succeeded: bool,
}

/// When changes may or may not be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeWindow {
    /// `open` or `freeze`.
    pub kind: Name,
    /// From.
    pub from: Timestamp,
    /// Until (exclusive).
    pub to: Timestamp,
}

/// A running process of the organisation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Process {
    /// Its status, as its engine says.
    pub status: Name,
}

/// A relation, with everybody who observed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// What it says.
    #[serde(rename = "type")]
    pub kind: LinkType,
    /// Where it starts.
    pub from: ObjectId,
    /// Where it ends.
    pub to: ObjectId,
    /// The sources that state it, sorted and unique. Two of different authority verify it by cross-check.
    pub sources: Vec<Name>,
    /// Sources that deny it, sorted: a full list of the same relations that leaves this one out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub denied_by: Vec<Name>,
}

/// Says that addresses of plans are one object of the model (U7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Binding {
    /// The object.
    pub object: ObjectId,
    /// Terraform addresses, with `*` for one segment's rest and `**` for any rest.
    #[serde(default)]
    pub addresses: Vec<String>,
    /// Terraform workspaces, with `*`; empty means any.
    #[serde(default)]
    pub workspaces: Vec<String>,
    /// Provider tags, each of which must be equal.
    #[serde(default)]
    pub tags: BTreeMap<String, String>,
    /// The source that states it.
    pub source: Name,
}

impl Model {
    /// The digest that pins this revision: SHA-256 of its canonical CBOR, which is its body's.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of_value(self)
    }
}
