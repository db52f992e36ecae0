//! Deterministic CBOR, RFC 8949 section 4.2.1: shortest integers, definite lengths, map keys sorted by their
//! encoded bytes. No floats, no tags, no null: an absent option is omitted, so one value has one form.
//!
//! [`to_vec`] writes the form, [`check`] recognises it by scanning (without decoding or encoding again), and
//! [`from_slice`] reads it and refuses whatever [`check`] refuses.

mod decode;
mod encode;
mod scan;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use encode::EncodeError;
pub use scan::{NotCanonical, check};

/// Nesting deeper than this is refused on both sides: no record of ours is deeper than a dozen levels, and a
/// bound keeps hostile bytes from exhausting the stack.
pub const DEPTH_MAX: usize = 64;

/// Bytes that could not be read as a `T`.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// The bytes are not in the one form that [`to_vec`] writes.
    #[error(transparent)]
    NotCanonical(#[from] NotCanonical),
    /// The bytes say something else than a `T`.
    #[error("read the object: {0}")]
    Shape(String),
}

/// Writes `value` in its one canonical form.
///
/// # Errors
/// [`EncodeError`] when the value holds a float, a null inside a list, a duplicate key or nests too deep.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, EncodeError> {
    encode::to_vec(value)
}

/// Reads a `T` from bytes in canonical form; it may borrow from them.
///
/// # Errors
/// [`DecodeError`] when the bytes are not canonical, or do not have the shape of a `T`.
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, DecodeError> {
    decode::from_slice(bytes)
}
