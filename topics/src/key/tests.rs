use proptest::prelude::*;

use super::*;

#[test]
fn what_a_key_names() {
    let review = ReviewId::derive("cli", "key");
    let check = |text: &str, expect: KeyKind| {
        let key: Key = text.parse().expect("it is a key");
        assert_eq!((key.kind(), key.as_str()), (expect, text));
    };
    check(&review.to_string(), KeyKind::Review(review));
    check("model", KeyKind::Model);
    check("catalog", KeyKind::Catalog);
    check("estate", KeyKind::Estate);
    check("audit", KeyKind::Other);
    check("target:aws_db_instance", KeyKind::Other);
    check("cohort:0123", KeyKind::Other);
    check("node:a1", KeyKind::Other);
    check("pull:123/4", KeyKind::Other);
    check("branch:123", KeyKind::Other);
    let body = BodyHash::of(b"bytes");
    check(&format!("body:{}", body.hex()), KeyKind::Body);
    assert_eq!(Key::body(&body).kind(), KeyKind::Body);
    assert_eq!(Key::review(review).as_review(), Some(review));
    assert_eq!(Key::model().as_review(), None);
}

#[test]
fn what_is_no_key() {
    let check = |text: &str, expect: &str| {
        let error = text.parse::<Key>().expect_err("it is no key").to_string();
        assert!(error.contains(expect), "{text}: {error}");
    };
    check("", "empty");
    check(&format!("node:{}", "x".repeat(KEY_BYTES_MAX)), "longer than 200 bytes");
    for unsafe_text in [
        "node:a.b",
        "node:*",
        "node:>",
        "node:a b",
        "node:a\tb",
        "node:a\n",
        "node:\u{e9}",
        "node:\0",
        "node:\u{7f}",
    ] {
        check(unsafe_text, "subject token");
    }
    check("models", "closed list");
    check("rv", "closed list");
    check("other:x", "closed list");
    check("rv-short", "not a review");
    check(&format!("rv-{}", "u".repeat(26)), "not a review");
    assert!(Key::node("a.b").is_err());
}

/// For ever: a step's partition is part of its subject in every log that was written.
#[test]
fn golden_partitions() {
    let check = |key: Key, expect: u8| assert_eq!(key.partition().number(), expect, "{key}");
    check(Key::model(), 24);
    check(Key::catalog(), 5);
    check(Key::estate(), 56);
    check(Key::review(ReviewId::derive("cli", "key")), 26);
    check(Key::node("a1").expect("a key"), 43);
    check(Key::body(&BodyHash::of(b"bytes")), 38);
}

proptest! {
    #[test]
    fn every_key_is_one_subject_token_in_one_of_64_partitions(text in "(node|target|pull):[!-~]{0,40}") {
        if let Ok(key) = text.parse::<Key>() {
            prop_assert!(!key.as_str().contains(['.', '*', '>', ' ']));
            prop_assert!(u64::from(key.partition().number()) < PARTITIONS);
            let json = serde_json::to_string(&key).expect("a text");
            prop_assert_eq!(serde_json::from_str::<Key>(&json).expect("it was a key"), key);
        }
    }

    #[test]
    fn any_text_is_a_key_or_an_error(text in ".{0,250}") {
        let _ = text.parse::<Key>();
    }
}
