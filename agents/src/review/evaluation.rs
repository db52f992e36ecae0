//! One evaluation in the read model: its stages, each with the record that made it.

use std::collections::BTreeSet;

use ontology::Timestamp;
use ontology::records::{
    Approval, ApprovalRequest, AuditEntry, AuditIntent, Case, Change, ConcurrentChanges, Cost,
    DecisionReceipt, Evaluation, EvaluationOpened, EvidenceBundle, EvidenceKey, GraphReceipt, ImpactEnvelope,
    OptionSet, Pins, PolicySet, Recommendation, Recovery, ReviewProjection, ReviewSchedule, Scenario,
    StateSnapshot, Verdict,
};
use topics::{Object, Topic};

use super::Said;

/// One evaluation: its records, earliest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part<'a> {
    /// Its number.
    pub evaluation: Evaluation,
    /// Every record of it, by time, then by name.
    pub said: Vec<&'a Said>,
}

/// A record with its type.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a, T> {
    /// How it was said.
    pub said: &'a Said,
    /// What it says.
    pub record: &'a T,
}

/// What an evaluation was opened with.
#[derive(Debug, Clone, Copy)]
pub struct Pinned<'a> {
    /// The step that opened it.
    pub said: &'a Said,
    /// What is in force.
    pub pins: &'a Pins,
}

/// One required key and what there is for it (ReviewCheck, arb.md 2.14).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check<'a> {
    /// The key.
    pub key: EvidenceKey,
    /// Whether it has evidence.
    pub status: CheckStatus,
    /// The records that say so.
    pub because: Vec<&'a Said>,
}

/// Whether a key has evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckStatus {
    /// It has.
    Ready,
    /// It has none, and the evidence was sealed or judged without.
    Blocked,
    /// It is still being gathered.
    Pending,
}

macro_rules! stages {
    ($($(#[$doc:meta])* $name:ident: $topic:ident as $type:ty;)*) => {
        impl<'a> Part<'a> { $(
            $(#[$doc])*
            #[must_use]
            pub fn $name(&self) -> Option<Known<'a, $type>> {
                self.said.iter().copied().find_map(|said| match &said.object {
                    Object::$topic(record) => Some(Known { said, record: &**record }),
                    _ => None,
                })
            }
        )* }
    };
}

stages! {
    /// The change, in the evaluation that it opened.
    change: Change as Change;
    /// What opened a further evaluation.
    opening: EvaluationOpened as EvaluationOpened;
    /// The context.
    snapshot: StateSnapshot as StateSnapshot;
    /// The rules in force.
    policies: PolicySet as PolicySet;
    /// The options.
    options: OptionSet as OptionSet;
    /// Who answers what until when.
    schedule: ReviewSchedule as ReviewSchedule;
    /// Other open changes.
    concurrent: ConcurrentChanges as ConcurrentChanges;
    /// What it costs.
    cost: Cost as Cost;
    /// How it is recovered from.
    recovery: Recovery as Recovery;
    /// The sealed evidence.
    bundle: EvidenceBundle as EvidenceBundle;
    /// What the context is worth.
    graph_receipt: GraphReceipt as GraphReceipt;
    /// The change laid over the context.
    scenario: Scenario as Scenario;
    /// The options compared.
    case: Case as Case;
    /// How far it may reach.
    envelope: ImpactEnvelope as ImpactEnvelope;
    /// What is recommended.
    recommendation: Recommendation as Recommendation;
    /// The last word.
    verdict: Verdict as Verdict;
    /// What a person is asked.
    approval_request: ApprovalRequest as ApprovalRequest;
    /// What became of it.
    approval: Approval as Approval;
    /// That a decision was about to be made.
    intent: AuditIntent as AuditIntent;
    /// The first audit entry: the one that closes the evaluation.
    entry: AuditEntry as AuditEntry;
    /// The receipt.
    receipt: DecisionReceipt as DecisionReceipt;
    /// The digest of the read model.
    projection: ReviewProjection as ReviewProjection;
}

impl<'a> Part<'a> {
    pub(super) fn of(evaluation: Evaluation, said: impl Iterator<Item = &'a Said>) -> Option<Self> {
        let mut said: Vec<&Said> = said.collect();
        said.sort_by(|a, b| (a.time, &a.record).cmp(&(b.time, &b.record)));
        (!said.is_empty()).then_some(Self { evaluation, said })
    }

    /// What it was opened with, and when: the cut-off.
    #[must_use]
    pub fn opened(&self) -> Option<Pinned<'a>> {
        let change = self.change().map(|change| Pinned { said: change.said, pins: &change.record.pins });
        change.or_else(|| {
            self.opening().map(|opening| Pinned { said: opening.said, pins: &opening.record.pins })
        })
    }

    /// When it is judged, whatever has arrived.
    #[must_use]
    pub fn deadline(&self) -> Option<Timestamp> {
        self.opened().map(|opened| opened.said.time.plus_ms(opened.pins.budget_ms))
    }

    /// The first record of a topic.
    #[must_use]
    pub fn first(&self, topic: Topic) -> Option<&'a Said> {
        self.said.iter().copied().find(|said| said.topic == topic)
    }

    /// A check a required key, in order. Once sealed, what is there stays there: evidence that cannot be read again
    /// later removes no check (S-24).
    #[must_use]
    pub fn checks(&self) -> Vec<Check<'a>> {
        let Some(schedule) = self.schedule() else { return Vec::new() };
        let required: &BTreeSet<EvidenceKey> = &schedule.record.required;
        required.iter().map(|key| self.check(*key, schedule.said)).collect()
    }

    fn check(&self, key: EvidenceKey, schedule: &'a Said) -> Check<'a> {
        let answer = self.first(topic_of(key));
        let Some(bundle) = self.bundle() else {
            let judged = self.first(Topic::Recommendation);
            let status = if judged.is_some() { CheckStatus::Blocked } else { CheckStatus::Pending };
            return Check {
                key,
                status,
                because: [Some(schedule), answer, judged].into_iter().flatten().collect(),
            };
        };
        let present = bundle.record.present.contains(&key);
        let status = if present { CheckStatus::Ready } else { CheckStatus::Blocked };
        Check { key, status, because: [Some(bundle.said), answer].into_iter().flatten().collect() }
    }
}

/// The topic of the record that brings a key's evidence.
#[must_use]
pub(crate) fn topic_of(key: EvidenceKey) -> Topic {
    match key {
        EvidenceKey::Change => Topic::Change,
        EvidenceKey::Topology | EvidenceKey::Objectives => Topic::StateSnapshot,
        EvidenceKey::Policy => Topic::PolicySet,
        EvidenceKey::ConcurrentChanges => Topic::ConcurrentChanges,
        EvidenceKey::Cost => Topic::Cost,
        EvidenceKey::Recovery => Topic::Recovery,
    }
}
