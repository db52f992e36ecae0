use super::Outcome;
use super::reach::{decimal, span};

#[test]
fn lengths_of_time_are_said_in_their_largest_whole_unit() {
    let check = |seconds: u64, expected: &str| assert_eq!(span(seconds), expected);
    check(0, "0 s");
    check(59, "59 s");
    check(60, "1 min");
    check(90, "90 s");
    check(2_460, "41 min");
    check(3_600, "1 h");
    check(86_400, "1 d");
    check(90_000, "25 h");
}

#[test]
fn bounds_are_said_exactly() {
    let check = |micro: i64, unit: i64, expected: &str| assert_eq!(decimal(micro, unit), expected);
    check(999_500, 10_000, "99.95");
    check(1_000_000, 10_000, "100");
    check(800_000, 1_000_000, "0.8");
    check(-500_000, 1_000_000, "-0.5");
    check(-1_500_000, 1_000_000, "-1.5");
    check(1, 1_000_000, "0.000001");
    check(0, 10_000, "0");
}

#[test]
fn an_outcome_has_one_word() {
    for outcome in Outcome::ALL {
        let json = serde_json::to_string(&outcome).expect("a word");
        assert_eq!(json, format!("\"{outcome}\""));
    }
}
