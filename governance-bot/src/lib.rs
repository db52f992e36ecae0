//! The merge gate: it learns verdicts from the log, judges facts of a forge, and merges what may be merged.
//!
//! It names no type of `agents` and takes nobody's word for a verdict: what is decided stands in a
//! [`decision-receipt`](topics::Topic::DecisionReceipt) of the log, and [`standing`] reads it.

pub mod standing;

pub use standing::{Decided, Standing, Standings};
