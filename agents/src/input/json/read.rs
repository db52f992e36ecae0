//! Builds the value while it keeps the path, so that a fault anywhere knows its place.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::{Options, VALUES_MAX};
use crate::input::DEPTH_MAX;

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// Under this key.
    Key(String),
    /// At this index.
    Index(usize),
}

/// What all visitors of one file share.
pub(super) struct State {
    /// Where the reader is. After an error: where it happened.
    pub(super) path: Vec<Segment>,
    /// What we found wrong, in our words.
    pub(super) fault: Option<String>,
    /// The last step of the path is a text that may have been meant as a value: no colon was seen after it.
    pub(super) key_alone: bool,
    options: Options,
    kept: usize,
}

impl State {
    pub(super) fn new(options: Options) -> Self {
        Self { path: Vec::new(), fault: None, key_alone: false, options, kept: 0 }
    }

    fn refuse<E: de::Error>(&mut self, fault: String) -> E {
        self.fault = Some(fault);
        E::custom("refused")
    }

    fn count<E: de::Error>(&mut self, keep: bool) -> Result<(), E> {
        self.kept += usize::from(keep);
        if self.kept > VALUES_MAX {
            return Err(self.refuse(format!("more than {VALUES_MAX} values; split the file")));
        }
        Ok(())
    }

    fn enter<E: de::Error>(&mut self, segment: Segment) -> Result<(), E> {
        self.path.push(segment);
        if self.path.len() > DEPTH_MAX {
            self.path.truncate(PATH_SHOWN_MAX);
            return Err(self.refuse(format!("nests deeper than {DEPTH_MAX} levels")));
        }
        Ok(())
    }
}

/// Segments shown of a path that is too deep: the rest says nothing more.
const PATH_SHOWN_MAX: usize = 8;

/// Reads one value; where it is not kept, it is checked alike and null comes back.
pub(super) struct Seed<'s> {
    pub(super) state: &'s mut State,
    pub(super) keep: bool,
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.state.key_alone = false;
        self.state.count(self.keep)?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        Ok(if self.keep { Value::String(text.to_owned()) } else { Value::Null })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let Self { state, keep } = self;
        let mut list = Vec::new();
        for index in 0.. {
            state.enter(Segment::Index(index))?;
            let Some(value) = members.next_element_seed(Seed { state, keep })? else { break };
            state.path.pop();
            if keep {
                list.push(value);
            }
        }
        state.path.pop();
        list.shrink_to_fit();
        Ok(if keep { Value::Array(list) } else { Value::Null })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let Self { state, keep } = self;
        let mut map = Map::new();
        let mut forgotten: BTreeSet<Cow<'de, str>> = BTreeSet::new();
        while let Some(key) = entries.next_key_seed(Key)? {
            let twice = map.contains_key(&*key) || forgotten.contains(&key);
            let kept = keep && !(state.options.forget)(&state.path, &key);
            let reserved = kept && state.options.reserved.is_some_and(|prefix| key.starts_with(prefix));
            state.enter(Segment::Key(key.clone().into_owned()))?;
            if twice {
                return Err(state.refuse("the key stands here twice; keep one".into()));
            }
            if reserved {
                return Err(state.refuse("the key is reserved; rename it".into()));
            }
            state.key_alone = true;
            let value = entries.next_value_seed(Seed { state, keep: kept })?;
            let segment = state.path.pop();
            match segment {
                Some(Segment::Key(key)) if kept => {
                    map.insert(key, value);
                }
                _ => {
                    forgotten.insert(key);
                }
            }
        }
        Ok(if keep { Value::Object(map) } else { Value::Null })
    }
}

/// Reads a key, borrowed where it has no escapes.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }
    fn visit_borrowed_str<E: de::Error>(self, key: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(key))
    }
    fn visit_str<E: de::Error>(self, key: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(key.to_owned()))
    }
}
