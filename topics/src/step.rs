//! A step: what one owner says because of one event. One message, one row, atomic by nature.

mod codec;
mod outline;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use ontology::identity::RecordId;
use ontology::{Digest, Name, Timestamp, cbor};
use serde::de::{self, Deserialize, Deserializer};
use serde::{Serialize, Serializer};
use uuid::Uuid;

use crate::{Key, Kind, Object, Owner, Topic};

pub use codec::Refused;
pub use outline::Outline;

/// Bytes of a stored step at most.
pub const STEP_BYTES_MAX: usize = 256 * 1024;
/// Records of a step at most: the join has six, nobody needs more than a dozen.
pub const RECORDS_MAX: usize = 16;

/// The UUIDv5 namespace of steps: chosen once, for ever; golden bytes in the tests hold it.
const STEP_NAMESPACE: Uuid = Uuid::from_u128(0x53d0_9ee5_7b2b_5a53_8ff7_6a1c_3b60_e1a4);

/// Identifies a step's slot: which owner says something because of which cause on which key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepId(pub Uuid);

impl fmt::Display for StepId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Why a step was said.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Because of this step.
    Step(StepId),
    /// An observation under a name unique in (key, owner): `submit`, `cost/1`, `deadline/1/judge`.
    Named(Name),
}

impl Cause {
    /// An observation's name.
    ///
    /// # Panics
    /// When the name is not bounded text; the names are made by this program.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self::Named(Name::new(name).expect("names of observations are short literals and digests"))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(id) => fmt::Display::fmt(id, f),
            Self::Named(name) => fmt::Display::fmt(name, f),
        }
    }
}

impl Serialize for Cause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Cause {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match Uuid::try_parse(&text) {
            Ok(id) if id.to_string() == text => Ok(Self::Step(StepId(id))),
            _ => Name::new(text).map(Self::Named).map_err(de::Error::custom),
        }
    }
}

/// A place in one shard's log. Positions of different shards cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position(pub u64);

/// A step as a log holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Where.
    pub position: Position,
    /// When the log took it. Data of the row, never an order.
    pub at: Timestamp,
    /// What.
    pub step: Step,
}

impl Stored {
    /// The time of the event: a derived step's own, an observed step's row's.
    #[must_use]
    pub fn time(&self) -> Timestamp {
        self.step.time().unwrap_or(self.at)
    }
}

/// One record of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// What was said.
    pub object: Object,
    /// The schema number it was written with.
    pub schema: u16,
    /// SHA-256 of its stored bytes: its address.
    pub digest: Digest,
}

/// A step, checked: its owner owns every topic in it, all its records are of one kind, it fits its bounds and
/// it has its one canonical form. Cheap to clone.
#[derive(Clone)]
pub struct Step(Arc<Inner>);

struct Inner {
    id: StepId,
    key: Key,
    owner: Owner,
    logic: u16,
    time: Option<Timestamp>,
    cause: Cause,
    instance: Option<Name>,
    records: Vec<Record>,
    bytes: Vec<u8>,
}

/// Parts that make no step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// Nothing is said.
    #[error("make a step: it has no record")]
    Empty,
    /// More than [`RECORDS_MAX`].
    #[error("make a step: it has {0} records, at most {RECORDS_MAX} are allowed")]
    TooMany(usize),
    /// A record of a topic that the step's owner does not own.
    #[error("make a step: {owner} does not own {topic}")]
    WrongOwner {
        /// The step's owner.
        owner: Owner,
        /// The topic.
        topic: Topic,
    },
    /// Derived and observed records in one step.
    #[error("make a step: derived and observed records in one step")]
    Mixed,
    /// Longer than [`STEP_BYTES_MAX`].
    #[error("make a step: it has {0} bytes, at most {STEP_BYTES_MAX} are allowed")]
    TooLong(usize),
    /// A record without a canonical form.
    #[error(transparent)]
    Encode(#[from] cbor::EncodeError),
}

impl Step {
    /// A derived step: what `owner` says because of the step `cause`, at its own clock's `time`.
    ///
    /// # Errors
    /// [`StepError`] when the parts make no step.
    pub fn derived(
        key: Key,
        owner: Owner,
        logic: u16,
        time: Timestamp,
        cause: StepId,
        objects: Vec<Object>,
    ) -> Result<Self, StepError> {
        codec::seal(key, owner, logic, Some(time), Cause::Step(cause), None, objects)
    }

    /// An observed step: what the world said under the name `cause`. Its time is its row's.
    ///
    /// # Errors
    /// [`StepError`] when the parts make no step.
    pub fn observed(
        key: Key,
        owner: Owner,
        logic: u16,
        cause: Cause,
        instance: Option<Name>,
        objects: Vec<Object>,
    ) -> Result<Self, StepError> {
        codec::seal(key, owner, logic, None, cause, instance, objects)
    }

    /// Reads a step from stored bytes, with every check at the boundary.
    ///
    /// # Errors
    /// [`Refused`] says which check failed.
    pub fn decode(bytes: Vec<u8>) -> Result<Self, Refused> {
        codec::open(bytes)
    }

    /// `UUIDv5` of the length-prefixed key, owner and cause.
    #[must_use]
    pub fn id(&self) -> StepId {
        self.0.id
    }

    /// The key it belongs to.
    #[must_use]
    pub fn key(&self) -> &Key {
        &self.0.key
    }

    /// Who says it.
    #[must_use]
    pub fn owner(&self) -> Owner {
        self.0.owner
    }

    /// The number of the owner's logic that said it.
    #[must_use]
    pub fn logic(&self) -> u16 {
        self.0.logic
    }

    /// A derived step's time; an observed step has its row's.
    #[must_use]
    pub fn time(&self) -> Option<Timestamp> {
        self.0.time
    }

    /// Why.
    #[must_use]
    pub fn cause(&self) -> &Cause {
        &self.0.cause
    }

    /// Which process, in observed steps of the Runtime only.
    #[must_use]
    pub fn instance(&self) -> Option<&Name> {
        self.0.instance.as_ref()
    }

    /// What is said; never empty.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.0.records
    }

    /// Derived or observed.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.0.records[0].object.topic().kind()
    }

    /// The stored bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0.bytes
    }

    /// Whether it holds a record of one of `topics`.
    #[must_use]
    pub fn concerns(&self, topics: &[Topic]) -> bool {
        self.0.records.iter().any(|record| topics.contains(&record.object.topic()))
    }

    /// The name of the record at `ordinal`.
    #[must_use]
    pub fn record_id(&self, ordinal: usize) -> RecordId {
        RecordId::new(self.0.id.0, ordinal)
    }
}

impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.bytes == other.0.bytes
    }
}

impl Eq for Step {}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let topics: Vec<&str> = self.records().iter().map(|record| record.object.topic().as_str()).collect();
        write!(f, "{} {} on {} because of {}", self.owner(), topics.join("+"), self.key(), self.cause())
    }
}

/// The id of the slot (key, owner, cause).
#[must_use]
pub fn slot(key: &Key, owner: Owner, cause: &Cause) -> StepId {
    let mut name = Vec::with_capacity(128);
    for part in [key.as_str(), owner.as_str(), &cause.to_string()] {
        name.extend(cbor::to_vec(part).unwrap_or_default());
    }
    StepId(Uuid::new_v5(&STEP_NAMESPACE, &name))
}
