//! Random values of everything that the profile allows.

use ciborium::Value;
use proptest::prelude::*;

/// A leaf: the edges of every length of integers more often than others. Texts are such that every implementation
/// agrees on their normal form.
fn leaves() -> impl Strategy<Value = Value> {
    let edges = [0, 23, 24, 0xff, 0x100, 0xffff, 0x1_0000, 0xffff_ffff, 0x1_0000_0000, u64::MAX];
    prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        proptest::sample::select(edges.to_vec()).prop_map(Value::from),
        proptest::sample::select(vec![-1_i64, -24, -25, -256, -257, i64::MIN]).prop_map(Value::from),
        "[a-z가-힣 ]{0,30}".prop_map(Value::Text),
        proptest::collection::vec(any::<u8>(), 0..30).prop_map(Value::Bytes),
    ]
}

/// Values nested a few levels. Map keys are texts and integers, each once.
pub(super) fn values() -> impl Strategy<Value = Value> {
    leaves().prop_recursive(4, 48, 8, |inner| {
        let keys = prop_oneof!["[a-z]{0,30}".prop_map(Value::Text), any::<i32>().prop_map(Value::from)];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..30).prop_map(Value::Array),
            proptest::collection::vec((keys, inner), 0..30).prop_map(|pairs| {
                let mut unique: Vec<(Value, Value)> = Vec::new();
                for (key, value) in pairs {
                    if unique.iter().all(|(other, _)| *other != key) {
                        unique.push((key, value));
                    }
                }
                Value::Map(unique)
            }),
        ]
    })
}

/// The same value for the independent implementation.
pub(super) fn foreign(value: &Value) -> dcbor::CBOR {
    match value {
        Value::Bool(value) => (*value).into(),
        Value::Integer(value) => match i64::try_from(*value) {
            Ok(value) => value.into(),
            Err(_) => u64::try_from(*value).unwrap().into(),
        },
        Value::Text(text) => text.as_str().into(),
        Value::Bytes(bytes) => dcbor::CBOR::to_byte_string(bytes),
        Value::Array(values) => values.iter().map(foreign).collect::<Vec<_>>().into(),
        Value::Map(pairs) => {
            let mut map = dcbor::Map::new();
            for (key, value) in pairs {
                map.insert(foreign(key), foreign(value));
            }
            map.into()
        }
        other => panic!("the profile has no {other:?}"),
    }
}
