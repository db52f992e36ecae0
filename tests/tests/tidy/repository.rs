//! The repository's files.

use std::fs;
use std::path::{Path, PathBuf};

/// Every member of the workspace, which is also its folder.
pub(crate) const CRATES: [&str; 6] = ["ontology", "topics", "agents", "runtime", "governance-bot", "tests"];
/// Members in which what is computed depends on arguments alone.
pub(crate) const PURE: [&str; 3] = ["ontology", "topics", "agents"];

/// The workspace's folder.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests are a folder of the workspace")
        .to_owned()
}

/// The text of a file that must be there.
pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("read {path}: {error}"))
}

/// Whether there is such a file or folder.
pub(crate) fn exists(path: &str) -> bool {
    root().join(path).exists()
}

/// A file with its path from the workspace's folder.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    /// The last part of the path.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// Whether it is part of what is shipped, not of a test or bench.
    pub(crate) fn is_product(&self) -> bool {
        let test = |part: &str| matches!(part, "tests" | "benches" | "fuzz" | "tests.rs");
        self.path.ends_with(".rs") && !self.path.split('/').any(test)
    }
}

/// Every text file with one of these endings, sorted by path, without what builds leave behind. An ending may be a
/// whole name.
pub(crate) fn files(endings: &[&str]) -> Vec<File> {
    let mut found = Vec::new();
    walk(&root(), "", endings, &mut found);
    found.sort_by(|one, two| one.path.cmp(&two.path));
    assert!(!found.is_empty(), "no file ends with {endings:?}");
    found
}

fn walk(folder: &Path, prefix: &str, endings: &[&str], found: &mut Vec<File>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("list {}: {error}", folder.display()));
    for entry in entries {
        let entry = entry.expect("a listed entry can be read");
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if entry.file_type().expect("an entry has a type").is_dir() {
            if !matches!(name.as_str(), "target" | ".git" | "node_modules") {
                walk(&entry.path(), &format!("{path}/"), endings, found);
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            let text =
                fs::read_to_string(entry.path()).unwrap_or_else(|error| panic!("read {path}: {error}"));
            found.push(File { path, text });
        }
    }
}
