//! What was known of what the catalog requires.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use agents::review::{CheckStatus, Part};
use ontology::Effect;
use ontology::records::EvidenceKey;

use super::{ReasonShown, count};

/// Required evidence, and facts that were seen and did not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// Required keys with evidence.
    pub present: u32,
    /// All required keys.
    pub required: u32,
    /// Each required key.
    pub keys: Vec<KeyShown>,
    /// The bundle was sealed by its deadline, not by completeness.
    pub sealed_by_deadline: bool,
    /// Facts that no judged path used (U8), and other things worth knowing.
    pub noted: Vec<ReasonShown>,
}

/// One required key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyShown {
    /// The key.
    pub key: EvidenceKey,
    /// The agent that brings it.
    pub agent: String,
    /// Whether there is evidence.
    pub present: bool,
}

/// The agent that brings the evidence of a key.
#[must_use]
pub const fn bringer(key: EvidenceKey) -> &'static str {
    match key {
        EvidenceKey::Change => "huginn",
        EvidenceKey::Topology | EvidenceKey::Objectives | EvidenceKey::ConcurrentChanges => "muninn",
        EvidenceKey::Policy => "mimir",
        EvidenceKey::Cost => "njord",
        EvidenceKey::Recovery => "vidar",
    }
}

pub(super) fn shown(part: &Part<'_>, reasons: &[ReasonShown]) -> Facts {
    let keys: Vec<KeyShown> = part
        .checks()
        .iter()
        .map(|check| KeyShown {
            key: check.key,
            agent: bringer(check.key).to_owned(),
            present: check.status == CheckStatus::Ready,
        })
        .collect();
    let counted = part.recommendation().map(|known| known.record);
    let present = keys.iter().filter(|key| key.present).count();
    Facts {
        present: counted.map_or(count(present), |counted| counted.keys_present),
        required: counted.map_or(count(keys.len()), |counted| counted.keys_required),
        keys,
        sealed_by_deadline: part.bundle().is_some_and(|known| known.record.sealed_by_deadline),
        noted: reasons.iter().filter(|reason| reason.effect == Effect::Noted).cloned().collect(),
    }
}
