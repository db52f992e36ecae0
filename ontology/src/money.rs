//! Amounts of money, exact.

#[cfg(test)]
mod tests;

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

/// The largest integer every JSON reader keeps exactly; larger ones are written as strings (RFC 8259 section 6).
pub const JSON_INTEGER_MAX: i64 = 1 << 53;

/// An amount of a currency.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Money {
    /// Millionths of the currency's unit.
    pub micro: Micro,
    /// ISO 4217 code, upper case.
    pub currency: String,
}

/// Millionths of a unit: an integer in records, an integer or (beyond 2^53) a string in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Micro(pub i64);

impl Money {
    /// `micro` millionths of `currency`.
    #[must_use]
    pub fn new(micro: i64, currency: impl Into<String>) -> Self {
        Self { micro: Micro(micro), currency: currency.into() }
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cents = (i128::from(self.micro.0.unsigned_abs()) + 5_000) / 10_000;
        let sign = if self.micro.0 < 0 && cents > 0 { "-" } else { "" };
        write!(f, "{sign}{}.{:02} {}", cents / 100, cents % 100, self.currency)
    }
}

impl Serialize for Micro {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let exact = (-JSON_INTEGER_MAX..=JSON_INTEGER_MAX).contains(&self.0);
        if exact || !serializer.is_human_readable() {
            serializer.serialize_i64(self.0)
        } else {
            serializer.collect_str(&self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Micro {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl Visitor<'_> for Read {
            type Value = Micro;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an integer, or a string holding one")
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Micro, E> {
                Ok(Micro(value))
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Micro, E> {
                i64::try_from(value).map(Micro).map_err(E::custom)
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Micro, E> {
                text.parse().map(Micro).map_err(E::custom)
            }
        }
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(Read)
        } else {
            deserializer.deserialize_i64(Read)
        }
    }
}

impl JsonSchema for Micro {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Micro".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["integer", "string"], "pattern": "^-?[0-9]{1,19}$" })
    }
}
