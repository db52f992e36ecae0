//! The faults of other gates by number: which are tests here, and which are left to deciding.

use std::collections::BTreeMap;
use std::path::Path;

/// `number | here | what` or `number | deciding | what`.
const FAULTS: &str = include_str!("../../github/faults.txt");
/// How many there are.
const COUNT: u64 = 99;

fn sources(folder: &Path, found: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}

/// Whether a test bears a number: `fn b57_…` or `fn b57_b58_…`.
fn bears(sources: &str, number: u64) -> bool {
    let names = sources.split("fn ").skip(1).filter_map(|part| part.split('(').next());
    let words = |name: &str| {
        name.split('_').take_while(|word| word.starts_with('b')).any(|word| word == format!("b{number}"))
    };
    names.into_iter().any(words)
}

#[test]
fn every_fault_has_a_test_here_or_is_left_to_deciding() {
    let mut found = String::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    sources(&root.join("tests/forge"), &mut found);
    sources(&root.join("../governance-bot/src"), &mut found);
    let mut listed = BTreeMap::new();
    for line in FAULTS.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let parts: Vec<&str> = line.splitn(3, " | ").collect();
        let [number, place, what] = parts.as_slice() else { panic!("{line}") };
        let number: u64 = number.parse().unwrap();
        assert!(!what.is_empty() && listed.insert(number, *place).is_none(), "{line}");
        match *place {
            "here" => assert!(bears(&found, number), "no test is called b{number}_…"),
            "deciding" => assert!(!bears(&found, number), "b{number} has a test: it is here"),
            other => panic!("{line}: {other}"),
        }
    }
    assert_eq!(listed.keys().copied().collect::<Vec<_>>(), (1..=COUNT).collect::<Vec<_>>());
}
