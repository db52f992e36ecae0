//! The model, indexed: adjacency per link type, both ways; bounded traversal; structural overlays; link quality.
//! Everything is O(what is touched), never O(all links).

pub mod binding;
pub mod edits;
pub mod index;
pub mod quality;
pub mod traverse;
pub mod view;

#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

pub use binding::Bindings;
pub use edits::Edits;
pub use index::{Graph, InvalidModel, Node};
pub use quality::LinkQuality;
pub use traverse::{Reached, Traversal};
pub use view::{Edge, View};
