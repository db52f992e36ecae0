//! The report of a review: everything a screen shows, one document with a schema (`--output json`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use ontology::ReviewId;

/// A review for people and programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The review.
    pub review: ReviewId,
}

/// The report of a review from its steps; `None` where they hold no change.
#[must_use]
pub fn of(steps: &[topics::Stored], _: &topics::Library, _: bool) -> Option<Report> {
    steps.first()?.step.key().as_review().map(|review| Report { review })
}
