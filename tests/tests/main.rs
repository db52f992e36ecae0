//! The one binary of integration tests. A module is an idea; add one here and its file beside this one.

#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests may fail as tests do")]

mod door;
mod killed;
mod tidy;
mod wire;
