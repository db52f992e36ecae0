use proptest::prelude::*;
use serde_json::json;

use super::{Value, Withheld};
use crate::{Digest, cbor};

fn withheld() -> Withheld {
    Withheld {
        kind: "text".to_owned(),
        changed: true,
        mac: Some(Digest::of(b"x")),
        key_id: Some("k1".to_owned()),
    }
}

fn values() -> impl Strategy<Value = Value> {
    let leaves = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Boolean),
        any::<i64>().prop_map(Value::Integer),
        (any::<i32>(), 1_u32..999).prop_map(|(whole, part)| Value::from_json(
            serde_json::from_str(&format!("{whole}.{part:03}1")).unwrap()
        )),
        ".{0,20}".prop_map(Value::Text),
        Just(Value::Unknown),
        any::<bool>().prop_map(|changed| Value::Withheld(Withheld { changed, ..withheld() })),
    ];
    leaves.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::List),
            proptest::collection::btree_map("[a-z_]{1,10}", inner, 0..6).prop_map(Value::Map),
        ]
    })
}

proptest! {
    #[test]
    fn every_value_reads_back_from_json_and_records(value in values()) {
        prop_assert_eq!(Value::from_json(value.to_json()), value.clone());
        let text = serde_json::to_string(&value).unwrap();
        prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value.clone());
        let record = cbor::to_vec(&value).unwrap();
        prop_assert_eq!(cbor::from_slice::<Value>(&record).unwrap(), value);
    }
}

#[test]
fn a_value_looks_in_json_as_in_the_plan_it_came_from() {
    let plan = json!({ "a": [1, "x", null, true, 1.5, { "b": {} }], "n": -9_223_372_036_854_775_808_i64 });
    assert_eq!(Value::from_json(plan.clone()).to_json(), plan);
    assert_eq!(Value::from_json(json!(1.5)), Value::Decimal("1.5".to_owned()));
    assert_eq!(Value::from_json(json!(u64::MAX)), Value::Decimal("18446744073709551615".to_owned()));
    assert_eq!(Value::Unknown.to_json(), json!({ "$arb_unknown": true }));
    assert_eq!(Value::from_json(json!({ "$arb_unknown": true })), Value::Unknown);
}

#[test]
fn a_map_that_only_resembles_a_mark_is_a_map() {
    for json in [json!({ "$arb_withheld": 1 }), json!({ "$arb_unknown": true, "x": 1 })] {
        assert_eq!(Value::from_json(json.clone()).kind(), "map", "{json}");
    }
}

#[test]
fn u03_people_see_neither_what_is_withheld_nor_more_than_a_line() {
    assert_eq!(Value::Withheld(withheld()).to_string(), "(withheld)");
    assert_eq!(Value::Unknown.to_string(), "(known after apply)");
    assert_eq!(Value::from_json(json!(["sg-1"])).to_string(), "[\"sg-1\"]");
    let long = Value::Text("가".repeat(100)).to_string();
    assert_eq!((long.chars().count(), long.ends_with('…')), (61, true));
}

#[test]
fn a_value_is_read_as_what_it_is_and_as_nothing_else() {
    let list = Value::List(vec![Value::Boolean(true)]);
    assert_eq!(list.as_list(), Some(&[Value::Boolean(true)][..]));
    assert_eq!(
        (list.as_text(), list.as_integer(), list.as_boolean(), list.as_map()),
        (None, None, None, None)
    );
    assert_eq!(Value::Decimal("1.5".to_owned()).as_integer(), None);
    let kinds =
        [Value::Null, Value::Integer(1), Value::Decimal("1.5".to_owned()), list].map(|value| value.kind());
    assert_eq!(kinds, ["null", "number", "number", "list"]);
}
