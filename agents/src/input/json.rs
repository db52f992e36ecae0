//! Strict JSON: duplicate keys are refused, nesting, size and the number of values are bounded, and every error
//! names the place, in the file and in the structure (U6). Values are never quoted, they may be secrets (U3).

mod place;
mod read;
#[cfg(test)]
mod tests;

use serde::de::DeserializeSeed as _;
use serde_json::Value;

pub(crate) use place::quote;
pub use place::{Entry, Place};
pub use read::Segment;

use super::{FILE_BYTES_MAX, InputError};

/// Values that are kept of one file at most: each costs 32 bytes and more, and a file of [`FILE_BYTES_MAX`] bytes
/// could hold twenty times as many of the smallest.
pub const VALUES_MAX: usize = 4_000_000;

/// What a reader does beyond reading.
#[derive(Clone, Copy)]
pub struct Options {
    /// Whether the value under a key is checked and then forgotten: where the key stands, and the key. What is
    /// not kept costs no memory and cannot leak (U3).
    pub forget: fn(&[Segment], &str) -> bool,
    /// Keys that start with this are refused: they mean something in our own documents.
    pub reserved: Option<&'static str>,
}

impl Default for Options {
    fn default() -> Self {
        Self { forget: |_, _| false, reserved: None }
    }
}

/// Reads one JSON value that fills the whole file.
///
/// # Errors
/// [`InputError`] when it is too large, not UTF-8, not JSON, cut off, nested too deep or has a key twice.
pub fn parse(file: &str, bytes: &[u8]) -> Result<Value, InputError> {
    parse_with(file, bytes, Options::default())
}

/// [`parse`], with options.
///
/// # Errors
/// As [`parse`], and for reserved keys.
pub fn parse_with(file: &str, bytes: &[u8], options: Options) -> Result<Value, InputError> {
    let text = text(file, bytes)?;
    let mut state = read::State::new(options);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = read::Seed { state: &mut state, keep: true }.deserialize(&mut deserializer);
    match read.and_then(|value| deserializer.end().map(|()| value)) {
        Ok(value) => Ok(value),
        Err(error) => Err(explain(file, &error, state)),
    }
}

/// The text of a file: at most [`FILE_BYTES_MAX`] bytes of UTF-8; a byte-order mark is dropped.
///
/// # Errors
/// [`InputError`] says what the bytes are instead, where that can be told, or where they stop being UTF-8.
pub fn text<'a>(file: &str, bytes: &'a [u8]) -> Result<&'a str, InputError> {
    let refuse = |message: String| Err(InputError::at(file, "", message));
    if bytes.len() > FILE_BYTES_MAX {
        return refuse(format!("the file has {} bytes, at most {FILE_BYTES_MAX} are read", bytes.len()));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return refuse("the file is UTF-16, as PowerShell's \">\" writes it; save it as UTF-8".into());
    }
    if bytes.starts_with(b"\x1f\x8b") {
        return refuse("the file is compressed with gzip; unpack it first".into());
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return refuse("the file is empty".into());
    }
    if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
        return refuse(format!("the file is binary: byte {offset} is NUL"));
    }
    std::str::from_utf8(bytes).or_else(|error| {
        refuse(format!("the file is not UTF-8 at byte {}; save it as UTF-8", error.valid_up_to()))
    })
}

/// The place is the path that was being read; a fault found by us has its own words, JSON's own say line and column.
fn explain(file: &str, error: &serde_json::Error, mut state: read::State) -> InputError {
    if state.key_alone {
        state.path.pop();
    }
    let path = place::render(&state.path);
    if let Some(fault) = state.fault {
        return InputError::at(file, path, fault);
    }
    let position = format!("line {}, column {}", error.line(), error.column());
    if error.is_eof() {
        return InputError::at(file, position, format!("the file ends in the middle of {path}"));
    }
    // serde_json ends its messages with the position, which stands in front here.
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
    InputError::at(file, position, format!("{message}, in {path}"))
}
