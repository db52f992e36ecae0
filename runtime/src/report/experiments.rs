//! What could be rehearsed, so that it is known before it is needed.

use agents::review::Part;
use ontology::records::ExperimentProposal;
use ontology::{Name, ObjectId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topics::Object;

/// A rehearsal that is missing and can be had. Nobody runs it but people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExperimentShown {
    /// What would be recovered.
    pub object: ObjectId,
    /// How.
    pub strategy: Name,
    /// Instances or zones that it has.
    pub redundancy: u32,
    /// Seconds within which it has to be back.
    pub rto_s: u64,
    /// Seconds of work that may be lost.
    pub rpo_s: u64,
}

/// What was proposed in an evaluation, by object.
pub(super) fn shown(part: &Part<'_>) -> Vec<ExperimentShown> {
    let proposals = part.said.iter().filter_map(|said| match &said.object {
        Object::ExperimentProposal(proposal) => Some(proposal.as_ref()),
        _ => None,
    });
    let shown = |it: &ExperimentProposal| ExperimentShown {
        object: it.object.clone(),
        strategy: it.strategy.clone(),
        redundancy: it.redundancy,
        rto_s: it.rto_s,
        rpo_s: it.rpo_s,
    };
    let mut shown: Vec<ExperimentShown> = proposals.map(shown).collect();
    shown.sort_by(|a, b| (&a.object, &a.strategy).cmp(&(&b.object, &b.strategy)));
    shown
}
