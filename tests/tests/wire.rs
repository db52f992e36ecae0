//! The boundary of the wire: which bytes may be folded, and whose they are.

use std::collections::BTreeMap;

use ontology::records::{DeadlineReached, Degradation, PolicySet, ReviewProjection};
use ontology::{Digest, Name, ReviewId, Timestamp, cbor};
use proptest::prelude::*;
use serde_json::{Value, json};
use topics::{Cause, Key, Kind, Object, Owner, Refused, Step, StepError};

fn key() -> Key {
    Key::review(ReviewId::derive("test", "wire"))
}

/// Says `objects` as `owner`, in the way that fits their kind.
fn say(owner: Owner, objects: Vec<Object>) -> Result<Step, StepError> {
    match objects.first().map(|object| object.topic().kind()) {
        Some(Kind::Derived) => {
            let cause = topics::step::slot(&key(), Owner::Huginn, &Cause::named("submit"));
            Step::derived(key(), owner, 1, Timestamp::from_micros(7), cause, objects)
        }
        _ => Step::observed(key(), owner, 1, Cause::named("deadline/1/judge"), None, objects),
    }
}

fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

/// One object of each of three owners.
fn objects() -> [Object; 3] {
    let nothing = Digest::of(b"");
    [
        PolicySet { evaluation: 1, catalog: nothing, constraints: Vec::new(), policies: BTreeMap::new() }
            .into(),
        ReviewProjection { evaluation: 1, digest: nothing }.into(),
        DeadlineReached { evaluation: 1, name: name("judge") }.into(),
    ]
}

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

#[test]
fn a_step_of_another_owner_is_refused() {
    for object in objects() {
        for owner in Owner::ALL {
            let topic = object.topic();
            let expect = (topic.owner() != *owner).then_some(StepError::WrongOwner { owner: *owner, topic });
            assert_eq!(say(*owner, vec![object.clone()]).err(), expect);
        }
    }
}

#[test]
fn a_stored_step_whose_owner_was_replaced_is_refused() {
    let step = say(Owner::Saga, vec![objects()[1].clone()]).unwrap();
    let mut forged = step.bytes().to_vec();
    let at = forged.windows(4).position(|part| part == b"saga").expect("the owner stands in the bytes");
    forged[at..at + 4].copy_from_slice(b"odin");
    let topic = objects()[1].topic();
    assert_eq!(
        Step::decode(forged).unwrap_err(),
        Refused::Rule(StepError::WrongOwner { owner: Owner::Odin, topic })
    );
}

#[test]
fn derived_and_observed_records_do_not_share_a_step() {
    let degradation = Degradation { agent: name("njord"), state: name("halted"), why: "a test".into() };
    let observed = say(Owner::Runtime, vec![objects()[2].clone(), degradation.into()]).unwrap();
    assert_eq!((observed.kind(), observed.records().len()), (Kind::Observed, 2));
    assert_eq!(say(Owner::Runtime, Vec::new()).unwrap_err(), StepError::Empty);
    let many = vec![objects()[2].clone(); topics::step::RECORDS_MAX + 1];
    assert_eq!(say(Owner::Runtime, many).unwrap_err(), StepError::TooMany(topics::step::RECORDS_MAX + 1));
}

#[test]
fn a_step_is_read_as_it_was_written_and_no_prefix_of_it_is_read() {
    for object in objects() {
        let owner = object.topic().owner();
        let step = say(owner, vec![object]).unwrap();
        let read = Step::decode(step.bytes().to_vec()).unwrap();
        assert_eq!((read.id(), read.owner(), read.time()), (step.id(), owner, step.time()));
        assert_eq!(read.records(), step.records());
        for length in 0..step.bytes().len() {
            assert!(Step::decode(step.bytes()[..length].to_vec()).is_err(), "a prefix of {length} bytes");
        }
        let mut longer = step.bytes().to_vec();
        longer.push(0);
        assert!(Step::decode(longer).is_err(), "a byte after the end");
    }
}

