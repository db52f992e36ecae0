//! Asks people, and counts what they answer (arb.md 2.10, S-35, S-36).
//!
//! A request is bound to the digests it was made from. It ends in one of four ways, each once: approved, when
//! everybody needed said yes; rejected, by the first no; expired, at its time; void, when another evaluation was
//! asked for. Only the first lets anything go ahead. What comes later is on record and without effect.

mod needs;
pub mod statement;
#[cfg(test)]
mod tests;
mod votes;

use std::collections::BTreeSet;
use std::sync::Arc;

use ontology::records::{
    Approval, ApprovalDecision, ApprovalRequest, ApprovalState, Recommendation, RecommendationKind,
};
use ontology::{Digest, Effect, Name, Principal};
use topics::{
    Agent, Answer, Deadline, Event, Key, Library, Object, Owed, Owner, Question, Record, StepId, Topic,
};

use crate::followed::{Current, Followed};
use crate::muninn::snapshot::Setting;
use votes::Votes;

/// The deadline at which a request expires.
pub const EXPIRE: &str = "expire";

/// Asks people, and counts what they answer.
#[derive(Debug, Clone, Copy)]
pub struct Var;

/// What Var holds of a review.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    followed: Followed<Asked>,
    /// Everybody who asked for the change or for an exception: none of them may approve.
    requesters: BTreeSet<Principal>,
}

/// What was asked and answered in the newest evaluation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Asked {
    snapshot: Option<Digest>,
    bundle: Option<Digest>,
    request: Option<Arc<ApprovalRequest>>,
    votes: Votes,
    /// How it ended.
    settled: Option<ApprovalState>,
    /// Its time was over.
    overdue: bool,
    /// The first step that asks for another evaluation: an answer to this one would be about the past.
    overtaken: Option<StepId>,
}

impl Agent for Var {
    const ROLE: Owner = Owner::Var;
    const LOGIC: u16 = 1;
    const READS: &'static [Topic] = &[
        Topic::Change,
        Topic::Evidence,
        Topic::RecheckAsked,
        Topic::RequesterAdded,
        Topic::EvaluationOpened,
        Topic::StateSnapshot,
        Topic::EvidenceBundle,
        Topic::Recommendation,
        Topic::DecisionReceipt,
        Topic::DeadlineReached,
    ];
    type State = State;

    fn evolve(state: &mut State, event: &Event<'_>) {
        state.followed.follow(event);
        for record in event.step.records() {
            state.note(record, event.id());
        }
    }

    fn decide(state: &State, event: &Event<'_>, library: &Library) -> Vec<(Option<Key>, Object)> {
        let Some(current) = state.followed.current().filter(|current| !current.closed) else {
            return Vec::new();
        };
        let asked = &current.work;
        let mut said: Vec<Object> = Vec::new();
        let recommended = event.objects().find_map(|object| match object {
            Object::Recommendation(it) if it.evaluation == current.evaluation => Some(it),
            _ => None,
        });
        let request = match (&asked.request, recommended) {
            (Some(request), _) => Some(Arc::clone(request)),
            (None, Some(it)) if it.kind == RecommendationKind::ApprovalRequired => {
                let request = state.request(current, it, event, library).map(Arc::new);
                said.extend(request.iter().map(|request| Object::ApprovalRequest(Arc::clone(request))));
                request
            }
            (None, _) => None,
        };
        if let Some(request) = request.filter(|_| asked.settled.is_none()) {
            said.extend(outcome(asked, &request, &state.requesters).map(Object::from));
        }
        said.into_iter().map(|object| (None, object)).collect()
    }

    fn observe(_: &Question, answer: &Answer, _: &Library) -> Vec<Object> {
        match answer {
            Answer::Signal(signal) => vec![signal.as_ref().clone().into()],
            Answer::Exception(asked) => vec![asked.as_ref().clone().into()],
            _ => Vec::new(),
        }
    }

    fn owed(state: &State) -> Owed {
        let Some(current) = state.followed.current().filter(|current| !current.closed) else {
            return Owed::default();
        };
        let asked = &current.work;
        let waits = asked.request.as_ref().filter(|_| asked.settled.is_none());
        let deadline = waits.map(|request| Deadline {
            at: request.expires_at,
            evaluation: current.evaluation,
            name: Name::new(EXPIRE).expect("a short literal"),
            budget_ms: current.pins.budget_ms,
        });
        Owed { questions: Vec::new(), open: waits.is_some(), deadline }
    }
}

