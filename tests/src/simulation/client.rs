//! The people and pipelines outside: they submit changes, bring evidence, ask again, and repeat a call whose answer
//! was lost.

use std::sync::Arc;

use fastrand::Rng;
use ontology::policy::people::ROLE_DEFAULT;
use ontology::records::{ApprovalDecision, ApprovalSignal, Evaluation, Pins};
use ontology::{Content, Digest, ReviewId, Timestamp};
use runtime::driver::Input;
use runtime::log::LocalLog;
use topics::{Answer, Ask, Cause, Key, Library, Needed, Object, Owner, Question, Stored, Submission, step};

use super::Configuration;
use super::log::SimulatedLog;
use crate::world::changes::{claim, principal, submission};
use crate::world::{Organisation, Shape, name};

/// How long a client waits before it repeats a call, in microseconds.
const PATIENCE_US: i64 = 400_000;

/// How often somebody looks whether they are asked: long enough for the slowest evaluation.
const LOOKS_MAX: u32 = 60;

/// A call that somebody wants to make.
#[derive(Debug)]
pub struct Wish {
    /// When, at the earliest.
    pub at: Timestamp,
    /// The review.
    pub key: Key,
    what: What,
    /// Its name at Huginn, once it was made for the first time.
    cause: Option<Cause>,
    /// How often it was looked at in vain.
    waited: u32,
    done: bool,
}

#[derive(Debug)]
enum What {
    Submit(Box<Submission>),
    Evidence(u32),
    Recheck,
    Requester,
    /// This person's answer to whatever a person is asked.
    Answer(&'static str, ApprovalDecision),
}

/// Everybody outside.
#[derive(Debug)]
pub struct Clients {
    organisation: Organisation,
    wishes: Vec<Wish>,
    evaluations_max: Evaluation,
    bodies: Library,
}

impl Clients {
    /// Draws what people want.
    #[must_use]
    pub fn new(configuration: &Configuration, rng: &mut Rng, start: Timestamp) -> Self {
        let budget_ms = [2_000, 5_000][rng.usize(..2)];
        let organisation = Organisation::new(budget_ms, configuration.strict);
        let mut bodies = Library::default();
        organisation.shelve(&mut bodies);
        let evaluations_max = configuration.evaluations;
        let mut clients = Self { organisation, wishes: Vec::new(), evaluations_max, bodies };
        for number in 0..configuration.changes {
            let shape = Shape::ALL[rng.usize(..Shape::ALL.len())];
            clients.change(shape, number, rng, start);
        }
        clients
    }

    fn change(&mut self, shape: Shape, number: u32, rng: &mut Rng, start: Timestamp) {
        let submission = submission(&self.organisation, shape, number);
        let review = ReviewId::derive(submission.source.as_str(), submission.idempotency_key.as_str());
        let key = Key::review(review);
        if let Content::Body(body) = &submission.content {
            self.bodies.add_document(body.sha256, Arc::clone(&submission.document));
        }
        let mut wish = |at: Timestamp, what| {
            self.wishes.push(Wish { at, key: key.clone(), what, cause: None, waited: 0, done: false });
        };
        let at = start.plus_ms(rng.u64(..3_000));
        wish(at, What::Submit(Box::new(submission.clone())));
        if rng.bool() {
            // The same change, by another replica at once.
            wish(at, What::Submit(Box::new(submission)));
        }
        if rng.u8(..4) == 0 {
            wish(at.plus_ms(rng.u64(..3_000)), What::Requester);
        }
        if rng.bool() {
            wish(at.plus_ms(rng.u64(..8_000)), What::Evidence(number));
        }
        if rng.bool() {
            wish(at.plus_ms(rng.u64(..12_000)), What::Recheck);
        }
        // `bob` may have asked for the change, and nobody gave `eve` a role.
        for person in ["bob", "eve", "kim"] {
            if rng.bool() {
                let decision =
                    if rng.u8(..4) == 0 { ApprovalDecision::Reject } else { ApprovalDecision::Approve };
                wish(at.plus_ms(rng.u64(..15_000)), What::Answer(person, decision));
            }
        }
    }

    /// What is in force.
    #[must_use]
    pub fn pins(&self) -> &Pins {
        self.organisation.pins()
    }

    /// What an event names, where it is kept: put into a library.
    pub fn resolve(&self, needed: &[Needed], library: &mut Library) {
        for needed in needed {
            match needed {
                Needed::Model(_) | Needed::Catalog(_) => self.organisation.shelve(library),
                Needed::Document(body) => {
                    let content = Content::Body(body.clone());
                    if let Some(document) = self.bodies.document(&content) {
                        library.add_document(body.sha256, Arc::clone(document));
                    }
                }
            }
        }
    }

    /// A library with everything.
    #[must_use]
    pub fn library(&self) -> Library {
        self.bodies.clone()
    }

    /// The reviews that people want.
    pub fn reviews(&self) -> impl Iterator<Item = &Key> {
        self.wishes.iter().filter(|wish| matches!(wish.what, What::Submit(_))).map(|wish| &wish.key)
    }

