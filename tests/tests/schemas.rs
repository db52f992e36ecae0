//! `docs/schemas/` says what the program prints and takes as JSON. `ARB_BLESS=1` writes it anew.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use runtime::schemas::all;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schemas")
}

fn text(schema: &serde_json::Value) -> String {
    serde_json::to_string_pretty(schema).unwrap() + "\n"
}

#[test]
fn the_schemas_in_the_documents_are_those_of_the_types() {
    let bless = std::env::var_os("ARB_BLESS").is_some_and(|it| it == "1");
    let mut stale = Vec::new();
    for (name, schema) in all() {
        let path = directory().join(&name);
        if bless {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text(&schema)).unwrap();
        }
        if std::fs::read_to_string(&path).ok().as_deref() != Some(text(&schema).as_str()) {
            stale.push(name);
        }
    }
    assert!(stale.is_empty(), "ARB_BLESS=1 cargo test -p tests schemas:: writes these: {stale:?}");
}

#[test]
fn every_file_among_the_schemas_is_one() {
    let expected: BTreeSet<PathBuf> = all().iter().map(|(name, _)| directory().join(name)).collect();
    let mut found = BTreeSet::new();
    for below in [directory(), directory().join("records")] {
        for entry in std::fs::read_dir(below).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                found.insert(path);
            }
        }
    }
    assert_eq!(found, expected);
}

#[test]
fn every_schema_compiles() {
    for (name, schema) in all() {
        assert!(jsonschema::validator_for(&schema).is_ok(), "{name}");
    }
}
