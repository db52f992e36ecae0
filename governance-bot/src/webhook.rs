//! Intake of webhooks: they say *that* something changed and where; *what* is true is read from the forge.
//!
//! Nothing depends on one arriving, arriving once, or arriving in order: a lost one is found in the forge's own listing of
//! deliveries and asked for again, a repeated one is known by its id, and one out of order names a place to look at.

#[cfg(test)]
mod tests;

mod event;
mod gaps;
mod intake;
mod signature;

pub use event::{Event, Touched};
pub use gaps::{Missed, REDELIVERY_WINDOW_S, Unheard, find_missed, redeliver};
pub use intake::{Intake, PAYLOAD_BYTES_MAX, Refusal, SEEN_MAX, Taken};
pub use signature::verify;
