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
