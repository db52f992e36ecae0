//! The canonical form beside an independent implementation of deterministic CBOR.

use std::collections::BTreeMap;

use dcbor::CBOR;
use proptest::prelude::*;
use serde::Serialize;

use super::{EncodeError, NotCanonical, check, from_slice, to_vec};

/// Shapes of records: fields out of order, absent options, unit and holding variants, nesting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Shape {
    zone: String,
    count: u64,
    at: i64,
    absent: Option<u8>,
    kind: Kind,
    parts: Vec<Shape>,
    names: BTreeMap<String, bool>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Plain,
    Holding(u8),
    Named { zone: u8, a: u8 },
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let kind = prop_oneof![
        Just(Kind::Plain),
        any::<u8>().prop_map(Kind::Holding),
        any::<(u8, u8)>().prop_map(|(zone, a)| Kind::Named { zone, a }),
    ];
    let names = prop::collection::btree_map("[a-z]{0,26}", any::<bool>(), 0..6);
    let leaf = ("[a-z ]{0,30}", any::<u64>(), any::<i64>(), any::<Option<u8>>(), kind, names).prop_map(
        |(zone, count, at, absent, kind, names)| Shape {
            zone,
            count,
            at,
            absent,
            kind,
            names,
            parts: Vec::new(),
        },
    );
    leaf.prop_recursive(3, 12, 3, |inner| {
        (inner.clone(), prop::collection::vec(inner, 0..3))
            .prop_map(|(shape, parts)| Shape { parts, ..shape })
    })
}

proptest! {
    /// An independent reader takes our bytes for deterministic, and writes the same.
    #[test]
    fn an_independent_implementation_writes_the_same_bytes(shape in any_shape()) {
        let bytes = to_vec(&shape).unwrap();
        let independent = CBOR::try_from_data(&bytes).expect("deterministic by dcbor's rules too");
        prop_assert_eq!(independent.to_cbor_data(), bytes.clone());
        prop_assert_eq!(from_slice::<Shape>(&bytes).unwrap(), shape);
    }
}

#[test]
fn what_has_no_canonical_form_is_an_error() {
    assert_eq!(to_vec(&1.5_f64), Err(EncodeError::Float));
    assert_eq!(to_vec(&vec![Some(1_u8), None]), Err(EncodeError::Absent));
    assert_eq!(to_vec(&None::<u8>), Err(EncodeError::Absent));
}

#[test]
fn nesting_is_bounded_when_writing_and_when_reading() {
    let nested = |depth: usize| {
        let mut value = serde_json::Value::from(1);
        for _ in 0..depth {
            value = serde_json::Value::from(vec![value]);
        }
        value
    };
    assert!(to_vec(&nested(super::DEPTH_MAX)).is_ok());
    assert_eq!(to_vec(&nested(super::DEPTH_MAX + 1)), Err(EncodeError::TooDeep));
    let hostile = vec![0x81; 100_000];
    assert_eq!(check(&hostile), Err(NotCanonical { offset: super::DEPTH_MAX + 1, why: "nesting too deep" }));
}
