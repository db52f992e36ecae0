//! The keyed digest that lets two withheld values be compared without being known.

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use ontology::value::Withheld;
use ontology::{Digest, Name, Value, cbor};
use sha2::Sha256;

/// Bytes of a deployment's key at least: 128 bits cannot be guessed.
pub const KEY_BYTES_MIN: usize = 16;

/// Levels of a value that are digested as they are. Canonical CBOR nests 64 levels and a value takes two a level;
/// deeper parts stand in the digest by a digest of their own.
const PLAIN_DEPTH_MAX: usize = 24;

/// A deployment's key for withheld values (U3).
#[derive(Clone)]
pub struct RedactionKey {
    id: Name,
    bytes: Vec<u8>,
}

/// A key that can be guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("use the redaction key: it has {0} bytes, at least {KEY_BYTES_MIN} are needed")]
pub struct WeakKey(pub usize);

impl RedactionKey {
    /// The key `bytes`, which records name `id`.
    ///
    /// # Errors
    /// [`WeakKey`] when it is shorter than [`KEY_BYTES_MIN`].
    pub fn new(id: Name, bytes: impl Into<Vec<u8>>) -> Result<Self, WeakKey> {
        let bytes = bytes.into();
        if bytes.len() < KEY_BYTES_MIN { Err(WeakKey(bytes.len())) } else { Ok(Self { id, bytes }) }
    }

    /// Its name in records.
    #[must_use]
    pub fn id(&self) -> &Name {
        &self.id
    }

    /// HMAC-SHA-256 over the canonical CBOR of `value`.
    fn mac(&self, value: &Value) -> Digest {
        let bytes = if depth(value) > PLAIN_DEPTH_MAX {
            cbor::to_vec(&self.fold(value, PLAIN_DEPTH_MAX))
        } else {
            cbor::to_vec(value)
        };
        let bytes = bytes.expect("values hold no floats, and deep ones were folded");
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.bytes).expect("HMAC takes keys of any length");
        mac.update(&bytes);
        Digest::from_bytes(mac.finalize().into_bytes().into())
    }

    /// The value with what lies deeper than `levels` replaced by what would be said of it.
    fn fold(&self, value: &Value, levels: usize) -> Value {
        match value {
            Value::List(_) | Value::Map(_) if levels == 0 => {
                Value::Withheld(withheld(value, false, Some(self)))
            }
            Value::List(values) => {
                Value::List(values.iter().map(|value| self.fold(value, levels - 1)).collect())
            }
            Value::Map(map) => Value::Map(
                map.iter().map(|(key, value)| (key.clone(), self.fold(value, levels - 1))).collect(),
            ),
            other => other.clone(),
        }
    }
}

impl fmt::Debug for RedactionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "redaction key {}", self.id)
    }
}

/// What is said of `value`.
pub(super) fn withheld(value: &Value, changed: bool, key: Option<&RedactionKey>) -> Withheld {
    Withheld {
        kind: value.kind().to_owned(),
        changed,
        mac: key.map(|key| key.mac(value)),
        key_id: key.map(|key| key.id.to_string()),
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::List(values) => 1 + values.iter().map(depth).max().unwrap_or(0),
        Value::Map(map) => 1 + map.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
