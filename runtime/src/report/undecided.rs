//! What cannot be decided yet: for each missing key, what it takes and what the verdict would then be (U1).
//! Hypothetical, never recorded.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use ontology::records::{EvidenceKey, RecommendationKind};
use topics::Library;

use super::folded::Folded;

/// One missing key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Undecided {
    /// The key without evidence.
    pub key: EvidenceKey,
    /// The same in words of the role.
    pub role: String,
    /// The agent that would bring it.
    pub agent: String,
    /// What a person can do about it; `PLAN` stands for the submitted file.
    pub takes: String,
    /// What it would be if everything that is missing were there.
    pub then: RecommendationKind,
    /// What it would be if only this were there.
    pub alone: RecommendationKind,
}

/// A key in words of the role (U1).
#[must_use]
pub const fn role(key: EvidenceKey) -> &'static str {
    match key {
        EvidenceKey::Change => "the change",
        EvidenceKey::Topology => "owner, topology",
        EvidenceKey::Objectives => "objectives",
        EvidenceKey::Policy => "rules",
        EvidenceKey::ConcurrentChanges => "other open changes",
        EvidenceKey::Cost => "cost",
        EvidenceKey::Recovery => "recovery",
    }
}

pub(super) fn rows(review: &Folded, library: &Library) -> Vec<Undecided> {
    review
        .hypotheses(library)
        .into_iter()
        .map(|hypothesis| Undecided {
            key: hypothesis.key,
            role: role(hypothesis.key).to_owned(),
            agent: super::facts::bringer(hypothesis.key).to_owned(),
            takes: hypothesis.takes,
            then: hypothesis.would_be,
            alone: hypothesis.alone,
        })
        .collect()
}
