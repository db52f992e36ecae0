//! Model sources: the files in which an organisation describes itself, read into one [`Model`] (U7).
//!
//! A file is one source. What several sources say is merged, and each fact keeps all of its sources, so that two of
//! different authority verify it by cross-check. Nothing but what rules use is kept (U3). The same files in any
//! order make the same model.

mod authority;
mod backstage;
mod bindings;
mod check;
mod codeowners;
mod format;
pub mod gaps;
mod header;
mod identity;
mod init;
mod kubernetes;
mod merge;
mod objectives;
mod placement;
mod reference;
mod stated;
mod terraform_state;
mod tiers;
mod topology;

use ontology::Timestamp;
use ontology::model::Model;
use ontology::policy::Catalog;

use crate::input::{InputError, is_skipped};

pub use backstage::reduce as reduce_backstage;
pub use check::{Summary, check};
pub use init::init;
pub use terraform_state::reduce as reduce_terraform_state;

use init::slug;

/// Files of a model at most: 300 services with a few files each, and room for ten times that.
pub const FILES_MAX: usize = 10_000;
/// Warnings that a compilation lists; what is beyond is counted in the last one.
pub const WARNINGS_MAX: usize = 200;

/// One file of the model directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelFile {
    /// Its path under the model directory, with `/`.
    pub path: String,
    /// What it holds.
    pub bytes: Vec<u8>,
    /// When its content was last asserted (its last commit), where known.
    pub asserted_at: Option<Timestamp>,
    /// When it was read, where that is to be part of the model.
    pub observed_at: Option<Timestamp>,
}

/// What model files amount to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// The model: sorted, unique, without dangling relations; it always indexes.
    pub model: Model,
    /// What was left out or looks wrong, a sentence each, sorted, at most [`WARNINGS_MAX`] and one.
    pub warnings: Vec<String>,
}

/// Reads model files into a model. Authorities come from `catalog`, else from a file's own header, else from its
/// top folder.
///
/// # Errors
/// [`InputError`] when a file is of no known format, breaks its format, or contradicts another about what a thing is.
pub fn compile(files: &[ModelFile], catalog: &Catalog) -> Result<Compiled, InputError> {
    if files.len() > FILES_MAX {
        return Err(InputError::at(
            "",
            "",
            format!("{} model files, at most {FILES_MAX} are allowed", files.len()),
        ));
    }
    let mut files: Vec<&ModelFile> = files.iter().filter(|file| !is_skipped(&file.path)).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    if let Some(pair) = files.windows(2).find(|pair| pair[0].path == pair[1].path) {
        return Err(InputError::at(&pair[1].path, "", "the file is given twice"));
    }
    let mut stated = files.iter().map(|file| format::read(file, catalog)).collect::<Result<Vec<_>, _>>()?;
    codeowners::own(&mut stated);
    identity::settle(&mut stated);
    merge::merge(stated)
}

#[cfg(test)]
mod tests;
