//! What people say to a review: answers to what they are asked, and exceptions that they ask for (U9, U13).

use std::collections::BTreeSet;

use agents::review::Review;
use agents::var;
use ontology::records::approval::BECAUSE_BYTES_MAX;
use ontology::records::{
    ApprovalDecision, ApprovalRequest, ApprovalSignal, ApprovalState, ExceptionAsked, RecommendationKind,
};
use ontology::{Digest, Name, Principal, Reason, ReviewId, Timestamp};
use ssh_key::SshSig;
use topics::{Answer, Ask, Cause, Key, Owner, Question};

use super::Node;
use super::intake::retry;
use crate::call::{CallError, Caller, Decide, ErrorCode, Gap};
use crate::driver::Input;
use crate::log::LocalLog;

/// Bytes of an armoured signature at most; one by an Ed25519 key has some 300.
const SIGNATURE_BYTES_MAX: usize = 4 * 1024;

impl<L: LocalLog> Node<L> {
    /// Takes a person's answer in. One that does not count is on record all the same, and the caller is told why.
    pub(super) fn decide(
        &mut self,
        caller: &Caller,
        key: &Key,
        decide: &Decide,
        now: Timestamp,
    ) -> Result<(), CallError> {
        check_words(decide.because.as_deref())?;
        let steps = self.steps_of(key).map_err(|error| retry(&error))?;
        let review = Review::of(&steps);
        let id = key.as_review().ok_or_else(|| conflict(format!("{key} is not a review")))?;
        let (request, state) = asked(&review, decide.decision)?;
        if decide.case_digest.is_some_and(|seen| seen != request.case_digest) {
            let why = "what is asked about is not what you saw: look at the review again, then answer";
            return Err(conflict(why.to_owned()));
        }
        let principal = match &decide.signature {
            Some(signature) => signer(signature, id, request, decide)?,
            None if caller.verified => caller.principal.clone(),
            None => return Err(refused("nobody vouches for who you are: sign the answer with --key".into())),
        };
        if decide.decision == ApprovalDecision::Revoke {
            self.may_open_another(key)?;
        }
        let pins = self.put_in_force(None, None, now)?;
        let people = &self.catalog(&pins.catalog)?.people;
        let Some((person, known_as)) = people.person(&principal) else {
            let why = format!(
                "{principal} is nobody in the catalog's people.yaml: add the identity to a person there"
            );
            return Err(refused(why));
        };
        let signal = ApprovalSignal {
            evaluation: request.evaluation,
            case_digest: request.case_digest,
            decision: decide.decision,
            principal,
            person: person.clone(),
            known_as: known_as.clone(),
            roles: people.roles_of(person),
            pins,
            because: decide.because.clone(),
            signature: decide.signature.clone(),
        };
        may_revoke(&review, &signal, state)?;
        let requesters: BTreeSet<Principal> = review.requesters().into_iter().cloned().collect();
        let counts = var::may_answer(request, &requesters, &signal);
        let before = earlier(&review, &signal);
        if before == Some(decide.decision) {
            return Ok(()); // said before: the same again says nothing
        }
        let said = (signal.evaluation, signal.case_digest, &signal.person, signal.decision);
        let cause = format!("signal/{}", Digest::of_value(&said));
        self.hear(key, &cause, Answer::Signal(Box::new(signal)), now)?;
        match (counts, before) {
            (Err(why), _) => Err(refused(format!("your answer is on record and does not count: {why}"))),
            (Ok(()), Some(before)) => Err(refused(format!(
                "your answer is on record and does not count: you said {} before, and that stands",
                before.as_str()
            ))),
            (Ok(()), None) => Ok(()),
        }
    }

    /// Asks that a reason which holds a review be accepted for a while: opens the next evaluation.
    pub(super) fn accept_gap(
        &mut self,
        caller: &Caller,
        key: &Key,
        gap: &Gap,
        now: Timestamp,
    ) -> Result<(), CallError> {
        check_words(Some(&gap.because))?;
        if gap.until <= now {
            return Err(CallError::new(ErrorCode::BadInput, format!("until {}: that is over", gap.until)));
        }
        let evaluation = self.may_open_another(key)?;
        let steps = self.steps_of(key).map_err(|error| retry(&error))?;
        let review = Review::of(&steps);
        let part = review.evaluation(evaluation);
        let judged = part.as_ref().and_then(|part| part.recommendation()).map(|known| known.record);
        let judged = judged.filter(|judged| judged.kind == RecommendationKind::Held);
        let held = judged.ok_or_else(|| {
            conflict("nothing holds this review: an exception is for what holds one".to_owned())
        })?;
        let pins = self.put_in_force(None, None, now)?;
        let asked = ExceptionAsked {
            evaluation,
            requester: caller.principal.clone(),
            code: gap.code,
            subject: gap.subject.clone(),
            until: gap.until,
            because: gap.because.clone(),
            pins,
        };
        let holds = |reason: &&Reason| reason.effect == ontology::Effect::Held;
        if !held.reasons.iter().filter(holds).any(|reason| asked.covers(reason)) {
            let codes: BTreeSet<&str> =
                held.reasons.iter().filter(holds).map(|reason| reason.code.as_str()).collect();
            let codes: Vec<&str> = codes.into_iter().collect();
            let why = format!("{} does not hold this review; what does: {}", gap.code, codes.join(", "));
            return Err(CallError::new(ErrorCode::BadInput, why));
        }
        let cause = format!("exception/{}", Digest::of_value(&asked));
        self.hear(key, &cause, Answer::Exception(Box::new(asked)), now)
    }

