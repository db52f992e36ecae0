//! Stories of a node.

use std::path::PathBuf;

use ontology::{Name, Principal, Timestamp};
use topics::{Object, Stored};

use super::serve::{embedded, in_memory};
use super::*;
use crate::call::{Answers, Call, CallError, Caller, ErrorCode, File, Reply, Submit, Submitted};
use crate::log::wall_clock;

fn caller(who: &str) -> Caller {
    let principal = Principal { issuer: Name::new("unix").unwrap(), subject: Name::new(who).unwrap() };
    Caller { principal, verified: true }
}

fn plan(bucket: &str) -> String {
    format!(
        r#"{{"format_version":"1.2","terraform_version":"1.11.4","resource_changes":[
            {{"address":"aws_s3_bucket.{bucket}","mode":"managed","type":"aws_s3_bucket","name":"{bucket}",
              "change":{{"actions":["create"],"before":null,"after":{{"bucket":"{bucket}"}},
              "after_unknown":{{"id":true}},"before_sensitive":false,"after_sensitive":{{}}}}}}]}}"#
    )
}

fn submit(text: String) -> Submit {
    Submit {
        change: File { path: "plan.json".into(), text }.into(),
        evidence: Vec::new(),
        source: None,
        idempotency_key: None,
        change_kind: None,
        release: None,
        process_ref: None,
        model: None,
        catalog: None,
        sent_at: Timestamp::default(),
    }
}

fn submitted(reply: Result<Reply, CallError>) -> Submitted {
    match reply {
        Ok(Reply::Submitted(submitted)) => submitted,
        other => panic!("{other:?}"),
    }
}

fn steps(node: &dyn Answers, submitted: &Submitted) -> Vec<Stored> {
    let Ok(Reply::Steps(steps)) = node.call(Call::Steps { key: submitted.review.to_string() }) else {
        panic!()
    };
    let decoded = steps.into_iter().map(|step| Stored {
        position: Position(step.position),
        at: step.at,
        step: Step::decode(step.bytes.as_slice().to_vec()).unwrap(),
    });
    decoded.collect()
}

fn topics_of(steps: &[Stored]) -> Vec<&'static str> {
    steps
        .iter()
        .flat_map(|stored| stored.step.records())
        .map(|record| record.object.topic().as_str())
        .collect()
}

fn directory() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_owned();
    (directory, path)
}

#[test]
fn a_plan_on_an_empty_estate_is_reviewed_to_its_receipt_in_one_call() {
    let node = in_memory(caller("mina")).unwrap();
    let answer = submitted(node.call(Call::Submit(Box::new(submit(plan("logs"))))));
    assert!(!answer.replayed);
    let steps = steps(&node, &answer);
    let said = topics_of(&steps);
    for topic in [
        "change",
        "state-snapshot",
        "policy-set",
        "concurrent-changes",
        "option-set",
        "review-schedule",
        "evidence-bundle",
        "graph-receipt",
        "scenario",
        "decision-case",
        "impact-envelope",
        "recommendation",
        "verdict",
        "audit-intent",
        "audit-entry",
        "decision-receipt",
        "review-projection",
    ] {
        assert_eq!(said.iter().filter(|said| **said == topic).count(), 1, "{topic} in {said:?}");
    }
}

#[test]
fn u05_the_same_change_again_is_the_stored_review_and_another_principal_is_on_record() {
    let node = in_memory(caller("mina")).unwrap();
    let first = submitted(node.call(Call::Submit(Box::new(submit(plan("logs"))))));
    let again = submitted(node.call(Call::Submit(Box::new(submit(plan("logs"))))));
    assert_eq!((first.review, true), (again.review, again.replayed));
    let other = submitted(node.call_as(caller("kim"), Call::Submit(Box::new(submit(plan("logs"))))));
    assert_eq!(first.review, other.review);
    let added = steps(&node, &first).iter().flat_map(|stored| stored.step.records().to_vec()).any(|record| {
        matches!(&record.object, Object::RequesterAdded(added) if added.requester.subject.as_str() == "kim")
    });
    assert!(added);
}

#[test]
fn s22_the_same_key_with_another_change_is_refused_and_the_first_review_is_untouched() {
    let node = in_memory(caller("mina")).unwrap();
    let keyed =
        |bucket: &str| Submit { idempotency_key: Some(Name::new("pr-7").unwrap()), ..submit(plan(bucket)) };
    let first = submitted(node.call(Call::Submit(Box::new(keyed("logs")))));
    let refused = node.call(Call::Submit(Box::new(keyed("other")))).unwrap_err();
    assert_eq!(refused.code, ErrorCode::Conflict);
    let said = topics_of(&steps(&node, &first)).into_iter().filter(|topic| *topic == "change").count();
    assert_eq!(said, 1);
}

#[test]
fn a_clock_31_seconds_ahead_is_refused_and_29_are_not() {
    let node = in_memory(caller("mina")).unwrap();
    let ahead = |seconds| Submit { sent_at: wall_clock().plus_seconds(seconds), ..submit(plan("logs")) };
    let refused = node.call(Call::Submit(Box::new(ahead(32)))).unwrap_err();
    assert_eq!(refused.code, ErrorCode::BadInput);
    assert!(refused.message.contains("at most 30 s are allowed"), "{refused}");
    submitted(node.call(Call::Submit(Box::new(ahead(29)))));
}

#[test]
fn an_embedded_log_keeps_reviews_and_replays_them_after_the_process_is_gone() {
    let (_keep, path) = directory();
    let first = {
        let node = embedded(&path, Directories::default(), caller("mina")).unwrap();
        submitted(node.call(Call::Submit(Box::new(submit(plan("logs"))))))
    };
    let node = reopened(&path);
    let again = submitted(node.call(Call::Submit(Box::new(submit(plan("logs"))))));
    assert_eq!((first.review, true), (again.review, again.replayed), "C14: a closed review is found again");
    let Ok(Reply::Replayed(report)) = node.call(Call::Replay { review: None }) else { panic!() };
    assert_eq!(report.differences, Vec::<String>::new());
    assert_eq!(report.reviews, 1);
    assert!(report.equal >= 9, "{report:?}");
}

#[test]
fn a_recheck_opens_the_next_evaluation_and_the_first_stays() {
    let node = in_memory(caller("mina")).unwrap();
    let first = submitted(node.call(Call::Submit(Box::new(submit(plan("logs"))))));
    node.call(Call::Recheck { review: first.review.short() }).unwrap();
    let steps = steps(&node, &first);
    let receipts = topics_of(&steps).into_iter().filter(|topic| *topic == "decision-receipt").count();
    assert_eq!(receipts, 2);
}

/// The thread of a dropped node lets go of the file a moment later.
fn reopened(path: &std::path::Path) -> NodeHandle {
    for _ in 0..500 {
        match embedded(path, Directories::default(), caller("mina")) {
            Err(error) if error.code == ErrorCode::Locked => {
                std::thread::sleep(std::time::Duration::from_millis(10))
            }
            other => return other.unwrap(),
        }
    }
    panic!("the lock was not released");
}
