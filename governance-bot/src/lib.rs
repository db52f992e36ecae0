//! The merge gate: it learns verdicts from the log, judges facts of a forge, and merges what may be merged.
//!
//! It names no type of `agents` and takes nobody's word for a verdict: what is decided stands in a
//! [`decision-receipt`](topics::Topic::DecisionReceipt) of the log, and [`standing`] reads it. What is true of a pull
//! request or branch is fetched by [`forge`] and [`git`] into one immutable snapshot ([`facts`]) that says of itself
//! whether it is complete. Nothing here takes silence, a short list or a missing permission for an answer.

pub mod facts;
pub mod forge;
pub mod git;
pub mod standing;
pub mod webhook;

pub use standing::{Decided, Standing, Standings};
