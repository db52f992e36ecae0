//! Content addresses: SHA-256 for everything an auditor may want to check, BLAKE3 for bodies and partitions.

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};
use sha2::Digest as _;

/// A text that is not a digest of the expected kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("read a digest: expected {expected} and 64 lower-case hexadecimal digits")]
pub struct ParseDigestError {
    expected: &'static str,
}

macro_rules! digest {
    ($(#[$doc:meta])* $name:ident, $prefix:literal, $pattern:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 32]);

        impl $name {
            /// Wraps 32 bytes that are known to be such a digest.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// The 32 bytes.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }

            /// The 64 hexadecimal digits, without the name of the function.
            #[must_use]
            pub fn hex(&self) -> String {
                use fmt::Write as _;
                self.0.iter().fold(String::with_capacity(64), |mut text, byte| {
                    let _ = write!(text, "{byte:02x}");
                    text
                })
            }

            /// The first four hexadecimal digits and an ellipsis, for people.
            #[must_use]
            pub fn short(&self) -> String {
                format!("{:02x}{:02x}…", self.0[0], self.0[1])
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, ":{}"), self.hex())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = ParseDigestError;

            fn from_str(text: &str) -> Result<Self, ParseDigestError> {
                text.strip_prefix(concat!($prefix, ":"))
                    .and_then(unhex)
                    .map(Self)
                    .ok_or(ParseDigestError { expected: concat!("\"", $prefix, ":\"") })
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(self)
                } else {
                    serializer.serialize_bytes(&self.0)
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Read;
                impl Visitor<'_> for Read {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str(concat!("a ", $prefix, " digest"))
                    }
                    fn visit_str<E: de::Error>(self, text: &str) -> Result<$name, E> {
                        text.parse().map_err(E::custom)
                    }
                    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<$name, E> {
                        bytes.try_into().map($name).map_err(|_| E::invalid_length(bytes.len(), &"32 bytes"))
                    }
                }
                if deserializer.is_human_readable() {
                    deserializer.deserialize_str(Read)
                } else {
                    deserializer.deserialize_bytes(Read)
                }
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "pattern": $pattern })
            }
        }
    };
}

digest!(
    /// A SHA-256 digest, written `sha256:` and 64 hexadecimal digits. Records, changes, pins and chains use it.
    Digest, "sha256", "^sha256:[0-9a-f]{64}$"
);
digest!(
    /// A BLAKE3 digest, written `blake3:` and 64 hexadecimal digits. It names bodies.
    BodyHash, "blake3", "^blake3:[0-9a-f]{64}$"
);

impl Digest {
    /// The SHA-256 of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// The SHA-256 of a value's canonical CBOR.
    ///
    /// # Panics
    /// When the value has no canonical form. The records of this crate always have one.
    #[must_use]
    pub fn of_value<T: Serialize + ?Sized>(value: &T) -> Self {
        Self::of(&crate::cbor::to_vec(value).expect("records hold no floats and no absent list members"))
    }
}

impl BodyHash {
    /// The BLAKE3 of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    crate::content::unhex(text)?.try_into().ok()
}
