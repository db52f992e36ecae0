//! Huginn's story, and what the tests of its parts share.

use std::sync::Arc;

use ontology::policy::Catalog;
use ontology::records::change::Intent;
use ontology::records::{Action, Pins};
use ontology::{Content, Digest, Name, Principal, Timestamp};
use serde_json::{Value, json};
use topics::{Ask, Cause, Step};

use super::intake::{Context, Intake};
use super::redact::RedactionKey;
use super::*;

pub(crate) fn name(text: &str) -> Name {
    Name::new(text).expect("a short literal")
}

pub(crate) fn catalog() -> Catalog {
    Catalog::empty(name("test"))
}

pub(crate) fn key() -> RedactionKey {
    RedactionKey::new(name("k1"), *b"sixteen bytes at least").expect("long enough")
}

/// A file that other people published.
#[expect(clippy::disallowed_methods, reason = "only tests read the published cases")]
pub(crate) fn case(name: &str) -> Vec<u8> {
    let path = format!("{}/../../shared/cases/terraform/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub(crate) fn read(bytes: &[u8]) -> Result<Intake, crate::input::InputError> {
    let (catalog, key) = (catalog(), key());
    intake::read("plan.json", bytes, &Context { catalog: &catalog, key: Some(&key) })
}

pub(crate) fn taken(value: &Value) -> Intake {
    read(value.to_string().as_bytes()).expect("it is a change")
}

pub(crate) fn refused(value: &Value) -> String {
    read(value.to_string().as_bytes()).expect_err("it is broken").to_string()
}

/// A plan of these resource changes.
pub(crate) fn plan(changes: Value) -> Value {
    json!({ "format_version": "1.2", "terraform_version": "1.11.4", "resource_changes": changes })
}

/// One resource change.
pub(crate) fn change(address: &str, actions: Value, before: Value, after: Value) -> Value {
    let kind = address.rsplit('.').nth(1).expect("type and name");
    json!({
        "address": address, "mode": "managed", "type": kind, "name": "x",
        "provider_name": "registry.terraform.io/hashicorp/aws",
        "change": {
            "actions": actions, "before": before, "after": after, "after_unknown": {},
            "before_sensitive": {}, "after_sensitive": {}
        }
    })
}

const AT: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

fn pins() -> Pins {
    let digest = Digest::of(b"pinned");
    Pins { release: digest, model: digest, catalog: digest, budget_ms: 5_000 }
}

fn mina() -> Principal {
    Principal { issuer: name("oidc"), subject: name("mina") }
}

fn submission(intake: &Intake, requester: Principal) -> Submission {
    let (content, _) = Content::store(Arc::clone(&intake.document), ontology::records::document::MEDIA_TYPE);
    Submission {
        source: name("cli"),
        idempotency_key: intake::idempotency_key(intake.content_digest, pins().model, pins().catalog, &[]),
        change_kind: intake.change_kind.clone(),
        intent: Intent::Planned,
        requester,
        requester_verified: true,
        content,
        content_digest: intake.content_digest,
        document: Arc::clone(&intake.document),
        planned_at: intake.planned_at,
        requested_release: pins().release,
        pins: pins(),
        attachments: Vec::new(),
        process_ref: None,
        revision: 1,
        supersedes: None,
    }
}

fn observe(answer: Answer) -> Vec<Object> {
    let question = Question { cause: Cause::named("submit"), as_of: AT, ask: Ask::Intake };
    Huginn::observe(&question, &answer, &Library::default())
}

fn accepted(submission: &Submission) -> Arc<Change> {
    match observe(Answer::Submission(Box::new(submission.clone()))).as_slice() {
        [Object::Change(change)] => Arc::clone(change),
        other => panic!("one change was expected: {other:?}"),
    }
}

fn step(change: &Arc<Change>, cause: &str) -> Step {
    let objects = vec![Object::Change(Arc::clone(change))];
    Step::observed(Key::review(change.review), Owner::Huginn, 1, Cause::named(cause), None, objects)
        .expect("a step")
}

/// Folds one step and says what Huginn says because of it.
fn fold(state: &mut State, step: &Step, library: &Library) -> Vec<(Option<Key>, Object)> {
    let event = Event { time: AT, step };
    Huginn::evolve(state, &event);
    Huginn::decide(state, &event, library)
}

fn update(address: &str) -> Value {
    change(address, json!(["update"]), json!({"engine_version": "14"}), json!({"engine_version": "16"}))
}

#[test]
fn s01_given_a_plan_when_it_is_submitted_then_the_change_is_said_and_enters_the_estate_once() {
    let intake = taken(&plan(json!([
        update("aws_db_instance.b"),
        update("aws_db_instance.a"),
        change("aws_db_instance.c", json!(["no-op"]), json!({}), json!({})),
    ])));
    let change = accepted(&submission(&intake, mina()));
    assert_eq!(change.summary.actions.get(&Action::Update), Some(&2));
    assert_eq!(change.review, ReviewId::derive("cli", change.idempotency_key.as_str()));

    let mut state = State::default();
    let mut library = Library::default();
    if let Content::Body(body) = &change.document {
        library.add_document(body.sha256, Arc::clone(&intake.document));
    }
    assert!(!Huginn::owed(&state).open);
    let said = fold(&mut state, &step(&change, "submit"), &library);
    let [(Some(key), Object::ChangeOpened(opened))] = said.as_slice() else { panic!("one entry: {said:?}") };
    assert_eq!(key, &Key::estate());
    assert_eq!(
        opened.targets.iter().map(|id| id.as_str()).collect::<Vec<_>>(),
        ["aws_db_instance.a", "aws_db_instance.b"]
    );
    assert_eq!((opened.targets_total, opened.at), (2, AT));
    assert!(Huginn::owed(&state).open, "until the receipt");

    // A second change on the same key is not the accepted one.
    assert_eq!(fold(&mut state, &step(&change, "submit-again"), &library), []);
}

#[test]
fn s22_the_digest_of_a_change_knows_content_release_and_kind_not_times_or_submitter() {
    let intake = taken(&plan(json!([update("aws_db_instance.a")])));
    let base = submission(&intake, mina());
    let digest = |submission: &Submission| accepted(submission).change_digest;

    let kim = Principal { issuer: name("oidc"), subject: name("kim") };
    let other =
        Submission { requester: kim, planned_at: Some(AT), requester_verified: false, ..base.clone() };
    assert_eq!(digest(&base), digest(&other));
    assert_eq!(accepted(&base).review, accepted(&other).review);

    let release = Submission { requested_release: Digest::of(b"another"), ..base.clone() };
    assert_ne!(digest(&base), digest(&release));
    let kind = Submission { change_kind: name("promotion"), ..base.clone() };
    assert_ne!(digest(&base), digest(&kind));
    let more = taken(&plan(json!([update("aws_db_instance.a"), update("aws_db_instance.b")])));
    assert_ne!(digest(&base), digest(&submission(&more, mina())));
}

#[test]
fn s21_only_a_planned_change_has_a_form() {
    let intake = taken(&plan(json!([update("aws_db_instance.a")])));
    let change = accepted(&submission(&intake, mina()));
    let mut json = serde_json::to_value(&*change).expect("records are JSON");
    assert_eq!(json["intent"], "planned");
    json["intent"] = json!("detected");
    assert!(serde_json::from_value::<Change>(json).is_err());
}

#[test]
fn s28_a_change_is_exactly_its_normalised_fields() {
    let intake = taken(&plan(json!([update("aws_db_instance.a")])));
    let json = serde_json::to_value(&*accepted(&submission(&intake, mina()))).expect("records are JSON");
    for field in [
        "source",
        "idempotency_key",
        "change_kind",
        "intent",
        "requester",
        "content_digest",
        "document",
        "pins",
    ] {
        let mut without = json.clone();
        without.as_object_mut().expect("an object").remove(field);
        assert!(serde_json::from_value::<Change>(without).is_err(), "{field} is needed");
    }
    let mut with = json;
    with["window_ref"] = json!("x");
    assert!(serde_json::from_value::<Change>(with).is_err(), "no other field is taken");
}

#[test]
fn a_change_of_more_targets_than_an_entry_lists_states_their_total() {
    let changes: Vec<Value> =
        (0..=ESTATE_TARGETS_MAX).map(|n| update(&format!("aws_db_instance.n{n}"))).collect();
    let intake = taken(&plan(json!(changes)));
    let change = accepted(&submission(&intake, mina()));
    let Content::Body(body) = &change.document else { panic!("it is large") };
    let mut library = Library::default();
    library.add_document(body.sha256, Arc::clone(&intake.document));
    let said = fold(&mut State::default(), &step(&change, "submit"), &library);
    let [(_, Object::ChangeOpened(opened))] = said.as_slice() else { panic!("one entry: {said:?}") };
    assert_eq!((opened.targets.len(), opened.targets_total), (0, 257));
}

#[test]
fn what_comes_through_the_door_beside_a_change_is_said_as_it_came() {
    let said = observe(Answer::RequesterAdded(mina()));
    let [Object::RequesterAdded(added)] = said.as_slice() else { panic!("added") };
    assert_eq!(added.requester, mina());
    let recheck = Answer::Recheck { requester: mina(), seen: 1, pins: pins() };
    let said = observe(recheck);
    let [Object::RecheckAsked(asked)] = said.as_slice() else { panic!("asked") };
    assert_eq!((asked.seen, &asked.pins), (1, &pins()));
    let refusal =
        Answer::Refusal { requester: mina(), change_digest: Digest::of(b"x"), why: "in conflict".into() };
    let said = observe(refusal);
    let [Object::ChangeRefused(refused)] = said.as_slice() else { panic!("refused") };
    assert_eq!(refused.why, "in conflict");
    assert_eq!(observe(Answer::Library), []);
}

#[test]
fn evidence_has_one_form_whatever_its_order() {
    let rehearsal = |object: &str| {
        let text = format!(
            "arb: rehearsal/1\nobject: {object}\nat: 2026-11-18T02:00:00Z\nrto: 41m\nrpo: 5m\nsucceeded: true\n"
        );
        attachment::read(&format!("dir/{object}.yaml"), text.as_bytes()).expect("a rehearsal")
    };
    let (one, two) = (rehearsal("a"), rehearsal("b"));
    let said = |attachments: Vec<Attachment>| {
        observe(Answer::Evidence { requester: mina(), attachments, pins: pins() })
    };
    assert_eq!(said(vec![two.clone(), one.clone(), one.clone()]), said(vec![one, two]));
}
