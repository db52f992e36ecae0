//! The simulator: replicas of every agent, a log and a world, on one thread, from one seed.
//!
//! A [`Run`] is one seed of one [`Configuration`]. It drives the same driver core as a real process
//! (`runtime::driver`): what the shell around it does with sockets, tasks and clocks, is done here by drawing the next
//! thing to happen. Twice the same seed comes to the same bytes. After the faults have stopped and everything has come
//! to rest, [`checks`] says which promise was broken.

pub mod cast;
pub mod checks;
pub mod client;
pub mod configuration;
pub mod log;
pub mod node;
pub mod process;
pub mod replica;
pub mod run;
mod schedule;
pub mod trace;

pub use checks::Violation;
pub use configuration::{Configuration, Faults};
pub use run::{Outcome, Run};
