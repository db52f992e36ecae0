use proptest::prelude::*;

use super::*;

#[test]
fn lengths_of_time_are_read_as_people_write_them() {
    let check = |text: &str, expect: Option<u64>| {
        assert_eq!(text.parse::<Seconds>().ok().map(|seconds| seconds.0), expect, "{text}");
    };
    check("14d", Some(14 * 86_400));
    check("36h", Some(36 * 3_600));
    check("1h30m", Some(5_400));
    check("2w", Some(14 * 86_400));
    check("90s", Some(90));
    check("0", Some(0));
    check("0s", Some(0));
    check("", None);
    check("14", None);
    check("d", None);
    check("-1d", None);
    check("1.5h", None);
    check("30m1h", None);
    check("1h1h", None);
    check("14 d", None);
    check("99999999999999999999d", None);
    check("101000w", None);
}

#[test]
fn budgets_are_read_in_milliseconds() {
    let check = |text: &str, expect: Option<u64>| {
        assert_eq!(text.parse::<Milliseconds>().ok().map(|milliseconds| milliseconds.0), expect, "{text}");
    };
    check("5s", Some(5_000));
    check("1500ms", Some(1_500));
    check("1m30s", Some(90_000));
    check("5", None);
    check("1d", None);
}

#[test]
fn a_date_is_its_first_instant_in_utc() {
    let check = |text: &str, expect: Option<&str>| {
        assert_eq!(
            text.parse::<Moment>().ok().map(|moment| moment.0.to_string()),
            expect.map(str::to_owned),
            "{text}"
        );
    };
    check("2027-03-01", Some("2027-03-01T00:00:00Z"));
    check("2027-03-01T09:00:00+09:00", Some("2027-03-01T00:00:00Z"));
    check("2027-02-30", None);
    check("2027-03-01T09:00:00", None);
    check("1 March 2027", None);
}

#[test]
fn decimals_are_exact() {
    let check = |text: &str, expect: Option<i64>| {
        assert_eq!(text.parse::<Decimal>().ok().map(|decimal| decimal.micro), expect, "{text}");
    };
    check("99.95", Some(99_950_000));
    check("0.9995", Some(999_500));
    check("-1.5", Some(-1_500_000));
    check("12", Some(12_000_000));
    check("0.000001", Some(1));
    check("0.0000001", None);
    check("1e3", None);
    check("1,5", None);
    check(".5", None);
    check("5.", None);
    check("9999999999999", None);
    check("9223372036854.775807", Some(i64::MAX));
    check("", None);
    check("NaN", None);
}

proptest! {
    #[test]
    fn a_decimal_says_what_was_written(micro in -9_000_000_000_000_000_i64..9_000_000_000_000_000) {
        let sign = if micro < 0 { "-" } else { "" };
        let digits = micro.unsigned_abs();
        let text = format!("{sign}{}.{:06}", digits / 1_000_000, digits % 1_000_000);
        prop_assert_eq!(text.parse::<Decimal>().unwrap().micro, micro);
    }

    #[test]
    fn no_text_makes_a_quantity_panic(text in ".{0,24}") {
        let _ = (text.parse::<Decimal>(), text.parse::<Seconds>(), text.parse::<Moment>(), text.parse::<Milliseconds>());
    }
}
