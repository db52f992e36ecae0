//! Ugly things that are read, one at a time: each fault of other gates that concerns reading, by its number.

use governance_bot::forge::view::Artifact;
use governance_bot::forge::{Actor, Call, Operation, Shortfall};
use serde_json::json;
use tests::fakehub::faults::Fault;
use tests::ready::now;

use super::stage::{CHANGE, CHANGE_MORE, MAIN_NEXT, OTHER, ROOT, Stage, sha};

#[test]
fn b17_b22_runs_of_one_name_are_all_kept_with_publisher_and_number() {
    let stage = Stage::set();
    let number = stage.open("topic", CHANGE);
    stage.check(CHANGE, "build", Some("failure"));
    let other = tests::fakehub::people::NewCheck {
        app: stage.app,
        head: sha(CHANGE),
        name: "build",
        conclusion: Some("success"),
    };
    stage.hub().check(stage.shop, &other);
    stage.hub().set_status(stage.shop, stage.bob, sha(CHANGE), "build", "pending", None);
    let content = stage.pull(number).content;
    let runs: Vec<(u64, &str)> = content
        .check_runs
        .items
        .iter()
        .map(|run| {
            (run.app.as_ref().map_or(0, |app| app.id), run.conclusion.as_ref().map_or("", |word| word.word()))
        })
        .collect();
    assert_eq!(runs, [(stage.pipeline, "failure"), (stage.app, "success")]);
    assert!(content.check_runs.items[0].id < content.check_runs.items[1].id);
    assert_eq!(content.statuses.items[0].context, "build", "and the status of that name beside them");
}

#[test]
fn b26_b28_all_of_153_runs_are_read_and_a_page_of_30_is_not_taken_for_all() {
    let stage = Stage::set();
    let number = stage.open("topic", CHANGE);
    for at in 0..153 {
        stage.check(CHANGE, &format!("job {at}"), Some("success"));
    }
    assert_eq!(stage.pull(number).content.check_runs.items.len(), 153);
    // A server that does not honour `per_page` still says how many there are, and where the next page is.
    stage.hub().pass(1);
    stage.check(CHANGE, "last", Some("failure"));
    stage.hub().faults.plan("checks/list-for-ref", 0, 1, Fault::Truncate { keep: 30, keep_link: false });
    let facts = stage.pull(number);
    let shortfall = Some(Shortfall::Counted { counted: 154, listed: 30 });
    assert_eq!(facts.content.check_runs.shortfall, shortfall);
    assert!(facts.complete().is_none());
}

#[test]
fn b29_a_thousand_suites_may_be_more() {
    let stage = Stage::set();
    let number = stage.open("topic", CHANGE);
    {
        let mut hub = stage.hub();
        let first = hub.check(
            stage.shop,
            &tests::fakehub::people::NewCheck {
                app: stage.pipeline,
                head: sha(CHANGE),
                name: "build",
                conclusion: Some("success"),
            },
        );
        let runs = &mut hub.world.repositories.get_mut(&stage.shop).unwrap().check_runs;
        let run = runs[&first].clone();
        for at in 1..=1_000 {
            let (id, suite) = (first + at * 2, run.suite + at * 2);
            runs.insert(id, tests::fakehub::world::CheckRun { id, suite, ..run.clone() });
        }
    }
    let facts = stage.pull(number);
    assert_eq!(facts.content.check_runs.items.len(), 1_000, "the oldest suite is not listed");
    assert_eq!(facts.content.check_runs.shortfall, Some(Shortfall::Capped { cap: 1_000, listed: 1_000 }));
}

#[test]
fn b33_a_missing_permission_is_unknown_and_no_absence() {
    let stage = Stage::set();
    stage.open("topic", CHANGE);
    stage.hub().protect(stage.shop, "main", &[("build", None)]);
    let Actor::Installation(installation) = stage.actor else { unreachable!() };
    stage.hub().world.installations.get_mut(&installation).unwrap().permissions.remove("administration");
    let branch = stage.repository().branches["main"].clone();
    assert!(branch.protection.unknown().is_some(), "{:?}", branch.protection);
    assert!(branch.required.unknown().is_some());
    assert_eq!(branch.gaps().len(), 1);
}

#[test]
fn b31_b84_both_places_of_required_checks_are_read_and_a_plan_without_them_is_no_error() {
    let stage = Stage::set();
    stage.hub().protect(stage.shop, "main", &[("build", Some(stage.pipeline))]);
    stage.hub().rule(stage.shop, "main", &[("plan", None)]);
    let branch = stage.repository().branches["main"].clone();
    let names: Vec<&str> = branch.required.value().unwrap().iter().map(|check| check.name.as_str()).collect();
    assert_eq!(names, ["build", "plan"]);
    stage.hub().world.repositories.get_mut(&stage.shop).unwrap().offers_protection = false;
    let branch = stage.repository().branches["main"].clone();
    assert_eq!(branch.gaps(), []);
    assert!(branch.required.value().unwrap().is_empty());
}

#[test]
fn b34_who_set_a_label_is_in_the_timeline_by_number() {
    let stage = Stage::set();
    let number = stage.open("topic", CHANGE);
    stage.hub().label(stage.shop, number, "ready-to-merge", stage.bob);
    stage.hub().unlabel(stage.shop, number, "ready-to-merge", stage.alice);
    stage.hub().label(stage.shop, number, "ready-to-merge", stage.alice);
    let content = stage.pull(number).content;
    let labels = content.timeline.items.iter().filter(|event| event.label.is_some());
    let who: Vec<_> =
        labels.map(|event| (event.actor.as_ref().unwrap().id, event.event.as_deref().unwrap())).collect();
    assert_eq!(who, [(stage.bob, "labeled"), (stage.alice, "unlabeled"), (stage.alice, "labeled")]);
}

