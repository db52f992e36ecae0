//! The operational context: what the model says around the targets, at the cut-off.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Evaluation;
use crate::{Digest, Name, ObjectId, Reason, Timestamp};

/// Pairs that a snapshot lists itself. Beyond, it states their digest: anybody recomputes the list from the pinned
/// model revision, and a review's records stay under 20 kB.
pub const PAIRS_MAX: usize = 128;

/// The model around the targets, frozen (S-09).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StateSnapshot {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Facts up to here.
    pub cutoff: Timestamp,
    /// The ontology release it was made under.
    pub release: Digest,
    /// The model revision it was made from: the generation of its source (S-26).
    pub generation: Digest,
    /// Under which scope it was read.
    pub access_scope: Name,
    /// For which purpose.
    pub purpose: Name,
    /// How the targets were found in the model, sorted by address.
    pub targets: Vec<Resolution>,
    /// How many targets there are, where the list above was cut at [`PAIRS_MAX`].
    pub targets_total: u32,
    /// (id, digest) of objects in scope, sorted; empty beyond [`PAIRS_MAX`] pairs.
    pub objects: Vec<Pair>,
    /// (`type:from:to`, digest) of links in scope, sorted; empty beyond [`PAIRS_MAX`] pairs.
    pub links: Vec<Pair>,
    /// How many objects are in scope.
    pub objects_total: u32,
    /// How many links are in scope.
    pub links_total: u32,
    /// SHA-256 of the two whole lists.
    pub pairs_digest: Digest,
    /// What lay outside the access scope and was left out.
    pub left_out: u32,
    /// Nothing was left out or cut.
    pub complete: bool,
    /// The traversal met its bound.
    pub truncated: bool,
    /// Its own summary of conflicts. The graph receipt does not rely on it (S-13).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Reason>,
}

/// An identity and the digest of what it stands for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The identity.
    pub id: String,
    /// SHA-256 of the canonical content.
    pub digest: Digest,
}

/// How a target was found in the model.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Resolution {
    /// The target's address.
    pub address: ObjectId,
    /// What it is in the model.
    pub found: Found,
}

/// What a target is in the model.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Found {
    /// It is this object.
    Is(ObjectId),
    /// It is a part of this service or workload.
    PartOf(ObjectId),
    /// Several objects claim it.
    Conflict(Vec<ObjectId>),
    /// Nothing claims it.
    Unbound,
}

impl Found {
    /// The one object it belongs to.
    #[must_use]
    pub const fn object(&self) -> Option<&ObjectId> {
        match self {
            Self::Is(object) | Self::PartOf(object) => Some(object),
            Self::Conflict(_) | Self::Unbound => None,
        }
    }
}

impl Resolution {
    /// How the target at `address` was found, by a list that is sorted by address. Unbound where it is not listed.
    #[must_use]
    pub fn of<'a>(targets: &'a [Self], address: &ObjectId) -> &'a Found {
        match targets.binary_search_by(|resolution| resolution.address.cmp(address)) {
            Ok(index) => &targets[index].found,
            Err(_) => &Found::Unbound,
        }
    }
}
