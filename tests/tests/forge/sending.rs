//! What is sent: merges once, comments once, nothing without its head.

use governance_bot::forge::marker::{Marked, comment_once};
use governance_bot::forge::view::Pull;
use governance_bot::forge::{
    Call, Failure, Merge, MergeMethod, MergeOutcome, MergeRefusal, Operation, merge,
};
use serde_json::json;
use tests::fakehub::faults::Fault;
use tests::ready::now;

use super::stage::{CHANGE, CHANGE_MORE, ROOT, Stage, objects, sha};

fn merge_of(stage: &Stage, number: u64, head: u64) -> Result<MergeOutcome, Failure> {
    let asked = Merge {
        full_name: "acme/shop",
        number,
        head: sha(head),
        method: MergeMethod::Squash,
        title: "Change a (#1)",
        message: "Agent-ID: helper",
    };
    now(merge(&stage.client, stage.actor, &asked))
}

fn head_of_main(stage: &Stage) -> String {
    stage.hub().world.repositories[&stage.shop].branches["main"].clone()
}

#[test]
fn b52_b89_a_merge_names_its_head_and_its_words() {
    let stage = Stage::set();
    let number = stage.open("topic", CHANGE);
    stage.hub().push(stage.shop, "topic", sha(CHANGE_MORE), stage.bob);
    let refused = merge_of(&stage, number, CHANGE).unwrap();
    assert!(matches!(refused, MergeOutcome::Refused { reason: MergeRefusal::HeadMoved, .. }), "{refused:?}");
    let MergeOutcome::Landed { sha: landed } = merge_of(&stage, number, CHANGE_MORE).unwrap() else {
        panic!()
    };
    let commit = objects().commit(&landed).unwrap();
    assert_eq!(commit.message.trim_end(), "Change a (#1)\n\nAgent-ID: helper");
    assert_eq!(head_of_main(&stage), landed);
}

#[test]
fn b57_b58_a_merge_whose_reply_is_lost_is_sent_once_and_its_outcome_is_unknown() {
    for fault in [
        Fault::FailAfter(502),
        Fault::FailAfter(500),
        Fault::LoseReply,
        Fault::FailBefore(502),
        Fault::LoseRequest,
    ] {
        let stage = Stage::set();
        let number = stage.open("topic", CHANGE);
        let landed = matches!(fault, Fault::FailAfter(_) | Fault::LoseReply);
        stage.hub().faults.plan("pulls/merge", 0, 1, fault.clone());
        let outcome = merge_of(&stage, number, CHANGE).unwrap();
        assert!(matches!(outcome, MergeOutcome::Unknown { .. }), "{fault:?}: {outcome:?}");
        assert_eq!(stage.sent("pulls/merge"), 1, "{fault:?}");
        assert_eq!(stage.carried_out("pulls/merge"), u64::from(landed));
        // It is found out by reading.
        let call = Call::of(Operation::GET_PULL, "acme/shop").at("pull_number", number);
        let pull: Pull =
            now(stage.client.call(stage.actor, &call)).unwrap().view(Operation::GET_PULL).unwrap();
        assert_eq!(pull.merged, Some(landed));
        assert_eq!(head_of_main(&stage) != sha(ROOT), landed);
    }
}

#[test]
fn b54_a_merge_refused_because_of_a_limit_or_a_moved_base_is_not_sent_again() {
    let stage = Stage::set();
    let number = stage.open("topic", CHANGE);
    let moved = "Base branch was modified. Review and try the merge again.";
    stage.hub().faults.plan("pulls/merge", 0, 1, Fault::refusal(405, moved));
    stage.hub().faults.plan("pulls/merge", 0, 1, Fault::secondary(403, Some(5)));
    let outcome = merge_of(&stage, number, CHANGE).unwrap();
    assert!(matches!(outcome, MergeOutcome::Refused { reason: MergeRefusal::BaseMoved, .. }), "{outcome:?}");
    let outcome = merge_of(&stage, number, CHANGE).unwrap();
    assert!(matches!(outcome, MergeOutcome::Refused { reason: MergeRefusal::Limited(_), .. }), "{outcome:?}");
    assert_eq!((stage.sent("pulls/merge"), stage.carried_out("pulls/merge")), (2, 0));
}

