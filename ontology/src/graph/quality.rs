//! What a link is worth, from its metadata alone (S-13, arb.md 2.3 and 2.4).

use crate::graph::Graph;
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
    #[must_use]
    pub fn of(graph: &Graph, link: u32, cutoff: Timestamp, review_after_s: u64) -> Self {
        let _ = (graph, link, cutoff, review_after_s);
        todo!()
    }
}
