//! A model revision, validated and indexed once.

use crate::graph::Bindings;
use crate::model::{Link, Model, Object, Source};
use crate::release::LinkType;
use crate::{Digest, Name, ObjectId};

/// An object's number in a view: below the model's count, its place there; above, an object that an overlay added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(pub u32);

/// A model that breaks a rule of the ontology, in words that name the object or link.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("index the model: {0}")]
pub struct InvalidModel(pub String);

/// A model revision with its adjacency.
#[derive(Debug)]
pub struct Graph {
    model: Model,
}

impl Graph {
    /// Validates and indexes a model.
    ///
    /// # Errors
    /// [`InvalidModel`] when something is out of order, twice, dangling, of the wrong type or over a cardinality.
    pub fn index(model: Model) -> Result<Self, InvalidModel> {
        let _ = model;
        todo!()
    }

    /// The model as it was given.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The digest that pins it.
    #[must_use]
    pub fn digest(&self) -> Digest {
        todo!()
    }

    /// The node of an object.
    #[must_use]
    pub fn node(&self, id: &ObjectId) -> Option<Node> {
        let _ = id;
        todo!()
    }

    /// The object at a node of the model itself.
    #[must_use]
    pub fn object(&self, node: Node) -> Option<&Object> {
        let _ = node;
        todo!()
    }

    /// Numbers, in the model's list, of links of `kind` that start at `node`.
    #[must_use]
    pub fn links_from(&self, node: Node, kind: LinkType) -> &[u32] {
        let _ = (node, kind);
        todo!()
    }

    /// Numbers, in the model's list, of links of `kind` that end at `node`.
    #[must_use]
    pub fn links_to(&self, node: Node, kind: LinkType) -> &[u32] {
        let _ = (node, kind);
        todo!()
    }

    /// Both ends of the link with this number.
    #[must_use]
    pub fn ends(&self, link: u32) -> (Node, Node) {
        let _ = link;
        todo!()
    }

    /// The link with this number.
    #[must_use]
    pub fn link(&self, link: u32) -> &Link {
        &self.model.links[link as usize]
    }

    /// The source of this id.
    #[must_use]
    pub fn source(&self, id: &Name) -> Option<&Source> {
        let _ = id;
        todo!()
    }

    /// SHA-256 of the object's canonical CBOR, computed once a revision.
    #[must_use]
    pub fn object_digest(&self, node: Node) -> Digest {
        let _ = node;
        todo!()
    }

    /// SHA-256 of the link's canonical CBOR, computed once a revision.
    #[must_use]
    pub fn link_digest(&self, link: u32) -> Digest {
        let _ = link;
        todo!()
    }

    /// The bindings, prepared.
    #[must_use]
    pub fn bindings(&self) -> &Bindings {
        todo!()
    }
}
