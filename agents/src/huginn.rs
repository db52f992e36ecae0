//! Takes changes in: normalises, redacts, deduplicates, pins (S-01, S-08).
//!
//! Reading files is [`intake`] and [`attachment`]; the agent makes records of what the door hands over, and enters
//! each accepted change into the estate. It judges nothing and knows no model.

pub mod attachment;
pub mod change_file;
pub mod intake;
pub mod kubernetes;
pub mod redact;
pub mod terraform;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use ontology::ReviewId;
use ontology::records::estate::ESTATE_TARGETS_MAX;
use ontology::records::{
    Attachment, Change, ChangeOpened, ChangeRefused, Evidence, RecheckAsked, RequesterAdded,
};
use topics::{Agent, Answer, Event, Key, Library, Object, Owed, Owner, Question, StepId, Submission, Topic};

/// Takes changes in (S-01, S-08).
#[derive(Debug, Clone, Copy)]
pub struct Huginn;

/// What Huginn remembers of one review.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    /// The step that accepted the change: the first one; an identity is never accepted twice (S-22).
    accepted: Option<StepId>,
    /// An evaluation was closed by a receipt.
    closed: bool,
}

impl Agent for Huginn {
    const ROLE: Owner = Owner::Huginn;
    const LOGIC: u16 = 1;
    const READS: &'static [Topic] = &[Topic::Change, Topic::DecisionReceipt];
    type State = State;

    fn evolve(state: &mut State, event: &Event<'_>) {
        for object in event.objects() {
            match object {
                Object::Change(_) if state.accepted.is_none() => state.accepted = Some(event.id()),
                Object::DecisionReceipt(_) => state.closed = true,
                _ => {}
            }
        }
    }

    fn decide(state: &State, event: &Event<'_>, library: &Library) -> Vec<(Option<Key>, Object)> {
        if state.accepted != Some(event.id()) {
            return Vec::new();
        }
        let changes = event.objects().filter_map(|object| match object {
            Object::Change(change) => Some(change),
            _ => None,
        });
        changes.take(1).map(|change| (Some(Key::estate()), opened(change, event, library).into())).collect()
    }

    fn observe(_: &Question, answer: &Answer, _: &Library) -> Vec<Object> {
        match answer {
            Answer::Submission(submission) => vec![accept(submission).into()],
            Answer::Evidence { requester, attachments, pins } => vec![
                Evidence {
                    requester: requester.clone(),
                    attachments: in_order(attachments),
                    pins: pins.clone(),
                }
                .into(),
            ],
            Answer::Recheck { requester, seen, pins } => {
                vec![RecheckAsked { requester: requester.clone(), seen: *seen, pins: pins.clone() }.into()]
            }
            Answer::RequesterAdded(requester) => vec![RequesterAdded { requester: requester.clone() }.into()],
            Answer::Refusal { requester, change_digest, why } => vec![
                ChangeRefused {
                    requester: requester.clone(),
                    change_digest: *change_digest,
                    why: why.clone(),
                }
                .into(),
            ],
            Answer::Library
            | Answer::ConcurrentChanges { .. }
            | Answer::Unavailable(_)
            | Answer::Model(_)
            | Answer::Catalog(_)
            | Answer::Signal(_)
            | Answer::Exception(_)
            | Answer::Said(_) => Vec::new(),
        }
    }

    fn owed(state: &State) -> Owed {
        Owed { open: state.accepted.is_some() && !state.closed, ..Owed::default() }
    }
}

/// The record of an accepted change. Its fields are exactly the normalised ones (S-28); only planned changes have a
/// type (S-21); times and submitter are in no digest (S-22).
fn accept(submission: &Submission) -> Change {
    let content_digest = submission.content_digest;
    Change {
        review: ReviewId::derive(submission.source.as_str(), submission.idempotency_key.as_str()),
        revision: submission.revision,
        supersedes: submission.supersedes,
        source: submission.source.clone(),
        idempotency_key: submission.idempotency_key.clone(),
        change_kind: submission.change_kind.clone(),
        intent: submission.intent,
        requester: submission.requester.clone(),
        requester_verified: submission.requester_verified,
        content_digest,
        change_digest: Change::digest_of(
            content_digest,
            submission.requested_release,
            &submission.change_kind,
        ),
        document: submission.content.clone(),
        summary: intake::summary(&submission.document),
        planned_at: submission.planned_at,
        requested_release: submission.requested_release,
        pins: submission.pins.clone(),
        attachments: in_order(&submission.attachments),
        process_ref: submission.process_ref.clone(),
    }
}

/// Sorted and once each: one set of claims has one form.
fn in_order(attachments: &[Attachment]) -> Vec<Attachment> {
    let mut attachments = attachments.to_vec();
    attachments.sort_by(|one, other| (&one.name, one.digest).cmp(&(&other.name, other.digest)));
    attachments.dedup_by(|one, other| one.name == other.name && one.digest == other.digest);
    attachments
}

/// The entry of the estate. A change of more targets than an entry lists conflicts with nobody by name.
fn opened(change: &Change, event: &Event<'_>, library: &Library) -> ChangeOpened {
    let document = library.document(&change.document);
    let changed = document.into_iter().flat_map(|document| document.changed());
    let targets: BTreeSet<_> = changed.map(|target| target.address.clone()).collect();
    let total =
        change.summary.actions.iter().filter(|(action, _)| action.changes()).map(|(_, count)| count).sum();
    ChangeOpened {
        review: change.review,
        supersedes: change.supersedes,
        content_digest: change.content_digest,
        at: event.time,
        targets: if targets.len() > ESTATE_TARGETS_MAX { BTreeSet::new() } else { targets },
        targets_total: total,
    }
}