#[test]
fn b48_a_snapshot_keeps_the_commit_that_a_review_was_about_when_the_forge_moves_it() {
    let stage = Stage::set();
    let number = stage.open("topic", CHANGE);
    stage.hub().review_by(stage.shop, number, stage.alice, "APPROVED", "");
    let before = stage.pull(number);
    stage.hub().push(stage.shop, "main", sha(MAIN_NEXT), stage.alice);
    let call = Call::of(Operation::UPDATE_BRANCH, "acme/shop").at("pull_number", number);
    now(stage.client.call(stage.actor, &call.sending(json!({ "expected_head_sha": sha(CHANGE) })))).unwrap();
    let after = stage.pull(number);
    let about = |facts: &governance_bot::facts::PullFacts| facts.content.reviews.items[0].commit_id.clone();
    assert_eq!(about(&before).as_deref(), Some(sha(CHANGE)));
    assert_eq!(about(&after), Some(after.content.pull.head.sha.clone()), "the forge says another one now");
    assert_ne!(before.digest(), after.digest());
}

#[test]
fn b49_a_change_of_base_shows_in_the_timeline_and_the_files_are_of_pinned_commits() {
    let stage = Stage::set();
    stage.hub().push(stage.shop, "narrow", sha(CHANGE), stage.alice);
    let number = stage.open("topic", CHANGE_MORE);
    let files = |stage: &Stage| stage.pull(number).content.files.items.len();
    assert_eq!(files(&stage), 2);
    stage.hub().retarget(stage.shop, number, "narrow", stage.bob);
    assert_eq!(files(&stage), 1, "a smaller difference to look at");
    stage.hub().retarget(stage.shop, number, "main", stage.bob);
    let content = stage.pull(number).content;
    assert_eq!(content.timeline.items.iter().filter(|event| event.is("base_ref_changed")).count(), 2);
}

#[test]
fn b64_b65_mergeability_is_unknown_until_it_was_asked_for_and_computed() {
    let stage = Stage::set();
    stage.hub().behaviour.mergeable_after_reads = 3;
    let number = stage.open("topic", CHANGE);
    let first = stage.pull(number);
    assert_eq!(first.content.pull.mergeable, None, "neither yes nor no");
    assert!(first.complete().is_some(), "what is not known yet is no gap: trees are predicted by git");
    stage.pull(number);
    assert_eq!(stage.pull(number).content.pull.mergeable, Some(true));
    stage.hub().push(stage.shop, "main", sha(OTHER), stage.alice);
    for _ in 0..3 {
        stage.pull(number);
    }
    assert_eq!(stage.pull(number).content.pull.mergeable, Some(false));
}

#[test]
fn b94_a_file_above_a_megabyte_is_read_as_a_blob() {
    let stage = Stage::set();
    let large = "x".repeat((1 << 20) + 1);
    let files = [("large.yml", Some(large.as_str())), ("small.yml", Some("a: 1\n"))];
    let commit = stage.hub().write_commit(stage.shop, sha(ROOT), stage.alice, "Add files\n", &files);
    stage.hub().push(stage.shop, "main", &commit, stage.alice);
    let read = |path: &str| {
        let read =
            governance_bot::forge::files::read_file(&stage.client, stage.actor, "acme/shop", &commit, path);
        now(read).unwrap().map(|(bytes, _)| bytes.len())
    };
    assert_eq!(read("large.yml"), Some(large.len()));
    assert_eq!(read("small.yml"), Some(5));
    assert_eq!(read("none.yml"), None);
}

#[test]
fn an_answer_that_is_no_json_is_a_gap_and_no_panic() {
    let stage = Stage::set();
    let number = stage.open("topic", CHANGE);
    let before = stage.repository();
    for operation in [
        "checks/list-for-ref",
        "issues/list-events-for-timeline",
        "pulls/list-reviews",
        "repos/compare-commits",
    ] {
        stage.hub().faults.plan(operation, 0, 1, Fault::Garbage);
        stage.hub().pass(1);
        let facts =
            now(governance_bot::facts::pull_facts(&stage.client, stage.actor, &before, number)).unwrap();
        assert!(facts.complete().is_none(), "{operation}");
        assert!(stage.pull(number).complete().is_some(), "{operation}: and nothing of it is kept");
    }
}

#[test]
fn an_artifact_is_tied_to_its_head_and_its_workflow() {
    let stage = Stage::set();
    let number = stage.open("topic", CHANGE);
    stage.hub().attach(stage.shop, stage.bob, sha(OTHER), ".github/workflows/x.yml", "arb-plan", b"other");
    assert_eq!(stage.pull(number).content.artifacts.items, Vec::<Artifact>::new(), "of another head");
    stage.hub().attach(stage.shop, stage.bob, sha(CHANGE), ".github/workflows/plan.yml", "arb-plan", b"own");
    let content = stage.pull(number).content;
    let run = content.artifacts.items[0].workflow_run.as_ref().unwrap();
    assert_eq!(run.head_sha.as_deref(), Some(sha(CHANGE)));
    assert_eq!(content.runs.items.iter().filter(|found| Some(found.id) == run.id).count(), 1);
}
