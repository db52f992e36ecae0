//! The snapshot's own summary of what is wrong around the targets (arb.md 2.3, items 4 to 9).

use std::collections::BTreeMap;

use ontology::graph::{Graph, LinkQuality, Node};
use ontology::records::document::Action;
use ontology::records::snapshot::{Found, Resolution};
use ontology::release::{LinkType, ObjectType};
use ontology::{Reason, ReasonCode};

use super::scope::{Scope, Setting};

/// Conflicts of one code that a snapshot lists; beyond, their number is stated, so that it stays small.
pub(super) const LISTED_MAX: usize = 16;

/// What is wrong, sorted by code and subject.
pub(super) fn conflicts(setting: &Setting<'_>, scope: &Scope) -> Vec<Reason> {
    let mut found = of_targets(setting, scope);
    found.extend(of_owners(setting.graph, scope));
    for node in &scope.excluded {
        let id = setting.graph.object(*node).map(|object| &object.id);
        found.extend(id.map(|id| Reason::about(ReasonCode::ContextTemporalExclusion, id)));
    }
    if scope.truncated {
        found.push(Reason::new(ReasonCode::GraphTruncated));
    }
    for link in &scope.links {
        let quality = LinkQuality::of(setting.graph, *link, setting.cutoff, setting.catalog.review_after_s);
        let fault = |code| Reason::about(code, link_id(setting.graph, *link));
        found.extend(quality.faults.into_iter().map(fault));
    }
    bounded(found)
}

/// `type:from:to`.
pub(super) fn link_id(graph: &Graph, link: u32) -> String {
    let link = graph.link(link);
    format!("{}:{}:{}", link.kind.as_str(), link.from, link.to)
}

fn of_targets(setting: &Setting<'_>, scope: &Scope) -> Vec<Reason> {
    let mut found = Vec::new();
    for target in setting.document.changed() {
        match Resolution::of(&scope.targets, &target.address) {
            // What the change creates is not missing (U1).
            Found::Unbound if target.action != Action::Create => {
                found.push(Reason::about(ReasonCode::TargetResourceMissing, &target.address));
            }
            Found::Conflict(objects) => {
                let claims: Vec<&str> = objects.iter().map(|object| object.as_str()).collect();
                let reason = Reason::about(ReasonCode::ServiceMappingConflict, &target.address);
                found.push(reason.with_detail(claims.join(", ")));
            }
            Found::Unbound | Found::Is(_) | Found::PartOf(_) => {}
        }
    }
    let runs = |node: &Node| {
        let object = setting.graph.object(*node);
        let kind = object.map(|object| object.detail.object_type());
        matches!(kind, Some(ObjectType::BusinessService | ObjectType::Workload))
    };
    if !scope.targets.is_empty() && !scope.objects.keys().any(runs) {
        found.push(Reason::new(ReasonCode::ServiceMappingMissing));
    }
    found
}

fn of_owners(graph: &Graph, scope: &Scope) -> Vec<Reason> {
    let mut found = Vec::new();
    for node in scope.objects.keys() {
        let owners = graph.links_from(*node, LinkType::OwnedBy);
        let denied = owners.iter().any(|link| !graph.link(*link).denied_by.is_empty());
        if owners.len() > 1 || denied {
            let id = graph.object(*node).map(|object| &object.id);
            found.extend(id.map(|id| Reason::about(ReasonCode::OwnershipConflict, id)));
        }
    }
    found
}

fn bounded(found: Vec<Reason>) -> Vec<Reason> {
    let mut by_code: BTreeMap<ReasonCode, Vec<Reason>> = BTreeMap::new();
    for reason in found {
        by_code.entry(reason.code).or_default().push(reason);
    }
    let mut listed = Vec::new();
    for (code, mut reasons) in by_code {
        reasons.sort();
        reasons.dedup();
        let more = reasons.len().saturating_sub(LISTED_MAX);
        listed.extend(reasons.into_iter().take(LISTED_MAX));
        if more > 0 {
            listed.push(Reason::new(code).with_detail(format_args!("{more} more")));
        }
    }
    listed.sort();
    listed
}
