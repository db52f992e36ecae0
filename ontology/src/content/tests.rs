use std::sync::Arc;

use proptest::prelude::*;

use super::{BodyRef, Bytes, Content, INLINE_BYTES_MAX};
use crate::{BodyHash, Digest, cbor};

#[test]
fn a_document_is_kept_in_its_record_up_to_the_bound_and_in_a_body_beyond() {
    let head = 3;
    let fits = Arc::new("a".repeat(INLINE_BYTES_MAX - head));
    assert_eq!(Content::store(Arc::clone(&fits), "text/plain"), (Content::Inline(fits), None));
    let document = Arc::new("a".repeat(INLINE_BYTES_MAX - head + 1));
    let (content, body) = Content::store(Arc::clone(&document), "text/plain");
    let body = body.unwrap();
    assert_eq!(content, Content::Body(BodyRef::of(&body, "text/plain")));
    assert_eq!(cbor::from_slice::<String>(&body).unwrap(), *document);
}

#[test]
fn a_body_is_named_by_both_digests_and_its_length() {
    let body = BodyRef::of(b"abc", "text/plain");
    assert_eq!((body.sha256, body.blake3, body.bytes), (Digest::of(b"abc"), BodyHash::of(b"abc"), 3));
}

#[test]
fn text_that_is_not_hexadecimal_is_no_bytes() {
    for json in ["\"0\"", "\"0g\"", "\"+1\"", "\"가\"", "[1]"] {
        assert!(serde_json::from_str::<Bytes>(json).is_err(), "{json}");
    }
}

proptest! {
    #[test]
    fn content_and_bytes_read_back_from_json_and_records(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        for content in [
            Content::Inline(Arc::new(Bytes::from(bytes.clone()))),
            Content::Body(BodyRef::of(&bytes, "application/octet-stream")),
        ] {
            let record = cbor::to_vec(&content).unwrap();
            prop_assert_eq!(&cbor::from_slice::<Content<Bytes>>(&record).unwrap(), &content);
            let json = serde_json::to_string(&content).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Content<Bytes>>(&json).unwrap(), &content);
        }
    }
}
