//! A logic number is raised by hand when any output changes: these goldens fail until it is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ontology::{Digest, Name, Principal, Timestamp};
use runtime::call::{Call, Caller, Submit};
use runtime::files::{read_directory, read_file};
use runtime::log::LocalLog;
use runtime::log::memory::MemoryLog;
use runtime::node::{Directories, Node};
use topics::Kind;

/// A fixed time of day: nothing may depend on when the test runs.
const NOW: i64 = 1_796_000_000_000_000;

fn webshop(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/webshop")).join(path)
}

fn submit(change: &Path, modelled: bool) -> Call {
    let directory = |name: &str| modelled.then(|| read_directory(&webshop(name)).unwrap());
    let mut change = read_file(change).unwrap();
    change.path = "change".into();
    Call::Submit(Box::new(Submit {
        change: change.into(),
        evidence: Vec::new(),
        source: None,
        idempotency_key: None,
        change_kind: None,
        release: None,
        process_ref: None,
        model: directory("model"),
        catalog: directory("catalog"),
        sent_at: Timestamp::default(),
    }))
}

/// Everything that each agent derives about the example's changes, with and without its model, as one digest.
fn said() -> BTreeMap<String, Digest> {
    let log = Arc::new(MemoryLog::default());
    let mut node =
        Node::open(Arc::clone(&log), None, Directories::default(), Timestamp::from_micros(NOW)).unwrap();
    let principal = Principal { issuer: Name::new("unix").unwrap(), subject: Name::new("golden").unwrap() };
    let caller = Caller { principal, verified: true };
    let mut changes: Vec<PathBuf> =
        std::fs::read_dir(webshop("changes")).unwrap().map(|entry| entry.unwrap().path()).collect();
    changes.sort();
    for modelled in [false, true] {
        for change in &changes {
            let call = submit(change, modelled);
            for outcome in node.together_at([(&caller, &call)].into_iter(), Timestamp::from_micros(NOW)) {
                outcome.unwrap();
            }
        }
    }
    let mut bytes: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for stored in log.tail_now(None, usize::MAX).unwrap() {
        if stored.step.kind() == Kind::Derived {
            let said =
                bytes.entry(format!("{} logic {}", stored.step.owner(), stored.step.logic())).or_default();
            said.extend_from_slice(stored.step.bytes());
        }
    }
    bytes.into_iter().map(|(owner, bytes)| (owner, Digest::of(&bytes))).collect()
}

#[test]
fn whoever_says_something_else_has_another_logic_number() {
    let said: String = said().iter().map(|(owner, digest)| format!("{owner} {digest}\n")).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/logic/golden.txt");
    let golden = std::fs::read_to_string(path).unwrap_or_default();
    if std::env::var_os("ARB_BLESS").is_some() {
        std::fs::create_dir_all(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/logic")).unwrap();
        std::fs::write(path, &said).unwrap();
        return;
    }
    assert_eq!(
        said, golden,
        "an agent says something else: raise its LOGIC, then run this test with ARB_BLESS=1"
    );
}
