//! Arrows between crates go one way.

use std::collections::BTreeSet;

use super::assert_tidy;
use super::repository::{CRATES, PURE, files, read};

/// What each member may depend on, whatever the kind of dependency.
const ARROWS: [(&str, &[&str]); 6] = [
    ("ontology", &[]),
    ("topics", &["ontology"]),
    ("agents", &["ontology", "topics"]),
    ("runtime", &["ontology", "topics", "agents"]),
    ("governance-bot", &["ontology", "topics", "runtime"]),
    ("tests", &["ontology", "topics", "agents", "runtime", "governance-bot"]),
];

/// What brings in a clock, randomness, IO or async code.
const IMPURE: [&str; 16] = [
    "anyhow",
    "async-nats",
    "axum",
    "clap",
    "fastrand",
    "futures",
    "getrandom",
    "hyper",
    "rand",
    "redb",
    "reqwest",
    "tokio",
    "tracing-subscriber",
    "chrono",
    "rustix",
    "libc",
];

/// Every dependency that a manifest names, of whatever kind and for whatever target.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let table: toml::Table = manifest.parse().expect("a manifest is TOML");
    let mut names = BTreeSet::new();
    collect(&table, true, &mut names);
    names
}

fn collect(table: &toml::Table, with_dev: bool, names: &mut BTreeSet<String>) {
    for (section, value) in table {
        let Some(inner) = value.as_table() else { continue };
        match section.as_str() {
            "dependencies" | "build-dependencies" => names.extend(inner.keys().cloned()),
            "dev-dependencies" if with_dev => names.extend(inner.keys().cloned()),
            "target" => {
                for of_target in inner.values().filter_map(toml::Value::as_table) {
                    collect(of_target, with_dev, names);
                }
            }
            _ => {}
        }
    }
}

fn detours(member: &str, manifest: &str, allowed: &[&str]) -> Vec<String> {
    let within = dependencies(manifest).into_iter().filter(|name| CRATES.contains(&name.as_str()));
    let detours = within.filter(|name| !allowed.contains(&name.as_str()));
    detours.map(|name| format!("{member}/Cargo.toml: {member} must not depend on {name}")).collect()
}

fn impurities(member: &str, manifest: &str) -> Vec<String> {
    let mut names = BTreeSet::new();
    collect(&manifest.parse().expect("a manifest is TOML"), false, &mut names);
    let impure = names.into_iter().filter(|name| IMPURE.contains(&name.as_str()));
    impure.map(|name| format!("{member}/Cargo.toml: a pure crate must not depend on {name}")).collect()
}

#[test]
fn a_detour_is_a_fault_in_every_kind_of_dependency() {
    for section in
        ["dependencies", "dev-dependencies", "build-dependencies", "target.'cfg(unix)'.dependencies"]
    {
        let manifest = format!("[{section}]\nagents.workspace = true\nserde = \"1\"\n");
        assert_eq!(detours("topics", &manifest, &["ontology"]).len(), 1, "{section}");
        assert_eq!(detours("runtime", &manifest, &["agents"]), Vec::<String>::new(), "{section}");
    }
    assert_eq!(impurities("agents", "[dependencies]\ntokio = \"1\"\n").len(), 1);
    assert_eq!(impurities("agents", "[dev-dependencies]\ntokio = \"1\"\n").len(), 0);
}

#[test]
fn arrows_between_crates_go_one_way() {
    let checked: Vec<&str> = ARROWS.map(|(member, _)| member).to_vec();
    assert_eq!(checked, CRATES, "every member has its row");
    let workspace: toml::Table = read("Cargo.toml").parse().expect("a manifest is TOML");
    let members: Vec<&str> = workspace["workspace"]["members"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(toml::Value::as_str)
        .collect();
    assert_eq!(members, CRATES, "every member is checked");
    let faults: Vec<String> = ARROWS
        .iter()
        .flat_map(|(member, allowed)| detours(member, &read(&format!("{member}/Cargo.toml")), allowed))
        .collect();
    assert_tidy(&faults);
}

#[test]
fn pure_crates_depend_on_nothing_that_reads_the_world() {
    let faults: Vec<String> =
        PURE.iter().flat_map(|member| impurities(member, &read(&format!("{member}/Cargo.toml")))).collect();
    assert_tidy(&faults);
}

#[test]
fn the_gate_names_no_type_of_an_agent() {
    let gate = files(&[".rs"]).into_iter().filter(|file| file.path.starts_with("governance-bot/"));
    let naming = gate.filter(|file| file.text.contains("agents::"));
    assert_tidy(&naming.map(|file| format!("{}: names `agents::`", file.path)).collect::<Vec<_>>());
}
