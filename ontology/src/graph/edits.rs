//! What a change does to the graph.

use std::collections::{BTreeMap, BTreeSet};

use crate::ObjectId;
use crate::graph::Graph;
use crate::model::Object;
use crate::records::document::ChangeDocument;
use crate::records::evaluation::OptionDraft;
use crate::records::snapshot::Resolution;
use crate::release::LinkType;

/// Objects and links to lay over a graph. The same thing is never both put and removed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edits {
    /// Objects added or altered.
    pub put: BTreeMap<ObjectId, Object>,
    /// Objects removed, with their links.
    pub removed: BTreeSet<ObjectId>,
    /// Links added.
    pub linked: BTreeSet<(LinkType, ObjectId, ObjectId)>,
    /// Links removed.
    pub unlinked: BTreeSet<(LinkType, ObjectId, ObjectId)>,
}

impl Edits {
    /// What `option` of the change does to the graph. A created target becomes a Resource under its address,
    /// run on by the workload it is a part of; a deleted or forgotten one that *is* an object removes it;
    /// an update that *is* an object alters its placement where its attributes say so (zones, replicas).
    #[must_use]
    pub fn of(document: &ChangeDocument, targets: &[Resolution], option: &OptionDraft, graph: &Graph) -> Self {
        let _ = (document, targets, option, graph);
        todo!()
    }
}
