//! Purity is linted: a member's `clippy.toml` replaces the root's, so it repeats the root's rules.

use super::assert_tidy;
use super::repository::{CRATES, PURE, exists, read};

/// Entries of `root` that `member` lacks or states otherwise.
fn lacking(member: &str, root: &toml::Table, rules: &toml::Table) -> Vec<String> {
    let lacks = root.iter().filter(|(rule, value)| rules.get(*rule) != Some(value));
    lacks.map(|(rule, _)| format!("{member}/clippy.toml: repeat the root's `{rule}`")).collect()
}

fn table(path: &str) -> toml::Table {
    read(path).parse().unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn a_rule_of_the_root_that_a_member_lacks_is_a_fault() {
    let root: toml::Table = "a = true\nb = 70\n".parse().expect("TOML");
    let same: toml::Table = "a = true\nb = 70\nc = 1\n".parse().expect("TOML");
    let other: toml::Table = "a = true\nb = 100\n".parse().expect("TOML");
    assert_eq!(lacking("x", &root, &same).len(), 0);
    assert_eq!(lacking("x", &root, &other).len(), 1);
}

#[test]
fn every_clippy_toml_repeats_the_rules_of_the_root() {
    let root = table("clippy.toml");
    let members = CRATES.iter().map(|member| (*member, format!("{member}/clippy.toml")));
    let own = members.filter(|(_, path)| exists(path));
    assert_tidy(&own.flat_map(|(member, path)| lacking(member, &root, &table(&path))).collect::<Vec<_>>());
}

#[test]
fn pure_crates_have_the_same_rules_of_purity() {
    let first = read(&format!("{}/clippy.toml", PURE[0]));
    for member in PURE {
        assert_eq!(
            read(&format!("{member}/clippy.toml")),
            first,
            "{member}/clippy.toml differs from {}",
            PURE[0]
        );
    }
    let rules: toml::Table = first.parse().expect("TOML");
    for (list, path) in [
        ("disallowed-methods", "std::time::SystemTime::now"),
        ("disallowed-methods", "std::time::Instant::now"),
        ("disallowed-methods", "std::env::var"),
        ("disallowed-methods", "std::fs::read"),
        ("disallowed-types", "std::collections::HashMap"),
        ("disallowed-types", "std::collections::HashSet"),
    ] {
        let entries = rules[list].as_array().into_iter().flatten();
        assert!(
            entries.filter_map(|entry| entry["path"].as_str()).any(|it| it == path),
            "{list} lacks {path}"
        );
    }
}

#[test]
fn every_member_takes_the_lints_of_the_workspace() {
    for member in CRATES {
        let manifest = table(&format!("{member}/Cargo.toml"));
        let takes =
            manifest.get("lints").and_then(|lints| lints.get("workspace")).and_then(toml::Value::as_bool);
        assert_eq!(takes, Some(true), "{member}/Cargo.toml: [lints] workspace = true");
    }
}