    fn hear(&mut self, key: &Key, cause: &str, answer: Answer, now: Timestamp) -> Result<(), CallError> {
        self.load(key).map_err(|error| retry(&error))?;
        let question = Question { cause: Cause::named(cause), as_of: now, ask: Ask::Intake };
        let input = Input::Answered { key: key.clone(), question, answer };
        self.tell(Owner::Var, input).map_err(|error| retry(&error))
    }
}

/// The newest request, and what became of it. Only a revocation is about one that has ended.
fn asked(
    review: &Review,
    decision: ApprovalDecision,
) -> Result<(&ApprovalRequest, Option<ApprovalState>), CallError> {
    let newest = review.newest().ok_or_else(|| conflict("nothing was judged yet".to_owned()))?;
    let request = newest.approval_request().map(|known| known.record).ok_or_else(|| {
        let word = review.outcome().as_str();
        conflict(format!("nobody is asked: the review is {word}; `arbctl status` says what it takes"))
    })?;
    let state = newest.approval().map(|known| known.record.state);
    match state {
        Some(ended) if decision != ApprovalDecision::Revoke => Err(conflict(format!(
            "the request has ended: {}; a recheck asks again, if a person is still needed",
            ended.as_str()
        ))),
        _ => Ok((request, state)),
    }
}

/// Only who approved may take it back, and only after it was.
fn may_revoke(
    review: &Review,
    signal: &ApprovalSignal,
    state: Option<ApprovalState>,
) -> Result<(), CallError> {
    if signal.decision != ApprovalDecision::Revoke {
        return Ok(());
    }
    let approval = review.newest().and_then(|part| part.approval().map(|known| known.record));
    let approved = approval.filter(|_| state == Some(ApprovalState::Approved));
    match approved {
        Some(approval) if approval.people.contains(&signal.person) => Ok(()),
        Some(_) => Err(refused(format!("{} did not approve this: only who did may revoke", signal.person))),
        None => Err(conflict("nothing was approved that could be taken back".to_owned())),
    }
}

/// What this person said of this request before.
fn earlier(review: &Review, signal: &ApprovalSignal) -> Option<ApprovalDecision> {
    let part = review.evaluation(signal.evaluation)?;
    let signals = part.said.iter().filter_map(|said| match &said.object {
        topics::Object::ApprovalSignal(it) if it.person == signal.person => Some(it.decision),
        _ => None,
    });
    let revokes = signal.decision == ApprovalDecision::Revoke;
    signals.into_iter().find(|decision| (*decision == ApprovalDecision::Revoke) == revokes)
}

/// Who signed: the key itself is the identity, and the signature is over exactly what is answered (U13).
fn signer(
    armoured: &str,
    review: ReviewId,
    request: &ApprovalRequest,
    decide: &Decide,
) -> Result<Principal, CallError> {
    let unusable = |why: String| refused(format!("the signature cannot be used: {why}"));
    if armoured.len() > SIGNATURE_BYTES_MAX {
        return Err(unusable(format!("it is longer than {SIGNATURE_BYTES_MAX} bytes")));
    }
    let signature = SshSig::from_pem(armoured).map_err(|error| unusable(error.to_string()))?;
    let key = ssh_key::PublicKey::from(signature.public_key().clone());
    let because = decide.because.as_deref();
    let statement = var::statement::statement(review, request, decide.decision, because);
    key.verify(var::statement::NAMESPACE, statement.as_bytes(), &signature).map_err(|_| {
        unusable("it is not over the statement of this answer; `arbctl approve --key` makes it anew".into())
    })?;
    let text = key.to_openssh().map_err(|error| unusable(error.to_string()))?;
    let words: Vec<&str> = text.split_whitespace().take(2).collect();
    let name = |text: &str| Name::new(text).map_err(|error| unusable(error.to_string()));
    Ok(Principal { issuer: name("ssh")?, subject: name(&words.join(" "))? })
}

fn check_words(because: Option<&str>) -> Result<(), CallError> {
    let bad = |why: String| Err(CallError::new(ErrorCode::BadInput, why));
    match because {
        Some(words) if words.trim().is_empty() => bad("--because says nothing".to_owned()),
        Some(words) if words.len() > BECAUSE_BYTES_MAX => {
            bad(format!("--because has {} bytes, at most {BECAUSE_BYTES_MAX} are kept", words.len()))
        }
        _ => Ok(()),
    }
}

fn conflict(why: String) -> CallError {
    CallError::new(ErrorCode::Conflict, why)
}

fn refused(why: String) -> CallError {
    CallError::new(ErrorCode::Refused, why)
}
