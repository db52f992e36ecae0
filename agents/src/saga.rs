//! Writes the audit: a chain of entries a review, the receipt that closes an evaluation, and the digest of the read
//! model (S-03, arb.md 2.11).
//!
//! An entry lists every record since the last one, in log order. What Saga says after an entry, and what arrives
//! after a receipt without being late, waits for the next entry: receipts and projections of one evaluation are in
//! the first entry of the next. A record of an evaluation that already has its receipt is late: a closing entry,
//! said because of it, lists it at once.

pub mod chain;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use ontology::records::decision::Basis;
use ontology::records::estate::{ChangeClosed, Closing};
use ontology::records::{
    AuditIntent, Condition, DecisionReceipt, Evaluation, ExceptionGranted, Recommendation, ReviewProjection,
    Verdict, VerdictKind,
};
use ontology::{Name, Timestamp};
use topics::{Agent, Answer, Event, Key, Library, Object, Owed, Owner, Question, Topic};

use crate::review::{Part, Review, evaluation_of};
pub use chain::Chain;

/// Records that wait for an entry at most: one entry of them stays well within a step. A review that is told more
/// without being judged gets an entry in between.
const WAITING_MAX: usize = 1_024;

/// Writes the audit: a chain of entries a review, and the receipt that closes an evaluation (S-03).
#[derive(Debug, Clone, Copy)]
pub struct Saga;

/// One review as its auditor follows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    /// Everything that was said.
    pub review: Review,
    /// The chain of entries, and what waits for the next.
    pub chain: Chain,
}

impl Agent for Saga {
    const ROLE: Owner = Owner::Saga;
    const LOGIC: u16 = 2;
    const READS: &'static [Topic] = &[
        Topic::Change,
        Topic::ChangeRefused,
        Topic::Evidence,
        Topic::RecheckAsked,
        Topic::RequesterAdded,
        Topic::EvaluationOpened,
        Topic::ReviewSchedule,
        Topic::StateSnapshot,
        Topic::ConcurrentChanges,
        Topic::EvidenceBundle,
        Topic::PolicySet,
        Topic::OptionSet,
        Topic::Cost,
        Topic::Recovery,
        Topic::ExperimentProposal,
        Topic::GraphReceipt,
        Topic::Scenario,
        Topic::Case,
        Topic::ImpactEnvelope,
        Topic::Recommendation,
        Topic::Verdict,
        Topic::ApprovalRequest,
        Topic::ApprovalSignal,
        Topic::Approval,
        Topic::ExceptionAsked,
        Topic::DeadlineReached,
        Topic::Degradation,
        Topic::Quarantined,
        Topic::SecurityEvent,
    ];
    type State = State;

    fn evolve(state: &mut State, event: &Event<'_>) {
        if state.review.holds(event.id()) {
            return;
        }
        state.review.fold(event, None);
        state.chain.fold(event);
    }

    fn decide(state: &State, event: &Event<'_>, library: &Library) -> Vec<(Option<Key>, Object)> {
        let verdict = event.objects().find_map(|object| match object {
            Object::Verdict(verdict) => Some(verdict),
            _ => None,
        });
        if let Some(verdict) = verdict {
            return closing(state, event.time, verdict, library).unwrap_or_default();
        }
        let bundle = event.step.records().iter().find_map(|record| match &record.object {
            Object::EvidenceBundle(bundle) => Some((bundle.evaluation, record.digest)),
            _ => None,
        });
        if let Some((evaluation, digest)) = bundle.filter(|(evaluation, _)| undecided(state, *evaluation)) {
            let intent = AuditIntent { evaluation, bundle_digest: Some(digest) };
            return vec![(None, intent.into())];
        }
        if !state.chain.waits_for(event.id()) {
            return Vec::new();
        }
        let late =
            event.objects().filter_map(evaluation_of).find(|evaluation| has_receipt(state, *evaluation));
        let full = (state.chain.waiting() >= WAITING_MAX).then(|| newest(state));
        let entry = late.or(full).map(|evaluation| state.chain.entry(evaluation));
        entry.map(|entry| (None, entry.into())).into_iter().collect()
    }

    fn observe(_: &Question, _: &Answer, _: &Library) -> Vec<Object> {
        Vec::new()
    }

    fn owed(state: &State) -> Owed {
        let open = state.review.newest().is_some_and(|part| part.receipt().is_none());
        Owed { open, ..Owed::default() }
    }
}

