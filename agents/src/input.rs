//! Reading what people wrote: strict JSON and YAML, and errors that say what, where and how to fix it (U6).

pub mod json;
pub mod manifest;
pub mod yaml;

use std::fmt;

/// Bytes of an input file at most: a plan of 64 MiB has some 100,000 resources.
pub const FILE_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Nesting of an input at most.
pub const DEPTH_MAX: usize = 100;

/// Whether a file of a directory is a note to people, or hidden: not an input.
#[must_use]
pub fn is_skipped(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_readme = name.starts_with("README") && name.to_ascii_lowercase().ends_with(".md");
    is_readme || path.split('/').any(|segment| segment.starts_with('.'))
}

/// An input that cannot be taken in: which file, where in it, what is wrong and what is allowed. Never quotes a
/// value that may be a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct InputError {
    /// The file, as its giver named it.
    pub file: String,
    /// Where in it: a JSON path (`$.resource_changes[7].change.actions`), or `line 3, column 8`. Empty: the whole.
    pub at: String,
    /// What is wrong, and what is allowed.
    pub message: String,
}

impl InputError {
    /// An error at a place.
    #[must_use]
    pub fn at(file: impl Into<String>, at: impl Into<String>, message: impl Into<String>) -> Self {
        Self { file: file.into(), at: at.into(), message: message.into() }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        if !self.at.is_empty() {
            write!(f, "{}: ", self.at)?;
        }
        f.write_str(&self.message)
    }
}
