//! Facts of branches, what the forge requires of a head, and who the App works for.

use governance_bot::facts::{Reached, branch_history};
use governance_bot::forge::view::Installation;
use governance_bot::forge::{Actor, Call, Operation, Secret, Shortfall, graphql};
use governance_bot::webhook::{Intake, find_missed, redeliver};
use tests::ready::now;

use super::stage::{CHANGE, LONG, LONG_COMMITS, ROOT, Stage, noon, sha};

#[test]
fn the_commits_of_a_branch_are_read_back_to_an_anchor_or_it_is_said_how_far() {
    let stage = Stage::set();
    let check = |head: u64, anchor: Option<u64>, expect: (usize, Reached)| {
        let anchor = anchor.map(sha);
        let history = branch_history(&stage.client, stage.actor, "acme/shop", sha(head), anchor);
        let history = now(history).unwrap();
        assert_eq!((history.commits.items.len(), history.reached), expect, "{head} to {anchor:?}");
        assert!(history.commits.items.iter().all(|commit| Some(commit.sha.as_str()) != anchor));
    };
    check(LONG + 9, Some(LONG + 4), (5, Reached::Anchor));
    check(LONG + 249, Some(LONG + 9), (240, Reached::Anchor));
    check(LONG + 9, Some(LONG + 9), (0, Reached::Anchor));
    // History was rewritten: the anchor is no part of it any more.
    check(LONG + 9, Some(CHANGE), (11, Reached::Beginning));
    check(CHANGE, None, (2, Reached::Beginning));
    check(LONG + LONG_COMMITS - 1, Some(ROOT), (1_000, Reached::Bound));
}

#[test]
fn b16_the_forge_says_which_checks_of_a_head_it_requires() {
    let stage = Stage::set();
    let number = stage.open("topic", CHANGE);
    stage.hub().protect(stage.shop, "main", &[("build", Some(stage.pipeline))]);
    stage.hub().rule(stage.shop, "main", &[("licences", None)]);
    for at in 0..120 {
        stage.check(CHANGE, &format!("job {at}"), Some("success"));
    }
    stage.check(CHANGE, "build", Some("success"));
    stage.hub().set_status(stage.shop, stage.bob, sha(CHANGE), "licences", "pending", None);
    let asked = graphql::required_of_head(&stage.client, stage.actor, "acme/shop", number);
    let (head, checks) = now(asked).unwrap();
    assert_eq!((head.as_str(), checks.items.len(), checks.shortfall), (sha(CHANGE), 122, None));
    let required = checks.items.iter().filter(|check| check.required);
    assert_eq!(required.map(|check| check.name.as_str()).collect::<Vec<_>>(), ["build", "licences"]);
}

#[test]
fn several_installations_are_listed_and_each_sees_its_own() {
    let stage = Stage::set();
    let other = {
        let mut hub = stage.hub();
        let other = hub.account("other", "Organization");
        let app = stage.app;
        hub.install(app, other)
    };
    let call = Call::new(Operation::LIST_INSTALLATIONS);
    let listed = now(stage.client.list::<Installation>(Actor::App, &call)).unwrap().listing.items;
    let logins: Vec<_> = listed.iter().filter_map(Installation::login).collect();
    assert_eq!(logins, ["acme", "other"]);
    let call = Call::of(Operation::GET_REPOSITORY, "acme/shop");
    assert!(now(stage.client.call(stage.actor, &call)).is_ok());
    let hidden = now(stage.client.call(Actor::Installation(other), &call)).unwrap_err();
    assert!(hidden.is_missing(), "what one may see is neither shown nor kept for another: {hidden}");
}

#[test]
fn b71_a_delivery_that_the_forge_sends_no_more_is_told() {
    let stage = Stage::set();
    stage.hub().deliveries.secret = Some("secret".to_owned());
    stage.open("topic", CHANGE);
    drop(stage.hub().take_posted());
    let intake = Intake::new(vec![Secret::new("secret")]);
    let since = noon().plus_seconds(-60);
    let missed = |stage: &Stage| now(find_missed(&stage.client, &intake, since)).unwrap();
    let (found, unheard) = missed(&stage);
    assert_eq!(found.len(), 2, "a push and a pull request");
    assert!(found.iter().all(|missed| missed.can_be_asked_for));
    let why = unheard.map(|unheard| unheard.why);
    assert!(
        matches!(why, Some(Shortfall::Capped { .. })),
        "the listing does not reach back to then: {why:?}"
    );
    stage.hub().pass(3 * 86_400 - 1_800);
    let (found, _) = missed(&stage);
    assert!(found.iter().all(|missed| !missed.can_be_asked_for), "half an hour is too short to rely on");
    stage.hub().pass(3_600);
    assert!(now(redeliver(&stage.client, &found[0])).unwrap_err().is_missing());
    assert!(missed(&stage).0.is_empty());
}
