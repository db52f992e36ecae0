use proptest::prelude::*;

use super::*;

fn dated(date: &str) -> Reply {
    Reply { status: 200, headers: vec![("date".to_owned(), date.to_owned())], body: Vec::new() }
}

#[test]
fn b83_the_offset_of_the_clock_comes_from_the_date_of_a_reply() {
    let noon: Timestamp = "2026-11-30T12:00:00Z".parse().expect("a time");
    let check = |date: &str, expect: Option<&str>| {
        let server = ClockOffset::of(&dated(date), noon).map(|offset| offset.server(noon).to_string());
        assert_eq!(server.as_deref(), expect, "{date}");
    };
    check("Mon, 30 Nov 2026 12:00:00 GMT", Some("2026-11-30T12:00:00Z"));
    check("Mon, 30 Nov 2026 12:00:01 GMT", Some("2026-11-30T12:00:00Z"));
    check("Mon, 30 Nov 2026 12:07:00 GMT", Some("2026-11-30T12:07:00Z"));
    check("Mon, 30 Nov 2026 11:50:00 GMT", Some("2026-11-30T11:50:00Z"));
    check("yesterday", None);
}

#[test]
fn a_text_that_is_no_key_is_refused_without_repeating_it() {
    for text in
        ["", "secret-canary", "-----BEGIN RSA PRIVATE KEY-----\nc2VjcmV0\n-----END RSA PRIVATE KEY-----"]
    {
        let refused = AppKey::from_pem("1", text).expect_err("no key").to_string();
        assert!(!refused.contains("canary") && !refused.contains("c2VjcmV0"), "{refused}");
    }
}

proptest! {
    #[test]
    fn no_date_of_a_reply_panics(text in ".{0,40}") {
        let _ = ClockOffset::of(&dated(&text), Timestamp::default());
    }
}
