//! What could be tried, so that it is known before it is needed. Loki's; a proposal is never run by anybody here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Evaluation;
use crate::{Digest, Name, ObjectId};

/// Proposals of one evaluation at most: more than somebody would rehearse in a quarter.
pub const PROPOSALS_MAX: usize = 8;
/// Instances or zones from which on one may be taken away without the service.
pub const REDUNDANCY_MIN: u32 = 2;

/// A rehearsal that is missing and can be had: what it is about stands on more than one leg.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExperimentProposal {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The recovery objective that nothing shows to be met.
    pub objective: ObjectId,
    /// What would be recovered.
    pub object: ObjectId,
    /// How, as the recovery plan says; `restore`, where there is no plan.
    pub strategy: Name,
    /// Instances or zones, whichever are more.
    pub redundancy: u32,
    /// Seconds within which it has to be back, for the objective to be met.
    pub rto_s: u64,
    /// Seconds of work that may be lost.
    pub rpo_s: u64,
    /// SHA-256 of the observation that says that the rehearsal is missing.
    pub recovery_digest: Digest,
}
