//! Limits, tokens and clocks: waited for, renewed, put right.

use governance_bot::forge::view::CheckRun;
use governance_bot::forge::{Call, Failure, Operation};
use serde_json::json;
use tests::fakehub::faults::Fault;
use tests::ready::now;

use super::stage::{CHANGE, Stage, noon, objects, sha};

#[test]
fn b77_a_status_over_the_cap_is_refused_and_said_to_be() {
    let stage = Stage::set();
    stage.open("topic", CHANGE);
    for _ in 0..1_000 {
        stage.hub().set_status(stage.shop, stage.bob, sha(CHANGE), "gate", "pending", None);
    }
    let call = Call::of(Operation::CREATE_STATUS, "acme/shop").at("sha", sha(CHANGE));
    let call = call.sending(json!({ "state": "success", "context": "gate" }));
    let failure = now(stage.client.call(stage.actor, &call)).unwrap_err();
    assert!(matches!(failure, Failure::Refused { status: 422, .. }), "{failure}");
}

#[test]
fn b79_content_is_made_at_the_rate_that_the_forge_allows() {
    let stage = Stage::set();
    let number = stage.open("topic", CHANGE);
    for at in 0..200 {
        let call = Call::of(Operation::CREATE_COMMENT, "acme/shop").at("issue_number", number);
        now(stage.client.call(stage.actor, &call.sending(json!({ "body": format!("{at}") })))).unwrap();
    }
    assert_eq!(stage.carried_out("issues/create-comment"), 200);
    assert_eq!(stage.sent("issues/create-comment"), 200, "the forge never had to refuse");
    assert!(stage.client.tally().waited_ms >= 100_000, "two minutes for what is over 160");
}

#[test]
fn b80_a_limit_is_waited_for_and_one_that_lasts_longer_is_told() {
    let stage = Stage::set();
    let number = stage.open("topic", CHANGE);
    stage.hub().faults.plan("pulls/get", 0, 1, Fault::secondary(403, Some(7)));
    assert!(stage.pull(number).complete().is_some());
    assert_eq!(stage.client.tally().waited_ms, 7_000);
    stage.hub().faults.plan("pulls/get", 0, 9, Fault::secondary(429, None));
    let call = Call::of(Operation::GET_PULL, "acme/shop").at("pull_number", number);
    let failure = now(stage.client.call(stage.actor, &call)).unwrap_err();
    assert!(matches!(failure, Failure::Limited { .. }), "{failure}");
    let sent = stage.sent("pulls/get");
    // Whoever asks next waits too, instead of asking into the block.
    let failure = now(stage.client.call(stage.actor, &call)).unwrap_err();
    assert!(matches!(failure, Failure::Limited { .. }), "{failure}");
    assert!(stage.sent("pulls/get") <= sent + 1, "asked {} times", stage.sent("pulls/get"));
}

#[test]
fn b81_every_page_is_asked_for_with_the_token() {
    let stage = Stage::set();
    stage.open("topic", CHANGE);
    for at in 0..250 {
        stage.check(CHANGE, &format!("job {at}"), Some("success"));
    }
    let call = Call::of(Operation::LIST_CHECK_RUNS, "acme/shop").at("ref", sha(CHANGE));
    let listed = now(stage.client.list::<CheckRun>(stage.actor, &call)).unwrap();
    assert_eq!((listed.pages.len(), listed.listing.items.len()), (3, 250), "the repository is private");
    assert_eq!(listed.listing.shortfall, None);
}

#[test]
fn b82_a_token_that_ends_early_is_replaced_once_and_one_that_ends_soon_before() {
    let stage = Stage::set();
    let number = stage.open("topic", CHANGE);
    assert!(stage.pull(number).complete().is_some());
    assert_eq!(stage.sent("apps/create-installation-access-token"), 1);
    stage.hub().faults.plan("pulls/get", 0, 1, Fault::ExpireTokens);
    assert!(stage.pull(number).complete().is_some());
    assert_eq!(stage.sent("apps/create-installation-access-token"), 2);
    stage.hub().pass(56 * 60);
    assert!(stage.pull(number).complete().is_some());
    assert_eq!(stage.sent("apps/create-installation-access-token"), 3, "four minutes before its end");
}

#[test]
fn b83_a_clock_that_is_wrong_is_put_right_by_the_forges_date() {
    for ahead_s in [-7_200, -300, -30, 0, 45, 300, 7_200] {
        let stage = Stage::on(objects(), |wire| wire.with_clock_ahead_s(ahead_s));
        let number = stage.open("topic", CHANGE);
        let facts = stage.pull(number);
        assert!(facts.complete().is_some(), "{ahead_s}: {:?}", facts.gaps());
        let off = facts.began_at.as_micros() - noon().plus_seconds(60).as_micros();
        assert!(off.abs() < 3_000_000, "{ahead_s}: times of facts are the forge's");
    }
}