    /// When the next call is to be made.
    #[must_use]
    pub fn next(&self) -> Option<Timestamp> {
        self.wishes.iter().filter(|wish| !wish.done).map(|wish| wish.at).min()
    }

    /// The next call that is to be made by now, as an input of whose seat it is for.
    pub fn call(&mut self, log: &SimulatedLog, now: Timestamp) -> Option<(Owner, Key, Input)> {
        let evaluations_max = self.evaluations_max;
        let pins = self.organisation.pins().clone();
        for wish in self.wishes.iter_mut().filter(|wish| !wish.done && wish.at <= now) {
            let steps = log.read_now(&wish.key, None).unwrap_or_default();
            let answered = |cause: &Cause| {
                let slot = step::slot(&wish.key, wish.hears(), cause);
                steps.iter().any(|stored| stored.step.id() == slot)
            };
            if wish.cause.as_ref().is_some_and(answered) {
                wish.done = true;
                continue;
            }
            wish.at = now.plus_micros(PATIENCE_US);
            let Some((cause, answer)) = wish.words(&steps, &pins, evaluations_max) else { continue };
            wish.cause = Some(cause.clone());
            let question = Question { cause, as_of: now, ask: Ask::Intake };
            let input = Input::Answered { key: wish.key.clone(), question, answer };
            return Some((wish.hears(), wish.key.clone(), input));
        }
        None
    }
}

impl Wish {
    /// The agent that takes it in.
    const fn hears(&self) -> Owner {
        match self.what {
            What::Answer(..) => Owner::Var,
            What::Submit(_) | What::Evidence(_) | What::Recheck | What::Requester => Owner::Huginn,
        }
    }

    /// What to say at the door, now that these steps are in the log.
    fn words(
        &mut self,
        steps: &[Stored],
        pins: &Pins,
        evaluations_max: Evaluation,
    ) -> Option<(Cause, Answer)> {
        let accepted = steps.iter().any(|stored| has(stored, |object| matches!(object, Object::Change(_))));
        let seen = newest(steps);
        let may_open_another = accepted && seen < evaluations_max;
        match &self.what {
            What::Submit(submission) => {
                Some((Cause::named("submit"), Answer::Submission(submission.clone())))
            }
            What::Requester if accepted => {
                let bob = principal("bob");
                let cause = Cause::named(&format!("requester/{}", Digest::of_value(&bob)));
                Some((cause, Answer::RequesterAdded(bob)))
            }
            What::Evidence(number) if may_open_another => {
                let attachments = vec![claim(*number)];
                let cause = Cause::named(&format!("evidence/{}", Digest::of_value(&attachments)));
                let requester = principal("ada");
                Some((cause, Answer::Evidence { requester, attachments, pins: pins.clone() }))
            }
            What::Recheck if may_open_another => {
                let cause = self.cause.clone().unwrap_or_else(|| Cause::named(&format!("recheck/{seen}")));
                Some((cause, Answer::Recheck { requester: principal("ada"), seen, pins: pins.clone() }))
            }
            What::Answer(person, decision) => {
                // Who comes before anything is asked looks again, and some day no more.
                let Some(signal) = signal(steps, person, *decision, pins) else {
                    self.waited += 1;
                    self.done = self.waited > LOOKS_MAX;
                    return None;
                };
                let said = (signal.evaluation, &signal.person, signal.decision);
                let cause = self.cause.clone();
                let cause =
                    cause.unwrap_or_else(|| Cause::named(&format!("signal/{}", Digest::of_value(&said))));
                Some((cause, Answer::Signal(Box::new(signal))))
            }
            What::Requester | What::Evidence(_) | What::Recheck => {
                self.done = accepted;
                None
            }
        }
    }
}

/// What a person answers to the newest request.
fn signal(steps: &[Stored], person: &str, decision: ApprovalDecision, pins: &Pins) -> Option<ApprovalSignal> {
    let objects = steps.iter().flat_map(|stored| stored.step.records()).map(|record| &record.object);
    let requests = objects.filter_map(|object| match object {
        Object::ApprovalRequest(request) => Some(request),
        _ => None,
    });
    let request = requests.max_by_key(|request| request.evaluation)?;
    let role = if person == "eve" { "reader" } else { ROLE_DEFAULT };
    Some(ApprovalSignal {
        evaluation: request.evaluation,
        case_digest: request.case_digest,
        decision,
        principal: principal(person),
        person: name(person),
        known_as: [principal(person)].into(),
        roles: [name(role)].into(),
        pins: pins.clone(),
        because: None,
        signature: None,
    })
}

fn has(stored: &Stored, is: impl Fn(&Object) -> bool) -> bool {
    stored.step.records().iter().any(|record| is(&record.object))
}

/// The newest evaluation that was opened.
fn newest(steps: &[Stored]) -> Evaluation {
    let objects = steps.iter().flat_map(|stored| stored.step.records()).map(|record| &record.object);
    let opened = objects.filter_map(|object| match object {
        Object::EvaluationOpened(opened) => Some(opened.evaluation),
        _ => None,
    });
    opened.max().unwrap_or(1)
}
