//! Five axes, each in its own states, no summary (S-37); each state with the records that made it (S-38).

use agents::review::{Axis, Part, Review};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use ontology::Digest;
use ontology::identity::RecordId;

/// Five axes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AxesShown {
    /// What is known: `complete`, `incomplete`, `stale`, `conflicting`, `unavailable`.
    pub evidence: AxisShown,
    /// What was found: `conformant`, `conditional`, `held`, `violated`.
    pub evaluation: AxisShown,
    /// Who says that it may go ahead: `observation only`, `standing authority`, `approval required`, `approved`.
    pub authority: AxisShown,
    /// What was done: `not requested`, `pending`, `running`, `verified`, `failed`, `recovered`.
    pub execution: AxisShown,
    /// What was learnt: `ineligible`, `cohort collecting`, `candidate proposed`, `catalog reviewed`.
    pub learning: AxisShown,
}

/// A state and what made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AxisShown {
    /// The state.
    pub state: String,
    /// The records that made it, earliest first.
    pub because: Vec<RecordShown>,
}

/// A record behind a state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordShown {
    /// The record.
    pub record: RecordId,
    /// Its topic.
    pub topic: String,
    /// SHA-256 of its stored bytes.
    pub digest: Digest,
}

/// The axes of the newest evaluation, each state with the records that made it.
pub(super) fn shown(review: &Review, part: &Part<'_>) -> Option<AxesShown> {
    let axes = review.axes()?;
    Some(AxesShown {
        evidence: axis(part, &axes.evidence, axes.evidence.state.as_str()),
        evaluation: axis(part, &axes.evaluation, axes.evaluation.state.as_str()),
        authority: axis(part, &axes.authority, axes.authority.state.as_str()),
        execution: axis(part, &axes.execution, axes.execution.state.as_str()),
        learning: axis(part, &axes.learning, axes.learning.state.as_str()),
    })
}

fn axis<S>(part: &Part<'_>, axis: &Axis<S>, state: &str) -> AxisShown {
    let said = axis.because.iter().filter_map(|record| part.said.iter().find(|said| said.record == *record));
    let because = said.map(|said| RecordShown {
        record: said.record.clone(),
        topic: said.topic.to_string(),
        digest: said.digest,
    });
    AxisShown { state: state.to_owned(), because: because.collect() }
}
