//! A stored step seen from outside: who says it, on what key, and where its records' bytes lie. Nothing of a record is
//! read, so it is fast, and enough for whoever compares digests.

use ontology::cbor;
use serde::Deserialize;

use super::{Cause, Refused, STEP_BYTES_MAX, StepId, slot};
use crate::{Key, Owner, Topic};

/// The outline of a stored step. Its form is canonical; whether its records are what they say was not looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline<'a> {
    /// The step's id, computed from key, owner and cause.
    pub id: StepId,
    /// The key.
    pub key: Key,
    /// The owner.
    pub owner: Owner,
    /// Each record's topic and stored bytes: SHA-256 of these is its address.
    pub records: Vec<(Topic, &'a [u8])>,
}

#[derive(Deserialize)]
struct Wire<'a> {
    key: Key,
    owner: Owner,
    cause: Cause,
    #[serde(borrow)]
    records: Vec<WireRecord<'a>>,
}

#[derive(Deserialize)]
struct WireRecord<'a> {
    topic: Topic,
    object: &'a [u8],
}

impl<'a> Outline<'a> {
    /// Reads the outline of stored bytes.
    ///
    /// # Errors
    /// [`Refused`] when they are too long, not canonical or not a step.
    pub fn of(bytes: &'a [u8]) -> Result<Self, Refused> {
        if bytes.len() > STEP_BYTES_MAX {
            return Err(Refused::TooLong(bytes.len()));
        }
        let wire: Wire<'a> = cbor::from_slice(bytes).map_err(|error| Refused::Shape(error.to_string()))?;
        let id = slot(&wire.key, wire.owner, &wire.cause);
        let records = wire.records.into_iter().map(|record| (record.topic, record.object)).collect();
        Ok(Self { id, key: wire.key, owner: wire.owner, records })
    }
}
