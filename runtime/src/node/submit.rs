//! Taking things in: changes, evidence, rechecks.

use std::collections::BTreeMap;

use agents::huginn::attachment;
use agents::huginn::intake::{self, Context, Intake};
use agents::huginn::kubernetes::{self, BeforeAndAfter, ManifestFile};
use agents::input::InputError;
use ontology::records::change::{ATTACHMENTS_MAX, CLOCK_SKEW_MAX_S, Intent};
use ontology::records::document::MEDIA_TYPE;
use ontology::records::{Attachment, Change, EVALUATIONS_MAX, Evaluation, Pins};
use ontology::{Content, Digest, Name, ReviewId, Timestamp};
use topics::{Answer, Ask, Cause, Key, Object, Owner, Question, Stored, Submission};

use super::intake::{bad_input, internal, retry};
use super::{Node, OPEN_REVIEWS_MAX};
use crate::call::{CallError, Caller, ErrorCode, File, Given, Submit, Submitted};
use crate::driver::Input;
use crate::log::{LocalLog, index};

/// The source of a change that names none.
const SOURCE_DEFAULT: &str = "local";

impl<L: LocalLog> Node<L> {
    pub(super) fn submit(
        &mut self,
        caller: &Caller,
        submit: &Submit,
        now: Timestamp,
    ) -> Result<Submitted, CallError> {
        check_clock(submit.sent_at, now)?;
        let pins = self.put_in_force(submit.catalog.as_deref(), submit.model.as_deref(), now)?;
        let submission = self.read(caller, submit, pins)?;
        let review = ReviewId::derive(submission.source.as_str(), submission.idempotency_key.as_str());
        let key = Key::review(review);
        let content = submission.content_digest;
        let digest = Change::digest_of(content, submission.requested_release, &submission.change_kind);
        if let Some(accepted) = self.accepted(&key)? {
            return self.again(&key, &accepted, digest, caller, now);
        }
        if self.loaded.len() >= OPEN_REVIEWS_MAX {
            let why = format!("{OPEN_REVIEWS_MAX} reviews are open; nothing was accepted, try again later");
            return Err(CallError::new(ErrorCode::Retry, why));
        }
        let submission = self.supersede(submission, &content)?;
        let revision = submission.revision;
        if let Content::Body(body) = &submission.content {
            let bytes = ontology::cbor::to_vec(&*submission.document)
                .map_err(|error| internal(&error.to_string()))?;
            self.store_body(&bytes, body).map_err(|error| retry(&error))?;
            self.library.add_document(body.sha256, submission.document.clone());
        }
        self.observe(&key, "submit", Answer::Submission(Box::new(submission)), now)?;
        Ok(Submitted { review, revision, replayed: false })
    }

    /// Reads the change and its claims.
    fn read(&mut self, caller: &Caller, submit: &Submit, pins: Pins) -> Result<Submission, CallError> {
        let catalog = self.catalog(&pins.catalog)?;
        let context = Context { catalog: &catalog, key: self.redaction.as_ref() };
        let read = read_change(&submit.change, &context).map_err(|error| bad_input(&error))?;
        let attachments = read_attachments(&submit.evidence)?;
        let content = read.content_digest;
        let change_kind = submit.change_kind.clone().unwrap_or_else(|| read.change_kind.clone());
        let requested_release = submit.release.unwrap_or(pins.release);
        let idempotency_key = match &submit.idempotency_key {
            Some(key) => key.clone(),
            None => {
                let key = intake::idempotency_key(content, pins.model, pins.catalog, &attachments);
                // What the caller asks for beside the file makes another change of the same content.
                let asked = (submit.release.is_some() || submit.change_kind.is_some())
                    .then(|| Digest::of_value(&(&key, requested_release, &change_kind)).to_string());
                asked.map_or(Ok(key), Name::new).map_err(|error| internal(&error.to_string()))?
            }
        };
        let source = match &submit.source {
            Some(source) => source.clone(),
            None => Name::new(SOURCE_DEFAULT).map_err(|error| internal(&error.to_string()))?,
        };
        let (stored, _) = Content::store(read.document.clone(), MEDIA_TYPE);
        Ok(Submission {
            source,
            idempotency_key,
            change_kind,
            intent: Intent::Planned,
            requester: caller.principal.clone(),
            requester_verified: caller.verified,
            content: stored,
            document: read.document,
            content_digest: content,
            planned_at: read.planned_at,
            requested_release,
            pins,
            attachments,
            process_ref: submit.process_ref.clone().or(read.process_ref),
            revision: 1,
            supersedes: None,
        })
    }

    /// The change that was accepted under this key.
    pub(super) fn accepted(&self, key: &Key) -> Result<Option<std::sync::Arc<Change>>, CallError> {
        let steps = self.steps_of(key).map_err(|error| retry(&error))?;
        Ok(steps.iter().flat_map(|stored| stored.step.records()).find_map(|record| match &record.object {
            Object::Change(change) => Some(change.clone()),
            _ => None,
        }))
    }

    /// The same identity again: the stored result, another principal on record, or a refusal (S-22).
    fn again(
        &mut self,
        key: &Key,
        accepted: &Change,
        digest: Digest,
        caller: &Caller,
        now: Timestamp,
    ) -> Result<Submitted, CallError> {
        if accepted.change_digest == digest {
            if accepted.requester != caller.principal {
                let who = Digest::of_value(&caller.principal);
                let answer = Answer::RequesterAdded(caller.principal.clone());
                self.observe(key, &format!("requester/{who}"), answer, now)?;
            }
            return Ok(Submitted { review: accepted.review, revision: accepted.revision, replayed: true });
        }
        let why = format!(
            "the key {} of source {} is taken by another change, {}; nothing of it was touched",
            accepted.idempotency_key,
            accepted.source,
            accepted.review.short()
        );
        let answer =
            Answer::Refusal { requester: caller.principal.clone(), change_digest: digest, why: why.clone() };
        self.observe(key, &format!("refused/{digest}"), answer, now)?;
        Err(CallError::new(ErrorCode::Conflict, why))
    }

