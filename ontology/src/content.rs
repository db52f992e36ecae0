//! Where a document is: inside its record, or in a body of its own under its digest.

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

use crate::{BodyHash, Digest, cbor};

/// A document up to this many bytes stays inside its record: a review's own records stay under 20 kB.
pub const INLINE_BYTES_MAX: usize = 4 * 1024;
/// The largest body: bounds what one submission may cost.
pub const BODY_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// The largest chunk of a body: fits a step of 256 KiB with room to spare.
pub const CHUNK_BYTES_MAX: usize = 128 * 1024;

/// Names a body: both digests of its bytes, its length and its media type.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyRef {
    /// Names the body's key.
    pub blake3: BodyHash,
    /// For anybody to check with ordinary tools.
    pub sha256: Digest,
    /// Length in bytes.
    pub bytes: u64,
    /// What the bytes are.
    pub media_type: String,
}

impl BodyRef {
    /// Describes `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8], media_type: &str) -> Self {
        Self {
            blake3: BodyHash::of(bytes),
            sha256: Digest::of(bytes),
            bytes: bytes.len() as u64,
            media_type: media_type.to_owned(),
        }
    }
}

/// A document of type `T`, kept in the record or in a body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(bound = "T: JsonSchema")]
pub enum Content<T> {
    /// The document itself; at most [`INLINE_BYTES_MAX`] bytes of canonical CBOR.
    Inline(Arc<T>),
    /// The canonical CBOR of the document lives in this body.
    Body(BodyRef),
}

impl<T: Serialize> Content<T> {
    /// Keeps `document` inline when it is small; else returns the bytes of its body beside the reference.
    ///
    /// # Panics
    /// When the document has no canonical form. Documents are made by our parsers, which admit no floats.
    #[must_use]
    pub fn store(document: Arc<T>, media_type: &str) -> (Self, Option<Vec<u8>>) {
        let bytes = cbor::to_vec(&*document).expect("documents hold no floats and no absent list members");
        if bytes.len() <= INLINE_BYTES_MAX {
            return (Self::Inline(document), None);
        }
        (Self::Body(BodyRef::of(&bytes, media_type)), Some(bytes))
    }
}

/// Bytes that are written as a byte string in CBOR, and as hexadecimal text in JSON.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub Arc<[u8]>);

impl Bytes {
    /// The bytes.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            let hex: String = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
            serializer.serialize_str(&hex)
        } else {
            serializer.serialize_bytes(&self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl Visitor<'_> for Read {
            type Value = Bytes;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes, or their hexadecimal digits")
            }
            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.into()))
            }
            fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                Ok(bytes.into())
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Bytes, E> {
                unhex(text).map(Bytes::from).ok_or_else(|| E::custom("not hexadecimal"))
            }
        }
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(Read)
        } else {
            deserializer.deserialize_byte_buf(Read)
        }
    }
}

/// The bytes that pairs of lower-case hexadecimal digits stand for.
pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let pairs = text.as_bytes().chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    });
    pairs.collect()
}

impl JsonSchema for Bytes {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Bytes".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^([0-9a-f]{2})*$" })
    }
}
