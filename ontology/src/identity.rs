//! Names of things: bounded, checked once, then plain values.

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer};
use serde::{Serialize, Serializer};
use uuid::Uuid;

/// Bytes of a name at most: what fits a log subject and a table cell, with room for long cloud names.
pub const NAME_BYTES_MAX: usize = 256;
/// Bytes of an object's id at most: 300 Unicode characters of four bytes, and a prefix.
pub const OBJECT_ID_BYTES_MAX: usize = 1_280;

/// A text that cannot be such a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdentityError {
    /// Nothing, or only white space.
    #[error("read a name: it is empty")]
    Empty,
    /// Longer than the bound of its type.
    #[error("read a name: it has {bytes} bytes, at most {max} are allowed")]
    TooLong {
        /// Its length in bytes.
        bytes: usize,
        /// The bound.
        max: usize,
    },
    /// A control character, which would corrupt what people read.
    #[error("read a name: it holds a control character")]
    Control,
    /// Not `rv-` and 26 characters.
    #[error("read a review id: expected \"rv-\" and 26 characters of 0-9a-z without i, l, o, u")]
    Review,
}

macro_rules! bounded_text {
    ($(#[$doc:meta])* $name:ident, $max:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Checks and wraps a text.
            ///
            /// # Errors
            /// [`IdentityError`] when it is empty, too long or holds a control character.
            pub fn new(text: impl Into<String>) -> Result<Self, IdentityError> {
                let text = text.into();
                if text.trim().is_empty() {
                    return Err(IdentityError::Empty);
                }
                if text.len() > $max {
                    return Err(IdentityError::TooLong { bytes: text.len(), max: $max });
                }
                if text.chars().any(char::is_control) {
                    return Err(IdentityError::Control);
                }
                Ok(Self(text))
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = IdentityError;
            fn from_str(text: &str) -> Result<Self, IdentityError> {
                Self::new(text)
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::new(String::deserialize(deserializer)?).map_err(de::Error::custom)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "minLength": 1, "maxLength": $max })
            }
        }
    };
}

bounded_text!(
    /// A short name: a source, an authority, an option, a constraint.
    Name, NAME_BYTES_MAX
);
bounded_text!(
    /// The id of an object of the model graph or of a plan's target: `component:default/orders`,
    /// `module.db.aws_db_instance.main`.
    ObjectId, OBJECT_ID_BYTES_MAX
);

/// A person or machine, as its issuer names it. Group membership alone is not a principal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Principal {
    /// Who vouches: `unix-socket`, an OIDC issuer, a forge.
    pub issuer: Name,
    /// The subject at that issuer.
    pub subject: Name,
}

impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.subject, self.issuer)
    }
}

/// Names a record for ever: its step's id, a slash and its ordinal in the step.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, serde::Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct RecordId(String);

impl RecordId {
    /// The record at `ordinal` (from 0) of step `step`.
    #[must_use]
    pub fn new(step: Uuid, ordinal: usize) -> Self {
        Self(format!("{step}/{ordinal}"))
    }

    /// The text form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A review. Derived from its source and idempotency key, so the same submission names the same review anywhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReviewId(Uuid);

/// The UUIDv5 namespace of reviews: chosen once, for ever.
const REVIEW_NAMESPACE: Uuid = Uuid::from_u128(0x4c1d_04c4_8dd0_5d3c_9e1b_3a30_2dc1_7f52);
/// Crockford's base 32: no letter that people misread.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Characters of the short form people type, after `rv-`: 40 bits, and every command accepts any unique prefix.
const SHORT_CHARACTERS: usize = 8;

impl ReviewId {
    /// The review of this source and idempotency key.
    #[must_use]
    pub fn derive(source: &str, idempotency_key: &str) -> Self {
        let mut name = Vec::with_capacity(source.len() + idempotency_key.len() + 16);
        for part in [source, idempotency_key] {
            name.extend_from_slice(&(part.len() as u64).to_be_bytes());
            name.extend_from_slice(part.as_bytes());
        }
        Self(Uuid::new_v5(&REVIEW_NAMESPACE, &name))
    }

    /// The form people type: `rv-` and eight characters.
    #[must_use]
    pub fn short(&self) -> String {
        let mut text = self.to_string();
        text.truncate(3 + SHORT_CHARACTERS);
        text
    }
}

impl fmt::Display for ReviewId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("rv-")?;
        let value = self.0.as_u128();
        for shift in (0..26).rev() {
            let digit = (value >> (shift * 5)) & 31;
            write!(f, "{}", char::from(ALPHABET[usize::try_from(digit).unwrap_or(0)]))?;
        }
        Ok(())
    }
}

impl fmt::Debug for ReviewId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ReviewId {
    type Err = IdentityError;

    fn from_str(text: &str) -> Result<Self, IdentityError> {
        let digits =
            text.strip_prefix("rv-").filter(|digits| digits.len() == 26).ok_or(IdentityError::Review)?;
        let mut value = 0_u128;
        for byte in digits.bytes() {
            let digit = ALPHABET.iter().position(|letter| *letter == byte).ok_or(IdentityError::Review)?;
            if value >> 123 != 0 {
                return Err(IdentityError::Review);
            }
            value = value << 5 | digit as u128;
        }
        Ok(Self(Uuid::from_u128(value)))
    }
}

impl Serialize for ReviewId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ReviewId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for ReviewId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ReviewId".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^rv-[0-9a-hjkmnp-tv-z]{26}$" })
    }
}
