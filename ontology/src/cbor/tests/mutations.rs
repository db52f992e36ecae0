//! Every other way of writing a value is refused (RFC 8949 section 4.2.1).

use proptest::prelude::*;

use super::arbitrary::values;
use crate::cbor::{check, from_slice, to_vec};

/// A data item in canonical bytes.
#[derive(Debug, Clone, Copy)]
struct Item {
    start: usize,
    /// Where its head ends.
    content: usize,
    end: usize,
    major: u8,
    argument: u64,
}

/// The item at `start` and everything in it, it first.
fn items(bytes: &[u8], start: usize, all: &mut Vec<Item>) -> usize {
    let (major, additional) = (bytes[start] >> 5, bytes[start] & 0x1f);
    let length = if additional < 24 { 0 } else { 1 << (additional - 24) };
    let content = start + 1 + length;
    let argument = match length {
        0 => u64::from(additional),
        _ => bytes[start + 1..content].iter().fold(0, |value, byte| value << 8 | u64::from(*byte)),
    };
    let place = all.len();
    all.push(Item { start, content, end: content, major, argument });
    let count = usize::try_from(argument).unwrap_or(0);
    let end = match major {
        2 | 3 => content + count,
        4 | 5 => (0..count * usize::from(major - 3)).fold(content, |at, _| items(bytes, at, all)),
        _ => content,
    };
    all[place].end = end;
    end
}

fn splice(bytes: &[u8], from: usize, to: usize, with: &[u8]) -> Vec<u8> {
    [&bytes[..from], with, &bytes[to..]].concat()
}

/// The head of an item with its argument in `length` bytes.
fn head(item: Item, length: u32) -> Vec<u8> {
    let additional = 24 + u8::try_from(length.trailing_zeros()).unwrap();
    let argument = &item.argument.to_be_bytes()[8 - length as usize..];
    [&[item.major << 5 | additional], argument].concat()
}

/// All the ways to spoil the encoding of one item, each of which decodes to the same value, or to none.
fn spoilt(bytes: &[u8], item: Item) -> Vec<(&'static str, Vec<u8>)> {
    let mut spoilt = vec![("a tag", splice(bytes, item.start, item.start, &[0xc1]))];
    for value in [0xf6, 0xf7, 0xe0] {
        spoilt.push(("a simple value", splice(bytes, item.start, item.end, &[value])));
    }
    spoilt.push(("a float", splice(bytes, item.start, item.end, &[0xf9, 0x3c, 0])));
    if item.major < 6 {
        let present = item.content - item.start - 1;
        let longer = [1, 2, 4, 8].into_iter().filter(|length| *length as usize > present);
        spoilt.extend(
            longer.map(|length| {
                ("a longer head", splice(bytes, item.start, item.content, &head(item, length)))
            }),
        );
    }
    if (2..6).contains(&item.major) {
        let body = &bytes[item.content..item.end];
        let inner = if item.major < 4 && !body.is_empty() { &bytes[item.start..item.end] } else { body };
        let open = [&[item.major << 5 | 31], inner, &[0xff]].concat();
        spoilt.push(("an indefinite length", splice(bytes, item.start, item.end, &open)));
    }
    if item.major == 3 && item.argument > 0 {
        spoilt.push(("text that is not UTF-8", splice(bytes, item.content, item.content + 1, &[0xff])));
    }
    if item.major == 5 && item.argument > 0 {
        let mut inside = Vec::new();
        let key = items(bytes, item.content, &mut inside);
        let pair = items(bytes, key, &mut inside);
        let first = &bytes[item.content..pair];
        let more = Item { argument: item.argument + 1, ..item };
        let count =
            if more.argument < 24 { vec![0xa0 | more.argument.to_le_bytes()[0]] } else { head(more, 1) };
        let twice = [count.as_slice(), first, &bytes[item.content..item.end]].concat();
        spoilt.push(("a duplicate key", splice(bytes, item.start, item.end, &twice)));
        if item.argument > 1 {
            let key = items(bytes, pair, &mut inside);
            let second = items(bytes, key, &mut inside);
            let swapped = [&bytes[pair..second], first].concat();
            spoilt.push(("keys out of order", splice(bytes, item.content, second, &swapped)));
        }
    }
    spoilt
}

proptest! {
    // A case tries every item of a value in a dozen ways.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_other_way_of_writing_a_value_is_accepted(value in values()) {
        let bytes = to_vec(&value).unwrap();
        let mut all = Vec::new();
        prop_assert_eq!(items(&bytes, 0, &mut all), bytes.len());
        for item in all {
            for (how, spoilt) in spoilt(&bytes, item) {
                prop_assert!(check(&spoilt).is_err(), "{} at {} is accepted", how, item.start);
                let read = from_slice::<ciborium::Value>(&spoilt);
                prop_assert!(read.is_err(), "{} at {} is read", how, item.start);
            }
        }
    }

    #[test]
    fn neither_more_nor_fewer_bytes_are_accepted(value in values(), more in any::<u8>()) {
        let bytes = to_vec(&value).unwrap();
        prop_assert!(check(&[bytes.as_slice(), &[more]].concat()).is_err());
        for end in 0..bytes.len() {
            prop_assert!(check(&bytes[..end]).is_err());
        }
    }
}
