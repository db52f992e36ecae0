//! The harness of the integration tests: the simulator, and what several tests build alike. The tests themselves are
//! one binary, `tests/tests/main.rs`, a module an idea.

pub mod binaries;
pub mod fakehub;
pub mod fuzzing;
pub mod ready;
pub mod simulation;
pub mod world;
