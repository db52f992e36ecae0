//! What a state is the fold of: every step has one key.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use ontology::{BodyHash, ReviewId};
use serde::de::{self, Deserialize, Deserializer};
use serde::{Serialize, Serializer};

/// Bytes of a key at most: a subject of a log stays well under its limit.
pub const KEY_BYTES_MAX: usize = 200;
/// Partitions, for ever: a key's partition is its name's business, not a deployment's.
pub const PARTITIONS: u64 = 64;

/// The key of a step. Holds no `.`, `*`, `>` or white space, so that it is one subject token.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Arc<str>);

/// One of 64 parts of all keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Partition(u8);

/// What a key names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyKind {
    /// One review.
    Review(ReviewId),
    /// The model's revisions.
    Model,
    /// The catalog's revisions.
    Catalog,
    /// The set of open changes.
    Estate,
    /// A body under its digest.
    Body,
    /// Any other key of the closed list: `audit`, `target:…`, `cohort:…`, `node:…`, `pull:…`, `branch:…`.
    Other,
}

/// A text that cannot be a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("read a key: {why}: {text:?}")]
pub struct KeyError {
    text: String,
    why: &'static str,
}

const PREFIXES: [&str; 7] = ["body:", "target:", "cohort:", "node:", "pull:", "branch:", "rv-"];

impl Key {
    /// The key of a review.
    #[must_use]
    pub fn review(review: ReviewId) -> Self {
        Self(review.to_string().into())
    }

    /// The key of the model's revisions.
    #[must_use]
    pub fn model() -> Self {
        Self("model".into())
    }

    /// The key of the catalog's revisions.
    #[must_use]
    pub fn catalog() -> Self {
        Self("catalog".into())
    }

    /// The key of the open changes.
    #[must_use]
    pub fn estate() -> Self {
        Self("estate".into())
    }

    /// The key of a body.
    #[must_use]
    pub fn body(hash: &BodyHash) -> Self {
        Self(format!("body:{}", hash.hex()).into())
    }

    /// The key of a process: what no review is about.
    ///
    /// # Errors
    /// [`KeyError`] when the id is not a subject token.
    pub fn node(id: &str) -> Result<Self, KeyError> {
        format!("node:{id}").parse()
    }

    /// What it names.
    #[must_use]
    pub fn kind(&self) -> KeyKind {
        match &*self.0 {
            "model" => KeyKind::Model,
            "catalog" => KeyKind::Catalog,
            "estate" => KeyKind::Estate,
            text if text.starts_with("body:") => KeyKind::Body,
            text => text.parse().map_or(KeyKind::Other, KeyKind::Review),
        }
    }

    /// The review it names.
    #[must_use]
    pub fn as_review(&self) -> Option<ReviewId> {
        self.0.parse().ok()
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its partition: the first eight bytes of the BLAKE3 of its text, big-endian, modulo 64.
    #[must_use]
    pub fn partition(&self) -> Partition {
        let hash = blake3::hash(self.0.as_bytes());
        let first = hash.as_bytes().iter().take(8).fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
        Partition((first % PARTITIONS) as u8)
    }
}

impl Partition {
    /// Its number, from 0 to 63.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let fault = |why| Err(KeyError { text: text.chars().take(64).collect(), why });
        if text.is_empty() || text.len() > KEY_BYTES_MAX {
            return fault("empty, or longer than 200 bytes");
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'.' | b'*' | b'>')) {
            return fault("a character that a subject token cannot hold");
        }
        let named = matches!(text, "model" | "catalog" | "estate" | "audit");
        if !named && !PREFIXES.iter().any(|prefix| text.starts_with(prefix)) {
            return fault("it is neither a review nor another key of the closed list");
        }
        if text.starts_with("rv-") && text.parse::<ReviewId>().is_err() {
            return fault("it is not a review");
        }
        Ok(Self(text.into()))
    }
}

impl std::borrow::Borrow<str> for Key {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
