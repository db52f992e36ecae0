//! What a file says of itself, in our own formats.

use ontology::{Name, Timestamp};

use super::ModelFile;
use crate::input::InputError;
use ontology::model::Source;
use ontology::policy::Catalog;

/// The head of a file; every part of it is optional.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Header {
    /// Who stands behind it.
    pub(super) authority: Option<Name>,
    /// Its facts are stale after this.
    pub(super) review_by: Option<Timestamp>,
    /// Made up for a test.
    pub(super) synthetic: bool,
    /// Leaves things out.
    pub(super) incomplete: bool,
}

impl Header {
    /// The source that a file with this head is.
    pub(super) fn source(self, file: &ModelFile, catalog: &Catalog) -> Result<Source, InputError> {
        let id = Name::new(file.path.as_str()).map_err(|error| {
            InputError::at(&file.path, "", format!("its path cannot name a source: {error}"))
        })?;
        Ok(Source {
            id,
            authority: super::authority::of(&file.path, self.authority, catalog)?,
            asserted_at: file.asserted_at,
            observed_at: file.observed_at,
            review_by: self.review_by,
            synthetic: self.synthetic,
            incomplete: self.incomplete,
        })
    }
}
