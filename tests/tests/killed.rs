//! SIGKILL at any point: nothing accepted is lost, nothing is decided twice; two commands on one directory both work.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use ontology::{Name, ReviewId, Timestamp};
use runtime::call::{Answers, Call, File, Reply, Submit};
use runtime::door::client::Client;
use runtime::door::{self, Location};
use runtime::node::Directories;
use tests::binaries::binary;
use topics::{Object, Step};

/// Submissions that must be accepted in all.
const SUBMISSIONS: usize = 200;
/// How long a process may take to answer before the test gives up on it.
const PATIENCE: Duration = Duration::from_secs(30);

fn location(directory: &Path) -> Location {
    Location { directory: directory.to_owned(), directories: Directories::default() }
}

fn plan(number: usize) -> String {
    format!(
        r#"{{"format_version":"1.2","resource_changes":[{{"address":"aws_sqs_queue.q{number}","mode":"managed",
           "type":"aws_sqs_queue","name":"q{number}","change":{{"actions":["create"],"before":null,
           "after":{{"name":"q{number}"}},"after_unknown":{{}},"before_sensitive":false,"after_sensitive":{{}}}}}}]}}"#
    )
}

fn submission(number: usize) -> Call {
    Call::Submit(Box::new(Submit {
        change: File { path: "plan.json".into(), text: plan(number) }.into(),
        evidence: Vec::new(),
        source: Some(Name::new("killed").unwrap()),
        idempotency_key: Some(Name::new(number.to_string()).unwrap()),
        change_kind: None,
        release: None,
        process_ref: None,
        model: None,
        catalog: None,
        sent_at: Timestamp::default(),
    }))
}

fn start(directory: &Path) -> Child {
    let mut command = Command::new(binary("arbd"));
    command.arg("--dir").arg(directory).env("RUST_LOG", "error");
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let client = Client::unix(location(directory).socket());
    wait_for(|| client.call(Call::Status).is_ok());
    child
}

#[allow(clippy::disallowed_methods, reason = "a test's patience with another process")]
fn wait_for(mut condition: impl FnMut() -> bool) {
    let since = std::time::Instant::now();
    while !condition() {
        assert!(since.elapsed() < PATIENCE, "gave up waiting");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Decided once: every topic of evaluation 1 once, whatever was repeated.
fn counted(steps: &[runtime::call::StoredStep]) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for step in steps {
        let step = Step::decode(step.bytes.as_slice().to_vec()).unwrap();
        for record in step.records() {
            *counts.entry(record.object.topic().as_str()).or_default() += 1;
            if let Object::DecisionReceipt(receipt) = &record.object {
                assert_eq!(receipt.evaluation, 1, "nobody asked for another evaluation");
            }
        }
    }
    counts
}

#[test]
fn killed_anywhere_nothing_accepted_is_lost_and_nothing_is_decided_twice() {
    let directory = tempfile::tempdir().unwrap();
    let mut rng = fastrand::Rng::with_seed(20_261_130);
    let client = Client::unix(location(directory.path()).socket());
    let mut accepted: BTreeSet<ReviewId> = BTreeSet::new();
    let mut child = start(directory.path());
    let mut kills = 0;
    while accepted.len() < SUBMISSIONS {
        let deadly = rng.u8(0..100) < 15;
        let number = accepted.len();
        if deadly {
            // Somewhere between before the request is read and after the answer is written.
            let delay = Duration::from_micros(rng.u64(0..4_000));
            let killer = std::thread::spawn(move || {
                std::thread::sleep(delay);
                child.kill().unwrap(); // SIGKILL
                child.wait().unwrap();
            });
            if let Ok(Reply::Submitted(submitted)) = client.call(submission(number)) {
                accepted.insert(submitted.review);
            }
            killer.join().unwrap();
            kills += 1;
            child = start(directory.path());
        } else if let Ok(Reply::Submitted(submitted)) = client.call(submission(number)) {
            accepted.insert(submitted.review);
        }
    }
    assert!(kills >= 10, "only {kills} kills: the test tries nothing");
    for review in &accepted {
        let Ok(Reply::Steps(steps)) = client.call(Call::Steps { key: review.to_string() }) else {
            panic!("{review} is lost")
        };
        let counts = counted(&steps);
        for topic in ["change", "evidence-bundle", "recommendation", "verdict", "decision-receipt"] {
            assert_eq!(counts.get(topic), Some(&1), "{topic} of {review}: {counts:?}");
        }
    }
    let Ok(Reply::Replayed(report)) = client.call(Call::Replay { review: None }) else { panic!() };
    assert_eq!(report.differences, Vec::<String>::new());
    assert!(report.reviews >= SUBMISSIONS as u64);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn two_commands_on_one_directory_both_work() {
    let directory = tempfile::tempdir().unwrap();
    let run = |number: usize, path: PathBuf| {
        std::thread::spawn(move || {
            for repeated in 0..10 {
                // Each is a command of its own: it opens, is the node or speaks to it, and ends.
                let door = door::open(&location(&path)).unwrap();
                let reply = door.call(submission(number * 100 + repeated)).unwrap();
                assert!(matches!(reply, Reply::Submitted(_)));
            }
        })
    };
    let threads =
        [run(1, directory.path().into()), run(2, directory.path().into()), run(3, directory.path().into())];
    for thread in threads {
        thread.join().unwrap();
    }
    let door = door::open(&location(directory.path())).unwrap();
    let Ok(Reply::List(listed)) = door.call(Call::List { limit: 100 }) else { panic!() };
    assert_eq!(listed.len(), 30);
}
