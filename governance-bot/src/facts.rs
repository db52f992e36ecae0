//! Facts: what is known of a pull request or a branch, fetched once into one immutable snapshot.
//!
//! A snapshot says of each of its parts whether it is whole, and why not. Judging is a pure function of it. It never
//! mixes two states of the world: what moved while it was read is said to have moved.

#[cfg(test)]
mod tests;

mod branch;
mod gather;
mod known;
mod pull;
mod repository;
mod required;

pub use branch::{BranchFacts, BranchHistory, CommitChecks, Reached, branch_history, commit_checks};
pub use gather::{GATHER_ATTEMPTS_MAX, pull_facts};
pub use known::{Gap, Known};
pub use pull::{Complete, PullContent, PullFacts};
pub use repository::{RepositoryFacts, repository_facts};
pub use required::{CheckSource, RequiredCheck, required_checks};
