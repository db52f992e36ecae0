//! What is known, what is known not to be, and what is not known.

use serde::{Deserialize, Serialize};

use crate::forge::{Failure, Shortfall};

/// Something that can be read, can be known to be absent, or is not known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Known<T> {
    /// It is this.
    Known(T),
    /// There is none, and the forge said so in words that mean nothing else.
    Absent,
    /// It could not be read: there may or may not be one.
    Unknown {
        /// The failure.
        why: String,
    },
}

impl<T> Known<T> {
    /// From a call. The forge hides what may not be seen behind the answer for what is not there (fault 33), so a
    /// refusal means absence only where its words are `absent_words`.
    pub fn of(result: Result<T, Failure>, absent_words: &[&str]) -> Self {
        match result {
            Ok(value) => Self::Known(value),
            Err(failure) => match failure.refusal() {
                Some((_, words)) if absent_words.iter().any(|absent| words.starts_with(absent)) => {
                    Self::Absent
                }
                _ => Self::Unknown { why: failure.to_string() },
            },
        }
    }

    /// The value, where there is one.
    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Absent | Self::Unknown { .. } => None,
        }
    }

    /// Why it is not known.
    pub fn unknown(&self) -> Option<&str> {
        match self {
            Self::Unknown { why } => Some(why),
            Self::Known(_) | Self::Absent => None,
        }
    }
}

/// A part of a snapshot that is not whole.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// The part: `commits`, `check_runs` and so on.
    pub part: String,
    /// Why.
    pub shortfall: Shortfall,
}

impl Gap {
    /// A gap in `part`.
    pub fn of(part: &str, shortfall: Shortfall) -> Self {
        Self { part: part.to_owned(), shortfall }
    }
}

impl std::fmt::Display for Gap {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}: {}", self.part, self.shortfall)
    }
}
