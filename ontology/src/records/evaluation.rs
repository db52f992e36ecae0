//! How an evaluation is set up: its opening, its options, its schedule.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Evaluation, EvidenceKey, Pins};
use crate::{Name, ObjectId, Timestamp};

/// Evaluation 2 to 8 of a review. Evaluation 1 is opened by the change itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvaluationOpened {
    /// Its number.
    pub evaluation: Evaluation,
    /// Why it was opened.
    pub opening: Opening,
    /// What is in force.
    pub pins: Pins,
}

/// Why another evaluation was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Opening {
    /// Evidence arrived.
    Evidence,
    /// Somebody asked.
    Recheck,
    /// Somebody asked for an exception (U9).
    Exception,
    /// A person took an approval back (U13).
    Revoked,
}

/// Names an option of a case: `as-proposed`, `no-action`, `without-violations`, `without-destruction`.
pub type OptionId = Name;

/// The option that is the change as it came.
pub const AS_PROPOSED: &str = "as-proposed";
/// The option that does nothing.
pub const NO_ACTION: &str = "no-action";
/// The reduction without targets that violate a typed constraint by themselves.
pub const WITHOUT_VIOLATIONS: &str = "without-violations";
/// The reduction without destructive targets.
pub const WITHOUT_DESTRUCTION: &str = "without-destruction";

/// What could be done: as proposed, nothing, and at most three smaller ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OptionSet {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The options, `as-proposed` first, `no-action` second.
    pub options: Vec<OptionDraft>,
}

/// One option: the change without some of its targets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OptionDraft {
    /// Its name.
    pub id: OptionId,
    /// Addresses left out, closed under the plan's dependency order. For `no-action` this stays empty: all are.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub without: BTreeSet<ObjectId>,
}

impl OptionDraft {
    /// Whether this option leaves the target at `address` undone.
    #[must_use]
    pub fn leaves_out(&self, address: &ObjectId) -> bool {
        self.id.as_str() == NO_ACTION || self.without.contains(address)
    }
}

/// Who answers what until when. Looked up, never judged (S-06).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewSchedule {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The cut-off: the time of the opening step.
    pub cutoff: Timestamp,
    /// When it is judged, whatever has arrived.
    pub deadline: Timestamp,
    /// Changes that were taken in before this are not concurrent any more: the cut-off less the catalog's
    /// `plan_age_max_s`.
    pub concurrent_since: Timestamp,
    /// Evidence keys whose specialists are activated (S-05).
    pub activated: BTreeSet<EvidenceKey>,
    /// Evidence keys without which nothing may proceed (S-11).
    pub required: BTreeSet<EvidenceKey>,
}
