//! Revisions of what reviews are judged against, and what of it is in force.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Evaluation;
use super::snapshot::Pair;
use crate::{BodyRef, Digest, Name};

/// A model revision came into force. Muninn's, on the key `model`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelRevision {
    /// What changes pin: the SHA-256 of the body.
    pub digest: Digest,
    /// The normalised model.
    pub body: BodyRef,
    /// Objects by type.
    pub objects: u32,
    /// Links.
    pub links: u32,
    /// What was not understood in its files, a line each, bounded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A catalog came into force. Mimir's, on the key `catalog`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogRevision {
    /// What changes pin: the SHA-256 of the body.
    pub digest: Digest,
    /// The normalised catalog.
    pub body: BodyRef,
    /// Its name.
    pub name: Name,
    /// Constraints in it.
    pub constraints: u32,
}

/// The constraints and policies in force at the cut-off. Mimir's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicySet {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The catalog.
    pub catalog: Digest,
    /// (constraint, digest), sorted.
    pub constraints: Vec<Pair>,
    /// Rego modules in force, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub policies: BTreeMap<Name, Digest>,
}
