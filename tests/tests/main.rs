//! The integration tests, one binary.

mod log_contract;
