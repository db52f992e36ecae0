//! What the runtime says of itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Evaluation;
use crate::content::Bytes;
use crate::{Name, Principal};

/// A chunk of a body, under the body's own key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyChunk {
    /// Its number, from 0.
    pub index: u32,
    /// How many there are.
    pub of: u32,
    /// At most 128 KiB.
    pub bytes: Bytes,
}

/// A deadline that was owed has passed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeadlineReached {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Which deadline: `seal` or `judge`.
    pub name: Name,
}

/// An agent gave up or was halted (S-19).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Degradation {
    /// The agent.
    pub agent: Name,
    /// `gave-up` or `halted`.
    pub state: Name,
    /// Why, in words.
    pub why: String,
}

/// An agent parked a key at an event: it could not fold it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Quarantined {
    /// The agent.
    pub agent: Name,
    /// The event's step id.
    pub event: String,
    /// Why, in words.
    pub why: String,
}

/// Something that no honest process does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SecurityEvent {
    /// What happened: `wrong-owner`, `not-canonical`, `wrong-digest`.
    pub what: Name,
    /// Who did it, where known.
    pub principal: Option<Principal>,
    /// In words.
    pub why: String,
}
