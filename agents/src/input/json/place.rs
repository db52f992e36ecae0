//! Walks a value that was read, and knows where it is.

use std::fmt::Write as _;

use ontology::{Name, ObjectId, Timestamp};
use serde_json::{Map, Value};

use super::Segment;
use crate::input::InputError;

/// Characters of an offending word that are quoted.
const QUOTED_CHARACTERS_MAX: usize = 64;

/// A value in a file and the way to it. Cheap: the path is written only when something is wrong there.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    file: &'a str,
    value: &'a Value,
    parent: Option<&'a Place<'a>>,
    step: Step<'a>,
}

/// A named value of an object.
pub type Entry<'a> = (&'a str, Place<'a>);

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> Place<'a> {
    /// The whole value of a file.
    #[must_use]
    pub const fn root(file: &'a str, value: &'a Value) -> Self {
        Self { file, value, parent: None, step: Step::Root }
    }

    /// The value itself.
    #[must_use]
    pub const fn value(&self) -> &'a Value {
        self.value
    }

    /// An error here.
    #[must_use]
    pub fn error(&self, message: impl Into<String>) -> InputError {
        InputError::at(self.file, self.path(), message)
    }

    /// An error at a key that is missing here.
    #[must_use]
    pub fn missing(&self, key: &str, message: impl Into<String>) -> InputError {
        let mut path = self.path();
        write_key(&mut path, key);
        InputError::at(self.file, path, message)
    }

    /// The way here: `$.resource_changes[7].change.actions`.
    #[must_use]
    pub fn path(&self) -> String {
        let mut path = self.parent.map_or_else(String::new, Place::path);
        match self.step {
            Step::Root => path.push('$'),
            Step::Key(key) => write_key(&mut path, key),
            Step::Index(index) => write_index(&mut path, index),
        }
        path
    }

    /// The value under `key`; null counts as absent.
    ///
    /// # Errors
    /// When this is not an object.
    pub fn get<'b>(&'b self, key: &'b str) -> Result<Option<Place<'b>>, InputError> {
        Ok(self.object()?.get(key).filter(|value| !value.is_null()).map(|value| self.at_key(key, value)))
    }

    /// The value under `key`.
    ///
    /// # Errors
    /// When it is absent or null, or this is not an object.
    pub fn required<'b>(&'b self, key: &'b str) -> Result<Place<'b>, InputError> {
        self.get(key)?.ok_or_else(|| self.missing(key, "is missing"))
    }

    /// The values of an object, in the order of their keys.
    ///
    /// # Errors
    /// When this is not an object.
    pub fn entries(&self) -> Result<impl Iterator<Item = Entry<'_>>, InputError> {
        Ok(self.object()?.iter().map(|(key, value)| (key.as_str(), self.at_key(key, value))))
    }

    /// The members of a list.
    ///
    /// # Errors
    /// When this is not a list.
    pub fn items(&self) -> Result<impl ExactSizeIterator<Item = Place<'_>>, InputError> {
        let list = self.value.as_array().ok_or_else(|| self.expected("a list"))?;
        Ok(list.iter().enumerate().map(|(index, value)| Place {
            file: self.file,
            value,
            parent: Some(self),
            step: Step::Index(index),
        }))
    }

    /// Refuses keys other than these.
    ///
    /// # Errors
    /// Names the first unknown key and what is allowed.
    pub fn only(&self, allowed: &[&str]) -> Result<(), InputError> {
        match self.object()?.keys().find(|key| !allowed.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => {
                Err(self.missing(key, format!("there is no such key here ({})", allowed.join(", "))))
            }
        }
    }

    /// The object.
    ///
    /// # Errors
    /// When it is something else.
    pub fn object(&self) -> Result<&'a Map<String, Value>, InputError> {
        self.value.as_object().ok_or_else(|| self.expected("an object"))
    }

    /// The text.
    ///
    /// # Errors
    /// When it is something else.
    pub fn text(&self) -> Result<&'a str, InputError> {
        self.value.as_str().ok_or_else(|| self.expected("a text"))
    }

    /// The boolean.
    ///
    /// # Errors
    /// When it is something else.
    pub fn boolean(&self) -> Result<bool, InputError> {
        self.value.as_bool().ok_or_else(|| self.expected("true or false"))
    }

    /// The text, as an object's id.
    ///
    /// # Errors
    /// When it is none.
    pub fn object_id(&self) -> Result<ObjectId, InputError> {
        ObjectId::new(self.text()?).map_err(|error| self.error(reason(&error)))
    }

    /// The text, as a name.
    ///
    /// # Errors
    /// When it is none.
    pub fn name(&self) -> Result<Name, InputError> {
        Name::new(self.text()?).map_err(|error| self.error(reason(&error)))
    }

    /// The text, as a time.
    ///
    /// # Errors
    /// When it is not RFC 3339.
    pub fn time(&self) -> Result<Timestamp, InputError> {
        let wrong = || self.error("is not an RFC 3339 time with an offset, like 2026-11-30T09:00:00Z");
        self.text()?.parse().map_err(|_| wrong())
    }

    /// Text, boolean or object under `key`, where there is one.
    ///
    /// # Errors
    /// What `read` says.
    pub fn optional<T>(
        &self,
        key: &str,
        read: impl FnOnce(&Place<'_>) -> Result<T, InputError>,
    ) -> Result<Option<T>, InputError> {
        self.get(key)?.map(|place| read(&place)).transpose()
    }

    /// The value, read as one of our own types. The value itself is never part of the message.
    ///
    /// # Errors
    /// When it does not have that shape.
    pub fn read<T: serde::de::DeserializeOwned>(&self) -> Result<T, InputError> {
        T::deserialize(self.value).map_err(|error| {
            let message = error.to_string();
            let quotes = message.starts_with("invalid type") || message.starts_with("invalid value");
            self.error(match message.rsplit_once(", expected ") {
                Some((_, "u8" | "u16" | "u32" | "u64")) if quotes => {
                    "is not a whole number from 0".to_owned()
                }
                Some((_, "i64")) if quotes => "is not a whole number".to_owned(),
                Some((_, expected)) if quotes => format!("is not {expected}"),
                _ if message.starts_with("unknown") || message.starts_with("missing") => message,
                _ => "does not have the form that is expected here".to_owned(),
            })
        })
    }

    fn at_key<'b>(&'b self, key: &'b str, value: &'b Value) -> Place<'b> {
        Place { file: self.file, value, parent: Some(self), step: Step::Key(key) }
    }

    fn expected(&self, what: &str) -> InputError {
        let found = match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a text",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        self.error(format!("is {found}, not {what}"))
    }
}

/// What is wrong, without the "read a …: " in front: the place says it.
fn reason(error: &ontology::identity::IdentityError) -> String {
    let message = error.to_string();
    message.split_once(": ").map_or(message.clone(), |(_, reason)| reason.to_owned())
}

/// A word of the file, quoted for an error: bounded, with control characters escaped. Never for attribute values.
#[must_use]
pub(crate) fn quote(word: &str) -> String {
    let cut: String = word.chars().take(QUOTED_CHARACTERS_MAX).collect();
    format!("{cut:?}")
}

/// A path as text.
pub(super) fn render(path: &[Segment]) -> String {
    let mut text = "$".to_owned();
    for segment in path {
        match segment {
            Segment::Key(key) => write_key(&mut text, key),
            Segment::Index(index) => write_index(&mut text, *index),
        }
    }
    text
}

fn write_key(path: &mut String, key: &str) {
    let plain = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if plain {
        path.push('.');
        path.push_str(key);
    } else {
        let _ = write!(path, "[{}]", quote(key));
    }
}

fn write_index(path: &mut String, index: usize) {
    let _ = write!(path, "[{index}]");
}
