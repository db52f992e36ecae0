use proptest::prelude::*;

use super::{BodyHash, Digest};
use crate::cbor;

#[test]
fn digests_are_those_of_the_published_functions() {
    assert_eq!(
        Digest::of(b"abc").to_string(),
        "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
    assert_eq!(
        BodyHash::of(b"abc").to_string(),
        "blake3:6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"
    );
    assert_eq!(Digest::of(b"abc").short(), "ba78…");
    assert_eq!(Digest::of_value("abc"), Digest::of(b"\x63abc"));
}

#[test]
fn a_digest_is_read_only_as_it_is_written() {
    let good = Digest::of(b"abc").to_string();
    let check = |text: &str| assert!(text.parse::<Digest>().is_err(), "{text}");
    check("");
    check(&good[7..]);
    check(&good.to_uppercase());
    check(&good.replace("sha256", "blake3"));
    check(&good[..good.len() - 1]);
    check(&format!("{good}0"));
    check(&good.replace('b', "g"));
    assert_eq!(good.parse::<Digest>().unwrap(), Digest::of(b"abc"));
    let error = "sha256:x".parse::<Digest>().unwrap_err().to_string();
    assert_eq!(error, "read a digest: expected \"sha256:\" and 64 lower-case hexadecimal digits");
}

proptest! {
    #[test]
    fn digests_are_text_in_json_and_bytes_in_records(bytes in any::<[u8; 32]>()) {
        let digest = Digest::from_bytes(bytes);
        let json = serde_json::to_string(&digest).unwrap();
        prop_assert_eq!(&json, &format!("\"{digest}\""));
        prop_assert_eq!(serde_json::from_str::<Digest>(&json).unwrap(), digest);
        let record = cbor::to_vec(&digest).unwrap();
        prop_assert_eq!(record.len(), 34);
        prop_assert_eq!(cbor::from_slice::<Digest>(&record).unwrap(), digest);
        prop_assert_eq!(digest.hex().len(), 64);
        prop_assert_eq!(digest.as_bytes(), &bytes);
    }

    #[test]
    fn bytes_of_another_length_are_no_digest(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        prop_assume!(bytes.len() != 32);
        let record = cbor::to_vec(&crate::Bytes::from(bytes)).unwrap();
        prop_assert!(cbor::from_slice::<Digest>(&record).is_err());
    }
}
