//! Quantities as people write them in files: `14d`, `36h`, `2027-03-01`, `99.95`. Their errors quote nothing, and
//! get the line and column of their place from the reader.

use std::fmt;

use ontology::Timestamp;
use ontology::time::DAY_S;
use serde::de::{self, Deserialize, Deserializer};

/// Seconds of a length of time at most: a hundred years, so that no sum of two overflows anything.
pub const SECONDS_MAX: u64 = 100 * 366 * DAY_S.unsigned_abs();
/// Digits after the point of a decimal at most: millionths.
const FRACTION_DIGITS_MAX: usize = 6;

/// What is wrong with a written quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    /// Not a length of time.
    #[error(
        "expected a length of time: whole numbers with w, d, h, m or s, like 14d, 36h or 1h30m; at most 100 years"
    )]
    Seconds,
    /// Not a length of time in milliseconds.
    #[error("expected a length of time: whole numbers with ms, s or m, like 5s or 1500ms")]
    Milliseconds,
    /// Not a date or time.
    #[error("expected a date like 2027-03-01, or a time with its offset like 2027-03-01T09:00:00Z")]
    Moment,
    /// Not a decimal.
    #[error("expected a decimal number with at most six digits after the point, like 99.95")]
    Decimal,
    /// Not a currency.
    #[error("expected the three letters of a currency (ISO 4217), like USD")]
    Currency,
}

/// A length of time in seconds, written `14d`, `36h`, `1h30m`, `0s` or `0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seconds(pub u64);

/// A short length of time in milliseconds, written `5s`, `1500ms` or `1m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Milliseconds(pub u64);

/// A point in time, written as a date (its first instant in UTC) or in RFC 3339 with an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub Timestamp);

/// A decimal number in millionths, exact: it never passes through a float.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal {
    /// Millionths.
    pub micro: i64,
}

/// An ISO 4217 code, upper case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Currency(pub String);

impl std::str::FromStr for Currency {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let is_code = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
        if is_code { Ok(Self(text.to_owned())) } else { Err(QuantityError::Currency) }
    }
}

impl std::str::FromStr for Seconds {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        const UNITS: &[(&str, u64)] = &[("w", 7 * 86_400), ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)];
        if text == "0" {
            return Ok(Self(0));
        }
        sum_of_parts(text, UNITS)
            .filter(|seconds| *seconds <= SECONDS_MAX)
            .map(Self)
            .ok_or(QuantityError::Seconds)
    }
}

impl std::str::FromStr for Milliseconds {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        const UNITS: &[(&str, u64)] = &[("m", 60_000), ("s", 1_000), ("ms", 1)];
        let bounded = |milliseconds: &u64| *milliseconds <= SECONDS_MAX;
        sum_of_parts(text, UNITS).filter(bounded).map(Self).ok_or(QuantityError::Milliseconds)
    }
}

/// Adds whole numbers with units, each unit at most once and the largest first.
fn sum_of_parts(text: &str, mut units: &[(&str, u64)]) -> Option<u64> {
    let (mut rest, mut sum) = (text, 0_u64);
    while !rest.is_empty() {
        let number_ends = rest.find(|character: char| !character.is_ascii_digit())?;
        let (number, tail) = rest.split_at(number_ends);
        let unit_ends = tail.find(|character: char| character.is_ascii_digit()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(unit_ends);
        let index = units.iter().position(|(name, _)| *name == unit)?;
        sum = sum.checked_add(number.parse::<u64>().ok()?.checked_mul(units[index].1)?)?;
        units = &units[index + 1..];
        rest = tail;
    }
    (!text.is_empty()).then_some(sum)
}

impl std::str::FromStr for Moment {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let is_date = text.len() == "2027-03-01".len();
        let time = if is_date { format!("{text}T00:00:00Z").parse() } else { text.parse() };
        time.map(Self).map_err(|_| QuantityError::Moment)
    }
}

impl std::str::FromStr for Decimal {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        decimal(text).map(|micro| Self { micro }).ok_or(QuantityError::Decimal)
    }
}

fn decimal(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(whole) || !all_digits(fraction) || fraction.len() > FRACTION_DIGITS_MAX {
        return None;
    }
    let micro = format!("{whole}{fraction:0<FRACTION_DIGITS_MAX$}").parse::<i64>().ok()?;
    Some(if negative { -micro } else { micro })
}

macro_rules! read_from_text {
    ($($name:ident: $what:literal),*) => { $(
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Read;
                impl de::Visitor<'_> for Read {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($what)
                    }
                    fn visit_str<E: de::Error>(self, text: &str) -> Result<$name, E> {
                        text.trim().parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(Read)
            }
        }
    )* };
}

read_from_text! {
    Seconds: "a length of time like 14d",
    Milliseconds: "a length of time like 5s",
    Moment: "a date like 2027-03-01",
    Decimal: "a decimal number",
    Currency: "a currency"
}

#[cfg(test)]
mod tests;
