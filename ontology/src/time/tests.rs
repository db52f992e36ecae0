use proptest::prelude::*;

use super::{DAY_S, Timestamp};
use crate::cbor;

#[test]
fn a_time_is_read_with_an_offset_and_written_in_utc() {
    let check = |text: &str, expect: Option<&str>| {
        assert_eq!(text.parse::<Timestamp>().ok().map(|time| time.to_string()).as_deref(), expect, "{text}");
    };
    check("2026-11-30T09:00:00Z", Some("2026-11-30T09:00:00Z"));
    check("2026-11-30T18:00:00+09:00", Some("2026-11-30T09:00:00Z"));
    check("2026-11-30T09:00:00.123456Z", Some("2026-11-30T09:00:00.123456Z"));
    check("2026-11-30T09:00:00.1234567Z", Some("2026-11-30T09:00:00.123456Z"));
    check("1969-12-31T23:59:59Z", Some("1969-12-31T23:59:59Z"));
    check("2026-11-30T09:00:00", None);
    check("2026-11-30", None);
    check("yesterday", None);
    check("", None);
}

#[test]
fn an_error_shows_no_more_than_the_start_of_a_text() {
    let error = "x".repeat(1_000).parse::<Timestamp>().unwrap_err().to_string();
    assert!(error.len() < 200, "{error}");
}

#[test]
fn arithmetic_holds_at_the_ends_of_the_range() {
    let (first, last) = (Timestamp::from_micros(i64::MIN), Timestamp::from_micros(i64::MAX));
    assert_eq!(last.plus_seconds(1), last);
    assert_eq!(last.plus_ms(u64::MAX), last);
    assert_eq!(first.plus_seconds(i64::MIN), first);
    assert_eq!(last.micros_since(first), i64::MAX);
    assert_eq!(Timestamp::default().plus_seconds(DAY_S).to_string(), "1970-01-02T00:00:00Z");
    assert_eq!(Timestamp::default().plus_ms(1_500).as_micros(), 1_500_000);
}

proptest! {
    #[test]
    fn times_of_ten_thousand_years_read_back_from_json_and_records(micros in -62_135_596_800_000_000_i64..253_402_207_200_000_000) {
        let time = Timestamp::from_micros(micros);
        let json = serde_json::to_string(&time).unwrap();
        prop_assert_eq!(serde_json::from_str::<Timestamp>(&json).unwrap(), time);
        let record = cbor::to_vec(&time).unwrap();
        prop_assert_eq!(cbor::from_slice::<Timestamp>(&record).unwrap(), time);
    }
}
