//! Values, records, the model graph and constraint evaluation.
//!
//! Everything here is a value or a pure function of values. This crate never reads a file, a socket, a clock
//! or randomness, never judges (that is Forseti's, in `agents`), and knows nothing of topics or logs.

pub mod cbor;
pub mod content;
pub mod digest;
pub mod graph;
pub mod identity;
pub mod model;
pub mod money;
pub mod policy;
pub mod reason;
pub mod records;
pub mod release;
pub mod time;
pub mod value;

pub use content::{BodyRef, Bytes, Content};
pub use digest::{BodyHash, Digest};
pub use identity::{Name, ObjectId, Principal, ReviewId};
pub use money::Money;
pub use reason::{Effect, Reason, ReasonCode};
pub use time::Timestamp;
pub use value::Value;
