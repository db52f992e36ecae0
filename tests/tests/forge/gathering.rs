//! Facts of a pull request: what they say, what they cost, and that they say so when they are not whole.

use governance_bot::facts::{PullFacts, pull_facts};
use governance_bot::forge::Shortfall;
use tests::ready::now;

use super::stage::{CHANGE_MORE, LONG, MAIN_NEXT, MOVES, Stage, VERY_WIDE, WIDE, sha};

/// A pull request about which everything that can be said is said.
fn eventful(stage: &Stage) -> u64 {
    let number = stage.open("topic", CHANGE_MORE);
    stage.hub().protect(stage.shop, "main", &[("build", Some(stage.pipeline))]);
    stage.check(CHANGE_MORE, "build", Some("failure"));
    stage.check(CHANGE_MORE, "build", Some("success"));
    let mut hub = stage.hub();
    hub.set_status(stage.shop, stage.bob, sha(CHANGE_MORE), "licences", "success", None);
    hub.label(stage.shop, number, "ready-to-merge", stage.alice);
    hub.comment_by(stage.shop, number, stage.bob, "Please look.");
    hub.review_by(stage.shop, number, stage.alice, "APPROVED", "Good.");
    hub.react(stage.shop, number, stage.alice, "+1");
    hub.attach(stage.shop, stage.bob, sha(CHANGE_MORE), ".github/workflows/plan.yml", "arb-plan", b"{}");
    number
}

fn gaps(facts: &PullFacts) -> Vec<String> {
    facts.gaps().iter().map(ToString::to_string).collect()
}

#[test]
fn facts_of_a_pull_request_are_whole_and_cost_at_most_ten_calls_and_then_only_304s() {
    let stage = Stage::set();
    let number = eventful(&stage);
    let repository = stage.repository();
    let before = stage.client.tally();
    let facts = now(pull_facts(&stage.client, stage.actor, &repository, number)).unwrap();
    let first = stage.client.tally();
    assert_eq!(gaps(&facts), Vec::<String>::new());
    assert_eq!(first.calls - before.calls, 10, "everything is there to be read: {:?}", first.by_operation);

    let again = now(pull_facts(&stage.client, stage.actor, &repository, number)).unwrap();
    let second = stage.client.tally();
    assert_eq!(second.calls - first.calls, 10);
    // The first reading had the forge compute its test merge; from then on nothing changes.
    let third = now(pull_facts(&stage.client, stage.actor, &repository, number)).unwrap();
    let last = stage.client.tally();
    assert_eq!(last.not_modified - second.not_modified, last.calls - second.calls, "only 304s");
    assert_eq!(again.digest(), third.digest());
    assert!(third.sources.iter().all(|source| source.status == 304 && source.request_id.is_some()));
}

#[test]
fn facts_say_what_is_there() {
    let stage = Stage::set();
    let number = eventful(&stage);
    let facts = stage.pull(number);
    let content = &facts.content;
    assert_eq!(content.pull.head.sha, sha(CHANGE_MORE));
    assert_eq!((content.behind_by, content.base_head.as_deref()), (Some(0), Some(sha(super::stage::ROOT))));
    let subjects: Vec<&str> =
        content.commits.items.iter().filter_map(|commit| commit.commit.message.lines().next()).collect();
    assert_eq!(subjects, ["Change a", "Add d"]);
    assert!(
        content.commits.items.iter().all(|commit| commit.trailers.len() == 3 && commit.parents.len() == 1)
    );
    let conclusions: Vec<&str> = content
        .check_runs
        .items
        .iter()
        .filter_map(|run| run.conclusion.as_ref())
        .map(governance_bot::forge::view::CheckConclusion::word)
        .collect();
    assert_eq!(conclusions, ["failure", "success"], "superseded runs stay as evidence");
    assert_eq!(content.statuses.items.len(), 1);
    assert_eq!(content.reviews.items[0].commit_id.as_deref(), Some(sha(CHANGE_MORE)));
    let labeled = content.timeline.items.iter().find(|event| event.is("labeled")).unwrap();
    assert_eq!(labeled.actor.as_ref().map(|actor| actor.id), Some(stage.alice), "who set the label");
    assert_eq!(content.reactions.items[0].content, "+1");
    assert_eq!(content.runs.items[0].path.as_deref(), Some(".github/workflows/plan.yml"));
    assert_eq!(content.artifacts.items[0].name, "arb-plan");
    assert_eq!(facts.sources.len(), facts.evidence.len());
    for (source, evidence) in facts.sources.iter().zip(&facts.evidence) {
        assert_eq!(source.digest, evidence.digest(), "the body as it came is kept");
        assert!(serde_json::from_slice::<serde_json::Value>(&evidence.body()).is_ok());
    }
}

#[test]
fn what_is_written_of_facts_is_read_again() {
    let stage = Stage::set();
    let facts = stage.pull(eventful(&stage));
    let written = serde_json::to_vec(&facts).unwrap();
    let read: PullFacts = serde_json::from_slice(&written).unwrap();
    assert_eq!(read.digest(), facts.digest());
    assert_eq!(read.content, facts.content);
    assert_eq!(read.sources, facts.sources);
}

#[test]
fn b85_more_than_250_commits_are_walked_by_the_comparison_and_are_whole() {
    let stage = Stage::set();
    let facts = stage.pull(stage.open("long", LONG + 259));
    assert_eq!(gaps(&facts), Vec::<String>::new());
    assert_eq!(facts.content.commits.items.len(), 260);
}

#[test]
fn b86_b87_files_are_read_by_pages_and_3000_of_them_may_be_more() {
    let stage = Stage::set();
    let facts = stage.pull(stage.open("wide", WIDE));
    assert_eq!(gaps(&facts), Vec::<String>::new());
    assert_eq!(facts.content.files.items.len(), 320);
    let facts = stage.pull(stage.open("very-wide", VERY_WIDE));
    assert_eq!(facts.content.files.items.len(), 3_000);
    assert_eq!(facts.content.files.shortfall, Some(Shortfall::Capped { cap: 3_000, listed: 3_000 }));
    assert!(facts.complete().is_none());
}

#[test]
fn a_rename_tells_where_a_file_was() {
    let stage = Stage::set();
    let facts = stage.pull(stage.open("moves", MOVES));
    let files: Vec<(&str, Option<&str>, &str)> = facts
        .content
        .files
        .items
        .iter()
        .map(|file| (file.filename.as_str(), file.previous_filename.as_deref(), file.status.word()))
        .collect();
    assert_eq!(files, [("free/rules.tf", Some("guarded/rules.tf"), "renamed"), ("old.tf", None, "removed")]);
}

#[test]
fn b68_up_to_date_is_what_a_comparison_with_the_bases_head_says() {
    let stage = Stage::set();
    let number = stage.open("topic", CHANGE_MORE);
    let old_base = stage.pull(number).content.pull.base.sha;
    stage.hub().push(stage.shop, "main", sha(MAIN_NEXT), stage.alice);
    let facts = stage.pull(number);
    assert_eq!(facts.content.pull.base.sha, old_base, "the payload's base does not move");
    assert_eq!(facts.content.behind_by, Some(1));
    assert_eq!(facts.content.base_head.as_deref(), Some(sha(MAIN_NEXT)));
}
