//! Tests of steps: the bytes, the way back, and everything that is refused.

use ontology::content::Bytes;
use ontology::records::estate::Closing;
use ontology::records::{
    ChangeClosed, ChangeOpened, ChangeRefused, Degradation, Pins, RecheckAsked, RequesterAdded,
};
use ontology::{ObjectId, Principal, ReviewId};
use proptest::prelude::*;
use serde::Serialize;

use super::*;
use crate::Kind;

const AT: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

fn name(text: &str) -> Name {
    Name::new(text).expect("a short literal")
}

fn mina() -> Principal {
    Principal { issuer: name("oidc"), subject: name("mina") }
}

fn review() -> ReviewId {
    ReviewId::derive("cli", "key")
}

fn key() -> Key {
    Key::review(review())
}

fn added() -> Object {
    RequesterAdded { requester: mina() }.into()
}

fn recheck() -> Object {
    let digest = Digest::of(b"x");
    let pins = Pins { release: digest, model: digest, catalog: digest, budget_ms: 5_000 };
    RecheckAsked { requester: mina(), seen: 1, pins }.into()
}

fn opened() -> Object {
    ChangeOpened {
        review: review(),
        supersedes: None,
        content_digest: Digest::of(b"content"),
        at: AT,
        targets: [ObjectId::new("aws_db_instance.main").expect("an id")].into(),
        targets_total: 1,
    }
    .into()
}

fn observed(objects: Vec<Object>) -> Result<Step, StepError> {
    Step::observed(key(), Owner::Huginn, 1, Cause::named("submit"), None, objects)
}

