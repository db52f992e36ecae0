//! The simulator: replicas of every agent, a log and a world, on one thread, from one seed.

pub mod log;
