//! Merges two descriptions of one thing.

use ontology::model::{Detail, Object, Ownership, Placement, RecoveryPlan};

use crate::muninn::model::stated::StatedObject;

/// Adds another description to an object; the words for what they differ in. What the first leaves open, the other
/// fills in.
pub(super) fn merge(object: &mut Object, other: &StatedObject) -> Result<Vec<&'static str>, String> {
    let (here, there) = (other.detail.object_type(), object.detail.object_type());
    if here != there {
        let (here, there) = (words(here), words(there));
        return Err(format!("{} is {here} here and {there} in {}", object.id, object.sources[0]));
    }
    let mut differs = Vec::new();
    // What people call a thing may differ without anybody being wrong.
    object.title = object.title.take().or_else(|| other.title.clone());
    fill(&mut object.effective_from, &other.effective_from, "when it begins", &mut differs);
    fill(&mut object.effective_to, &other.effective_to, "when it ends", &mut differs);
    merge_details(&mut object.detail, &other.detail, &mut differs);
    Ok(differs)
}

fn words(kind: ontology::release::ObjectType) -> &'static str {
    use ontology::release::ObjectType as Type;
    match kind {
        Type::BusinessService => "a business service",
        Type::Workload => "a workload",
        Type::Resource => "a resource",
        Type::Ownership => "an owner",
        Type::ServiceObjective => "a service objective",
        Type::RecoveryObjective => "a recovery objective",
        Type::CostObjective => "a cost objective",
        Type::RecoveryPlan => "a recovery plan",
        Type::ChangeWindow => "a change window",
        Type::Process => "a process",
    }
}

fn merge_details(first: &mut Detail, other: &Detail, differs: &mut Vec<&'static str>) {
    match (first, other) {
        (Detail::BusinessService(first), Detail::BusinessService(other))
        | (Detail::Workload(first), Detail::Workload(other))
        | (Detail::Resource(first), Detail::Resource(other)) => merge_placements(first, other, differs),
        (Detail::Ownership(first), Detail::Ownership(other)) => merge_owners(first, other, differs),
        (Detail::RecoveryPlan(first), Detail::RecoveryPlan(other)) => merge_plans(first, other, differs),
        (first, other) if first != other => differs.push("what it says"),
        _ => {}
    }
}

fn merge_placements(first: &mut Placement, other: &Placement, differs: &mut Vec<&'static str>) {
    fill(&mut first.kind, &other.kind, "its kind", differs);
    fill(&mut first.environment, &other.environment, "its environment", differs);
    fill(&mut first.tier, &other.tier, "its tier", differs);
    fill(&mut first.replicas, &other.replicas, "its replicas", differs);
    if first.zones.is_empty() {
        first.zones.clone_from(&other.zones);
    } else if !other.zones.is_empty() && first.zones != other.zones {
        differs.push("its zones");
    }
}

fn merge_owners(first: &mut Ownership, other: &Ownership, differs: &mut Vec<&'static str>) {
    fill(&mut first.kind, &other.kind, "its kind", differs);
}

/// Rehearsals of two sources are one history.
fn merge_plans(first: &mut RecoveryPlan, other: &RecoveryPlan, differs: &mut Vec<&'static str>) {
    if first.strategy != other.strategy {
        differs.push("its strategy");
    }
    first.rehearsals.extend(other.rehearsals.iter().cloned());
    first.rehearsals.sort_by_key(|it| (it.at, it.rto_s, it.rpo_s, it.succeeded));
    first.rehearsals.dedup();
}

fn fill<T: Clone + PartialEq>(
    first: &mut Option<T>,
    other: &Option<T>,
    what: &'static str,
    differs: &mut Vec<&'static str>,
) {
    match (&*first, other) {
        (None, Some(_)) => first.clone_from(other),
        (Some(first), Some(other)) if first != other => differs.push(what),
        _ => {}
    }
}

/// Where a thing that is placed is placed.
pub(in crate::muninn::model) const fn placement_mut(detail: &mut Detail) -> Option<&mut Placement> {
    match detail {
        Detail::BusinessService(placement) | Detail::Workload(placement) | Detail::Resource(placement) => {
            Some(placement)
        }
        _ => None,
    }
}
