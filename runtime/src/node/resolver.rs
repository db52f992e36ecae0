//! From digests to things: revisions and bodies in the log become models, catalogs and documents in the library.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ontology::graph::Graph;
use ontology::model::Model;
use ontology::policy::Catalog;
use ontology::records::ChangeDocument;
use ontology::records::operation::BodyChunk;
use ontology::{BodyRef, Content, Digest, cbor};
use topics::{Cause, Key, Library, Needed, Object, Owner, Stored};

use super::Node;
use crate::log::{Expect, LocalLog, Unavailable};

/// Model revisions and catalogs kept compiled beside those that open reviews pin.
const RECENT_MAX: usize = 4;

/// Which body is which revision, what is in force, and who needs what.
#[derive(Debug, Default)]
pub(super) struct Registry {
    bodies: BTreeMap<Digest, BodyRef>,
    pub(super) model: Option<Digest>,
    pub(super) catalog: Option<Digest>,
    pub(super) revisions: u64,
    pub(super) warnings: Vec<String>,
    pins: BTreeMap<Key, BTreeSet<Digest>>,
    documents: BTreeMap<Key, Digest>,
    recent: Vec<Digest>,
}

impl Registry {
    /// Forgets which revisions there are, before they are read again; what reviews pin stays.
    pub(super) fn forget_revisions(&mut self) {
        self.bodies.clear();
        self.model = None;
        self.catalog = None;
        self.revisions = 0;
        self.warnings.clear();
    }

    /// Takes note of a revision, or of what a review pins.
    pub(super) fn take(&mut self, stored: &Stored) {
        for record in stored.step.records() {
            match &record.object {
                Object::ModelRevision(revision) => {
                    self.bodies.insert(revision.digest, revision.body.clone());
                    self.model = Some(revision.digest);
                    self.warnings.clone_from(&revision.warnings);
                    self.revisions += 1;
                }
                Object::CatalogRevision(revision) => {
                    self.bodies.insert(revision.digest, revision.body.clone());
                    self.catalog = Some(revision.digest);
                    self.revisions += 1;
                }
                _ => {}
            }
        }
        self.pin(stored.step.key(), std::slice::from_ref(stored));
    }

    /// Takes note of what a review pins.
    pub(super) fn pin(&mut self, key: &Key, steps: &[Stored]) {
        for record in steps.iter().flat_map(|stored| stored.step.records()) {
            let pins = match &record.object {
                Object::Change(change) => {
                    if let Content::Body(body) = &change.document {
                        self.documents.insert(key.clone(), body.sha256);
                    }
                    &change.pins
                }
                Object::EvaluationOpened(opened) => &opened.pins,
                _ => continue,
            };
            self.pins.entry(key.clone()).or_default().extend([pins.model, pins.catalog]);
        }
    }

    /// Forgets what only a closed review needed.
    pub(super) fn release(&mut self, key: &Key, library: &mut Library) {
        let pinned = self.pins.remove(key).unwrap_or_default();
        if let Some(document) = self.documents.remove(key)
            && !self.documents.values().any(|other| *other == document)
        {
            library.forget_document(&document);
        }
        for digest in pinned {
            if !self.recent.contains(&digest) {
                self.recent.push(digest);
            }
        }
        if self.recent.len() > RECENT_MAX {
            self.recent.drain(..self.recent.len() - RECENT_MAX);
            library.retain(|digest| {
                self.recent.contains(digest)
                    || self.model == Some(*digest)
                    || self.catalog == Some(*digest)
                    || self.pins.values().any(|pins| pins.contains(digest))
            });
        }
    }
}

impl<L: LocalLog> Node<L> {
    /// Brings what is needed into the library, or says why it cannot be had.
    pub(super) fn resolve(&mut self, needed: &[Needed]) -> Result<(), String> {
        let mut library = std::mem::take(&mut self.library);
        let resolved = needed.iter().try_for_each(|needed| self.resolve_into(&mut library, needed));
        self.library = library;
        resolved
    }

    /// Brings one thing into `library`.
    pub(super) fn resolve_into(&self, library: &mut Library, needed: &Needed) -> Result<(), String> {
        match needed {
            Needed::Model(digest) => {
                let model: Model = self.revision(digest)?;
                let graph = Graph::index(model).map_err(|error| error.to_string())?;
                library.add_model(*digest, Arc::new(graph));
            }
            Needed::Catalog(digest) => {
                let catalog: Catalog = self.revision(digest)?;
                library.add_catalog(*digest, Arc::new(catalog));
            }
            Needed::Document(body) => {
                let document: ChangeDocument = self.read_body(body)?;
                library.add_document(body.sha256, Arc::new(document));
            }
        }
        Ok(())
    }

    fn revision<T: serde::de::DeserializeOwned>(&self, digest: &Digest) -> Result<T, String> {
        let body =
            self.registry.bodies.get(digest).ok_or_else(|| format!("no revision {digest} is in this log"))?;
        self.read_body(body)
    }

    fn read_body<T: serde::de::DeserializeOwned>(&self, body: &BodyRef) -> Result<T, String> {
        let steps = self.steps_of(&Key::body(&body.blake3)).map_err(|error| error.to_string())?;
        let mut bytes = Vec::with_capacity(usize::try_from(body.bytes).unwrap_or(0).min(1 << 26));
        for record in steps.iter().flat_map(|stored| stored.step.records()) {
            if let Object::BodyChunk(chunk) = &record.object {
                bytes.extend_from_slice(chunk.bytes.as_slice());
            }
        }
        if Digest::of(&bytes) != body.sha256 {
            return Err(format!("the body {} is missing or damaged", body.blake3));
        }
        cbor::from_slice(&bytes).map_err(|error| error.to_string())
    }

    /// Stores bytes as a body, in chunks, unless the log holds it.
    pub(super) fn store_body(&mut self, bytes: &[u8], body: &BodyRef) -> Result<(), Unavailable> {
        let key = Key::body(&body.blake3);
        let here = self.batch.touched.contains(&key);
        if here || self.log.last_now(&key, Owner::Runtime)?.is_some() {
            return Ok(());
        }
        let chunks: Vec<&[u8]> = bytes.chunks(ontology::content::CHUNK_BYTES_MAX).collect();
        let of = u32::try_from(chunks.len()).unwrap_or(u32::MAX);
        let mut head = None;
        for (index, chunk) in chunks.into_iter().enumerate() {
            let chunk = BodyChunk {
                index: u32::try_from(index).unwrap_or(u32::MAX),
                of,
                bytes: chunk.to_vec().into(),
            };
            let cause = Cause::named(&format!("chunk/{index}"));
            let step =
                topics::Step::observed(key.clone(), Owner::Runtime, 1, cause, None, vec![chunk.into()])
                    .map_err(|error| Unavailable::Damaged(error.to_string()))?;
            head = Some(self.say(step, Expect::Head(head)));
        }
        Ok(())
    }
}
