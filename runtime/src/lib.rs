//! The shell around the agents: driver, logs, node, door, and the processes `arbd` and `arbctl`.
//!
//! The driver is sans-IO; stores and sockets are a shell around it. Nothing here judges: what an agent says is the
//! agent's, and this crate only sees to it that it is said once, in order, and kept.

/// A review makes thousands of small things and forgets them at once, which this allocator is made for.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

pub mod arbctl;
pub mod arbd;
pub mod call;
pub mod config;
pub mod door;
pub mod driver;
pub mod files;
pub mod log;
pub mod node;
pub mod replay;
pub mod report;
pub mod schemas;
