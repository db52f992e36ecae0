//! Which target of a plan is which object of the model (U7).

use crate::graph::Graph;
use crate::model::Binding;
use crate::records::document::Target;
use crate::records::snapshot::Found;

/// Bindings, prepared for look-up.
#[derive(Debug, Default)]
pub struct Bindings {}

impl Bindings {
    /// Prepares bindings.
    #[must_use]
    pub fn new(bindings: &[Binding]) -> Self {
        let _ = bindings;
        todo!()
    }

    /// What `target` is in the model. A target whose address is an object's id is that object. A binding of a
    /// Resource whose address pattern is exact (no `*`) says that the target *is* it; any other binding says that
    /// it is a part of the object. Bindings of several objects: the most specific wins (exact address, then longer
    /// literal prefix, then tags); a tie between different objects is a conflict.
    #[must_use]
    pub fn resolve(&self, graph: &Graph, target: &Target, workspace: Option<&str>) -> Found {
        let _ = (graph, target, workspace);
        todo!()
    }
}
