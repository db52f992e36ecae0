//! The harness of the integration tests: the simulator, and what several tests build alike. The tests themselves are
//! one binary, `tests/tests/main.rs`, a module an idea.
//!
//! Everything here is deterministic: one thread, one seed, a virtual clock. It never looks at a real clock, opens no
//! socket, and knows nothing that a user's process could not know.

pub mod ready;
pub mod simulation;
pub mod world;
