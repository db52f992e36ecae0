//! What is in force: models and catalogs, from files that came with a call or from this node's own directories.

use std::path::PathBuf;
use std::sync::Arc;

use agents::mimir::catalog::{self, CatalogFile};
use agents::muninn::model::{self, ModelFile};
use ontology::graph::Graph;
use ontology::model::Model;
use ontology::policy::Catalog;
use ontology::records::{CatalogRevision, ModelRevision, Pins};
use ontology::{BodyRef, Digest, Timestamp, cbor};
use topics::{Answer, Ask, Cause, Key, Owner, Question};

use super::Node;
use crate::call::{CallError, ErrorCode, File};
use crate::driver::Input;
use crate::files;
use crate::log::LocalLog;

/// Warnings of a model revision that are recorded; the rest is counted by `arbctl model check`.
const WARNINGS_MAX: usize = 64;

/// Where a node reads its model and catalog from, when a call brings none.
#[derive(Debug, Clone, Default)]
pub struct Directories {
    /// The model directory.
    pub model: Option<PathBuf>,
    /// The catalog directory.
    pub catalog: Option<PathBuf>,
    model_seen: Option<Digest>,
    catalog_seen: Option<Digest>,
}

impl Directories {
    /// These directories.
    #[must_use]
    pub fn new(model: Option<PathBuf>, catalog: Option<PathBuf>) -> Self {
        Self { model, catalog, ..Self::default() }
    }

    /// Forgets what was read: it was not stored.
    pub(super) fn forget(&mut self) {
        self.model_seen = None;
        self.catalog_seen = None;
    }
}

impl<L: LocalLog> Node<L> {
    /// Sees to it that a catalog and a model are in force, new ones before any change that pins them.
    pub(super) fn put_in_force(
        &mut self,
        catalog: Option<&[File]>,
        model: Option<&[File]>,
        now: Timestamp,
    ) -> Result<Pins, CallError> {
        let (digest, catalog) = self.catalog_in_force(catalog, now)?;
        let model = self.model_in_force(model, &digest, &catalog, now)?;
        Ok(Pins { release: Self::release(), model, catalog: digest, budget_ms: catalog.budget_ms })
    }

    fn catalog_in_force(
        &mut self,
        files: Option<&[File]>,
        now: Timestamp,
    ) -> Result<(Digest, Arc<Catalog>), CallError> {
        let read = match (files, &self.directories.catalog) {
            (Some(_), _) | (None, None) => None,
            (None, Some(directory)) => Some(files::read_directory(directory)?),
        };
        let Some(files) = files.or(read.as_deref()) else {
            return match self.registry.catalog {
                Some(digest) => Ok((digest, self.catalog(&digest)?)),
                None => self.publish_catalog(agents::mimir::starter().clone(), now),
            };
        };
        let seen = Digest::of_value(&files.iter().map(|file| (&file.path, &file.text)).collect::<Vec<_>>());
        if self.directories.catalog_seen == Some(seen)
            && let Some(digest) = self.registry.catalog
        {
            return Ok((digest, self.catalog(&digest)?));
        }
        let files: Vec<CatalogFile> = files.iter().map(catalog_file).collect();
        let compiled = catalog::compile(&files).map_err(|error| bad_input(&error))?;
        let published = self.publish_catalog(compiled, now)?;
        self.directories.catalog_seen = Some(seen);
        Ok(published)
    }

    /// A catalog of this log, compiled.
    pub(super) fn catalog(&mut self, digest: &Digest) -> Result<Arc<Catalog>, CallError> {
        if self.library.catalog(digest).is_none() {
            self.resolve(&[topics::Needed::Catalog(*digest)]).map_err(|why| internal(&why))?;
        }
        self.library.catalog(digest).cloned().ok_or_else(|| internal("the catalog was resolved"))
    }

    fn publish_catalog(
        &mut self,
        catalog: Catalog,
        now: Timestamp,
    ) -> Result<(Digest, Arc<Catalog>), CallError> {
        let bytes = cbor::to_vec(&catalog).map_err(|error| internal(&error.to_string()))?;
        let digest = Digest::of(&bytes);
        let catalog = Arc::new(catalog);
        self.library.add_catalog(digest, Arc::clone(&catalog));
        if self.registry.catalog != Some(digest) {
            let body = BodyRef::of(&bytes, ontology::policy::catalog::MEDIA_TYPE);
            self.store_body(&bytes, &body).map_err(|error| retry(&error))?;
            let constraints = u32::try_from(catalog.constraints.len()).unwrap_or(u32::MAX);
            let revision = CatalogRevision { digest, body, name: catalog.name.clone(), constraints };
            self.publish(Key::catalog(), Owner::Mimir, &digest, Answer::Catalog(revision), now)?;
        }
        Ok((digest, catalog))
    }

