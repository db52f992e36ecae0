//! Lists and maps being written. A map's entries are sorted in place when it ends.

use serde::ser::{self, Serialize};

use super::{EncodeError, Encoder};

/// A list being written.
pub(super) struct List<'a> {
    encoder: &'a mut Encoder,
    start: usize,
    count: u64,
    /// A tuple or newtype variant is a map of one pair around its list.
    variant: bool,
}

/// A map being written. Its entries are the encoder's last ones, from `first` on.
pub(super) struct Map<'a> {
    encoder: &'a mut Encoder,
    start: usize,
    first: usize,
    key: (usize, usize),
    variant: bool,
}

impl<'a> Map<'a> {
    pub(super) fn new(encoder: &'a mut Encoder, start: usize, variant: bool) -> Self {
        let first = encoder.entries.len();
        Self { encoder, start, first, key: (0, 0), variant }
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), EncodeError> {
        let from = self.encoder.out.len();
        self.encoder.text(key);
        let middle = self.encoder.out.len();
        value.serialize(&mut *self.encoder)?;
        if std::mem::take(&mut self.encoder.absent) {
            self.encoder.out.truncate(from);
        } else {
            let to = self.encoder.out.len();
            self.encoder.entries.push((from, middle, to));
        }
        Ok(())
    }

    fn finish(self) -> Result<(), EncodeError> {
        let Map { encoder, start, first, variant, .. } = self;
        let Encoder { out, entries, sorted, .. } = encoder;
        let own = &mut entries[first..];
        let key = |entry: &(usize, usize, usize)| &out[entry.0..entry.1];
        if !own.windows(2).all(|pair| key(&pair[0]) < key(&pair[1])) {
            own.sort_unstable_by(|a, b| key(a).cmp(key(b)));
            if own.windows(2).any(|pair| key(&pair[0]) == key(&pair[1])) {
                return Err(EncodeError::DuplicateKey);
            }
            sorted.clear();
            for (from, _, to) in &*own {
                sorted.extend_from_slice(&out[*from..*to]);
            }
            out.truncate(start + 1);
            out.extend_from_slice(sorted);
        }
        let count = own.len() as u64;
        entries.truncate(first);
        encoder.close(start, 5, count);
        if variant {
            encoder.depth -= 1;
        }
        Ok(())
    }
}

impl<'a> List<'a> {
    pub(super) fn new(encoder: &'a mut Encoder, start: usize, variant: bool) -> Self {
        Self { encoder, start, count: 0, variant }
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        self.count += 1;
        self.encoder.value(value)
    }

    fn finish(self) {
        self.encoder.close(self.start, 4, self.count);
        if self.variant {
            self.encoder.depth -= 1;
        }
    }
}

/// The four list-like traits of serde differ in the name of one method.
macro_rules! list {
    ($($trait:ident $method:ident),*) => {$(
        impl ser::$trait for List<'_> {
            type Ok = ();
            type Error = EncodeError;
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
                self.element(value)
            }
            fn end(self) -> Result<(), EncodeError> {
                self.finish();
                Ok(())
            }
        }
    )*};
}
list!(SerializeSeq serialize_element, SerializeTuple serialize_element,
      SerializeTupleStruct serialize_field, SerializeTupleVariant serialize_field);

/// A struct and a struct variant write their fields alike.
macro_rules! fields {
    ($($trait:ident),*) => {$(
        impl ser::$trait for Map<'_> {
            type Ok = ();
            type Error = EncodeError;
            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), EncodeError> {
                self.field(key, value)
            }
            fn end(self) -> Result<(), EncodeError> {
                self.finish()
            }
        }
    )*};
}
fields!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Map<'_> {
    type Ok = ();
    type Error = EncodeError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), EncodeError> {
        let from = self.encoder.out.len();
        self.encoder.value(key)?;
        self.key = (from, self.encoder.out.len());
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        self.encoder.value(value)?;
        let to = self.encoder.out.len();
        self.encoder.entries.push((self.key.0, self.key.1, to));
        Ok(())
    }

    fn end(self) -> Result<(), EncodeError> {
        self.finish()
    }
}
