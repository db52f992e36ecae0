use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::forge::Secret;

const BODY: &[u8] = br#"{"action":"opened","repository":{"id":5,"full_name":"acme/shop"},"pull_request":{"number":7},"installation":{"id":3}}"#;

fn sign(secret: &str, body: &[u8]) -> String {
    use hmac::{Hmac, KeyInit as _, Mac as _};
    let mac = Hmac::<sha2::Sha256>::new_from_slice(secret.as_bytes()).expect("any key").chain_update(body);
    let bytes = mac.finalize().into_bytes();
    format!("sha256={}", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

fn take(intake: &mut Intake, delivery: &str, event: &str, signature: &str, body: &[u8]) -> Taken {
    let headers = BTreeMap::from([
        ("x-github-delivery", delivery),
        ("x-github-event", event),
        ("x-hub-signature-256", signature),
    ]);
    intake.take(|name| headers.get(name).copied(), body)
}

#[test]
fn githubs_own_example_of_a_signature_verifies() {
    let secret = [Secret::new("It's a Secret to Everybody")];
    let header = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    assert!(verify(&secret, b"Hello, World!", header));
    assert!(!verify(&secret, b"Hello, World! ", header));
    assert!(!verify(&[], b"Hello, World!", header));
    assert!(
        !verify(&[Secret::new("")], b"Hello, World!", &sign("", b"Hello, World!")),
        "an empty secret signs nothing"
    );
}

#[test]
fn the_signature_is_over_raw_bytes_and_either_of_two_secrets_counts() {
    let mut intake = Intake::new(vec![Secret::new("new"), Secret::new("old")]);
    let check = |intake: &mut Intake, delivery: &str, signature: &str, body: &[u8]| {
        matches!(take(intake, delivery, "pull_request", signature, body), Taken::New(_))
    };
    assert!(check(&mut intake, "1", &sign("new", BODY), BODY));
    assert!(check(&mut intake, "2", &sign("old", BODY), BODY));
    assert!(!check(&mut intake, "3", &sign("other", BODY), BODY));
    let spaced = String::from_utf8_lossy(BODY).replace(':', ": ");
    assert!(!check(&mut intake, "4", &sign("new", BODY), spaced.as_bytes()), "the same JSON in other bytes");
    for header in ["", "sha256=", "sha256=zz", "sha1=00", "sha256=é0"] {
        assert!(!check(&mut intake, "5", header, BODY), "{header}");
    }
}

#[test]
fn b74_a_delivery_is_taken_in_once_and_an_unsigned_one_uses_up_no_id() {
    let mut intake = Intake::new(vec![Secret::new("s")]);
    assert_eq!(take(&mut intake, "1", "pull_request", "sha256=00", BODY), Taken::Refused(Refusal::Signature));
    assert!(matches!(take(&mut intake, "1", "pull_request", &sign("s", BODY), BODY), Taken::New(_)));
    assert_eq!(take(&mut intake, "1", "pull_request", &sign("s", BODY), BODY), Taken::Repeated);
    assert_eq!(take(&mut intake, "2", "ping", &sign("s", b"[]"), b"[]"), Taken::Refused(Refusal::Payload));
    assert_eq!(take(&mut intake, "", "ping", &sign("s", BODY), BODY), Taken::Refused(Refusal::Headers));
}

#[test]
fn what_is_remembered_is_bounded() {
    let mut intake = Intake::new(vec![Secret::new("s")]);
    let signature = sign("s", BODY);
    for at in 0..=SEEN_MAX {
        take(&mut intake, &at.to_string(), "ping", &signature, BODY);
    }
    assert!(!intake.has_seen("0") && intake.has_seen("1"));
}

#[test]
fn b50_b75_events_name_places_and_not_states() {
    let check = |name: &str, body: serde_json::Value, expect: &[Touched]| {
        let event = Event::read("d", name, body.to_string().as_bytes()).expect("an object");
        assert_eq!(event.touched, expect, "{name}");
    };
    let pull = |number| Touched::Pull(number);
    let branch = |name: &str| Touched::Branch(name.to_owned());
    let head = |sha: &str| Touched::Head(sha.to_owned());
    check("pull_request", json!({ "pull_request": { "number": 7 } }), &[pull(7)]);
    check(
        "pull_request",
        json!({ "action": "edited", "pull_request": { "number": 7 }, "changes": { "base": { "ref": { "from": "dev" } } } }),
        &[pull(7), branch("dev")],
    );
    // A fork's check names no pull request, or one of another repository: its head decides.
    check(
        "check_run",
        json!({ "check_run": { "head_sha": "aa", "pull_requests": [{ "number": 9, "base": { "repo": { "id": 1 } } }] } }),
        &[head("aa")],
    );
    check("status", json!({ "sha": "aa" }), &[head("aa")]);
    check("push", json!({ "ref": "refs/heads/feature/x" }), &[branch("feature/x")]);
    check("create", json!({ "ref": "v1", "ref_type": "tag", "repository": {} }), &[Touched::Repository]);
    check("something_new", json!({ "repository": {} }), &[Touched::Repository]);
    check("installation", json!({}), &[Touched::Installation]);
    check("ping", json!({ "zen": "x" }), &[]);
    assert_eq!(Event::read("d", "ping", b"\xff"), None);
}

proptest! {
    #[test]
    fn no_bytes_panic_the_intake(
        body in prop::collection::vec(any::<u8>(), 0..100), header in ".{0,20}", name in "[a-z_]{0,24}",
    ) {
        let mut intake = Intake::new(vec![Secret::new("s")]);
        take(&mut intake, "d", &name, &header, &body);
        take(&mut intake, "d", &name, &sign("s", &body), &body);
    }
}
