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

struct Scan<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Scan<'a> {
    fn fault(&self, why: &'static str) -> NotCanonical {
        NotCanonical { offset: self.offset, why }
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8], NotCanonical> {
        let rest = &self.bytes[self.offset..];
        let length = usize::try_from(length).ok().filter(|length| *length <= rest.len());
        let length = length.ok_or_else(|| self.fault("the end is missing"))?;
        self.offset += length;
        Ok(&rest[..length])
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

    fn item(&mut self, depth: usize) -> Result<(), NotCanonical> {
        let start = self.offset;
        let head = self.take(1)?[0];
        let (major, additional) = (head >> 5, head & 0x1f);
        if major >= 6 {
            self.offset = start;
            return match head {
                0xf4 | 0xf5 => self.take(1).map(|_| ()),
                _ => Err(self.fault("a float, a tag, null or another simple value")),
            };
        }
        if major >= 4 && depth >= DEPTH_MAX {
            self.offset = start;
            return Err(self.fault("nesting too deep"));
        }
        let argument = self.argument(additional)?;
        match major {
            0 => Ok(()),
            1 if i64::try_from(argument).is_ok() => Ok(()),
            1 => Err(self.fault("a negative integer of more than 64 bits")),
            2 => self.take(argument).map(|_| ()),
            3 => {
                let text = self.take(argument)?;
                std::str::from_utf8(text).map(|_| ()).map_err(|_| self.fault("text that is not UTF-8"))
            }
            4 => (0..argument).try_for_each(|_| self.item(depth + 1)),
            _ => self.map(argument, depth),
        }
    }

    fn map(&mut self, pairs: u64, depth: usize) -> Result<(), NotCanonical> {
        let mut last: Option<&[u8]> = None;
        for _ in 0..pairs {
            let from = self.offset;
            self.item(depth + 1)?;
            let key = &self.bytes[from..self.offset];
            if last.is_some_and(|last| last >= key) {
                return Err(self.fault("a map key out of order or twice"));
            }
            last = Some(key);
            self.item(depth + 1)?;
        }
        Ok(())
    }
}
