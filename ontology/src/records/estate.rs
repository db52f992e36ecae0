//! Which changes are open across all reviews: an order-independent set on the key `estate`.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Evaluation;
use super::evidence::Unavailable;
use crate::{Digest, ObjectId, ReviewId, Timestamp};

/// Addresses that an estate entry lists; beyond, their total is stated and the change conflicts with nobody by
/// name. A change of more targets is above every shipped impact cap and meets a person anyway.
pub const ESTATE_TARGETS_MAX: usize = 256;

/// A change came into the estate. Huginn's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeOpened {
    /// Its review.
    pub review: ReviewId,
    /// The review it supersedes, which closes that.
    pub supersedes: Option<ReviewId>,
    /// What it is.
    pub content_digest: Digest,
    /// When it was taken in.
    pub at: Timestamp,
    /// The addresses it alters, at most [`ESTATE_TARGETS_MAX`].
    pub targets: BTreeSet<ObjectId>,
    /// How many it alters.
    pub targets_total: u32,
}

/// A change left the estate: applied, superseded or rejected. Saga's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeClosed {
    /// Its review.
    pub review: ReviewId,
    /// Why.
    pub why: Closing,
}

/// Why a change left the estate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Closing {
    /// It was rejected.
    Rejected,
}

/// Open changes with a common target, accepted before this one. Muninn's observation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConcurrentChanges {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// What was found, sorted by review.
    pub open: Vec<ConcurrentChange>,
    /// More were found than are listed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// There was no answer.
    pub unavailable: Option<Unavailable>,
}

/// Another open change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConcurrentChange {
    /// Its review.
    pub review: ReviewId,
    /// The targets in common, at most eight.
    pub targets: BTreeSet<ObjectId>,
}
