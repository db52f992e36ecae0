//! Few documents, and they bind: what they name exists.

use std::collections::BTreeSet;

use super::assert_tidy;
use super::repository::{CRATES, File, exists, files, read};

/// Lines of ARCHITECTURE.md at most.
const ARCHITECTURE_LINES_MAX: usize = 200;
/// Titles of Markdown files that everybody looks for.
const EXPECTED: [&str; 8] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "LICENSE",
    "docs/guide.md",
    "docs/adr/README.md",
];

/// Targets of `[text](target)` that are paths, with the part after `#` cut off.
fn links(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        let mut rest = if fenced { "" } else { line };
        while let Some((_, after)) = rest.split_once("](") {
            let (target, tail) = after.split_once(')').unwrap_or((after, ""));
            found.push(target.split('#').next().unwrap_or(target));
            rest = tail;
        }
    }
    found.retain(|target| !target.is_empty() && !target.contains("://") && !target.starts_with("mailto:"));
    found
}

/// `target` as seen from the folder of `file`.
fn resolve(file: &str, target: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn dead_links(file: &File) -> Vec<String> {
    let dead = links(&file.text).into_iter().filter(|target| !exists(&resolve(&file.path, target)));
    dead.map(|target| format!("{}: there is no {target}", file.path)).collect()
}

/// Names in the last column of the table of invariants, which starts with `| never |`.
fn cited_tests(architecture: &str) -> BTreeSet<&str> {
    let table = architecture.lines().skip_while(|line| !line.starts_with("| never ")).skip(2);
    let rows = table.take_while(|line| line.starts_with('|'));
    let columns = rows.filter_map(|row| row.trim_end_matches('|').rsplit('|').next());
    columns.flat_map(|column| column.split('`').skip(1).step_by(2)).collect()
}

fn is_defined(test: &str, sources: &[File]) -> bool {
    let definition = format!("fn {test}(");
    sources.iter().any(|file| file.text.contains(&definition))
}

#[test]
fn the_checks_of_documents_find_faults() {
    let text = "[a](x.md#part) and [b](https://example.org) [c](../y)\n```\n[d](z)\n```\n[e](#here)";
    assert_eq!(links(text), ["x.md", "../y"]);
    assert_eq!(resolve("docs/adr/README.md", "../guide.md"), "docs/guide.md");
    assert_eq!(dead_links(&File { path: "docs/x.md".into(), text: "[a](no-such.md)".into() }).len(), 1);
    let table = "| never | test |\n| --- | --- |\n| a `x` | `one`, `two` |\n| b | `three` |\n\n`four`";
    assert_eq!(cited_tests(table), BTreeSet::from(["one", "two", "three"]));
    assert_eq!(
        cited_paths("`docs/x.md` `a/b` docs/y `agents/src/z.rs`"),
        BTreeSet::from(["agents/src/z.rs", "docs/x.md"])
    );
    assert!(!is_defined("no_such_test", &[File { path: "x.rs".into(), text: "fn other_test() {}".into() }]));
}

#[test]
fn the_documents_that_everybody_looks_for_exist() {
    assert_tidy(
        &EXPECTED
            .iter()
            .filter(|path| !exists(path))
            .map(|path| format!("{path} is missing"))
            .collect::<Vec<_>>(),
    );
    assert!(read("LICENSE").contains("Apache License"));
}

#[test]
fn links_in_documents_resolve() {
    assert_tidy(&files(&[".md"]).iter().flat_map(dead_links).collect::<Vec<_>>());
}

#[test]
fn architecture_is_short_and_names_every_crate() {
    let architecture = read("ARCHITECTURE.md");
    assert!(architecture.lines().count() <= ARCHITECTURE_LINES_MAX, "at most {ARCHITECTURE_LINES_MAX} lines");
    for member in CRATES {
        assert!(architecture.contains(&format!("`{member}/")), "ARCHITECTURE.md does not name `{member}/`");
    }
}

/// Paths in backticks that lie in a folder of this repository.
fn cited_paths(text: &str) -> BTreeSet<&str> {
    let quoted = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    let folders = ["docs/", "scripts/", ".ci/", "examples/", "deploy/"];
    let is_path = |quote: &&str| {
        let of_crate = quote.split_once('/').is_some_and(|(first, _)| CRATES.contains(&first));
        (of_crate || folders.iter().any(|folder| quote.starts_with(folder)))
            && !quote.contains(char::is_uppercase)
    };
    quoted.filter(is_path).collect()
}

#[test]
fn every_path_that_a_document_names_exists() {
    let mut faults = Vec::new();
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"] {
        let text = read(document);
        let paths = cited_paths(&text).into_iter().filter(|path| !exists(path));
        faults.extend(paths.map(|path| format!("{document}: there is no {path}")));
    }
    assert_tidy(&faults);
}

#[test]
fn every_test_that_architecture_cites_exists() {
    let architecture = read("ARCHITECTURE.md");
    let cited = cited_tests(&architecture);
    assert!(cited.len() >= 10, "the table of invariants cites {} tests", cited.len());
    let sources = files(&[".rs"]);
    let missing = cited.into_iter().filter(|test| !is_defined(test, &sources));
    assert_tidy(
        &missing.map(|test| format!("ARCHITECTURE.md: no test is called {test}")).collect::<Vec<_>>(),
    );
}

#[test]
fn every_decision_is_in_the_index_and_tells_what_lost() {
    let index = read("docs/adr/README.md");
    let decisions: Vec<File> =
        files(&[".md"]).into_iter().filter(|file| file.path.starts_with("docs/adr/0")).collect();
    let mut faults = Vec::new();
    for (number, decision) in (1..).zip(&decisions) {
        if !decision.name().starts_with(&format!("{number:04}-")) {
            faults.push(format!("{}: expected number {number:04}", decision.path));
        }
        if !index.contains(&format!("({})", decision.name())) {
            faults.push(format!("{}: not in docs/adr/README.md", decision.path));
        }
        for part in ["## Context", "## Decision", "## What lost", "## Consequences"] {
            if !decision.text.contains(part) {
                faults.push(format!("{}: no part {part:?}", decision.path));
            }
        }
    }
    assert!(decisions.len() >= 5, "there are {} decisions", decisions.len());
    assert_tidy(&faults);
}

#[test]
fn the_changelog_has_a_part_for_what_is_not_released() {
    assert!(read("CHANGELOG.md").lines().any(|line| line == "## Unreleased"));
}

#[test]
fn the_readme_states_one_command_to_run_and_one_to_test() {
    let readme = read("README.md");
    assert!(readme.contains("cargo run --release --bin arbctl -- "), "one command to run");
    assert!(readme.contains("./scripts/test"), "one command to test");
    assert!(read(".ci/run").contains("./scripts/test"), "which is what continuous integration runs");
}

#[test]
fn u6_no_page_of_a_reason_is_without_its_code() {
    let codes: BTreeSet<&str> = agents::reasons::codes().collect();
    let index = read("docs/reasons/README.md");
    let mut faults = Vec::new();
    for page in files(&[".md"]).iter().filter(|file| file.path.starts_with("docs/reasons/")) {
        let Some(code) = page.name().strip_suffix(".md").filter(|name| *name != "README") else { continue };
        if !codes.contains(code) {
            faults.push(format!("{}: there is no code {code}", page.path));
        }
        if !index.contains(&format!("({})", page.path.trim_start_matches("docs/reasons/"))) {
            faults.push(format!("{}: not in docs/reasons/README.md", page.path));
        }
    }
    assert_tidy(&faults);
}
