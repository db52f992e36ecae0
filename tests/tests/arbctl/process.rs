//! The real process: its streams, its exit code, its pipes, and two at once.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use super::desk::{Desk, example};

fn arbctl() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbctl-under-test"));
    command.env_remove("ARB_DATA").env_remove("XDG_STATE_HOME");
    command
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = arbctl().args(["explain"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(!first.is_empty());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
}

#[test]
fn data_goes_to_stdout_and_the_rest_to_stderr_without_colours() {
    let plan = example("webshop/changes/orders-queue-delete.json");
    let output = arbctl().args(["review", &plan, "--fail-on", "all"]).output().unwrap();
    assert_eq!(output.status.code(), Some(12));
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(out.starts_with("HELD") && !out.contains('\u{1b}'), "{out}");
    assert!(err.starts_with("note: ") && !err.contains('\u{1b}'), "{err}");
}

#[test]
fn u17_two_commands_on_one_directory_both_work() {
    let desk = Desk::new();
    let dir = desk.text("data");
    let changes = [
        "orders-scale-out.json",
        "orders-queue-delete.json",
        "refunds-timeout.json",
        "products-reporting-db.json",
    ];
    let running: Vec<_> = changes
        .iter()
        .map(|change| {
            let change = example(&format!("webshop/changes/{change}"));
            let mut command = arbctl();
            command
                .args(["submit-change", &change, "--dir", &dir])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    for child in running {
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let list = desk.run(&["list", "--dir", &dir, "--output", "json"]).ok().json();
    assert_eq!(list.as_array().unwrap().len(), changes.len());
}
