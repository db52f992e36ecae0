//! Reasons that lie in the change itself: its plan, its class, its requester.

use ontology::model::Detail;
use ontology::policy::classes::{Class, Classified, classify};
use ontology::records::change::CLOCK_SKEW_MAX_S;
use ontology::records::document::Target;
use ontology::time::SECOND_US;
use ontology::{Reason, ReasonCode};

use super::judge::Inputs;
use super::option::Course;

/// What holds for every option: the plan as a whole, and who asks.
pub(super) fn general(inputs: &Inputs<'_>) -> Vec<Reason> {
    let (change, document) = (&inputs.docket.change, inputs.document);
    let mut reasons = Vec::new();
    let mut when = |holds: bool, reason: Reason| {
        if holds {
            reasons.push(reason);
        }
    };
    when(document.errored, Reason::new(ReasonCode::PlanErrored));
    when(document.incomplete, Reason::new(ReasonCode::PlanIncomplete));
    when(document.sensitivity_unmarked, Reason::new(ReasonCode::SensitivityUnmarked));
    when(document.withheld_unkeyed, Reason::new(ReasonCode::WithheldUnkeyed));
    let drift = document.drift.len();
    when(drift > 0, Reason::new(ReasonCode::PlanDrift).with_detail(format!("{drift} addresses")));
    when(!change.requester_verified, Reason::about(ReasonCode::RequesterUnverified, &change.requester));
    when(inputs.catalog.starter, Reason::about(ReasonCode::StarterCatalog, &inputs.catalog.name));
    reasons.extend(age(inputs));
    reasons.extend(lineage(inputs));
    reasons
}

/// The plan's own time against the cut-off: too old, or from the future.
fn age(inputs: &Inputs<'_>) -> Option<Reason> {
    let planned_at = inputs.docket.change.planned_at?;
    let age_us = inputs.docket.opened_at.micros_since(planned_at);
    let max_s = inputs.catalog.plan_age_max_s;
    let max_us = i64::try_from(max_s).unwrap_or(i64::MAX).saturating_mul(SECOND_US);
    if age_us > max_us {
        let detail = format!("planned {planned_at}, at most {max_s} s before the cut-off");
        return Some(Reason::new(ReasonCode::PlanStale).with_detail(detail));
    }
    let ahead = age_us < -CLOCK_SKEW_MAX_S.saturating_mul(SECOND_US);
    ahead.then(|| {
        Reason::about(ReasonCode::EvidenceAfterCutoff, "plan").with_detail(format!("planned {planned_at}"))
    })
}

/// A process that the change names must be a Process of the model (S-31).
fn lineage(inputs: &Inputs<'_>) -> Option<Reason> {
    let process = inputs.docket.change.process_ref.as_ref()?;
    let object = inputs.graph.node(process).and_then(|node| inputs.graph.object(node));
    let known = object.is_some_and(|object| matches!(object.detail, Detail::Process(_)));
    (!known).then(|| Reason::about(ReasonCode::ProcessLineageUnavailable, process))
}

/// The excluded classes that `course` is in: they always need a person (S-36).
pub(super) fn classes(inputs: &Inputs<'_>, course: &Course<'_>) -> Vec<Reason> {
    let kind = inputs.docket.change.change_kind.as_str();
    let changed: Vec<&Target> = course.changed().collect();
    let found = classify(inputs.catalog, kind, &changed);
    let mut reasons: Vec<Reason> = Vec::new();
    for Classified { class, target, .. } in found {
        if class != Class::Irreversible && !course.acts() {
            continue;
        }
        let code = match class {
            Class::Irreversible => ReasonCode::ClassIrreversible,
            Class::Promotion => ReasonCode::ClassPromotion,
            Class::Baseline => ReasonCode::ClassBaseline,
        };
        let reason = match target {
            Some(target) => Reason::about(code, &target.address),
            None => Reason::about(code, kind),
        };
        reasons.push(match (class, target) {
            (Class::Irreversible, Some(target)) => {
                let action = target.action.as_str();
                reason.with_detail(format!("{action} of {}, which the catalog calls stateful", target.kind))
            }
            _ => reason,
        });
    }
    reasons
}
