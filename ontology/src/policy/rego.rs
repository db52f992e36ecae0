//! Rego modules as conftest users have them: `deny`, `violation` and `warn` rules of any package, over exactly the
//! stored, redacted document (review.md, Policies; U3). Prepared once a catalog. Nothing here reads a clock, a file,
//! a socket or randomness: what would is refused when the catalog is compiled.

mod definitions;
mod input;
mod judge;
mod modules;
mod prepare;
mod recursion;
mod say;
mod scan;
#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use definitions::{Definition, definitions};
pub use input::{as_is, as_proposed, json_of};
pub use modules::Modules;
pub use prepare::{Bundle, Entry, TestOutcome};

pub(super) use judge::evaluate;

/// Modules of a catalog at most.
pub const MODULES_MAX: usize = 64;
/// Bytes of a module at most: a long one has 20 kB.
pub const MODULE_BYTES_MAX: usize = 64 * 1024;
/// Levels of `[` and `{` in a module at most, because the time to parse them doubles with each.
pub const NESTING_MAX: usize = 10;
/// Messages of one rule that become violations; beyond, their number is stated.
pub const MESSAGES_MAX: usize = 64;
/// Bytes of a message at most (review.md, Policies).
pub const MESSAGE_BYTES_MAX: usize = 512;

/// The rules of a package that a constraint stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RegoRules {
    /// `deny`, `violation`, and names that begin with `deny_` or `violation_`.
    Deny,
    /// `warn`, and names that begin with `warn_`.
    Warn,
}

impl RegoRules {
    /// Both, in order.
    pub const ALL: [Self; 2] = [Self::Deny, Self::Warn];

    /// Which of the two a rule's name belongs to, by conftest's convention.
    #[must_use]
    pub fn of(rule: &str) -> Option<Self> {
        let head = rule.split_once('_').map_or(rule, |(head, _)| head);
        match head {
            "deny" | "violation" => Some(Self::Deny),
            "warn" => Some(Self::Warn),
            _ => None,
        }
    }
}

/// Why a module cannot be in force, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}:{line}:{column}: {message}")]
pub struct Fault {
    /// The module's path in the catalog.
    pub path: String,
    /// From 1; 0 where the whole module is meant.
    pub line: u32,
    /// From 1; 0 where the whole line is meant.
    pub column: u32,
    /// What, and how to do without it.
    pub message: String,
}

impl Fault {
    fn at(path: &str, (line, column): (u32, u32), message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, column, message: message.into() }
    }
}
