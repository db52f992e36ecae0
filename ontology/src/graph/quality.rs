//! What a link is worth, from its metadata alone (S-13, arb.md 2.3 and 2.4).

use std::collections::BTreeSet;

use crate::graph::Graph;
use crate::model::Link;
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
        let standing = graph.link_standing(link);
        let found = [
            (ReasonCode::LinkEvidenceUnverified, !standing.verified),
            (ReasonCode::LinkEvidenceConflicting, standing.denied),
            (ReasonCode::LinkEvidenceStale, standing.is_stale(cutoff, review_after_s)),
            (ReasonCode::LinkEvidenceSynthetic, standing.synthetic),
            (ReasonCode::LinkEvidenceAfterCutoff, standing.latest.is_some_and(|at| at > cutoff)),
            (ReasonCode::LinkEvidenceIncomplete, standing.incomplete),
        ];
        let mut faults: Vec<ReasonCode> =
            found.into_iter().filter_map(|(code, present)| present.then_some(code)).collect();
        faults.sort_unstable();
        Self { verified: standing.verified, faults }
    }
}

/// What the sources of a link make of it, whatever the cut-off.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Standing {
    verified: bool,
    denied: bool,
    synthetic: bool,
    incomplete: bool,
    /// The first day that a source names for its own review.
    review_by: Option<Timestamp>,
    /// When the oldest source that names no such day was asserted.
    asserted_at: Option<Timestamp>,
    /// The latest time that any source bears.
    latest: Option<Timestamp>,
}

impl Standing {
    pub(super) fn of(graph: &Graph, link: &Link) -> Self {
        let mut standing = Self { denied: !link.denied_by.is_empty(), ..Self::default() };
        let mut authorities = BTreeSet::new();
        for source in link.sources.iter().filter_map(|id| graph.source(id)) {
            authorities.insert(&source.authority);
            standing.synthetic |= source.synthetic;
            standing.incomplete |= source.incomplete;
            let due = if source.review_by.is_some() { None } else { source.asserted_at };
            standing.review_by = earlier(standing.review_by, source.review_by);
            standing.asserted_at = earlier(standing.asserted_at, due);
            standing.latest = standing.latest.max(source.asserted_at).max(source.observed_at);
        }
        standing.verified = authorities.len() > 1 && !standing.denied;
        standing
    }

    fn is_stale(&self, cutoff: Timestamp, review_after_s: u64) -> bool {
        let review_after_s = i64::try_from(review_after_s).unwrap_or(i64::MAX);
        let due = earlier(self.review_by, self.asserted_at.map(|at| at.plus_seconds(review_after_s)));
        due.is_some_and(|due| cutoff > due)
    }
}

fn earlier(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    one.into_iter().chain(other).min()
}
