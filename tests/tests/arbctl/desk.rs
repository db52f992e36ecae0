//! Somebody's desk: a directory of their own, an environment, and a terminal that remembers.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use runtime::arbctl::{Surroundings, main_with};
use serde_json::Value;
use tempfile::TempDir;

/// What a command did.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) code: u8,
    pub(super) out: String,
    pub(super) err: String,
}

impl Ran {
    /// The one document on stdout.
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error} in:\n{}\n{}", self.out, self.err))
    }

    /// The same, where the command has to succeed.
    pub(super) fn ok(self) -> Self {
        assert_eq!(self.code, 0, "{}\n{}", self.out, self.err);
        self
    }
}

/// A directory, an environment, a terminal.
pub(super) struct Desk {
    directory: TempDir,
    variables: BTreeMap<String, String>,
}

impl Desk {
    pub(super) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let home = directory.path().display().to_string();
        Self { directory, variables: BTreeMap::from([("HOME".to_owned(), home)]) }
    }

    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(super) fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// Puts a file on the desk, and says where.
    pub(super) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, "", false)
    }

    pub(super) fn run_with(&self, arguments: &[&str], input: &str, is_terminal: bool) -> Ran {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let arguments = std::iter::once("arbctl").chain(arguments.iter().copied()).map(OsString::from);
        let code = main_with(
            arguments,
            Surroundings {
                input: &mut input.as_bytes(),
                out: &mut out,
                err: &mut err,
                variable: &|name| self.variables.get(name).cloned(),
                out_is_terminal: is_terminal,
                err_is_terminal: is_terminal,
                columns: None,
            },
        );
        Ran { code, out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap() }
    }

    /// A change of the web shop that says of no time when it was planned, so that it is never stale.
    pub(super) fn timeless(&self, change: &str) -> String {
        let text = std::fs::read_to_string(example(&format!("webshop/changes/{change}"))).unwrap();
        let mut plan: Value = serde_json::from_str(&text).unwrap();
        plan.as_object_mut().unwrap().remove("timestamp");
        self.put(&format!("plans/{change}"), plan.to_string())
    }

    /// Every byte of every file below a directory of this desk.
    pub(super) fn bytes_below(&self, name: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut directories = vec![self.path(name)];
        while let Some(directory) = directories.pop() {
            let Ok(entries) = std::fs::read_dir(directory) else { continue };
            for path in entries.map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    directories.push(path);
                } else if path.is_file() {
                    bytes.extend(std::fs::read(path).unwrap());
                }
            }
        }
        bytes
    }
}

/// A file of the examples.
pub(super) fn example(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(path).display().to_string()
}

/// The arguments that judge a change of the web shop in its own estate.
pub(super) fn in_the_shop(change: &str) -> Vec<String> {
    let change = example(&format!("webshop/changes/{change}"));
    let (model, catalog) = (example("webshop/model"), example("webshop/catalog"));
    ["review", &change, "--model", &model, "--catalog", &catalog].map(str::to_owned).to_vec()
}

/// Text with what differs from run to run, or from day to day, replaced: ids, digests, users, paths, ages.
pub(super) fn settled(text: &str) -> String {
    let user = runtime::door::this_user().principal.subject;
    let mut settled = text.replace(&example(""), "EXAMPLES/");
    for (before, after) in [("by ", " ("), ("not ", " (requester)")] {
        settled = settled.replace(&format!("{before}{user}{after}"), &format!("{before}USER{after}"));
    }
    let lines = settled.lines().map(|line| without_times(&without_ages(&without_digests(line))));
    lines.map(|line| line + "\n").collect()
}

/// `rv-` and eight characters, and four digits before an ellipsis, become as many `#`, so that columns stay.
fn without_digests(line: &str) -> String {
    let mut characters: Vec<char> = line.chars().collect();
    for at in 0..characters.len() {
        let digits = match characters[..=at] {
            [.., '…'] => at.saturating_sub(4)..at,
            [.., 'r', 'v', '-'] => at + 1..(at + 9).min(characters.len()),
            _ => continue,
        };
        if characters[digits.clone()].iter().all(|it| it.is_ascii_digit() || it.is_ascii_lowercase()) {
            characters[digits].fill('#');
        }
    }
    characters.into_iter().collect()
}

/// Digits of a time that something lasts until become as many `#`.
fn without_times(line: &str) -> String {
    let Some(at) = line.find("until 20").map(|at| at + "until ".len()) else { return line.to_owned() };
    let (before, time) = line.split_at(at);
    let time = time.chars().map(|it| if it.is_ascii_digit() { '#' } else { it });
    format!("{before}{}", time.collect::<String>())
}

/// How long ago a rehearsal was moves the columns of the options' table; there two spaces stand for any number.
fn without_ages(line: &str) -> String {
    let in_table = ["Options ", "A ", "B ", "C "].iter().any(|start| line.starts_with(start));
    if !in_table {
        return line.to_owned();
    }
    let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(|cell| {
        match cell.split_once(", rehearsed ").map(|(rto, rest)| (rto, rest.split_once(" ago"))) {
            Some((rto, Some((_, rest)))) => format!("{rto}, rehearsed … ago{rest}"),
            _ => cell.to_owned(),
        }
    });
    cells.collect::<Vec<String>>().join("  ")
}