    /// After the model, catalog or evidence was fixed, the same content is another review (U5).
    fn supersede(&self, mut submission: Submission, content: &Digest) -> Result<Submission, CallError> {
        let slot = index::content_slot(&submission.source, content);
        let newest = match self.batch.newest.get(&slot) {
            Some(key) => Some(key.clone()),
            None => self.log.newest_of(&slot).map_err(|error| retry(&error))?,
        };
        if let Some(key) = newest
            && let Some(earlier) = self.accepted(&key)?
        {
            submission.revision = earlier.revision.saturating_add(1);
            submission.supersedes = Some(earlier.review);
        }
        Ok(submission)
    }

    /// Records what the door brought for a review.
    fn observe(&mut self, key: &Key, cause: &str, answer: Answer, now: Timestamp) -> Result<(), CallError> {
        self.load(key).map_err(|error| retry(&error))?;
        let question = Question { cause: Cause::named(cause), as_of: now, ask: Ask::Intake };
        let input = Input::Answered { key: key.clone(), question, answer };
        self.tell(Owner::Huginn, input).map_err(|error| retry(&error))
    }

    /// More claims for a review: opens its next evaluation.
    pub(super) fn evidence(
        &mut self,
        caller: &Caller,
        key: &Key,
        files: &[File],
        now: Timestamp,
    ) -> Result<(), CallError> {
        self.may_open_another(key)?;
        let attachments = read_attachments(files)?;
        if attachments.is_empty() {
            return Err(CallError::new(ErrorCode::BadInput, "evidence: no file was given"));
        }
        let pins = self.put_in_force(None, None, now)?;
        let digest = Digest::of_value(&attachments);
        let answer = Answer::Evidence { requester: caller.principal.clone(), attachments, pins };
        self.observe(key, &format!("evidence/{digest}"), answer, now)
    }

    /// Judge again with what is in force now: opens the next evaluation.
    pub(super) fn recheck(&mut self, caller: &Caller, key: &Key, now: Timestamp) -> Result<(), CallError> {
        let seen = self.may_open_another(key)?;
        let pins = self.put_in_force(None, None, now)?;
        let answer = Answer::Recheck { requester: caller.principal.clone(), seen, pins };
        self.observe(key, &format!("recheck/{seen}"), answer, now)
    }

    /// The newest evaluation of a review, if it is not the last that there may be.
    pub(super) fn may_open_another(&self, key: &Key) -> Result<Evaluation, CallError> {
        let steps = self.steps_of(key).map_err(|error| retry(&error))?;
        let newest = newest_evaluation(&steps);
        if newest >= EVALUATIONS_MAX {
            let why = format!("{key} was judged {EVALUATIONS_MAX} times: submit the change again");
            return Err(CallError::new(ErrorCode::Conflict, why));
        }
        Ok(newest)
    }
}

/// The newest evaluation that was opened.
pub(super) fn newest_evaluation(steps: &[Stored]) -> Evaluation {
    let opened =
        steps.iter().flat_map(|stored| stored.step.records()).filter_map(|record| match &record.object {
            Object::EvaluationOpened(opened) => Some(opened.evaluation),
            _ => None,
        });
    opened.max().unwrap_or(1)
}

fn check_clock(sent_at: Timestamp, now: Timestamp) -> Result<(), CallError> {
    let ahead_us = sent_at.micros_since(now);
    if ahead_us > CLOCK_SKEW_MAX_S * ontology::time::SECOND_US {
        let why = format!(
            "the caller's clock is {} s ahead of this node's, at most {CLOCK_SKEW_MAX_S} s are allowed: set the clock, then submit again",
            ahead_us / ontology::time::SECOND_US
        );
        return Err(CallError::new(ErrorCode::BadInput, why));
    }
    Ok(())
}

/// Reads a change in whatever form it was given.
pub(crate) fn read_change(given: &Given, context: &Context<'_>) -> Result<Intake, InputError> {
    match given {
        Given::File(file) => intake::read(&file.path, file.text.as_bytes(), context),
        Given::Manifests(manifests) => {
            let (before, after) = (as_manifests(&manifests.before), as_manifests(&manifests.after));
            let cluster = manifests.cluster.as_deref();
            kubernetes::read(&BeforeAndAfter { before: &before, after: &after, cluster }, context)
        }
    }
}

fn as_manifests(files: &[File]) -> Vec<ManifestFile<'_>> {
    files.iter().map(|file| ManifestFile { path: &file.path, bytes: file.text.as_bytes() }).collect()
}

/// Reads claims, each under its own digest; the same claim twice is one.
fn read_attachments(files: &[File]) -> Result<Vec<Attachment>, CallError> {
    if files.len() > ATTACHMENTS_MAX {
        let why = format!("{} files of evidence, at most {ATTACHMENTS_MAX} are taken in", files.len());
        return Err(CallError::new(ErrorCode::BadInput, why));
    }
    let mut attachments = BTreeMap::new();
    for file in files {
        let read = attachment::read(&file.path, file.text.as_bytes()).map_err(|error| bad_input(&error))?;
        attachments.insert(read.digest, read);
    }
    Ok(attachments.into_values().collect())
}
