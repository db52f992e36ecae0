//! The repository tests itself: arrows between crates, files, lints, waivers, documents and words.
//!
//! Each check is a function from texts to faults, with a test that shows a fault, and a test that runs it over the
//! repository and lists every fault at once.

mod arrows;
mod documents;
mod files;
mod lints;
mod repository;
mod waivers;
mod words;

/// Fails with every fault, one a line.
fn assert_tidy(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
