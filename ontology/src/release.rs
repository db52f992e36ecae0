//! The ontology release: which object and link types exist. Content-addressed, pinned by every change (S-08).

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Digest;

/// What a graph object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ObjectType {
    /// What users depend on.
    BusinessService,
    /// Something that runs.
    Workload,
    /// Something a workload runs on or uses: a database, a queue, a bucket, a target of a plan.
    Resource,
    /// A team or person that answers for something.
    Ownership,
    /// Availability, latency or error rate to keep.
    ServiceObjective,
    /// How fast and how completely to recover.
    RecoveryObjective,
    /// What may be spent.
    CostObjective,
    /// How recovery is done, and when it was last rehearsed.
    RecoveryPlan,
    /// When changes may or may not be made.
    ChangeWindow,
    /// A running process of the organisation, which a change may instantiate (S-31).
    Process,
}

/// What a graph link says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkType {
    /// A service is implemented by a workload.
    ImplementedBy,
    /// A workload runs on, or uses, a resource.
    WorkloadRunsOn,
    /// A workload calls another.
    WorkloadDependsOn,
    /// A resource needs another.
    DependsOn,
    /// A resource contains another.
    Contains,
    /// A service, workload or resource is owned.
    OwnedBy,
    /// A service, workload or resource has an objective.
    HasServiceObjective,
    /// Likewise, for recovery.
    HasRecoveryObjective,
    /// Likewise, for cost.
    HasCostObjective,
    /// A service, workload or resource is recovered by a plan.
    RecoveredBy,
}

/// How many ends a link type may have on each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cardinality {
    /// Each `to` has one `from`.
    OneToMany,
    /// Each `from` has one `to`.
    ManyToOne,
    /// No bound.
    ManyToMany,
}

/// A link type's declaration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LinkDeclaration {
    /// The type.
    pub link: LinkType,
    /// Object types it may start at.
    pub from: &'static [ObjectType],
    /// Object types it may end at.
    pub to: &'static [ObjectType],
    /// Its bound on both sides.
    pub cardinality: Cardinality,
    /// Whether it may repeat along a path.
    pub transitive: bool,
}

use Cardinality::{ManyToMany, ManyToOne};
use ObjectType::{
    BusinessService, ChangeWindow, CostObjective, Ownership, Process, RecoveryObjective, RecoveryPlan,
    Resource, ServiceObjective, Workload,
};

/// Every object type.
pub const OBJECT_TYPES: &[ObjectType] = &[
    BusinessService,
    Workload,
    Resource,
    Ownership,
    ServiceObjective,
    RecoveryObjective,
    CostObjective,
    RecoveryPlan,
    ChangeWindow,
    Process,
];

const OWNED: &[ObjectType] = &[BusinessService, Workload, Resource];

const fn link(
    link: LinkType,
    from: &'static [ObjectType],
    to: &'static [ObjectType],
    cardinality: Cardinality,
    transitive: bool,
) -> LinkDeclaration {
    LinkDeclaration { link, from, to, cardinality, transitive }
}

/// Every link type, in the order of [`LinkType`].
pub const LINK_TYPES: &[LinkDeclaration] = &[
    link(LinkType::ImplementedBy, &[BusinessService], &[Workload], ManyToMany, false),
    link(LinkType::WorkloadRunsOn, &[Workload], &[Resource], ManyToMany, false),
    link(LinkType::WorkloadDependsOn, &[Workload], &[Workload], ManyToMany, true),
    link(LinkType::DependsOn, &[Resource], &[Resource], ManyToMany, false),
    link(LinkType::Contains, &[Resource], &[Resource], Cardinality::OneToMany, true),
    link(LinkType::OwnedBy, OWNED, &[Ownership], ManyToOne, false),
    link(LinkType::HasServiceObjective, OWNED, &[ServiceObjective], ManyToMany, false),
    link(LinkType::HasRecoveryObjective, OWNED, &[RecoveryObjective], ManyToMany, false),
    link(LinkType::HasCostObjective, OWNED, &[CostObjective], ManyToMany, false),
    link(LinkType::RecoveredBy, OWNED, &[RecoveryPlan], ManyToMany, false),
];

impl LinkType {
    /// Every type, in order.
    pub const ALL: [Self; 10] = [
        Self::ImplementedBy,
        Self::WorkloadRunsOn,
        Self::WorkloadDependsOn,
        Self::DependsOn,
        Self::Contains,
        Self::OwnedBy,
        Self::HasServiceObjective,
        Self::HasRecoveryObjective,
        Self::HasCostObjective,
        Self::RecoveredBy,
    ];

    /// Its declaration.
    #[must_use]
    pub fn declaration(self) -> &'static LinkDeclaration {
        &LINK_TYPES[self as usize]
    }

    /// The stable text, as in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ImplementedBy => "implemented_by",
            Self::WorkloadRunsOn => "workload_runs_on",
            Self::WorkloadDependsOn => "workload_depends_on",
            Self::DependsOn => "depends_on",
            Self::Contains => "contains",
            Self::OwnedBy => "owned_by",
            Self::HasServiceObjective => "has_service_objective",
            Self::HasRecoveryObjective => "has_recovery_objective",
            Self::HasCostObjective => "has_cost_objective",
            Self::RecoveredBy => "recovered_by",
        }
    }
}

/// The digest of the shipped release: SHA-256 over the canonical declarations, computed once.
#[must_use]
pub fn shipped() -> Digest {
    static SHIPPED: LazyLock<Digest> = LazyLock::new(|| Digest::of_value(&(OBJECT_TYPES, LINK_TYPES)));
    *SHIPPED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s08_declarations_stand_in_the_order_of_their_types() {
        for (index, declaration) in LINK_TYPES.iter().enumerate() {
            assert_eq!(declaration.link as usize, index);
            assert_eq!(LinkType::ALL[index], declaration.link);
            assert_eq!(serde_json::json!(declaration.link), declaration.link.as_str());
        }
    }
}
