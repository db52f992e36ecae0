//! Shapes of records beside an independent implementation of deterministic CBOR.

use std::collections::BTreeMap;

use dcbor::CBOR;
use proptest::prelude::*;
use serde::Serialize;

use crate::cbor::{from_slice, to_vec};

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
    fn an_independent_reader_takes_records_for_deterministic(shape in any_shape()) {
        let bytes = to_vec(&shape).unwrap();
        let independent = CBOR::try_from_data(&bytes).expect("deterministic by dcbor's rules too");
        prop_assert_eq!(independent.to_cbor_data(), bytes.clone());
        prop_assert_eq!(from_slice::<Shape>(&bytes).unwrap(), shape);
    }
}
