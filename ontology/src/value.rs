//! Attribute values of planned changes: JSON without floats, with two things JSON has no word for.
//!
//! In JSON a value looks as in the plan it came from; what is unknown or withheld is an object with one key that
//! starts with `$arb_`. In records it is tagged.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer};
use serde::{Serialize, Serializer};

/// The JSON key of an unknown value.
const UNKNOWN_KEY: &str = "$arb_unknown";
/// The JSON key of a withheld value.
const WITHHELD_KEY: &str = "$arb_withheld";

/// Named attributes.
pub type Attributes = BTreeMap<String, Value>;

/// A value of an attribute.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// JSON null.
    Null,
    /// JSON true or false.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// Any other number, in the shortest decimal form.
    Decimal(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// An object.
    Map(Attributes),
    /// Known only after the change was applied.
    Unknown,
    /// Kept out of the log (U3).
    Withheld(Withheld),
}

/// What is said of a value that is kept out of the log (U3).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Withheld {
    /// `null`, `boolean`, `number`, `text`, `list` or `map`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether the change alters it.
    pub changed: bool,
    /// HMAC-SHA-256 of the canonical value under the deployment's key; absent where no key was at hand.
    pub mac: Option<crate::Digest>,
    /// Which key made the mac.
    pub key_id: Option<String>,
}

impl Value {
    /// The text, if this is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The boolean, if this is one.
    #[must_use]
    pub fn as_boolean(&self) -> Option<bool> {
        if let Self::Boolean(value) = self { Some(*value) } else { None }
    }

    /// The integer, if this is one.
    #[must_use]
    pub fn as_integer(&self) -> Option<i64> {
        if let Self::Integer(value) = self { Some(*value) } else { None }
    }

    /// The members, if this is a list.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Self]> {
        if let Self::List(values) = self { Some(values) } else { None }
    }

    /// The attributes, if this is a map.
    #[must_use]
    pub fn as_map(&self) -> Option<&Attributes> {
        if let Self::Map(values) = self { Some(values) } else { None }
    }

    /// `null`, `boolean`, `number`, `text`, `list`, `map`, `unknown` or `withheld`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean(_) => "boolean",
            Self::Integer(_) | Self::Decimal(_) => "number",
            Self::Text(_) => "text",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Unknown => "unknown",
            Self::Withheld(_) => "withheld",
        }
    }

    /// From JSON; numbers that are not whole become [`Value::Decimal`].
    #[must_use]
    pub fn from_json(json: serde_json::Value) -> Self {
        use serde_json::Value as Json;
        match json {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Boolean(value),
            Json::Number(number) => match number.as_i64() {
                Some(integer) => Self::Integer(integer),
                None => Self::Decimal(number.to_string()),
            },
            Json::String(text) => Self::Text(text),
            Json::Array(values) => Self::List(values.into_iter().map(Self::from_json).collect()),
            Json::Object(map) => Self::from_object(map),
        }
    }

    fn from_object(map: serde_json::Map<String, serde_json::Value>) -> Self {
        if map.len() == 1 {
            if map.contains_key(UNKNOWN_KEY) {
                return Self::Unknown;
            }
            if let Some(withheld) = map.get(WITHHELD_KEY).and_then(|value| Withheld::deserialize(value).ok())
            {
                return Self::Withheld(withheld);
            }
        }
        Self::Map(map.into_iter().map(|(key, value)| (key, Self::from_json(value))).collect())
    }

    /// As JSON, in the shape of the plan it came from.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value as Json;
        match self {
            Self::Null => Json::Null,
            Self::Boolean(value) => Json::Bool(*value),
            Self::Integer(value) => Json::from(*value),
            Self::Decimal(text) => text.parse().map_or_else(|_| Json::String(text.clone()), Json::Number),
            Self::Text(text) => Json::String(text.clone()),
            Self::List(values) => Json::Array(values.iter().map(Self::to_json).collect()),
            Self::Map(map) => {
                Json::Object(map.iter().map(|(key, value)| (key.clone(), value.to_json())).collect())
            }
            Self::Unknown => serde_json::json!({ UNKNOWN_KEY: true }),
            Self::Withheld(withheld) => serde_json::json!({ WITHHELD_KEY: withheld }),
        }
    }
}

/// A one-line form for people: JSON, cut after 60 characters.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN_CHARACTERS_MAX: usize = 60;
        match self {
            Self::Unknown => f.write_str("(known after apply)"),
            Self::Withheld(_) => f.write_str("(withheld)"),
            other => {
                let text = other.to_json().to_string();
                match text.char_indices().nth(SHOWN_CHARACTERS_MAX) {
                    Some((cut, _)) => write!(f, "{}…", &text[..cut]),
                    None => f.write_str(&text),
                }
            }
        }
    }
}

/// The tagged form of records.
#[derive(Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Tagged {
    Null,
    Boolean(bool),
    Integer(i64),
    Decimal(String),
    Text(String),
    List(Vec<Value>),
    Map(Attributes),
    Unknown,
    Withheld(Withheld),
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return self.to_json().serialize(serializer);
        }
        match self {
            Self::Null => serializer.serialize_unit_variant("Value", 0, "null"),
            Self::Boolean(value) => serializer.serialize_newtype_variant("Value", 1, "boolean", value),
            Self::Integer(value) => serializer.serialize_newtype_variant("Value", 2, "integer", value),
            Self::Decimal(value) => serializer.serialize_newtype_variant("Value", 3, "decimal", value),
            Self::Text(value) => serializer.serialize_newtype_variant("Value", 4, "text", value),
            Self::List(value) => serializer.serialize_newtype_variant("Value", 5, "list", value),
            Self::Map(value) => serializer.serialize_newtype_variant("Value", 6, "map", value),
            Self::Unknown => serializer.serialize_unit_variant("Value", 7, "unknown"),
            Self::Withheld(value) => serializer.serialize_newtype_variant("Value", 8, "withheld", value),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return serde_json::Value::deserialize(deserializer)
                .map(Self::from_json)
                .map_err(de::Error::custom);
        }
        Ok(match Tagged::deserialize(deserializer)? {
            Tagged::Null => Self::Null,
            Tagged::Boolean(value) => Self::Boolean(value),
            Tagged::Integer(value) => Self::Integer(value),
            Tagged::Decimal(value) => Self::Decimal(value),
            Tagged::Text(value) => Self::Text(value),
            Tagged::List(value) => Self::List(value),
            Tagged::Map(value) => Self::Map(value),
            Tagged::Unknown => Self::Unknown,
            Tagged::Withheld(value) => Self::Withheld(value),
        })
    }
}

impl JsonSchema for Value {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Value".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "Any JSON value; {\"$arb_unknown\": true} and {\"$arb_withheld\": {...}} mark what is unknown or withheld." })
    }
}
