//! Files are small, each named by its idea.

use super::assert_tidy;
use super::repository::{CRATES, File, exists, files};

/// Lines of a file at most: what a newcomer reads in one sitting.
const LINES_MAX: usize = 400;
/// Names that say nothing about what is in a file.
const NO_IDEAS: [&str; 7] =
    ["utils.rs", "util.rs", "helpers.rs", "helper.rs", "common.rs", "misc.rs", "shared.rs"];
/// What marks unfinished work. Put together here, so that this file does not hold the marks.
const UNFINISHED: [&str; 5] = [
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("dbg", "!("),
    concat!("#[", "ignore"),
    concat!("FIX", "ME"),
];

fn long(file: &File) -> Option<String> {
    let lines = file.text.lines().count();
    (lines > LINES_MAX)
        .then(|| format!("{}: {lines} lines, at most {LINES_MAX}: split it by idea", file.path))
}

fn misnamed(file: &File) -> Option<String> {
    match file.name() {
        "mod.rs" => Some(format!("{}: `x.rs` stands beside `x/`", file.path)),
        name if NO_IDEAS.contains(&name) => Some(format!("{}: name the file by its idea", file.path)),
        _ => None,
    }
}

fn unfinished(file: &File) -> Vec<String> {
    let lines = file.text.lines().enumerate();
    lines
        .filter_map(|(at, line)| {
            let mark = UNFINISHED.iter().find(|mark| line.contains(**mark))?;
            Some(format!("{}:{}: {mark}", file.path, at + 1))
        })
        .collect()
}

fn sources() -> Vec<File> {
    files(&[".rs"]).into_iter().filter(|file| !file.path.starts_with("tests/fuzz/")).collect()
}

#[test]
fn the_checks_of_files_find_faults() {
    let file = |path: &str, text: String| File { path: path.to_owned(), text };
    assert!(long(&file("a/src/x.rs", "line\n".repeat(LINES_MAX))).is_none());
    assert!(long(&file("a/src/x.rs", "line\n".repeat(LINES_MAX + 1))).is_some());
    assert!(misnamed(&file("a/src/x/mod.rs", String::new())).is_some());
    assert!(misnamed(&file("a/src/utils.rs", String::new())).is_some());
    assert!(misnamed(&file("a/src/x/model.rs", String::new())).is_none());
    for mark in UNFINISHED {
        assert_eq!(
            unfinished(&file("a/src/x.rs", format!("fn a() {{\n    {mark}\n}}\n"))).len(),
            1,
            "{mark}"
        );
    }
}

#[test]
fn no_file_is_longer_than_400_lines() {
    assert_tidy(&sources().iter().filter_map(long).collect::<Vec<_>>());
}

#[test]
fn files_are_named_by_their_idea() {
    assert_tidy(&sources().iter().filter_map(misnamed).collect::<Vec<_>>());
}

#[test]
fn nothing_is_unfinished_and_no_test_is_ignored() {
    assert_tidy(&sources().iter().flat_map(unfinished).collect::<Vec<_>>());
}

#[test]
fn there_is_one_binary_of_integration_tests() {
    let others = CRATES.iter().filter(|member| **member != "tests" && exists(&format!("{member}/tests")));
    assert_tidy(
        &others.map(|member| format!("{member}/tests: integration tests live in tests/")).collect::<Vec<_>>(),
    );
}
