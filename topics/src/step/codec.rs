//! Steps to bytes and back, with every check at the boundary.

use std::sync::Arc;

use ontology::content::Bytes;
use ontology::{Digest, Name, Timestamp, cbor};
use serde::{Deserialize, Serialize};

use super::{Cause, Inner, RECORDS_MAX, Record, STEP_BYTES_MAX, Step, StepError, slot};
use crate::{Key, Object, Owner, Topic};

/// Bytes that are not a step that anybody may fold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Longer than [`STEP_BYTES_MAX`].
    #[error("read a step: it has {0} bytes")]
    TooLong(usize),
    /// Not in canonical form, or not a step at all.
    #[error("read a step: {0}")]
    Shape(String),
    /// Its records break a rule of steps.
    #[error(transparent)]
    Rule(#[from] StepError),
    /// Written by a newer binary: its key waits for an upgrade of this process (S-18).
    #[error("read a step: {topic} has schema {schema}, this binary knows {known}")]
    NewerSchema {
        /// The topic.
        topic: Topic,
        /// The schema number found.
        schema: u16,
        /// The newest that this binary reads.
        known: u16,
    },
    /// A derived step without a time, or an observed one with a time.
    #[error("read a step: its time does not fit its kind")]
    Time,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    key: Key,
    owner: Owner,
    logic: u16,
    time: Option<Timestamp>,
    cause: Cause,
    instance: Option<Name>,
    records: Vec<WireRecord>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireRecord {
    topic: Topic,
    schema: u16,
    object: Bytes,
}

pub(super) fn seal(
    key: Key,
    owner: Owner,
    logic: u16,
    time: Option<Timestamp>,
    cause: Cause,
    instance: Option<Name>,
    objects: Vec<Object>,
) -> Result<Step, StepError> {
    let mut records = Vec::with_capacity(objects.len());
    let mut wire = Vec::with_capacity(objects.len());
    for object in objects {
        let bytes = Bytes::from(object.encode()?);
        let (topic, schema) = (object.topic(), object.topic().schema());
        records.push(Record { object, schema, digest: Digest::of(bytes.as_slice()) });
        wire.push(WireRecord { topic, schema, object: bytes });
    }
    check(owner, &records)?;
    let wire = Wire { key, owner, logic, time, cause, instance, records: wire };
    let bytes = cbor::to_vec(&wire)?;
    if bytes.len() > STEP_BYTES_MAX {
        return Err(StepError::TooLong(bytes.len()));
    }
    Ok(assemble(wire, records, bytes))
}

pub(super) fn open(bytes: Vec<u8>) -> Result<Step, Refused> {
    if bytes.len() > STEP_BYTES_MAX {
        return Err(Refused::TooLong(bytes.len()));
    }
    let wire: Wire = cbor::from_slice(&bytes).map_err(|error| Refused::Shape(error.to_string()))?;
    let mut records = Vec::with_capacity(wire.records.len().min(RECORDS_MAX));
    for WireRecord { topic, schema, object } in &wire.records {
        if *schema > topic.schema() {
            return Err(Refused::NewerSchema { topic: *topic, schema: *schema, known: topic.schema() });
        }
        let decoded = Object::decode(*topic, object.as_slice());
        let decoded = decoded.map_err(|error| Refused::Shape(format!("{topic}: {error}")))?;
        records.push(Record { object: decoded, schema: *schema, digest: Digest::of(object.as_slice()) });
    }
    check(wire.owner, &records)?;
    let derived = records[0].object.topic().kind() == crate::Kind::Derived;
    if derived != wire.time.is_some() {
        return Err(Refused::Time);
    }
    Ok(assemble(wire, records, bytes))
}

fn check(owner: Owner, records: &[Record]) -> Result<(), StepError> {
    let Some(first) = records.first() else { return Err(StepError::Empty) };
    if records.len() > RECORDS_MAX {
        return Err(StepError::TooMany(records.len()));
    }
    for record in records {
        let topic = record.object.topic();
        if topic.owner() != owner {
            return Err(StepError::WrongOwner { owner, topic });
        }
        if topic.kind() != first.object.topic().kind() {
            return Err(StepError::Mixed);
        }
    }
    Ok(())
}

fn assemble(wire: Wire, records: Vec<Record>, bytes: Vec<u8>) -> Step {
    let Wire { key, owner, logic, time, cause, instance, .. } = wire;
    let id = slot(&key, owner, &cause);
    Step(Arc::new(Inner { id, key, owner, logic, time, cause, instance, records, bytes }))
}
