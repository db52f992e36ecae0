//! The agents, pure, and the parsers of their inputs.
//!
//! Each agent is one file, or one file and one folder, and implements [`topics::Agent`]. Agents know each other
//! only by topics. This crate never performs IO, reads no clock, and holds no async code: `runtime` drives it.

pub mod input;

pub mod coordinator;
pub mod forseti;
pub mod huginn;
pub mod loki;
pub mod mimir;
pub mod muninn;
pub mod njord;
pub mod saga;
pub mod var;
pub mod vidar;

pub mod estate;
pub mod followed;
pub mod reasons;
pub mod review;
pub mod specialist;
pub mod trace;

#[cfg(test)]
mod kit;

pub use coordinator::Coordinator;
pub use forseti::Forseti;
pub use huginn::Huginn;
pub use loki::Loki;
pub use mimir::Mimir;
pub use muninn::Muninn;
pub use njord::Njord;
pub use saga::Saga;
pub use var::Var;
pub use vidar::Vidar;