impl State {
    fn note(&mut self, record: &Record, step: StepId) {
        match &record.object {
            Object::Change(it) => drop(self.requesters.insert(it.requester.clone())),
            Object::RequesterAdded(it) => drop(self.requesters.insert(it.requester.clone())),
            Object::ExceptionAsked(it) => {
                self.requesters.insert(it.requester.clone());
                self.overtake(step);
            }
            Object::Evidence(_) => self.overtake(step),
            // Who asks for a newer judgement than they saw has it already, unless something else is in force now.
            Object::RecheckAsked(it) => {
                let current = self.followed.current();
                if current.is_some_and(|now| now.evaluation <= it.seen || now.pins != it.pins) {
                    self.overtake(step);
                }
            }
            _ => self.note_in_evaluation(record),
        }
    }

    fn overtake(&mut self, step: StepId) {
        if let Some(current) = self.followed.open_mut() {
            current.work.overtaken.get_or_insert(step);
        }
    }

    fn note_in_evaluation(&mut self, record: &Record) {
        match &record.object {
            Object::StateSnapshot(it) => {
                if let Some(now) = self.followed.of(it.evaluation) {
                    now.work.snapshot.get_or_insert(record.digest);
                }
            }
            Object::EvidenceBundle(it) => {
                if let Some(now) = self.followed.of(it.evaluation).filter(|now| now.work.request.is_none()) {
                    now.work.bundle.get_or_insert(record.digest);
                }
            }
            Object::ApprovalRequest(it) => {
                if let Some(now) = self.followed.of(it.evaluation) {
                    now.work.request.get_or_insert_with(|| Arc::clone(it));
                }
            }
            Object::ApprovalSignal(it) => {
                if let Some(now) = self.followed.of(it.evaluation).filter(|now| !now.work.overdue) {
                    now.work.votes.note(it);
                }
            }
            Object::Approval(it) => {
                if let Some(now) = self.followed.of(it.evaluation) {
                    now.work.settled.get_or_insert(it.state);
                }
            }
            Object::DeadlineReached(it) if it.name.as_str() == EXPIRE => {
                if let Some(now) = self.followed.of(it.evaluation) {
                    now.work.overdue = true;
                }
            }
            _ => {}
        }
    }

    fn request(
        &self,
        current: &Current<Asked>,
        recommendation: &Recommendation,
        event: &Event<'_>,
        library: &Library,
    ) -> Option<ApprovalRequest> {
        let change = &self.followed.change()?.record;
        let setting = Setting::of(library, &change.document, &current.pins, current.cutoff)?;
        let needed = needs::needs(&setting, recommendation);
        let weighs = |effect| effect == Effect::Approval;
        let because = recommendation.reasons.iter().filter(|reason| weighs(reason.effect));
        Some(ApprovalRequest {
            evaluation: current.evaluation,
            change_digest: change.change_digest,
            snapshot_digest: current.work.snapshot,
            bundle_digest: current.work.bundle,
            case_digest: recommendation.case_digest,
            needs: needed.needs,
            because: because.map(|reason| reason.code).collect(),
            expires_at: event.time.plus_seconds(needed.expires_s),
        })
    }
}

/// How a request ends now, if it does. What overtakes it comes first: an answer is about what was judged.
fn outcome(asked: &Asked, request: &ApprovalRequest, requesters: &BTreeSet<Principal>) -> Option<Approval> {
    let counted = asked.votes.count(request, requesters);
    let (state, people) = if asked.overtaken.is_some() {
        (ApprovalState::Void, BTreeSet::new())
    } else if !counted.rejected_by.is_empty() {
        (ApprovalState::Rejected, counted.rejected_by)
    } else if counted.is_met {
        (ApprovalState::Approved, counted.approved_by)
    } else if asked.overdue {
        (ApprovalState::Expired, BTreeSet::new())
    } else {
        return None;
    };
    Some(Approval { evaluation: request.evaluation, case_digest: request.case_digest, state, people })
}

/// Whether an answer counts, and why not: for who answers. The same rule that counts votes.
///
/// # Errors
/// What is in the way, in words.
pub fn may_answer(
    request: &ApprovalRequest,
    requesters: &BTreeSet<Principal>,
    signal: &ontology::records::ApprovalSignal,
) -> Result<(), String> {
    if signal.decision == ApprovalDecision::Revoke {
        return Ok(());
    }
    votes::eligible(request, requesters, signal)
}
