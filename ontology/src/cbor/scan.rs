//! Recognises the canonical form without building anything.

use super::DEPTH_MAX;

/// Bytes that are not in canonical form: where, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("read canonical bytes: {why} at byte {offset}")]
pub struct NotCanonical {
    /// Offset of the offending byte.
    pub offset: usize,
    /// Which rule it breaks.
    pub why: &'static str,
}

/// Accepts exactly one data item in the form that [`super::to_vec`] writes, and nothing after it.
///
/// # Errors
/// [`NotCanonical`] with the offset of the first byte that breaks a rule of RFC 8949 section 4.2.1 or of this
/// profile (no floats, no tags, no null, depth at most [`DEPTH_MAX`]).
pub fn check(bytes: &[u8]) -> Result<(), NotCanonical> {
    let mut scan = Scan { bytes, offset: 0 };
    scan.item(0)?;
    if scan.offset == bytes.len() { Ok(()) } else { Err(scan.fault("bytes after the end")) }
}

/// A position in bytes that are read once, from front to back, each rule checked as it is met.
pub(super) struct Scan<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) offset: usize,
}

/// The head of a data item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Head {
    Unsigned(u64),
    /// −1 − the argument.
    Negative(i64),
    /// A byte string of so many bytes.
    Bytes(u64),
    /// A text of so many bytes.
    Text(u64),
    /// A list of so many items.
    List(u64),
    /// A map of so many pairs.
    Map(u64),
    Bool(bool),
}

impl<'a> Scan<'a> {
    pub(super) fn fault(&self, why: &'static str) -> NotCanonical {
        NotCanonical { offset: self.offset, why }
    }

    pub(super) fn take(&mut self, length: u64) -> Result<&'a [u8], NotCanonical> {
        let rest = &self.bytes[self.offset..];
        let length = usize::try_from(length).ok().filter(|length| *length <= rest.len());
        let length = length.ok_or_else(|| self.fault("the end is missing"))?;
        self.offset += length;
        Ok(&rest[..length])
    }

    pub(super) fn text(&mut self, length: u64) -> Result<&'a str, NotCanonical> {
        let text = self.take(length)?;
        std::str::from_utf8(text).map_err(|_| self.fault("text that is not UTF-8"))
    }

    fn argument(&mut self, additional: u8) -> Result<u64, NotCanonical> {
        let (length, least) = match additional {
            0..=23 => return Ok(additional.into()),
            24 => (1, 24),
            25 => (2, 0x100),
            26 => (4, 0x1_0000),
            27 => (8, 0x1_0000_0000),
            _ => return Err(self.fault("an indefinite or reserved length")),
        };
        let value = self.take(length)?.iter().fold(0_u64, |value, byte| (value << 8) | u64::from(*byte));
        if value < least { Err(self.fault("an integer in a longer form than needed")) } else { Ok(value) }
    }

    /// The head of the next item, which lies `depth` lists and maps deep.
    pub(super) fn head(&mut self, depth: usize) -> Result<Head, NotCanonical> {
        let Some(first) = self.bytes.get(self.offset).copied() else {
            return Err(self.fault("the end is missing"));
        };
        let major = first >> 5;
        if major >= 6 && first != 0xf4 && first != 0xf5 {
            return Err(self.fault("a float, a tag, null or another simple value"));
        }
        if (major == 4 || major == 5) && depth >= DEPTH_MAX {
            return Err(self.fault("nesting too deep"));
        }
        self.offset += 1;
        let argument = self.argument(first & 0x1f)?;
        Ok(match major {
            0 => Head::Unsigned(argument),
            1 => match i64::try_from(argument) {
                Ok(argument) => Head::Negative(!argument),
                Err(_) => return Err(self.fault("a negative integer of more than 64 bits")),
            },
            2 => Head::Bytes(argument),
            3 => Head::Text(argument),
            4 => Head::List(argument),
            5 => Head::Map(argument),
            _ => Head::Bool(first == 0xf5),
        })
    }

    pub(super) fn item(&mut self, depth: usize) -> Result<(), NotCanonical> {
        match self.head(depth)? {
            Head::Unsigned(_) | Head::Negative(_) | Head::Bool(_) => Ok(()),
            Head::Bytes(length) => self.take(length).map(|_| ()),
            Head::Text(length) => self.text(length).map(|_| ()),
            Head::List(count) => (0..count).try_for_each(|_| self.item(depth + 1)),
            Head::Map(pairs) => self.map(pairs, depth),
        }
    }

    fn map(&mut self, pairs: u64, depth: usize) -> Result<(), NotCanonical> {
        let mut last: &[u8] = &[];
        for _ in 0..pairs {
            let from = self.offset;
            self.item(depth + 1)?;
            last = self.key_after(last, from)?;
            self.item(depth + 1)?;
        }
        Ok(())
    }

    /// The key that was read from `from` on, if it sorts behind the one before. No key is empty.
    pub(super) fn key_after(&self, last: &[u8], from: usize) -> Result<&'a [u8], NotCanonical> {
        let key = &self.bytes[from..self.offset];
        if last < key { Ok(key) } else { Err(self.fault("a map key out of order or twice")) }
    }
}
