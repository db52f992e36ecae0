//! The read model of a review (ReviewCase and ReviewCheck): a fold of all steps of its key, whoever said them, into
//! what a screen needs. Computed, never edited (S-02); no decision reads it (S-04).
//!
//! Any order that keeps causes before effects gives the same model, and a step that comes twice changes nothing.

pub mod axes;
mod evaluation;
mod projection;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ontology::identity::RecordId;
use ontology::records::{
    Attachment, Change, DecisionReceipt, Evaluation, ExceptionAsked, Recommendation, RecommendationKind,
    VerdictKind,
};
use ontology::{Digest, Principal, ReviewId, Timestamp};
use topics::{Event, Object, Owner, Position, StepId, Stored, Topic};

pub use axes::{Axes, Axis};
pub use evaluation::{Check, CheckStatus, Known, Part, Pinned};

/// A review as its steps tell it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Review {
    /// By evaluation, then by step and ordinal. Evaluation 0 holds what belongs to none.
    records: BTreeMap<Evaluation, BTreeMap<(StepId, usize), Said>>,
    steps: BTreeSet<StepId>,
}

/// One record, with everything that is known about its saying.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Its name for ever.
    pub record: RecordId,
    /// What it is about.
    pub topic: Topic,
    /// Who said it.
    pub owner: Owner,
    /// When: a derived step's own time, an observed step's row's.
    pub time: Timestamp,
    /// Where in its log, if it was read from one.
    pub position: Option<Position>,
    /// SHA-256 of its stored bytes.
    pub digest: Digest,
    /// What was said.
    pub object: Object,
}

/// What a review comes to, in a word: what exit codes and the gate read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It may go ahead.
    Conformant,
    /// It may go ahead under conditions.
    Conditional,
    /// A person is awaited.
    ApprovalRequired,
    /// It cannot be decided yet.
    Held,
    /// It may not go ahead.
    Rejected,
    /// Neither a receipt nor a recommendation is there.
    Undecided,
}

impl Outcome {
    /// For people and tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Conformant => "conformant",
            Self::Conditional => "conditional",
            Self::ApprovalRequired => "approval-required",
            Self::Held => "held",
            Self::Rejected => "rejected",
            Self::Undecided => "undecided",
        }
    }
}

impl Review {
    /// The read model of these steps of one review.
    #[must_use]
    pub fn of<'a>(steps: impl IntoIterator<Item = &'a Stored>) -> Self {
        let mut review = Self::default();
        for stored in steps {
            review.fold(&Event { time: stored.time(), step: &stored.step }, Some(stored.position));
        }
        review
    }

    /// Folds one step; `position` is where it was read, if it was read from a log.
    pub fn fold(&mut self, event: &Event<'_>, position: Option<Position>) {
        let id = event.id();
        self.steps.insert(id);
        for (ordinal, record) in event.step.records().iter().enumerate() {
            let evaluation = evaluation_of(&record.object).unwrap_or(0);
            let said =
                self.records.entry(evaluation).or_default().entry((id, ordinal)).or_insert_with(|| Said {
                    record: event.step.record_id(ordinal),
                    topic: record.object.topic(),
                    owner: event.step.owner(),
                    time: event.time,
                    position,
                    digest: record.digest,
                    object: record.object.clone(),
                });
            said.position = said.position.or(position);
        }
    }

    /// Whether the step was folded.
    #[must_use]
    pub fn holds(&self, step: StepId) -> bool {
        self.steps.contains(&step)
    }

    /// The review, once its change is known.
    #[must_use]
    pub fn id(&self) -> Option<ReviewId> {
        self.change().map(|change| change.review)
    }

    /// The change.
    #[must_use]
    pub fn change(&self) -> Option<&Arc<Change>> {
        self.said().find_map(|said| match &said.object {
            Object::Change(change) => Some(change),
            _ => None,
        })
    }

    /// Everybody who asked: none of them may approve.
    #[must_use]
    pub fn requesters(&self) -> BTreeSet<&Principal> {
        let all = self.said().filter_map(|said| match &said.object {
            Object::Change(change) => Some(&change.requester),
            Object::RequesterAdded(added) => Some(&added.requester),
            Object::ExceptionAsked(asked) => Some(&asked.requester),
            _ => None,
        });
        all.collect()
    }

    /// Every exception that was asked for, with its time.
    pub fn exceptions(&self) -> impl Iterator<Item = (&ExceptionAsked, Timestamp)> {
        self.said().filter_map(|said| match &said.object {
            Object::ExceptionAsked(asked) => Some((asked.as_ref(), said.time)),
            _ => None,
        })
    }

    /// Every claim that was attached, with the change or later.
    #[must_use]
    pub fn attachments(&self) -> Vec<&Attachment> {
        let lists = self.said().map(|said| match &said.object {
            Object::Change(change) => change.attachments.as_slice(),
            Object::Evidence(evidence) => evidence.attachments.as_slice(),
            _ => &[],
        });
        lists.flatten().collect()
    }

    /// Records that belong to no evaluation: refusals, further requesters, evidence, rechecks, degradations.
    pub fn asides(&self) -> impl Iterator<Item = &Said> {
        self.records.get(&0).into_iter().flat_map(BTreeMap::values)
    }

    /// The evaluations, oldest first.
    pub fn evaluations(&self) -> impl Iterator<Item = Part<'_>> {
        self.records
            .iter()
            .filter(|(number, _)| **number > 0)
            .filter_map(|(number, _)| self.evaluation(*number))
    }

    /// One evaluation, if anything of it was said.
    #[must_use]
    pub fn evaluation(&self, evaluation: Evaluation) -> Option<Part<'_>> {
        Part::of(evaluation, self.records.get(&evaluation)?.values())
    }

    /// The newest evaluation.
    #[must_use]
    pub fn newest(&self) -> Option<Part<'_>> {
        self.evaluations().last()
    }

    fn said(&self) -> impl Iterator<Item = &Said> {
        self.records.values().flat_map(BTreeMap::values)
    }

    /// The newest receipt: the one that counts.
    #[must_use]
    pub fn receipt(&self) -> Option<Known<'_, DecisionReceipt>> {
        self.evaluations().filter_map(|part| part.receipt()).last()
    }

    /// What it comes to: the newest evaluation with a receipt, or with a recommendation for which a person is
    /// awaited, decides; without any it is undecided.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let decided = self.evaluations().filter_map(|part| match (part.receipt(), part.recommendation()) {
            (Some(receipt), _) => Some(of_verdict(receipt.record.verdict)),
            (None, Some(recommendation)) => awaited(recommendation.record),
            (None, None) => None,
        });
        decided.last().unwrap_or(Outcome::Undecided)
    }

    /// The five axes of the newest evaluation (S-37).
    #[must_use]
    pub fn axes(&self) -> Option<Axes> {
        self.newest().map(|part| axes::axes(&part))
    }

    /// SHA-256 of the canonical read model: what Saga records as `review-projection`. Positions are not in it: they
    /// are a log's, and this is the review's.
    #[must_use]
    pub fn digest(&self) -> Digest {
        projection::digest(self)
    }
}