/// Closes an evaluation: entry, receipt and projection in one step, an intent before them where no bundle brought
/// one; and a rejected change leaves the estate.
fn closing(
    state: &State,
    decided_at: Timestamp,
    verdict: &Verdict,
    library: &Library,
) -> Option<Vec<(Option<Key>, Object)>> {
    let part = state.review.evaluation(verdict.evaluation)?;
    if part.receipt().is_some() {
        return None;
    }
    let change = state.review.change()?;
    let recommendation = part.recommendation()?.record;
    let mut said: Vec<(Option<Key>, Object)> = Vec::new();
    if verdict.verdict == VerdictKind::Rejected {
        let closed = ChangeClosed { review: change.review, why: Closing::Rejected };
        said.push((Some(Key::estate()), closed.into()));
    }
    if part.intent().is_none() {
        let intent = AuditIntent { evaluation: verdict.evaluation, bundle_digest: verdict.bundle_digest };
        said.push((None, intent.into()));
    }
    let entry = state.chain.entry(verdict.evaluation);
    let pins = part.opened()?.pins;
    let valid_s = library.catalog(&pins.catalog)?.receipt_valid_s;
    let receipt = DecisionReceipt {
        review: change.review,
        evaluation: verdict.evaluation,
        verdict: verdict.verdict,
        recommendation: recommendation.kind,
        basis: verdict.basis,
        content_digest: change.content_digest,
        change_digest: verdict.change_digest,
        snapshot_digest: part.snapshot().map(|snapshot| snapshot.said.digest),
        bundle_digest: verdict.bundle_digest,
        case_digest: verdict.case_digest,
        catalog: pins.catalog,
        requester: change.requester.clone(),
        approved_by: approved_by(&part, verdict),
        conditions: conditions(recommendation, verdict),
        exceptions: granted(state, &part, verdict),
        audit_hash: entry.hash(),
        decided_at,
        valid_until: decided_at.plus_seconds(i64::try_from(valid_s).unwrap_or(i64::MAX)),
    };
    let projection = ReviewProjection { evaluation: verdict.evaluation, digest: state.review.digest() };
    said.extend([(None, entry.into()), (None, receipt.into()), (None, projection.into())]);
    Some(said)
}

/// Who approved, where the verdict rests on that.
fn approved_by(part: &Part<'_>, verdict: &Verdict) -> BTreeSet<Name> {
    let approval = part.approval().filter(|_| verdict.basis == Basis::HumanApproval);
    approval.map(|approval| approval.record.people.clone()).unwrap_or_default()
}

/// What has to be given before the change goes ahead.
fn conditions(recommendation: &Recommendation, verdict: &Verdict) -> Vec<Condition> {
    let asks = verdict.verdict == VerdictKind::Conditional;
    if asks { recommendation.conditions.clone() } else { Vec::new() }
}

/// The exceptions that a person granted with the same answer (U9).
fn granted(state: &State, part: &Part<'_>, verdict: &Verdict) -> Vec<ExceptionGranted> {
    let (Some(recommendation), Some(opened)) = (part.recommendation(), part.opened()) else {
        return Vec::new();
    };
    if verdict.basis != Basis::HumanApproval {
        return Vec::new();
    }
    let asked = state.review.exceptions().filter(|(asked, at)| {
        *at <= opened.said.time
            && asked.until > opened.said.time
            && recommendation.record.reasons.iter().any(|reason| asked.covers(reason))
    });
    let granted = asked.map(|(asked, _)| ExceptionGranted {
        code: asked.code,
        subject: asked.subject.clone(),
        until: asked.until,
    });
    granted.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Whether nothing was recommended and no intent was said: an intent after a decision would be none.
fn undecided(state: &State, evaluation: Evaluation) -> bool {
    let part = state.review.evaluation(evaluation);
    part.is_some_and(|part| part.recommendation().is_none() && part.intent().is_none())
}

fn has_receipt(state: &State, evaluation: Evaluation) -> bool {
    state.review.evaluation(evaluation).is_some_and(|part| part.receipt().is_some())
}

/// The newest evaluation; the first, before anything of one was said.
fn newest(state: &State) -> Evaluation {
    state.review.newest().map_or(1, |part| part.evaluation)
}