fn derived(objects: Vec<Object>) -> Result<Step, StepError> {
    let cause = observed(vec![added()]).expect("a step").id();
    Step::derived(Key::estate(), Owner::Huginn, 1, AT, cause, objects)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The stored form is for ever: a log that was written must be read by every later binary.
#[test]
fn golden_bytes_of_a_step() {
    let step = observed(vec![added()]).expect("a step");
    assert_eq!(step.key().as_str(), "rv-46dgjwee71bj6st00amwmmd56f");
    assert_eq!(step.id().to_string(), "fcfec936-322f-52dd-8df1-368cc19efe7a");
    assert_eq!(
        hex(step.bytes()),
        "a5636b6579781d72762d343664676a7765653731626a3673743030616d776d6d64353666656361757365667375626d6974656c6f67696301656f776e657266687567696e6e677265636f72647381a365746f7069636f7265717565737465722d6164646564666f626a6563745825a169726571756573746572a266697373756572646f696463677375626a656374646d696e6166736368656d6101"
    );
    let step = derived(vec![opened()]).expect("a step");
    assert_eq!(step.id().to_string(), "5680613e-c2fe-5031-a208-e1ea0048f2a9");
    assert_eq!(
        Digest::of(step.bytes()).hex(),
        "f2217862d4e3e284deab84631f704d5831500476a4f2aca46b4eff59017173b3"
    );
}

#[test]
fn a_step_reads_back_as_it_was_made() {
    let step = observed(vec![added(), recheck()]).expect("a step");
    let back = Step::decode(step.bytes().to_vec()).expect("it was written by us");
    assert_eq!(back, step);
    assert_eq!((back.id(), back.owner(), back.logic(), back.time()), (step.id(), Owner::Huginn, 1, None));
    assert_eq!((back.cause(), back.key(), back.kind()), (step.cause(), step.key(), Kind::Observed));
    assert_eq!(back.records(), step.records());
    assert_eq!(back.record_id(1).as_str(), format!("{}/1", step.id()));

    let step = derived(vec![opened()]).expect("a step");
    let back = Step::decode(step.bytes().to_vec()).expect("it was written by us");
    assert_eq!((back.time(), back.kind(), back), (Some(AT), Kind::Derived, step));
}

#[test]
fn a_records_digest_is_of_its_stored_bytes() {
    let step = observed(vec![added()]).expect("a step");
    let bytes = added().encode().expect("canonical");
    assert_eq!(step.records()[0].digest, Digest::of(&bytes));
    assert!(step.bytes().windows(bytes.len()).any(|window| window == bytes));
}

#[test]
fn a_step_tells_which_topics_it_concerns() {
    let step = observed(vec![added(), recheck()]).expect("a step");
    assert!(step.concerns(&[Topic::Verdict, Topic::RecheckAsked]));
    assert!(!step.concerns(&[Topic::Verdict]));
    assert_eq!(
        format!("{step:?}"),
        format!("huginn requester-added+recheck-asked on {} because of submit", key())
    );
}

#[test]
fn a_stored_steps_time_is_its_own_or_its_rows() {
    let row = Timestamp::from_micros(5);
    let time = |step: Step| Stored { position: Position(1), at: row, step }.time();
    assert_eq!(time(observed(vec![added()]).expect("a step")), row);
    assert_eq!(time(derived(vec![opened()]).expect("a step")), AT);
}

#[test]
fn parts_that_make_no_step() {
    let check = |step: Result<Step, StepError>, expect: StepError| assert_eq!(step.err(), Some(expect));
    check(observed(Vec::new()), StepError::Empty);
    check(observed(vec![added(); RECORDS_MAX + 1]), StepError::TooMany(RECORDS_MAX + 1));
    let closed: Object = ChangeClosed { review: review(), why: Closing::Rejected }.into();
    check(observed(vec![closed]), StepError::WrongOwner { owner: Owner::Huginn, topic: Topic::ChangeClosed });
    check(observed(vec![added(), opened()]), StepError::Mixed);
    let long: Object =
        ChangeRefused { requester: mina(), change_digest: Digest::of(b"x"), why: "x".repeat(STEP_BYTES_MAX) }
            .into();
    match observed(vec![long]) {
        Err(StepError::TooLong(bytes)) => assert!(bytes > STEP_BYTES_MAX),
        other => panic!("too long: {other:?}"),
    }
}

/// A step's wire form, made by hand: nothing here passes the checks of our own constructors.
#[derive(Clone, Serialize)]
struct Wire {
    key: String,
    owner: String,
    logic: u16,
    time: Option<Timestamp>,
    cause: String,
    records: Vec<WireRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra: Option<u8>,
}

#[derive(Clone, Serialize)]
struct WireRecord {
    topic: String,
    schema: u16,
    object: Bytes,
}

fn record(topic: &str, object: &Object) -> WireRecord {
    WireRecord { topic: topic.into(), schema: 1, object: object.encode().expect("canonical").into() }
}

fn wire() -> Wire {
    Wire {
        key: key().to_string(),
        owner: "huginn".into(),
        logic: 1,
        time: None,
        cause: "submit".into(),
        records: vec![record("requester-added", &added())],
        extra: None,
    }
}

fn decode(edit: impl FnOnce(&mut Wire)) -> Result<Step, Refused> {
    let mut wire = wire();
    edit(&mut wire);
    Step::decode(cbor::to_vec(&wire).expect("canonical"))
}

#[test]
fn bytes_made_by_hand_are_a_step_when_they_are_right() {
    assert_eq!(decode(|_| {}).expect("right"), observed(vec![added()]).expect("a step"));
}

#[test]
fn every_reason_to_refuse_bytes() {
    let rule =
        |edit: fn(&mut Wire), expect: StepError| assert_eq!(decode(edit).err(), Some(Refused::Rule(expect)));
    rule(|wire| wire.records.clear(), StepError::Empty);
    rule(|wire| wire.records = vec![wire.records[0].clone(); 17], StepError::TooMany(17));
    rule(
        |wire| wire.owner = "saga".into(),
        StepError::WrongOwner { owner: Owner::Saga, topic: Topic::RequesterAdded },
    );
    rule(|wire| wire.records.push(record("change-opened", &opened())), StepError::Mixed);

    assert_eq!(
        decode(|wire| wire.time = Some(AT)).err(),
        Some(Refused::Time),
        "an observed step has no time"
    );
    let derived = |wire: &mut Wire| wire.records = vec![record("change-opened", &opened())];
    assert_eq!(decode(derived).err(), Some(Refused::Time), "a derived step has one");
    assert_eq!(
        decode(|wire| wire.records[0].schema = 2).err(),
        Some(Refused::NewerSchema { topic: Topic::RequesterAdded, schema: 2, known: 1 })
    );
    let long = Step::decode(vec![0; STEP_BYTES_MAX + 1]).err();
    assert_eq!(long, Some(Refused::TooLong(STEP_BYTES_MAX + 1)));

    let shape = |edit: fn(&mut Wire), expect: &str| match decode(edit) {
        Err(Refused::Shape(why)) => assert!(why.contains(expect), "{why}"),
        other => panic!("{expect}: {other:?}"),
    };
    shape(|wire| wire.owner = "loki2".into(), "loki2");
    shape(|wire| wire.key = "a.b".into(), "subject token");
    shape(|wire| wire.records[0].topic = "nothing".into(), "nothing");
    shape(|wire| wire.extra = Some(1), "extra");
    shape(|wire| wire.records[0].object = b"\xf6".to_vec().into(), "requester-added");
    shape(|wire| wire.records[0].object = recheck().encode().expect("canonical").into(), "requester-added");
}

#[test]
fn bytes_in_another_form_are_refused() {
    let step = observed(vec![added()]).expect("a step");
    let refused = |bytes: Vec<u8>| matches!(Step::decode(bytes), Err(Refused::Shape(_)));
    let mut longer = step.bytes().to_vec();
    longer.push(0);
    assert!(refused(longer), "bytes after the end");
    assert!(refused(step.bytes()[..step.bytes().len() - 1].to_vec()), "cut");
    assert!(refused(Vec::new()), "nothing");
    // The logic number 1, written in two bytes instead of one.
    let at = step.bytes().windows(6).position(|window| window == b"\x65logic").expect("the field") + 6;
    let mut wide = step.bytes().to_vec();
    wide.splice(at..=at, [0x18, 0x01]);
    assert!(refused(wide), "a longer integer than needed");
    // The same inside the object, whose bytes are a string of the step.
    let object = object_with_a_wide_length();
    assert!(matches!(decode(|wire| wire.records[0].object = object.into()), Err(Refused::Shape(_))));
}

/// `{"requester": {…}}` with the length of the outer map written in two bytes.
fn object_with_a_wide_length() -> Vec<u8> {
    let mut bytes = added().encode().expect("canonical");
    bytes.splice(0..1, [0xb8, 0x01]);
    bytes
}

#[test]
fn a_slot_is_of_key_owner_and_cause_alone() {
    let base = slot(&key(), Owner::Huginn, &Cause::named("submit"));
    assert_eq!(observed(vec![recheck()]).expect("a step").id(), base, "not of what is said");
    assert_ne!(slot(&Key::estate(), Owner::Huginn, &Cause::named("submit")), base);
    assert_ne!(slot(&key(), Owner::Saga, &Cause::named("submit")), base);
    assert_ne!(slot(&key(), Owner::Huginn, &Cause::named("evidence/1")), base);
}

#[test]
fn a_cause_that_reads_as_a_step_is_one() {
    let step = observed(vec![added()]).expect("a step");
    let back = |cause: &Cause| -> Cause {
        cbor::from_slice(&cbor::to_vec(cause).expect("canonical")).expect("read")
    };
    for cause in [
        Cause::Step(step.id()),
        Cause::named("deadline/1/judge"),
        Cause::named(&step.id().to_string().to_uppercase()),
    ] {
        assert_eq!(back(&cause), cause);
    }
}

#[test]
fn an_instance_survives() {
    let degradation: Object =
        Degradation { agent: name("njord"), state: name("halted"), why: "silent".into() }.into();
    let step = Step::observed(
        Key::node("a1").expect("a key"),
        Owner::Runtime,
        1,
        Cause::named("degradation/1"),
        Some(name("a1")),
        vec![degradation],
    )
    .expect("a step");
    assert_eq!(Step::decode(step.bytes().to_vec()).expect("ours").instance(), Some(&name("a1")));
}

proptest! {
    #[test]
    fn any_bytes_are_a_step_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = Step::decode(bytes);
    }

    /// Whatever is accepted is exactly what was written: no second form of a step is ever folded.
    #[test]
    fn an_altered_step_is_refused_or_says_something_else(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let step = observed(vec![added(), recheck()]).expect("a step");
        let mut bytes = step.bytes().to_vec();
        let at = at.index(bytes.len());
        prop_assume!(bytes[at] != byte);
        bytes[at] = byte;
        if let Ok(other) = Step::decode(bytes.clone()) {
            prop_assert_eq!(other.bytes(), &bytes[..]);
            prop_assert_ne!(other, step);
        }
    }

    #[test]
    fn any_observation_reads_back(logic in any::<u16>(), why in "\\PC{0,60}", cause in "[a-z]{1,12}/[0-9]{1,3}") {
        let object: Object = ChangeRefused { requester: mina(), change_digest: Digest::of(why.as_bytes()), why }.into();
        let step = Step::observed(key(), Owner::Huginn, logic, Cause::named(&cause), None, vec![object]).expect("a step");
        prop_assert_eq!(Step::decode(step.bytes().to_vec()), Ok(step));
    }
}