fn of_verdict(verdict: VerdictKind) -> Outcome {
    match verdict {
        VerdictKind::Conformant => Outcome::Conformant,
        VerdictKind::Conditional => Outcome::Conditional,
        VerdictKind::Held => Outcome::Held,
        VerdictKind::Rejected => Outcome::Rejected,
    }
}

fn awaited(recommendation: &Recommendation) -> Option<Outcome> {
    (recommendation.kind == RecommendationKind::ApprovalRequired).then_some(Outcome::ApprovalRequired)
}

/// The evaluation that a record belongs to, if it belongs to one.
#[must_use]
pub fn evaluation_of(object: &Object) -> Option<Evaluation> {
    Some(match object {
        Object::Change(_) => 1,
        Object::EvaluationOpened(it) => it.evaluation,
        Object::ReviewSchedule(it) => it.evaluation,
        Object::StateSnapshot(it) => it.evaluation,
        Object::ConcurrentChanges(it) => it.evaluation,
        Object::EvidenceBundle(it) => it.evaluation,
        Object::PolicySet(it) => it.evaluation,
        Object::OptionSet(it) => it.evaluation,
        Object::Cost(it) => it.evaluation,
        Object::Recovery(it) => it.evaluation,
        Object::ExperimentProposal(it) => it.evaluation,
        Object::GraphReceipt(it) => it.evaluation,
        Object::Scenario(it) => it.evaluation,
        Object::Case(it) => it.evaluation,
        Object::ImpactEnvelope(it) => it.evaluation,
        Object::Recommendation(it) => it.evaluation,
        Object::Verdict(it) => it.evaluation,
        Object::AuditIntent(it) => it.evaluation,
        Object::AuditEntry(it) => it.evaluation,
        Object::DecisionReceipt(it) => it.evaluation,
        Object::ReviewProjection(it) => it.evaluation,
        Object::DeadlineReached(it) => it.evaluation,
        Object::ApprovalRequest(it) => it.evaluation,
        Object::ApprovalSignal(it) => it.evaluation,
        Object::Approval(it) => it.evaluation,
        Object::ChangeRefused(_)
        | Object::Evidence(_)
        | Object::RecheckAsked(_)
        | Object::RequesterAdded(_)
        | Object::ExceptionAsked(_)
        | Object::ChangeOpened(_)
        | Object::ModelRevision(_)
        | Object::CatalogRevision(_)
        | Object::ChangeClosed(_)
        | Object::BodyChunk(_)
        | Object::Degradation(_)
        | Object::Quarantined(_)
        | Object::SecurityEvent(_) => return None,
    })
}
