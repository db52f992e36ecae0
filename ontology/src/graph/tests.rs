//! Tests of the index, overlays and traversal, against a model that scans everything.

mod arbitrary;
mod binding;
mod edits;
mod index;
mod quality;
mod traverse;
mod view;
