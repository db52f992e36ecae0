//! The schedule of an evaluation: which evidence is required, which specialists answer, until when. A look-up in the
//! catalog's tables and the snapshot (S-05, S-06, S-11).

use std::collections::BTreeSet;

use ontology::graph::Node;
use ontology::records::change::AttachmentKind;
use ontology::records::snapshot::Resolution;
use ontology::records::{EvidenceKey, ReviewSchedule, StateSnapshot};
use ontology::release::LinkType;

use super::Context;
use crate::followed::Current;
use crate::muninn::snapshot::scope::{facts_of, object_of, selects, touched};
use crate::muninn::snapshot::{Contents, Setting};

/// Looks the schedule up.
pub(super) fn schedule(
    current: &Current<Context>,
    snapshot: &StateSnapshot,
    setting: &Setting<'_>,
) -> ReviewSchedule {
    let contents = Contents::of(snapshot, setting);
    let objective = |kind| has_objective(kind, &contents, setting);
    let claim = |of: fn(&AttachmentKind) -> bool| current.claims.iter().any(|claim| of(&claim.claim));

    let mut required = required(&contents.targets, setting);
    // A specialist whose objective is at stake must answer (S-11).
    if objective(LinkType::HasCostObjective) {
        required.insert(EvidenceKey::Cost);
    }
    if objective(LinkType::HasRecoveryObjective) {
        required.insert(EvidenceKey::Recovery);
    }
    let mut activated = required.clone();
    let priced =
        setting.document.changed().any(|target| setting.catalog.prices.types.contains_key(&target.kind));
    if priced || claim(|claim| matches!(claim, AttachmentKind::CostEstimate(_))) {
        activated.insert(EvidenceKey::Cost);
    }
    if claim(|claim| matches!(claim, AttachmentKind::RecoveryRehearsal(_))) {
        activated.insert(EvidenceKey::Recovery);
    }
    let plan_age_max_s = i64::try_from(setting.catalog.plan_age_max_s).unwrap_or(i64::MAX);
    ReviewSchedule {
        evaluation: current.evaluation,
        cutoff: current.cutoff,
        deadline: current.cutoff.plus_ms(current.pins.budget_ms),
        concurrent_since: current.cutoff.plus_seconds(plan_age_max_s.saturating_neg()),
        activated,
        required,
    }
}

/// The union of what the catalog requires for any target.
fn required(targets: &[Resolution], setting: &Setting<'_>) -> BTreeSet<EvidenceKey> {
    let applies = |when| {
        setting.document.changed().any(|target| {
            let at = targets.binary_search_by(|resolution| resolution.address.cmp(&target.address)).ok();
            selects(when, target, at.and_then(|at| object_of(setting.graph, &targets[at])))
        })
    };
    let rows = setting.catalog.required.iter().filter(|row| applies(&row.when));
    rows.flat_map(|row| row.keys.iter().copied()).collect()
}

/// Whether something that the change touches has an objective of this kind.
fn has_objective(kind: LinkType, contents: &Contents, setting: &Setting<'_>) -> bool {
    let touched: BTreeSet<Node> = touched(setting.graph, contents.targets.iter(), &contents.objects);
    touched.iter().any(|node| facts_of(setting.graph, *node, kind, &contents.objects).next().is_some())
}
