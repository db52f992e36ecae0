//! A small organisation and the changes that people plan in it.

pub mod changes;
pub mod organisation;

pub use changes::{Shape, change, claim, submission};
pub use organisation::{Organisation, id, name, noon};
