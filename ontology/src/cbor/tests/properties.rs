use std::collections::BTreeMap;

use ciborium::Value;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use super::arbitrary::{foreign, values};
use crate::cbor::{DEPTH_MAX, DecodeError, EncodeError, check, from_slice, to_vec};

proptest! {
    #[test]
    fn an_independent_implementation_writes_the_same_bytes(value in values()) {
        let ours = to_vec(&value).unwrap();
        prop_assert_eq!(&ours, &foreign(&value).to_cbor_data());
        prop_assert_eq!(dcbor::CBOR::try_from_data(&ours).unwrap(), foreign(&value));
    }

    #[test]
    fn what_was_written_is_canonical_and_reads_back_to_the_same_bytes(value in values()) {
        let written = to_vec(&value).unwrap();
        prop_assert_eq!(check(&written), Ok(()));
        let read: Value = from_slice(&written).unwrap();
        prop_assert_eq!(to_vec(&read).unwrap(), written);
    }

    #[test]
    fn an_independent_implementation_reads_the_same(value in values()) {
        let written = to_vec(&value).unwrap();
        let ours: Value = from_slice(&written).unwrap();
        prop_assert_eq!(&ours, &ciborium::from_reader::<Value, _>(written.as_slice()).unwrap());
        from_slice::<serde::de::IgnoredAny>(&written).unwrap();
    }

    #[test]
    fn any_bytes_are_either_refused_or_exactly_what_is_written_of_what_they_say(bytes in proptest::collection::vec(any::<u8>(), 0..24)) {
        if let Ok(read) = from_slice::<Value>(&bytes) {
            prop_assert_eq!(to_vec(&read).unwrap(), bytes);
        }
    }

    #[test]
    fn reading_refuses_exactly_what_the_check_refuses(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        let checked = check(&bytes);
        prop_assert_eq!(from_slice::<Value>(&bytes).is_ok(), checked.is_ok());
        prop_assert_eq!(from_slice::<serde::de::IgnoredAny>(&bytes).is_ok(), checked.is_ok());
        let _ = from_slice::<Shape>(&bytes);
    }

    #[test]
    fn the_order_in_which_a_map_is_given_does_not_matter(pairs in proptest::collection::btree_map("[a-z]{0,40}", any::<i64>(), 0..30)) {
        let forward = Value::Map(pairs.iter().map(|(key, value)| (key.clone().into(), (*value).into())).collect());
        let backward = Value::Map(pairs.iter().rev().map(|(key, value)| (key.clone().into(), (*value).into())).collect());
        prop_assert_eq!(to_vec(&forward).unwrap(), to_vec(&backward).unwrap());
        prop_assert_eq!(to_vec(&pairs).unwrap(), to_vec(&forward).unwrap());
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
enum Shape {
    Unit,
    One(u8),
    Two(u8, String),
    Fields { long_name: Option<u8>, a: BTreeMap<u8, bool> },
}

#[test]
fn every_kind_of_variant_is_read_as_it_was_written() {
    for (shape, hex) in [
        (Shape::Unit, "64756e6974"),
        (Shape::One(7), "a1636f6e6507"),
        (Shape::Two(7, "x".to_owned()), "a16374776f82076178"),
        (Shape::Fields { long_name: None, a: BTreeMap::new() }, "a1666669656c6473a16161a0"),
        (
            Shape::Fields { long_name: Some(1), a: [(2, true)].into() },
            "a1666669656c6473a26161a102f5696c6f6e675f6e616d6501",
        ),
    ] {
        assert_eq!(to_vec(&shape).unwrap(), super::bytes(hex), "{shape:?}");
        assert_eq!(from_slice::<Shape>(&super::bytes(hex)).unwrap(), shape);
    }
}

#[test]
fn what_has_no_canonical_form_is_not_written() {
    assert_eq!(to_vec(&1.5_f64), Err(EncodeError::Float));
    assert_eq!(to_vec(&[Some(1), None]), Err(EncodeError::Absent));
    assert_eq!(to_vec(&None::<u8>), Err(EncodeError::Absent));
    assert_eq!(to_vec(&()), Err(EncodeError::Absent));
    assert_eq!(to_vec(&(i128::from(i64::MIN) - 1)), Err(EncodeError::Range));
    let twice = Value::Map(vec![(1.into(), 2.into()), (1.into(), 3.into())]);
    assert_eq!(to_vec(&twice), Err(EncodeError::DuplicateKey));
}

fn nested(depth: usize) -> Value {
    (0..depth).fold(Value::Bool(true), |inner, _| Value::Array(vec![inner]))
}

#[test]
fn both_sides_refuse_the_same_depth() {
    let deepest = to_vec(&nested(DEPTH_MAX)).unwrap();
    assert_eq!(check(&deepest), Ok(()));
    from_slice::<Value>(&deepest).unwrap();
    assert_eq!(to_vec(&nested(DEPTH_MAX + 1)), Err(EncodeError::TooDeep));
    let empty_lists = [vec![0x81; DEPTH_MAX], vec![0x80]].concat();
    assert_eq!(super::fault(&empty_lists), "read canonical bytes: nesting too deep at byte 64");
    let hostile = vec![0x81; 1_000_000];
    assert_eq!(super::fault(&hostile), "read canonical bytes: nesting too deep at byte 64");
}

#[test]
fn canonical_bytes_of_another_shape_are_refused_in_words() {
    let error = from_slice::<Shape>(&to_vec("another").unwrap()).expect_err("there is no such variant");
    assert!(matches!(error, DecodeError::Shape(_)), "{error}");
    assert!(error.to_string().starts_with("read the object: "), "{error}");
}
