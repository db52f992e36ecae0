//! Immutable things by digest: what agents may look at beside their state. The driver resolves every digest that
//! an event names before the call, so a look-up here never waits.

use std::collections::BTreeMap;
use std::sync::Arc;

use ontology::graph::Graph;
use ontology::policy::Catalog;
use ontology::records::{ChangeDocument, Pins};
use ontology::{BodyRef, Content, Digest};

use crate::{Event, Object};

/// Models, catalogs and documents that were resolved.
#[derive(Debug, Clone, Default)]
pub struct Library {
    models: BTreeMap<Digest, Arc<Graph>>,
    catalogs: BTreeMap<Digest, Arc<Catalog>>,
    documents: BTreeMap<Digest, Arc<ChangeDocument>>,
}

/// Something that an event names and the library must hold before the event is folded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needed {
    /// A model revision.
    Model(Digest),
    /// A catalog.
    Catalog(Digest),
    /// A change document in a body.
    Document(BodyRef),
}

impl Library {
    /// The model revision of this digest.
    #[must_use]
    pub fn model(&self, digest: &Digest) -> Option<&Arc<Graph>> {
        self.models.get(digest)
    }

    /// The catalog of this digest.
    #[must_use]
    pub fn catalog(&self, digest: &Digest) -> Option<&Arc<Catalog>> {
        self.catalogs.get(digest)
    }

    /// The document, wherever it is kept.
    #[must_use]
    pub fn document<'a>(&'a self, content: &'a Content<ChangeDocument>) -> Option<&'a Arc<ChangeDocument>> {
        match content {
            Content::Inline(document) => Some(document),
            Content::Body(body) => self.documents.get(&body.sha256),
        }
    }

    /// Adds a model revision.
    pub fn add_model(&mut self, digest: Digest, graph: Arc<Graph>) {
        self.models.insert(digest, graph);
    }

    /// Adds a catalog.
    pub fn add_catalog(&mut self, digest: Digest, catalog: Arc<Catalog>) {
        self.catalogs.insert(digest, catalog);
    }

    /// Adds a change document under the SHA-256 of its body.
    pub fn add_document(&mut self, digest: Digest, document: Arc<ChangeDocument>) {
        self.documents.insert(digest, document);
    }

    /// Forgets a change document: no open review names it any more.
    pub fn forget_document(&mut self, digest: &Digest) {
        self.documents.remove(digest);
    }

    /// Forgets model revisions and catalogs other than these: no open review pins them any more.
    pub fn retain(&mut self, pinned: impl Fn(&Digest) -> bool) {
        self.models.retain(|digest, _| pinned(digest));
        self.catalogs.retain(|digest, _| pinned(digest));
    }

    /// What `event` names and this library does not hold.
    #[must_use]
    pub fn missing(&self, event: &Event<'_>) -> Vec<Needed> {
        let mut needed = Vec::new();
        let mut pins = |pins: &Pins| {
            needed.push(Needed::Model(pins.model));
            needed.push(Needed::Catalog(pins.catalog));
        };
        for object in event.objects() {
            match object {
                Object::Change(change) => pins(&change.pins),
                Object::EvaluationOpened(opened) => pins(&opened.pins),
                _ => {}
            }
        }
        for object in event.objects() {
            if let Object::Change(change) = object
                && let Content::Body(body) = &change.document
            {
                needed.push(Needed::Document(body.clone()));
            }
        }
        needed.retain(|needed| match needed {
            Needed::Model(digest) => !self.models.contains_key(digest),
            Needed::Catalog(digest) => !self.catalogs.contains_key(digest),
            Needed::Document(body) => !self.documents.contains_key(&body.sha256),
        });
        needed
    }
}
