//! The observation trace of an evaluation (S-19, S-20, S-44): which stages are on record, who said them, when, and
//! what is wrong with them. It calls nobody and grants nothing.
//!
//! Only activated specialists are required; the order of arrival does not matter; the same event twice is one
//! event. An evaluation is `closed` when nothing is wrong, whatever was recommended, else `held`.

mod replay;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;

use ontology::identity::RecordId;
use ontology::records::{Evaluation, EvidenceKey};
use ontology::{Digest, Timestamp};
use serde::{Deserialize, Serialize};
use topics::{Object, Owner, Topic};

use crate::review::{Part, Review, Said};

/// Events of one trace at most: an evaluation has some twenty stages.
pub const EVENTS_MAX: usize = 256;

/// One stage that was said: a line of a trace file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceEvent {
    /// The evaluation it belongs to.
    pub evaluation: Evaluation,
    /// The stage: the topic of its record.
    pub stage: Topic,
    /// Who said it.
    pub owner: Owner,
    /// The record.
    pub record: RecordId,
    /// SHA-256 of its stored bytes.
    pub digest: Digest,
    /// When it was said.
    pub time: Timestamp,
    /// Of the opening stage and the schedule: when the evaluation is judged, whatever has arrived.
    pub deadline: Option<Timestamp>,
    /// Of the schedule: which specialists were activated.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub activated: BTreeSet<EvidenceKey>,
}

/// A trace: stages in order, and what is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trace {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// When it is judged, whatever has arrived; absent where neither opening nor schedule is on record.
    pub deadline: Option<Timestamp>,
    /// Every required stage, in order, there or not.
    pub stages: Vec<Stage>,
    /// What is wrong, sorted.
    pub faults: Vec<Fault>,
    /// Nothing is wrong, or something is.
    pub outcome: TraceOutcome,
}

/// One stage of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stage {
    /// Its topic.
    pub stage: Topic,
    /// Who has to say it.
    pub owner: Owner,
    /// What was said, if it was.
    pub said: Option<StageSaid>,
}

/// A stage that is on record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StageSaid {
    /// The record.
    pub record: RecordId,
    /// Its digest.
    pub digest: Digest,
    /// When it was said.
    pub time: Timestamp,
    /// Microseconds after its deadline; absent where it was in time.
    pub late_us: Option<i64>,
}

/// Something wrong with a trace: `missing_stage:verdict`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Fault {
    /// What.
    pub what: FaultKind,
    /// With which stage.
    pub stage: Topic,
}

/// What can be wrong with a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// Two different records claim the stage.
    ConflictingStage,
    /// It was said after the deadline, or after the evidence was sealed.
    LateStage,
    /// It is not on record.
    MissingStage,
    /// Somebody else said it.
    OwnerMismatch,
}

impl FaultKind {
    /// The stable text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ConflictingStage => "conflicting_stage",
            Self::LateStage => "late_stage",
            Self::MissingStage => "missing_stage",
            Self::OwnerMismatch => "owner_mismatch",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.what.as_str(), self.stage)
    }
}

/// What a trace comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TraceOutcome {
    /// Every required stage is there, once, in time, by its owner.
    Closed,
    /// Not so, or not yet.
    Held,
}

impl Trace {
    /// The trace of one evaluation of a review, if anything of it was said.
    #[must_use]
    pub fn of(review: &Review, evaluation: Evaluation) -> Option<Self> {
        let part = review.evaluation(evaluation)?;
        Some(Self::replay(evaluation, &events(review, &part)))
    }

    /// Replays events, in any order, into the trace of one evaluation. Events of others are left out.
    #[must_use]
    pub fn replay(evaluation: Evaluation, events: &[TraceEvent]) -> Self {
        replay::replay(evaluation, events)
    }
}

/// The events of one evaluation: what a trace file holds. The change belongs to every evaluation of its review.
#[must_use]
pub fn events(review: &Review, part: &Part<'_>) -> Vec<TraceEvent> {
    let first = review.evaluation(1).and_then(|first| first.change().map(|change| change.said));
    let change = first.filter(|_| part.evaluation > 1);
    let said = change.into_iter().chain(part.said.iter().copied());
    said.filter(|said| replay::is_stage(said.topic)).take(EVENTS_MAX).map(|said| event(part, said)).collect()
}

fn event(part: &Part<'_>, said: &Said) -> TraceEvent {
    let opens = part.opened().is_some_and(|opened| opened.said.record == said.record);
    let schedule = match &said.object {
        Object::ReviewSchedule(schedule) => Some(schedule),
        _ => None,
    };
    let own = part.deadline().filter(|_| opens);
    TraceEvent {
        evaluation: part.evaluation,
        stage: said.topic,
        owner: said.owner,
        record: said.record.clone(),
        digest: said.digest,
        time: said.time,
        deadline: own.or_else(|| schedule.map(|schedule| schedule.deadline)),
        activated: schedule.map(|schedule| schedule.activated.clone()).unwrap_or_default(),
    }
}
