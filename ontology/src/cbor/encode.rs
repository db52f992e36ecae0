//! The canonical serialiser: one pass, into one buffer, sorting each map's entries in place.

mod compound;

use serde::ser::{self, Serialize};

use self::compound::{List, Map};
use super::DEPTH_MAX;

/// A value that has no canonical form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// Floats have several forms and no exact decimal meaning; records hold integers with a unit.
    #[error("encode a float: records hold integers")]
    Float,
    /// An absent option outside a struct field.
    #[error("encode an absent value that is not a field")]
    Absent,
    /// The same key twice in one map.
    #[error("encode a map with a duplicate key")]
    DuplicateKey,
    /// Nesting deeper than [`DEPTH_MAX`].
    #[error("encode a value nested deeper than {DEPTH_MAX}")]
    TooDeep,
    /// An integer outside the 64-bit range.
    #[error("encode an integer of more than 64 bits")]
    Range,
    /// What a type's own `Serialize` reported.
    #[error("encode: {0}")]
    Custom(String),
}

impl ser::Error for EncodeError {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self::Custom(message.to_string())
    }
}

pub(super) fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, EncodeError> {
    let mut encoder = Encoder {
        out: Vec::with_capacity(1_024),
        entries: Vec::with_capacity(64),
        sorted: Vec::new(),
        absent: false,
        depth: 0,
    };
    encoder.value(value)?;
    Ok(encoder.out)
}

struct Encoder {
    out: Vec<u8>,
    /// The entries of every map that is open, the innermost last: where each starts, where its value does, and
    /// where it ends.
    entries: Vec<(usize, usize, usize)>,
    /// Room for a map's entries in order, before they go back to where they came from.
    sorted: Vec<u8>,
    /// Set by `serialize_none`, taken by the struct that drops the field.
    absent: bool,
    depth: usize,
}

impl Encoder {
    /// Writes a value that must be present.
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        value.serialize(&mut *self)?;
        if std::mem::take(&mut self.absent) { Err(EncodeError::Absent) } else { Ok(()) }
    }

    fn head(&mut self, major: u8, argument: u64) {
        let (bytes, length) = head(major, argument);
        self.out.extend_from_slice(&bytes[..length]);
    }

    fn text(&mut self, text: &str) {
        self.head(3, text.len() as u64);
        self.out.extend_from_slice(text.as_bytes());
    }

    fn open(&mut self) -> Result<usize, EncodeError> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(EncodeError::TooDeep);
        }
        let start = self.out.len();
        self.out.push(0); // room for a head of one byte; `close` makes more where the count needs it
        Ok(start)
    }

    fn close(&mut self, start: usize, major: u8, count: u64) {
        self.depth -= 1;
        let (bytes, length) = head(major, count);
        self.out[start] = bytes[0];
        if length > 1 {
            self.out.splice(start + 1..start + 1, bytes[1..length].iter().copied());
        }
    }
}

/// The head of a data item: major type and argument in the shortest form.
fn head(major: u8, argument: u64) -> ([u8; 9], usize) {
    let mut bytes = [0_u8; 9];
    let be = argument.to_be_bytes();
    let (additional, length) = match argument {
        0..=23 => (be[7], 0),
        24..=0xff => (24, 1),
        0x100..=0xffff => (25, 2),
        0x1_0000..=0xffff_ffff => (26, 4),
        _ => (27, 8),
    };
    bytes[0] = (major << 5) | additional;
    bytes[1..=length].copy_from_slice(&be[8 - length..]);
    (bytes, length + 1)
}

impl Encoder {
    fn list(&mut self, variant: bool) -> Result<List<'_>, EncodeError> {
        let start = self.open()?;
        Ok(List::new(self, start, variant))
    }

    fn map(&mut self, variant: bool) -> Result<Map<'_>, EncodeError> {
        let start = self.open()?;
        Ok(Map::new(self, start, variant))
    }

    /// Opens the one-pair map of a variant that holds something.
    fn variant(&mut self, name: &'static str) -> Result<(), EncodeError> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(EncodeError::TooDeep);
        }
        self.head(5, 1);
        self.text(name);
        Ok(())
    }
}

impl<'a> ser::Serializer for &'a mut Encoder {
    type Ok = ();
    type Error = EncodeError;
    type SerializeSeq = List<'a>;
    type SerializeTuple = List<'a>;
    type SerializeTupleStruct = List<'a>;
    type SerializeTupleVariant = List<'a>;
    type SerializeMap = Map<'a>;
    type SerializeStruct = Map<'a>;
    type SerializeStructVariant = Map<'a>;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_bool(self, value: bool) -> Result<(), EncodeError> {
        self.out.push(if value { 0xf5 } else { 0xf4 });
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Result<(), EncodeError> {
        self.serialize_i64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result<(), EncodeError> {
        self.serialize_i64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Result<(), EncodeError> {
        self.serialize_i64(value.into())
    }

    fn serialize_i64(self, value: i64) -> Result<(), EncodeError> {
        match u64::try_from(value) {
            Ok(positive) => self.head(0, positive),
            Err(_) => self.head(1, !value.cast_unsigned()),
        }
        Ok(())
    }

    fn serialize_i128(self, value: i128) -> Result<(), EncodeError> {
        i64::try_from(value).map_err(|_| EncodeError::Range).and_then(|value| self.serialize_i64(value))
    }

    fn serialize_u8(self, value: u8) -> Result<(), EncodeError> {
        self.serialize_u64(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<(), EncodeError> {
        self.serialize_u64(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<(), EncodeError> {
        self.serialize_u64(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<(), EncodeError> {
        self.head(0, value);
        Ok(())
    }

    fn serialize_u128(self, value: u128) -> Result<(), EncodeError> {
        u64::try_from(value).map_err(|_| EncodeError::Range).and_then(|value| self.serialize_u64(value))
    }

    fn serialize_f32(self, _: f32) -> Result<(), EncodeError> {
        Err(EncodeError::Float)
    }

    fn serialize_f64(self, _: f64) -> Result<(), EncodeError> {
        Err(EncodeError::Float)
    }

    fn serialize_char(self, value: char) -> Result<(), EncodeError> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), EncodeError> {
        self.text(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), EncodeError> {
        self.head(2, value.len() as u64);
        self.out.extend_from_slice(value);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), EncodeError> {
        self.absent = true;
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), EncodeError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), EncodeError> {
        Err(EncodeError::Absent)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), EncodeError> {
        Err(EncodeError::Absent)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), EncodeError> {
        self.text(variant);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), EncodeError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), EncodeError> {
        self.variant(variant)?;
        self.value(value)?;
        self.depth -= 1;
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List<'a>, EncodeError> {
        self.list(false)
    }

    fn serialize_tuple(self, _: usize) -> Result<List<'a>, EncodeError> {
        self.list(false)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List<'a>, EncodeError> {
        self.list(false)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<List<'a>, EncodeError> {
        self.variant(variant)?;
        self.list(true)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Map<'a>, EncodeError> {
        self.map(false)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Map<'a>, EncodeError> {
        self.map(false)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Map<'a>, EncodeError> {
        self.variant(variant)?;
        self.map(true)
    }
}
