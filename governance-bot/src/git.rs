//! Facts of git, from a bare mirror and git's own command: the forge's word about trees and commits is checked here.
//!
//! No token is ever an argument of a process: it goes through the environment, which other users cannot read.

pub mod command;
pub mod commit;
pub mod mirror;
pub mod trailers;

pub use command::{Git, GitFailure};
pub use commit::RawCommit;
pub use mirror::{GitFacts, Mirror, Prediction};
pub use trailers::Trailer;
