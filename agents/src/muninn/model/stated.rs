//! What one file states, before anything is merged.

use std::collections::{BTreeMap, BTreeSet};

use ontology::model::{Binding, Detail, Source};
use ontology::release::LinkType;
use ontology::{ObjectId, Timestamp};

/// A relation: its type and both ends.
pub(super) type Relation = (LinkType, ObjectId, ObjectId);

/// What one file states.
#[derive(Debug)]
pub(super) struct Stated {
    /// The file.
    pub(super) source: Source,
    /// Link types of which it lists all relations between the objects it mentions.
    pub(super) complete_for: BTreeSet<LinkType>,
    /// What it says.
    pub(super) facts: Facts,
}

/// The facts in a file.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Things it describes.
    pub(super) objects: BTreeMap<ObjectId, StatedObject>,
    /// Relations it states.
    pub(super) links: BTreeSet<Relation>,
    /// (component, API) it says are provided.
    pub(super) provides: BTreeSet<(ObjectId, ObjectId)>,
    /// (component, API) it says are consumed.
    pub(super) consumes: BTreeSet<(ObjectId, ObjectId)>,
    /// Bindings of plan addresses.
    pub(super) bindings: Vec<Binding>,
    /// Paths of sources of things.
    pub(super) paths: BTreeMap<ObjectId, BTreeSet<String>>,
    /// Rules of who owns which paths, the last that matches counts.
    pub(super) path_owners: Vec<PathOwner>,
    /// What a tool says is there; each stands among the objects under its address.
    pub(super) seen: Vec<Seen>,
    /// Services of a cluster, with the labels of the pods that they lead to.
    pub(super) selecting: Vec<(ObjectId, BTreeMap<String, String>)>,
    /// Tiers it gives to things that others describe.
    pub(super) tiers: BTreeMap<ObjectId, u8>,
    /// Default objectives by tier.
    pub(super) defaults: BTreeMap<u8, Vec<Objective>>,
    /// Entities that are not read, by kind.
    pub(super) ignored: BTreeMap<&'static str, u32>,
    /// What was left out or looks wrong.
    pub(super) warnings: Vec<String>,
}

/// A thing that a tool says is there, under the address that plans and manifests give it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    /// The address.
    pub(super) address: ObjectId,
    /// Its type or kind there.
    pub(super) kind: String,
    /// Its tags or labels.
    pub(super) tags: BTreeMap<String, String>,
}

/// A rule of a CODEOWNERS file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PathOwner {
    /// Which paths.
    pub(super) pattern: String,
    /// Who owns them; nobody, where the rule takes an owner away.
    pub(super) owner: Option<ObjectId>,
}

/// One thing, as one file describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StatedObject {
    /// What people call it.
    pub(super) title: Option<String>,
    /// What it is.
    pub(super) detail: Detail,
    /// In force from.
    pub(super) effective_from: Option<Timestamp>,
    /// In force until.
    pub(super) effective_to: Option<Timestamp>,
}

impl StatedObject {
    /// A thing without a title or bounds in time.
    pub(super) const fn new(detail: Detail) -> Self {
        Self { title: None, detail, effective_from: None, effective_to: None }
    }
}

/// An objective, before it belongs to an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Objective {
    /// The last part of its id: `availability`, `recovery`, `cost`.
    pub(super) name: String,
    /// The objective.
    pub(super) detail: Detail,
}

impl Objective {
    /// The relation that says that an object has it.
    pub(super) const fn link(&self) -> LinkType {
        match self.detail {
            Detail::RecoveryObjective(_) => LinkType::HasRecoveryObjective,
            Detail::CostObjective(_) => LinkType::HasCostObjective,
            _ => LinkType::HasServiceObjective,
        }
    }

    /// Its id as an objective of `object`.
    pub(super) fn id(&self, object: &ObjectId) -> Result<ObjectId, ontology::identity::IdentityError> {
        ObjectId::new(format!("objective:{object}/{}", self.name))
    }

    /// The same objective, taken from a tier's defaults.
    pub(super) fn assumed(mut self) -> Self {
        match &mut self.detail {
            Detail::ServiceObjective(objective) => objective.assumed = true,
            Detail::RecoveryObjective(objective) => objective.assumed = true,
            Detail::CostObjective(objective) => objective.assumed = true,
            _ => {}
        }
        self
    }
}
