//! What a model amounts to, and where it is thin: for `arbctl model check`.

use std::collections::{BTreeMap, BTreeSet};

use ontology::release::LinkType;
use ontology::{Name, ObjectId};

use super::Compiled;

/// A model in numbers, and its gaps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// Objects by type, with the type's stable text.
    pub objects: BTreeMap<String, u32>,
    /// Links by type.
    pub links: BTreeMap<LinkType, u32>,
    /// Bindings of plan addresses.
    pub bindings: u32,
    /// Source → authority.
    pub sources: BTreeMap<Name, Name>,
    /// Every authority.
    pub authorities: BTreeSet<Name>,
    /// Relations that one authority alone states: at most approval (U8). As `type:from:to`.
    pub one_source: Vec<String>,
    /// Relations that a source denies: held (U8). As `type:from:to`.
    pub denied: Vec<String>,
    /// Services, workloads and resources without an owner.
    pub without_owner: Vec<ObjectId>,
    /// Services and workloads without any objective.
    pub without_objective: Vec<ObjectId>,
    /// Objectives that come from a tier's defaults.
    pub assumed: Vec<ObjectId>,
    /// Workloads and resources that no binding names.
    pub unbound: Vec<ObjectId>,
    /// What was left out or looks wrong.
    pub warnings: Vec<String>,
}

/// Sums up a compiled model.
#[must_use]
pub fn check(compiled: &Compiled) -> Summary {
    let model = &compiled.model;
    let mut summary = Summary { warnings: compiled.warnings.clone(), ..Summary::default() };
    for source in &model.sources {
        summary.sources.insert(source.id.clone(), source.authority.clone());
        summary.authorities.insert(source.authority.clone());
    }
    let (mut owned, mut kept) = (BTreeSet::new(), BTreeSet::new());
    for link in &model.links {
        *summary.links.entry(link.kind).or_default() += 1;
        let authorities: BTreeSet<_> =
            link.sources.iter().filter_map(|source| summary.sources.get(source)).collect();
        let name = || format!("{}:{}:{}", link.kind.as_str(), link.from, link.to);
        if authorities.len() < 2 {
            summary.one_source.push(name());
        }
        if !link.denied_by.is_empty() {
            summary.denied.push(name());
        }
        match link.kind {
            LinkType::OwnedBy => owned.insert(&link.from),
            LinkType::HasServiceObjective | LinkType::HasRecoveryObjective | LinkType::HasCostObjective => {
                kept.insert(&link.from)
            }
            _ => false,
        };
    }
    let bound: BTreeSet<&ObjectId> = model.bindings.iter().map(|binding| &binding.object).collect();
    summary.bindings = u32::try_from(model.bindings.len()).unwrap_or(u32::MAX);
    for object in &model.objects {
        let kind = type_text(&object.detail);
        *summary.objects.entry(kind.to_owned()).or_default() += 1;
        if is_assumed(&object.detail) {
            summary.assumed.push(object.id.clone());
        }
        let lacks = |list: &mut Vec<ObjectId>, there: &BTreeSet<&ObjectId>| {
            if !there.contains(&object.id) {
                list.push(object.id.clone());
            }
        };
        if object.detail.placement().is_some() {
            lacks(&mut summary.without_owner, &owned);
        }
        if matches!(kind, "business_service" | "workload") {
            lacks(&mut summary.without_objective, &kept);
        }
        if matches!(kind, "workload" | "resource") {
            lacks(&mut summary.unbound, &bound);
        }
    }
    summary
}

fn is_assumed(detail: &ontology::model::Detail) -> bool {
    use ontology::model::Detail;
    match detail {
        Detail::ServiceObjective(objective) => objective.assumed,
        Detail::RecoveryObjective(objective) => objective.assumed,
        Detail::CostObjective(objective) => objective.assumed,
        _ => false,
    }
}

const fn type_text(detail: &ontology::model::Detail) -> &'static str {
    use ontology::model::Detail;
    match detail {
        Detail::BusinessService(_) => "business_service",
        Detail::Workload(_) => "workload",
        Detail::Resource(_) => "resource",
        Detail::Ownership(_) => "ownership",
        Detail::ServiceObjective(_) => "service_objective",
        Detail::RecoveryObjective(_) => "recovery_objective",
        Detail::CostObjective(_) => "cost_objective",
        Detail::RecoveryPlan(_) => "recovery_plan",
        Detail::ChangeWindow(_) => "change_window",
        Detail::Process(_) => "process",
    }
}
