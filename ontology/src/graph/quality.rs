//! What a link is worth, from its metadata alone (S-13, arb.md 2.3 and 2.4).

use crate::graph::Graph;
use crate::model::Source;
use crate::{ReasonCode, Timestamp};

/// What a link is worth.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkQuality {
    /// Two sources of different authority state it, and none denies it.
    pub verified: bool,
    /// Its faults, sorted.
    pub faults: Vec<ReasonCode>,
}

impl LinkQuality {
    /// The quality of the link with this number at `cutoff`. A source without `review_by` is stale
    /// `review_after_s` seconds after it was asserted; a source without either time has no age and is current.
    /// A fault of any source that states the link is a fault of the link: what was read from it counts as one fact.
    #[must_use]
    pub fn of(graph: &Graph, link: u32, cutoff: Timestamp, review_after_s: u64) -> Self {
        let link = graph.link(link);
        let sources = || link.sources.iter().filter_map(|id| graph.source(id));
        let mut authorities = sources().map(|source| &source.authority);
        let first = authorities.next();
        let crossed = authorities.any(|other| Some(other) != first);
        let verified = crossed && link.denied_by.is_empty();
        let found = [
            (ReasonCode::LinkEvidenceUnverified, !verified),
            (ReasonCode::LinkEvidenceConflicting, !link.denied_by.is_empty()),
            (ReasonCode::LinkEvidenceStale, sources().any(|source| is_stale(source, cutoff, review_after_s))),
            (ReasonCode::LinkEvidenceSynthetic, sources().any(|source| source.synthetic)),
            (ReasonCode::LinkEvidenceAfterCutoff, sources().any(|source| is_after(source, cutoff))),
            (ReasonCode::LinkEvidenceIncomplete, sources().any(|source| source.incomplete)),
        ];
        let mut faults: Vec<ReasonCode> =
            found.into_iter().filter_map(|(code, present)| present.then_some(code)).collect();
        faults.sort_unstable();
        Self { verified, faults }
    }
}

fn is_stale(source: &Source, cutoff: Timestamp, review_after_s: u64) -> bool {
    let review_after_s = i64::try_from(review_after_s).unwrap_or(i64::MAX);
    let due = source.review_by.or_else(|| source.asserted_at.map(|at| at.plus_seconds(review_after_s)));
    due.is_some_and(|due| cutoff > due)
}

fn is_after(source: &Source, cutoff: Timestamp) -> bool {
    [source.asserted_at, source.observed_at].into_iter().flatten().any(|at| at > cutoff)
}
