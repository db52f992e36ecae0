//! Constraints: typed rules over the graph and over the plan, evaluated on base and overlay (U10). Pure; says what
//! is violated, never what follows from it.

mod applies;
mod attributes;
pub mod catalog;
pub mod classes;
pub mod constraint;
pub mod evaluate;
mod graph_rules;
pub mod manifest_kinds;
pub mod people;
mod plan_rules;
pub mod prices;
pub mod rego;
pub mod rollout;
#[cfg(test)]
mod tests;
pub mod waivers;

pub use attributes::attributes_read;
pub use catalog::{Catalog, Limits, RequiredEvidence, Selector};
pub use constraint::{
    ConditionCheck, Constraint, ConstraintKind, Demand, Enforcement, PlanRule, Standing, Violation,
};
pub use evaluate::{Evaluated, Subject, evaluate};
pub use manifest_kinds::{ManifestKind, manifest_kind, pods_of};
pub use people::{ApprovalRule, People};
pub use prices::PriceBook;

use evaluate::{bounded, list, placement_of};