    fn model_in_force(
        &mut self,
        files: Option<&[File]>,
        under: &Digest,
        catalog: &Catalog,
        now: Timestamp,
    ) -> Result<Digest, CallError> {
        let read = match (files, &self.directories.model) {
            (Some(_), _) | (None, None) => None,
            (None, Some(directory)) => Some(files::read_directory(directory)?),
        };
        let Some(files) = files.or(read.as_deref()) else {
            return match self.registry.model {
                Some(digest) => Ok(digest),
                None => self.publish_model(Model::default(), Vec::new(), now),
            };
        };
        // The catalog says who stands behind which file, so it is part of what the model was compiled from.
        let of: Vec<_> = files.iter().map(|file| (&file.path, &file.text)).collect();
        let seen = Digest::of_value(&(of, under));
        if self.directories.model_seen == Some(seen)
            && let Some(digest) = self.registry.model
        {
            return Ok(digest);
        }
        let files: Vec<ModelFile> = files.iter().map(model_file).collect();
        let compiled = model::compile(&files, catalog).map_err(|error| bad_input(&error))?;
        let digest = self.publish_model(compiled.model, compiled.warnings, now)?;
        self.directories.model_seen = Some(seen);
        Ok(digest)
    }

    fn publish_model(
        &mut self,
        model: Model,
        mut warnings: Vec<String>,
        now: Timestamp,
    ) -> Result<Digest, CallError> {
        let bytes = cbor::to_vec(&model).map_err(|error| internal(&error.to_string()))?;
        let digest = Digest::of(&bytes);
        if self.registry.model == Some(digest) {
            return Ok(digest);
        }
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let (objects, links) = (count(model.objects.len()), count(model.links.len()));
        let graph =
            Graph::index(model).map_err(|error| CallError::new(ErrorCode::BadInput, error.to_string()))?;
        self.library.add_model(digest, Arc::new(graph));
        let body = BodyRef::of(&bytes, ontology::model::MEDIA_TYPE);
        self.store_body(&bytes, &body).map_err(|error| retry(&error))?;
        warnings.truncate(WARNINGS_MAX);
        let revision = ModelRevision { digest, body, objects, links, warnings };
        self.publish(Key::model(), Owner::Muninn, &digest, Answer::Model(revision), now)?;
        Ok(digest)
    }

    /// Publishes a revision: the same digest may come into force again later, so its slot is numbered.
    fn publish(
        &mut self,
        key: Key,
        role: Owner,
        digest: &Digest,
        answer: Answer,
        now: Timestamp,
    ) -> Result<(), CallError> {
        self.load(&key).map_err(|error| retry(&error))?;
        let cause = Cause::named(&format!("revision/{}/{digest}", self.registry.revisions));
        let question = Question { cause, as_of: now, ask: Ask::Intake };
        self.tell(role, Input::Answered { key, question, answer }).map_err(|error| retry(&error))
    }
}

/// A model file as it came. It says itself when it was asserted and until when it holds.
pub(crate) fn model_file(file: &File) -> ModelFile {
    ModelFile {
        path: file.path.clone(),
        bytes: file.text.clone().into_bytes(),
        asserted_at: None,
        observed_at: None,
    }
}

/// A catalog file as it came.
pub(crate) fn catalog_file(file: &File) -> CatalogFile {
    CatalogFile { path: file.path.clone(), bytes: file.text.clone().into_bytes() }
}

/// An input that cannot be taken in.
pub(crate) fn bad_input(error: &agents::input::InputError) -> CallError {
    CallError::new(ErrorCode::BadInput, error.to_string())
}

pub(super) fn internal(why: &str) -> CallError {
    CallError::new(ErrorCode::Internal, why)
}

/// A log that did not take something.
pub(super) fn retry(error: &crate::log::Unavailable) -> CallError {
    use crate::log::Unavailable;
    let code = match error {
        Unavailable::Retry(_) => ErrorCode::Retry,
        Unavailable::Locked => ErrorCode::Locked,
        Unavailable::Damaged(_) => ErrorCode::LogUnavailable,
    };
    CallError::new(code, error.to_string())
}