#[test]
fn b61_a_draft_says_that_it_is_one() {
    let stage = Stage::set();
    let number = stage.open("topic", CHANGE);
    stage.hub().set_draft(stage.shop, number, true, stage.bob);
    assert!(stage.pull(number).content.pull.draft);
    let outcome = merge_of(&stage, number, CHANGE).unwrap();
    assert!(matches!(outcome, MergeOutcome::Refused { reason: MergeRefusal::Draft, .. }), "{outcome:?}");
}

#[test]
fn b76_two_writers_leave_one_comment_and_a_lost_reply_makes_no_second() {
    for fault in [
        None,
        Some(Fault::LoseReply),
        Some(Fault::FailAfter(502)),
        Some(Fault::LoseRequest),
        Some(Fault::FailBefore(502)),
    ] {
        let stage = Stage::set();
        let number = stage.open("topic", CHANGE);
        let author = stage.hub().world.apps[&stage.app].bot;
        let marker = "<!-- merge-gate:diagnostic -->";
        stage.hub().comment_by(stage.shop, number, stage.bob, &format!("{marker}\nnot ours"));
        if let Some(fault) = fault.clone() {
            stage.hub().faults.plan("issues/create-comment", 0, 1, fault);
        }
        let marked = Marked { full_name: "acme/shop", number, author, marker };
        let first = now(comment_once(&stage.client, stage.actor, &marked, "blocked")).unwrap();
        let second = now(comment_once(&stage.client, stage.actor, &marked, "blocked")).unwrap();
        let edited = now(comment_once(&stage.client, stage.actor, &marked, "clear")).unwrap();
        assert_eq!((first, first), (second, edited), "{fault:?}");
        let hub = stage.hub();
        let comments = &hub.world.repositories[&stage.shop].issues[&number].comments;
        let own: Vec<&str> = comments
            .iter()
            .filter(|comment| comment.author == author)
            .map(|comment| comment.body.as_str())
            .collect();
        assert_eq!(own, [format!("{marker}\nclear")], "{fault:?}");
        drop(hub);
        assert_eq!(stage.carried_out("issues/create-comment"), 1, "{fault:?}");
    }
}

#[test]
fn b76_of_two_that_were_written_at_once_the_older_stays() {
    let stage = Stage::set();
    let number = stage.open("topic", CHANGE);
    let author = stage.hub().world.apps[&stage.app].bot;
    let marked = Marked { full_name: "acme/shop", number, author, marker: "<!-- m -->" };
    // Another writer comes between looking and writing.
    let (shop, shared) = (stage.shop, stage.shared());
    let calls = std::sync::atomic::AtomicU32::new(0);
    let look = || {
        let first = calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0;
        let shared = std::sync::Arc::clone(&shared);
        async move {
            if first {
                shared.lock().unwrap().comment_by(shop, number, author, "<!-- m -->\nother");
            }
            Ok::<Option<u64>, Failure>(None)
        }
    };
    let call = Call::of(Operation::CREATE_COMMENT, "acme/shop").at("issue_number", number);
    now(stage.client.make_once(stage.actor, &call.sending(json!({ "body": "<!-- m -->\nours" })), look))
        .unwrap();
    assert_eq!(stage.hub().world.repositories[&stage.shop].issues[&number].comments.len(), 2);
    let kept = now(comment_once(&stage.client, stage.actor, &marked, "text")).unwrap();
    let oldest = stage.hub().world.repositories[&stage.shop].issues[&number].comments[0].id;
    assert_eq!(kept, oldest, "the older one is edited in place");
}
