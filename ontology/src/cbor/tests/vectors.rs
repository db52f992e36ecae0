//! RFC 8949 appendix A, as far as this profile goes.

use ciborium::Value;

use super::{bytes, fault};
use crate::cbor::{from_slice, to_vec};

#[test]
fn the_vectors_of_rfc_8949_that_the_profile_allows() {
    let text = |text: &str| Value::Text(text.to_owned());
    let list = |values: &[Value]| Value::Array(values.to_vec());
    let numbers = |range: std::ops::RangeInclusive<i64>| Value::Array(range.map(Value::from).collect());
    let letters =
        |pairs: &[(&str, &str)]| Value::Map(pairs.iter().map(|(a, b)| (text(a), text(b))).collect());
    for (hex, value) in [
        ("00", 0.into()),
        ("01", 1.into()),
        ("0a", 10.into()),
        ("17", 23.into()),
        ("1818", 24.into()),
        ("1819", 25.into()),
        ("1864", 100.into()),
        ("1903e8", 1_000.into()),
        ("1a000f4240", 1_000_000.into()),
        ("1b000000e8d4a51000", 1_000_000_000_000_i64.into()),
        ("1bffffffffffffffff", u64::MAX.into()),
        ("20", (-1).into()),
        ("29", (-10).into()),
        ("3863", (-100).into()),
        ("3903e7", (-1_000).into()),
        ("f4", false.into()),
        ("f5", true.into()),
        ("40", Value::Bytes(Vec::new())),
        ("4401020304", Value::Bytes(vec![1, 2, 3, 4])),
        ("60", text("")),
        ("6161", text("a")),
        ("6449455446", text("IETF")),
        ("62225c", text("\"\\")),
        ("62c3bc", text("\u{fc}")),
        ("63e6b0b4", text("\u{6c34}")),
        ("64f0908591", text("\u{10151}")),
        ("80", list(&[])),
        ("83010203", numbers(1..=3)),
        ("8301820203820405", list(&[1.into(), numbers(2..=3), numbers(4..=5)])),
        ("98190102030405060708090a0b0c0d0e0f101112131415161718181819", numbers(1..=25)),
        ("a0", Value::Map(Vec::new())),
        ("a201020304", Value::Map(vec![(1.into(), 2.into()), (3.into(), 4.into())])),
        ("a26161016162820203", Value::Map(vec![(text("a"), 1.into()), (text("b"), numbers(2..=3))])),
        ("826161a161626163", list(&[text("a"), letters(&[("b", "c")])])),
        (
            "a56161614161626142616361436164614461656145",
            letters(&[("a", "A"), ("b", "B"), ("c", "C"), ("d", "D"), ("e", "E")]),
        ),
    ] {
        assert_eq!(to_vec(&value).unwrap(), bytes(hex), "write {hex}");
        assert_eq!(from_slice::<Value>(&bytes(hex)).unwrap(), value, "read {hex}");
    }
}

#[test]
fn the_vectors_of_rfc_8949_that_the_profile_refuses() {
    let simple = "a float, a tag, null or another simple value";
    let indefinite = "an indefinite or reserved length";
    for (hex, why) in [
        ("3bffffffffffffffff", "a negative integer of more than 64 bits"),
        ("c249010000000000000000", simple),
        ("c349010000000000000000", simple),
        ("f90000", simple),
        ("f93c00", simple),
        ("fb3ff199999999999a", simple),
        ("fa47c35000", simple),
        ("f97e00", simple),
        ("f6", simple),
        ("f7", simple),
        ("f0", simple),
        ("f8ff", simple),
        ("c11a514b67b0", simple),
        ("d818456449455446", simple),
        ("5f42010243030405ff", indefinite),
        ("7f657374726561646d696e67ff", indefinite),
        ("9fff", indefinite),
        ("9f018202039f0405ffff", indefinite),
        ("83018202039f0405ff", indefinite),
        ("bf61610161629f0203ffff", indefinite),
    ] {
        assert!(fault(&bytes(hex)).contains(why), "{hex}: {}", fault(&bytes(hex)));
    }
}

#[test]
fn malformed_bytes_are_refused_where_they_go_wrong() {
    for (hex, why) in [
        ("", "the end is missing at byte 0"),
        ("18", "the end is missing at byte 1"),
        ("1817", "an integer in a longer form than needed at byte 2"),
        ("1900ff", "an integer in a longer form than needed at byte 3"),
        ("1a0000ffff", "an integer in a longer form than needed at byte 5"),
        ("1b00000000ffffffff", "an integer in a longer form than needed at byte 9"),
        ("1c", "an indefinite or reserved length at byte 1"),
        ("6261", "the end is missing at byte 1"),
        ("62c328", "text that is not UTF-8 at byte 3"),
        ("61ff", "text that is not UTF-8 at byte 2"),
        ("8201", "the end is missing at byte 2"),
        ("9bffffffffffffffff", "the end is missing at byte 9"),
        ("5bffffffffffffffff", "the end is missing at byte 9"),
        ("a1", "the end is missing at byte 1"),
        ("a101", "the end is missing at byte 2"),
        ("a203040102", "a map key out of order or twice at byte 4"),
        ("a201020103", "a map key out of order or twice at byte 4"),
        ("0000", "bytes after the end at byte 1"),
        ("ff", "a float, a tag, null or another simple value at byte 0"),
    ] {
        assert_eq!(fault(&bytes(hex)), format!("read canonical bytes: {why}"), "{hex}");
    }
}