/// RFC 8949 section 4.2.1, and what this profile leaves out.
#[test]
fn bytes_out_of_canonical_form_are_refused() {
    let refused = [
        ("18 17", "23 in two bytes"),
        ("19 00ff", "255 in three bytes"),
        ("1a 0000ffff", "65535 in five bytes"),
        ("1b 00000000ffffffff", "4294967295 in nine bytes"),
        ("38 17", "-24 in two bytes"),
        ("3b 8000000000000000", "a negative integer below 64 bits"),
        ("58 01 00", "a length in two bytes"),
        ("5f 41 00 ff", "bytes of indefinite length"),
        ("7f 61 61 ff", "text of indefinite length"),
        ("9f 01 ff", "a list of indefinite length"),
        ("bf 61 61 01 ff", "a map of indefinite length"),
        ("a2 6162 00 6161 00", "keys out of order"),
        ("a2 626161 00 6162 00", "a longer key before a shorter one"),
        ("a2 6161 00 6161 00", "a key twice"),
        ("f6", "null"),
        ("f7", "undefined"),
        ("f9 3c00", "a float"),
        ("c0 61 61", "a tag"),
        ("61 ff", "text that is not UTF-8"),
        ("01 01", "two items"),
        ("82 01", "a list that ends early"),
        ("", "nothing"),
    ];
    for (bytes, what) in refused {
        assert!(cbor::check(&hex(bytes)).is_err(), "{what}");
    }
}

/// Examples of RFC 8949 appendix A that this profile has.
#[test]
fn values_are_written_as_the_rfc_says() {
    for (value, bytes) in [
        (json!(0), "00"),
        (json!(23), "17"),
        (json!(24), "18 18"),
        (json!(1000), "19 03e8"),
        (json!(1_000_000), "1a 000f4240"),
        (json!(18_446_744_073_709_551_615_u64), "1b ffffffffffffffff"),
        (json!(-1), "20"),
        (json!(-1000), "39 03e7"),
        (json!(false), "f4"),
        (json!("IETF"), "64 49455446"),
        (json!("\u{fc}"), "62 c3bc"),
        (json!([1, [2, 3], [4, 5]]), "83 01 82 02 03 82 04 05"),
        (json!({}), "a0"),
        (json!({ "a": 1, "b": [2, 3] }), "a2 61 61 01 61 62 82 02 03"),
        (json!({ "bb": 1, "a": 2, "c": 3 }), "a3 61 61 02 61 63 03 62 6262 01"),
    ] {
        assert_eq!(cbor::to_vec(&value).unwrap(), hex(bytes), "{value}");
        assert_eq!(cbor::check(&hex(bytes)), Ok(()), "{value}");
        assert_eq!(cbor::from_slice::<Value>(&hex(bytes)).unwrap(), value);
    }
}

/// Any value of the profile: no floats, no null.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        "[a-z]{0,30}|\\PC{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{0,26}", inner, 0..6)
                .prop_map(|map| Value::from(map.into_iter().collect::<serde_json::Map<_, _>>())),
        ]
    })
}

proptest! {
    /// What is written is found canonical, and read as the same value.
    #[test]
    fn what_is_written_is_canonical_and_read_back(value in any_value()) {
        let bytes = cbor::to_vec(&value).unwrap();
        prop_assert_eq!(cbor::check(&bytes), Ok(()));
        prop_assert_eq!(cbor::from_slice::<Value>(&bytes).unwrap(), value);
    }

    /// Whatever bytes are read at all, are the bytes that would be written.
    #[test]
    fn only_what_would_be_written_is_read(
        value in any_value(), at in any::<prop::sample::Index>(), byte in any::<u8>()
    ) {
        let mut bytes = cbor::to_vec(&value).unwrap();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(read) = cbor::from_slice::<Value>(&bytes) {
            prop_assert_eq!(cbor::to_vec(&read).unwrap(), bytes);
        }
    }

    /// Hostile bytes are refused or read, and never panic.
    #[test]
    fn any_bytes_are_refused_or_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(Step::decode(bytes).is_err());
    }
}
