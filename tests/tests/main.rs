//! The one binary of integration tests. A module is an idea; add one here and its file beside this one.

mod log_contract;
mod simulation;
mod tidy;
