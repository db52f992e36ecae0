use std::collections::BTreeSet;

use proptest::prelude::*;
use uuid::Uuid;

use super::{IdentityError, NAME_BYTES_MAX, Name, OBJECT_ID_BYTES_MAX, ObjectId, RecordId, ReviewId};
use crate::cbor;

#[test]
fn a_name_is_bounded_and_printable() {
    let check = |text: &str, expect: Result<(), IdentityError>| {
        assert_eq!(Name::new(text).map(|_| ()), expect, "{text:?}");
    };
    check("orders", Ok(()));
    check("주문 서비스", Ok(()));
    check("", Err(IdentityError::Empty));
    check(" \t", Err(IdentityError::Empty));
    check("a\nb", Err(IdentityError::Control));
    check("a\u{7f}", Err(IdentityError::Control));
    check(&"a".repeat(NAME_BYTES_MAX), Ok(()));
    let too_long = IdentityError::TooLong { bytes: NAME_BYTES_MAX + 1, max: NAME_BYTES_MAX };
    check(&"a".repeat(NAME_BYTES_MAX + 1), Err(too_long));
}

#[test]
fn an_object_id_of_300_characters_of_any_script_is_kept_as_it_is() {
    for character in ['a', 'ü', '주', '𝔸', '🗄'] {
        let text: String = std::iter::repeat_n(character, 300).collect();
        let id = ObjectId::new(text.clone()).unwrap();
        assert_eq!(id.as_str(), text);
        let record = cbor::to_vec(&id).unwrap();
        assert_eq!(cbor::from_slice::<ObjectId>(&record).unwrap(), id);
        let json = serde_json::to_string(&id).unwrap();
        assert_eq!(serde_json::from_str::<ObjectId>(&json).unwrap(), id);
    }
    assert!(ObjectId::new("a".repeat(OBJECT_ID_BYTES_MAX + 1)).is_err());
}

#[test]
fn a_name_that_breaks_its_bounds_is_not_read() {
    for json in ["\"\"", "\"a\\u0000\"", "7", "null"] {
        assert!(serde_json::from_str::<Name>(json).is_err(), "{json}");
    }
    let record = cbor::to_vec("a\nb").unwrap();
    assert!(cbor::from_slice::<ObjectId>(&record).is_err());
}

#[test]
fn a_review_is_named_by_its_source_and_key_together() {
    let review = ReviewId::derive("github", "key");
    assert_eq!(review, ReviewId::derive("github", "key"));
    let others = [("github", "key2"), ("gitlab", "key"), ("githubk", "ey"), ("", "githubkey")];
    let all: BTreeSet<ReviewId> =
        others.iter().map(|(source, key)| ReviewId::derive(source, key)).chain([review]).collect();
    assert_eq!(all.len(), others.len() + 1);
    assert_eq!(review.short(), review.to_string()[..11]);
}

#[test]
fn a_review_id_is_read_only_as_it_is_written() {
    let good = ReviewId::derive("github", "key").to_string();
    let check = |text: &str| assert_eq!(text.parse::<ReviewId>(), Err(IdentityError::Review), "{text}");
    check("");
    check(&good[3..]);
    check(&good.to_uppercase());
    check(&good[..28]);
    check(&format!("{good}0"));
    check("rv-i0000000000000000000000000");
    check("rv-z0000000000000000000000000");
    check("rv-80000000000000000000000000");
    assert!("rv-7zzzzzzzzzzzzzzzzzzzzzzzzz".parse::<ReviewId>().is_ok());
}

#[test]
fn a_record_is_named_by_its_step_and_place() {
    let record = RecordId::new(Uuid::nil(), 3);
    assert_eq!(record.as_str(), "00000000-0000-0000-0000-000000000000/3");
    let stored = cbor::to_vec(&record).unwrap();
    assert_eq!(cbor::from_slice::<RecordId>(&stored).unwrap(), record);
}

proptest! {
    #[test]
    fn every_review_id_reads_back_and_sorts_as_its_text(a in any::<(String, String)>(), b in any::<(String, String)>()) {
        let (a, b) = (ReviewId::derive(&a.0, &a.1), ReviewId::derive(&b.0, &b.1));
        prop_assert_eq!(a.to_string().parse::<ReviewId>().unwrap(), a);
        prop_assert_eq!(a.cmp(&b), a.to_string().cmp(&b.to_string()));
        let record = cbor::to_vec(&a).unwrap();
        prop_assert_eq!(cbor::from_slice::<ReviewId>(&record).unwrap(), a);
    }
}
