use proptest::prelude::*;

use super::{JSON_INTEGER_MAX, Micro, Money};
use crate::cbor;

#[test]
fn money_is_shown_in_cents() {
    let check = |micro: i64, expect: &str| assert_eq!(Money::new(micro, "USD").to_string(), expect);
    check(0, "0.00 USD");
    check(1_234_567, "1.23 USD");
    check(1_235_000, "1.24 USD");
    check(-1_234_567, "-1.23 USD");
    check(-4_999, "0.00 USD");
    check(-5_000, "-0.01 USD");
    check(i64::MAX, "9223372036854.78 USD");
    check(i64::MIN, "-9223372036854.78 USD");
}

#[test]
fn integers_beyond_2_to_the_53_are_texts_in_json() {
    let check = |micro: i64, expect: &str| assert_eq!(serde_json::to_string(&Micro(micro)).unwrap(), expect);
    check(JSON_INTEGER_MAX, "9007199254740992");
    check(JSON_INTEGER_MAX + 1, "\"9007199254740993\"");
    check(-JSON_INTEGER_MAX, "-9007199254740992");
    check(-JSON_INTEGER_MAX - 1, "\"-9007199254740993\"");
}

#[test]
fn what_is_no_amount_is_refused() {
    for json in ["1.5", "\"1.5\"", "\"\"", "18446744073709551615", "null", "true"] {
        assert!(serde_json::from_str::<Micro>(json).is_err(), "{json}");
    }
    let surplus = serde_json::json!({ "micro": 1, "currency": "USD", "note": "x" });
    assert!(serde_json::from_value::<Money>(surplus).is_err());
}

proptest! {
    #[test]
    fn money_reads_back_from_json_and_records(micro in any::<i64>()) {
        let money = Money::new(micro, "KRW");
        let json = serde_json::to_string(&money).unwrap();
        prop_assert_eq!(serde_json::from_str::<Money>(&json).unwrap(), money.clone());
        let record = cbor::to_vec(&money).unwrap();
        prop_assert_eq!(cbor::from_slice::<Money>(&record).unwrap(), money);
    }
}
