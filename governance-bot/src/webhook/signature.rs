//! The signature of a delivery, over its raw bytes.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::forge::Secret;

/// Whether `header` (`x-hub-signature-256`) is the HMAC-SHA-256 of exactly these bytes under one of the secrets. Two of
/// them are valid while one replaces the other. Compared in constant time.
#[must_use]
pub fn verify(secrets: &[Secret], body: &[u8], header: &str) -> bool {
    let Some(signature) = header.strip_prefix("sha256=").and_then(unhex) else { return false };
    secrets.iter().filter(|secret| !secret.reveal().is_empty()).any(|secret| {
        let mac = Hmac::<Sha256>::new_from_slice(secret.reveal().as_bytes());
        mac.is_ok_and(|mac| mac.chain_update(body).verify_slice(&signature).is_ok())
    })
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) || !text.is_ascii() {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}
