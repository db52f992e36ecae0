//! The deployment's redaction key: made once, kept beside the log, readable by its owner only.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use agents::huginn::redact::RedactionKey;
use ontology::{Digest, Name};

use crate::call::{CallError, ErrorCode};

/// Bytes of a key.
const KEY_BYTES: usize = 32;

/// Reads the key at `path`, making it where there is none. Its id is the first half of its digest's digest, which
/// says nothing of the key.
///
/// # Errors
/// A [`CallError`] when it can be neither read nor made, or is too short to withstand guessing.
pub(super) fn read_or_make(path: &Path) -> Result<RedactionKey, CallError> {
    match std::fs::read(path) {
        Ok(bytes) => key(path, bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => make(path),
        Err(error) => Err(unusable(path, &error)),
    }
}

fn make(path: &Path) -> Result<RedactionKey, CallError> {
    let mut bytes = [0_u8; KEY_BYTES];
    let mut random = std::fs::File::open("/dev/urandom").map_err(|error| unusable(path, &error))?;
    std::io::Read::read_exact(&mut random, &mut bytes).map_err(|error| unusable(path, &error))?;
    let opened = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    match opened {
        Ok(mut file) => {
            file.write_all(&bytes).and_then(|()| file.sync_all()).map_err(|error| unusable(path, &error))?;
            key(path, bytes.to_vec())
        }
        // Another process made it in between.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let bytes = std::fs::read(path).map_err(|error| unusable(path, &error))?;
            key(path, bytes)
        }
        Err(error) => Err(unusable(path, &error)),
    }
}

fn key(path: &Path, bytes: Vec<u8>) -> Result<RedactionKey, CallError> {
    let id = Digest::of(Digest::of(&bytes).as_bytes()).hex();
    let id = Name::new(&id[..16]).map_err(|error| unusable(path, &error))?;
    RedactionKey::new(id, bytes).map_err(|error| unusable(path, &error))
}

fn unusable(path: &Path, error: &dyn std::fmt::Display) -> CallError {
    CallError::new(ErrorCode::BadInput, format!("use the redaction key {}: {error}", path.display()))
}
