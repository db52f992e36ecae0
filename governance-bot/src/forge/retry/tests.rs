use super::*;

const NOON: Timestamp = Timestamp::from_micros(1_796_000_000_000_000);
const CLASSES: [Class; 4] = [Class::Read, Class::Repeatable, Class::Marked, Class::Once];

fn reply(status: u16, headers: &[(&str, &str)], message: &str) -> Result<Reply, Lost> {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Ok(Reply { status, headers, body: serde_json::json!({ "message": message }).to_string().into_bytes() })
}

#[test]
fn b57_a_merge_is_never_sent_again_whatever_comes_back() {
    let outcomes = [
        reply(500, &[], "Server Error"),
        reply(502, &[], ""),
        reply(503, &[("retry-after", "1")], ""),
        reply(408, &[], ""),
        reply(429, &[("retry-after", "1")], ""),
        reply(403, &[("retry-after", "1")], "secondary rate limit"),
        reply(403, &[("x-ratelimit-remaining", "0")], ""),
        reply(405, &[], "Base branch was modified. Review and try the merge again."),
        reply(409, &[], "Head branch was modified. Review and try the merge again."),
        Err(Lost::Unanswered("reset".into())),
        Err(Lost::NotSent("refused".into())),
        Err(Lost::TooLarge),
    ];
    for outcome in outcomes {
        let next = next(Class::Once, 0, &outcome, NOON);
        assert!(!matches!(next, Next::Again { .. }), "{outcome:?} gave {next:?}");
    }
}

#[test]
fn b58_a_lost_reply_to_a_merge_is_in_doubt_and_no_failure() {
    for outcome in [reply(502, &[], ""), reply(500, &[], ""), Err(Lost::Unanswered("reset".into()))] {
        assert!(matches!(next(Class::Once, 0, &outcome, NOON), Next::InDoubt { .. }), "{outcome:?}");
        assert!(matches!(next(Class::Marked, 0, &outcome, NOON), Next::InDoubt { .. }), "{outcome:?}");
    }
}

#[test]
fn reads_are_sent_again_three_times_with_growing_waits() {
    let wait = |attempt| next(Class::Read, attempt, &reply(502, &[], ""), NOON);
    assert_eq!(wait(0), Next::Again { wait_ms: 1_000, limit: None });
    assert_eq!(wait(2), Next::Again { wait_ms: 4_000, limit: None });
    assert!(matches!(wait(3), Next::GivenUp { .. }));
    let unsent = Err(Lost::NotSent("refused".into()));
    assert!(matches!(next(Class::Marked, 0, &unsent, NOON), Next::Again { .. }), "it never left");
}

#[test]
fn b80_a_secondary_limit_without_retry_after_waits_a_minute_at_least_and_longer_each_time() {
    let check = |attempt, headers: &[(&str, &str)], message: &str, expect: u64| {
        let outcome = reply(403, headers, message);
        let next = next(Class::Read, attempt, &outcome, NOON);
        assert!(
            matches!(next, Next::Again { wait_ms, .. } if wait_ms == expect),
            "{headers:?} gave {next:?}"
        );
    };
    let secondary =
        "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
    check(0, &[], secondary, 60_000);
    check(1, &[], secondary, 120_000);
    check(0, &[("retry-after", "7")], secondary, 7_000);
    check(0, &[("retry-after", "soon")], secondary, 60_000);
    let reset = |seconds: i64| (NOON.as_micros() / 1_000_000 + seconds).to_string();
    check(
        0,
        &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", &reset(30))],
        "API rate limit exceeded",
        31_000,
    );
    check(0, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", &reset(-30))], "", 60_000);
    check(0, &[("x-ratelimit-remaining", "0")], "", 60_000);
}

#[test]
fn b84_a_bare_403_is_a_refusal_and_not_a_limit() {
    let outcome = reply(
        403,
        &[("x-ratelimit-remaining", "4999")],
        "Upgrade to GitHub Pro or make this repository public",
    );
    for class in CLASSES {
        assert!(matches!(next(class, 0, &outcome, NOON), Next::Refused { .. }), "{class:?}");
    }
}

#[test]
fn words_of_the_forge_are_cut_at_a_character() {
    let long = Reply { status: 500, headers: Vec::new(), body: "é".repeat(10_000).into_bytes() };
    assert_eq!(message(&long).chars().count(), MESSAGE_CHARS_MAX);
    let odd = Reply { status: 500, headers: Vec::new(), body: vec![0xff, 0x1b, b'['] };
    assert_eq!(message(&odd), "\u{fffd}[");
}
