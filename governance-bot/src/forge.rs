//! The client of the forge: GitHub's REST API and the few GraphQL operations that the gate needs.
//!
//! Everything that can be decided without IO is a pure function: which outcome may be tried again ([`retry`]), how much
//! may be asked ([`budget`]), whether a listing is whole ([`pages`]), what a token says ([`app`]). The rest goes through
//! one trait, [`Wire`]: [`Https`] in production, a fake in this process in tests.
//!
//! What it never does: send a merge twice, send a POST again without having looked for what the first one made, take a
//! short list for a whole one, or drop a word that it does not know.

pub mod app;
pub mod budget;
pub mod call;
pub mod client;
pub mod etags;
pub mod evidence;
pub mod failure;
pub mod files;
pub mod graphql;
pub mod https;
pub mod limits;
pub mod marker;
pub mod merging;
pub mod operation;
pub mod pages;
pub mod retry;
pub mod secret;
pub mod view;
pub mod wire;

pub use app::AppKey;
pub use call::Call;
pub use client::{Actor, Answer, Client, Credentials, Tally};
pub use evidence::{Evidence, Source};
pub use failure::Failure;
pub use https::Https;
pub use merging::{Merge, MergeMethod, MergeOutcome, MergeRefusal, merge};
pub use operation::{Class, Method, Operation};
pub use pages::{Listing, Shortfall};
pub use secret::Secret;
pub use wire::{Lost, Reply, Sending, Wire};
