//! The graph receipt: what the snapshot is worth, from link metadata alone (S-11, S-13, S-26, arb.md 2.4).

use ontology::graph::LinkQuality;
use ontology::records::decision::{Freshness, ReleaseState};
use ontology::records::{EvidenceKey, GraphReceipt, StateSnapshot};
use ontology::{Reason, ReasonCode};

use super::judge::Bench;
use super::paths::Judged;
use super::scope;
use crate::muninn::snapshot::Scope;

/// What the judged relations of one option are worth together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Quality {
    /// Judged relations.
    pub(super) judged: u32,
    /// Those of them that are verified.
    pub(super) verified: u32,
    /// Those of them that are past their review date.
    pub(super) stale: u32,
    /// A judged relation is incomplete or dated after the cut-off.
    pub(super) unknown: bool,
    /// What lowers the ceiling, and what is only noted because no judged path used it (U8).
    pub(super) reasons: Vec<Reason>,
}

/// The quality of every relation in scope; those that `judged` names count.
pub(super) fn quality(bench: &Bench<'_>, scope: &Scope, judged: &Judged) -> Quality {
    let (graph, cutoff) = (bench.inputs.graph, bench.inputs.docket.opened_at);
    let mut quality = Quality::default();
    let mut links = judged.links.clone();
    links.extend(&scope.links);
    for link in links {
        let mut found = LinkQuality::of(graph, link, cutoff, bench.inputs.catalog.review_after_s);
        if !found.verified && found.faults.is_empty() {
            found.faults.push(ReasonCode::LinkEvidenceUnverified);
        }
        let counts = judged.links.contains(&link);
        if counts {
            quality.count(&found);
        }
        for code in found.faults {
            let reason = Reason::about(code, scope::link_name(graph, link));
            quality.reasons.push(if counts { reason } else { reason.noted() });
        }
    }
    quality.reasons.extend(quality.staleness(bench));
    quality
}

impl Quality {
    fn count(&mut self, found: &LinkQuality) {
        let has = |code| found.faults.contains(&code);
        self.judged += 1;
        self.verified += u32::from(found.verified);
        self.stale += u32::from(has(ReasonCode::LinkEvidenceStale));
        self.unknown |= has(ReasonCode::LinkEvidenceIncomplete) || has(ReasonCode::LinkEvidenceAfterCutoff);
    }

    /// What follows from the judged relations together. Where neither topology nor objectives are required, a
    /// graph without relations is not a fault of the evidence.
    fn staleness(&self, bench: &Bench<'_>) -> Vec<Reason> {
        let mut reasons = Vec::new();
        if self.judged == 0 {
            let needed = [EvidenceKey::Topology, EvidenceKey::Objectives];
            let needed = needed.iter().any(|key| bench.required.contains(key));
            let reason = Reason::new(ReasonCode::GraphReceiptUnverified);
            reasons.push(if needed { reason } else { reason.noted() });
        }
        if self.stale > 0 {
            let detail = format!("{} of {} judged relations", self.stale, self.judged);
            reasons.push(Reason::new(ReasonCode::GraphStale).with_detail(detail));
        }
        if self.unknown {
            reasons.push(Reason::new(ReasonCode::GraphFreshnessUnknown));
        }
        reasons
    }
}

/// The receipt of the change as proposed.
pub(super) fn receipt(bench: &Bench<'_>, quality: &Quality, integrity: &[Reason]) -> GraphReceipt {
    let docket = bench.inputs.docket;
    let snapshot = docket.snapshot.as_ref().map(|filed| &*filed.object);
    let source_complete = snapshot.is_some_and(|it| it.complete)
        && !integrity.iter().any(|reason| reason.code == ReasonCode::GraphSourceIncomplete);
    let reasons =
        integrity.iter().chain(&quality.reasons).filter(|reason| reason.effect > ontology::Effect::Noted);
    let mut reasons: Vec<Reason> = reasons.cloned().collect();
    super::assess::arrange(&mut reasons);
    GraphReceipt {
        evaluation: docket.evaluation,
        freshness: freshness(bench, snapshot, quality, source_complete),
        release_state: release_state(bench, snapshot),
        graph_revision: snapshot.map(|it| it.pairs_digest),
        authenticated: snapshot.is_some() && quality.judged > 0 && quality.verified == quality.judged,
        source_complete,
        source_generation: snapshot.map(|it| it.generation),
        truncated: snapshot.is_some_and(|it| it.truncated) || bench.scope.truncated,
        reasons,
    }
}

fn freshness(
    bench: &Bench<'_>,
    snapshot: Option<&StateSnapshot>,
    quality: &Quality,
    complete: bool,
) -> Freshness {
    if snapshot.is_none() || bench.scope.objects.is_empty() {
        Freshness::Unavailable
    } else if !complete || quality.unknown {
        Freshness::Unknown
    } else if quality.stale > 0 {
        Freshness::Stale
    } else {
        Freshness::Current
    }
}

fn release_state(bench: &Bench<'_>, snapshot: Option<&StateSnapshot>) -> ReleaseState {
    match snapshot {
        None => ReleaseState::Unknown,
        Some(it) if it.release == bench.inputs.docket.change.requested_release => ReleaseState::Aligned,
        Some(_) => ReleaseState::Mixed,
    }
}

/// Whether the snapshot is what the pins say: complete, of the pinned generation, with the very pairs that follow
/// from it, under the requested release.
pub(super) fn integrity(bench: &Bench<'_>) -> Vec<Reason> {
    let docket = bench.inputs.docket;
    let Some(filed) = &docket.snapshot else {
        return vec![Reason::new(ReasonCode::GraphUnavailable), Reason::new(ReasonCode::GraphReleaseUnknown)];
    };
    let snapshot = &filed.object;
    let mut reasons = Vec::new();
    let mut incomplete = |detail: &str| {
        reasons.push(Reason::about(ReasonCode::GraphSourceIncomplete, "snapshot").with_detail(detail));
    };
    if snapshot.generation != docket.pins.model {
        incomplete("it was made from another model revision than the pinned one");
    } else if snapshot.pairs_digest != scope::pairs_digest(&bench.scope, bench.inputs.graph) {
        incomplete("its objects and links are not those of the pinned model revision");
    }
    if !bench.scope.targets.starts_with(&snapshot.targets) {
        incomplete("its targets are found otherwise in the pinned model revision");
    }
    if !snapshot.complete {
        incomplete(&format!("{} objects were left out", snapshot.left_out));
    }
    if snapshot.truncated || bench.scope.truncated {
        reasons.push(Reason::about(ReasonCode::GraphTruncated, "snapshot"));
    }
    if snapshot.release != docket.change.requested_release {
        let detail = format!(
            "asked for {}, read under {}",
            docket.change.requested_release.short(),
            snapshot.release.short()
        );
        reasons.push(Reason::about(ReasonCode::GraphReleaseMixed, "snapshot").with_detail(detail));
    }
    if let Some(bundle) = &docket.bundle {
        if bundle.object.release != snapshot.release {
            reasons.push(Reason::about(ReasonCode::GraphReleaseMixed, "bundle"));
        }
        if bundle.object.catalog != docket.pins.catalog {
            reasons.push(Reason::about(ReasonCode::GraphReleaseMixed, "catalog"));
        }
    }
    reasons
}
