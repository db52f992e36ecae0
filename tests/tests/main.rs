//! The one binary of integration tests. A module is an idea; add one here and its file beside this one.

#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests may fail as tests do")]

mod arbctl;
mod corpus;
mod door;
mod forge;
mod guide;
mod killed;
mod log_contract;
mod logic;
mod schemas;
mod simulation;
mod tidy;
mod wire;
