//! Reads the canonical form, and checks it, in one pass: text and byte strings are borrowed from the bytes.

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, IntoDeserializer, Visitor};

use super::scan::{Head, Scan};
use super::{DecodeError, NotCanonical};

impl de::Error for DecodeError {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self::Shape(message.to_string())
    }
}

fn misfit(what: &str) -> DecodeError {
    DecodeError::Shape(what.to_owned())
}

pub(super) fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, DecodeError> {
    let mut reader = Reader { scan: Scan { bytes, offset: 0 }, depth: 0 };
    let value = T::deserialize(&mut reader)?;
    if reader.scan.offset == bytes.len() { Ok(value) } else { Err(reader.fault("bytes after the end")) }
}

struct Reader<'de> {
    scan: Scan<'de>,
    /// How many lists and maps are open.
    depth: usize,
}

impl<'de> Reader<'de> {
    fn fault(&self, why: &'static str) -> DecodeError {
        self.scan.fault(why).into()
    }

    fn head(&mut self) -> Result<Head, NotCanonical> {
        self.scan.head(self.depth)
    }

    /// Reads what `read` makes of a list or map of `count` parts, all of them.
    fn parts<T>(
        &mut self,
        count: u64,
        read: impl FnOnce(&mut Parts<'_, 'de>) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        self.depth += 1;
        let mut parts = Parts { reader: self, left: count, last: &[] };
        let value = read(&mut parts)?;
        if parts.left > 0 {
            return Err(misfit("more parts than expected"));
        }
        self.depth -= 1;
        Ok(value)
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = DecodeError;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.head()? {
            Head::Unsigned(value) => visitor.visit_u64(value),
            Head::Negative(value) => visitor.visit_i64(value),
            Head::Bool(value) => visitor.visit_bool(value),
            Head::Bytes(length) => visitor.visit_borrowed_bytes(self.scan.take(length)?),
            Head::Text(length) => visitor.visit_borrowed_str(self.scan.text(length)?),
            Head::List(count) => self.parts(count, |parts| visitor.visit_seq(parts)),
            Head::Map(pairs) => self.parts(pairs, |parts| visitor.visit_map(parts)),
        }
    }

    /// What is absent was omitted: whatever is here is present.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    /// A unit variant is its name, another a map of one pair.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match self.head()? {
            Head::Text(length) => visitor.visit_enum(self.scan.text(length)?.into_deserializer()),
            Head::Map(1) => {
                self.depth += 1;
                let value = visitor.visit_enum(&mut *self)?;
                self.depth -= 1;
                Ok(value)
            }
            _ => Err(misfit("invalid type: expected the name of a variant, or a map of one pair")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.scan.item(self.depth)?;
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq
        tuple tuple_struct map struct identifier
    }
}

/// The parts of a list, or the pairs of a map, that are still to read.
struct Parts<'a, 'de> {
    reader: &'a mut Reader<'de>,
    left: u64,
    /// The key before, as it is written; empty before the first.
    last: &'de [u8],
}

impl Parts<'_, '_> {
    fn next(&mut self) -> bool {
        let more = self.left > 0;
        self.left = self.left.saturating_sub(1);
        more
    }

    /// How many are announced: no promise, and no part takes less than a byte.
    fn announced(&self) -> usize {
        let rest = self.reader.scan.bytes.len() - self.reader.scan.offset;
        usize::try_from(self.left).unwrap_or(usize::MAX).min(rest)
    }
}

impl<'de> de::SeqAccess<'de> for &mut Parts<'_, 'de> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, DecodeError> {
        if self.next() { seed.deserialize(&mut *self.reader).map(Some) } else { Ok(None) }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.announced())
    }
}

impl<'de> de::MapAccess<'de> for &mut Parts<'_, 'de> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeError> {
        if !self.next() {
            return Ok(None);
        }
        let from = self.reader.scan.offset;
        let key = seed.deserialize(&mut *self.reader)?;
        self.last = self.reader.scan.key_after(self.last, from)?;
        Ok(Some(key))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, DecodeError> {
        seed.deserialize(&mut *self.reader)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.announced())
    }
}

/// The name of a variant, with what it holds behind it.
impl<'de> de::EnumAccess<'de> for &mut Reader<'de> {
    type Error = DecodeError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), DecodeError> {
        let name = seed.deserialize(&mut *self)?;
        Ok((name, self))
    }
}

impl<'de> de::VariantAccess<'de> for &mut Reader<'de> {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        Err(misfit("a variant that holds nothing is its name alone"))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, DecodeError> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.deserialize_any(visitor)
    }
}
