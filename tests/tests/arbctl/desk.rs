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

/// Text with what differs from run to run replaced: ids, digests, times, paths.
pub(super) fn settled(text: &str) -> String {
    let mut settled = text.replace(&example(""), "EXAMPLES/");
    for (name, value) in [("rv-", 8), ("change ", 4), ("model ", 4), ("catalog ", 4)] {
        settled = mask(&settled, name, value);
    }
    settled
}

/// Replaces the hexadecimal or base-32 digits after `before` by as many `#`, so that columns stay.
fn mask(text: &str, before: &str, digits: usize) -> String {
    let mut masked = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(before) {
        let (head, tail) = rest.split_at(at + before.len());
        masked.push_str(head);
        let word: String = tail.chars().take(digits).collect();
        let is_digits =
            word.len() == digits && word.chars().all(|it| it.is_ascii_digit() || it.is_ascii_lowercase());
        if is_digits && tail[digits..].starts_with(['…', ' ', '\n', '\'', '"']) {
            masked.push_str(&"#".repeat(digits));
            rest = &tail[digits..];
        } else {
            rest = tail;
        }
    }
    masked.push_str(rest);
    masked
}
