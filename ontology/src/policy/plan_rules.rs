//! Rules over the plan alone: the starter catalog's (U1).
//!
//! A rule looks at every managed target that the plan lists, and says of each weakness it finds how it relates to
//! the change (U10): a weakness that was there before, or sits in a target that does not change, is pre-existing.

pub(super) mod exposure;
pub(super) mod finding;
pub(super) mod grants;
pub(super) mod identity;
pub(super) mod manifests;
pub(super) mod removal;
mod side;
pub(super) mod switches;
mod whole;

use super::constraint::{Constraint, PlanRule};
use super::evaluate::{Evaluated, Subject};
use finding::Finder;

pub(super) fn evaluate(rule: PlanRule, constraint: &Constraint, subject: &Subject<'_>) -> Evaluated {
    let mut finder = Finder::new(constraint, subject);
    match rule {
        PlanRule::StatefulDestroyed => removal::stateful_destroyed(&mut finder),
        PlanRule::SecurityGroupRemoved => {
            removal::security_group_removed(&mut finder);
            manifests::network_policies_removed(&mut finder);
        }
        PlanRule::Forgotten => removal::forgotten(&mut finder),
        PlanRule::PublicExposure => {
            exposure::public_exposure(&mut finder);
            manifests::public_exposure(&mut finder);
        }
        PlanRule::EncryptionOff => switches::evaluate(&mut finder, switches::ENCRYPTION),
        PlanRule::DeletionProtectionOff => switches::evaluate(&mut finder, switches::DELETION_PROTECTION),
        PlanRule::BackupsOff => switches::evaluate(&mut finder, switches::BACKUPS),
        PlanRule::LoggingOff => {
            switches::evaluate(&mut finder, switches::LOGGING);
            removal::destroyed(&mut finder, removal::LOGGING_TYPES);
        }
        PlanRule::IamWildcard => {
            grants::iam_wildcard(&mut finder);
            manifests::wildcard_grants(&mut finder);
        }
        PlanRule::DuplicateIdentity => identity::duplicate_identity(&mut finder),
        PlanRule::Drift => whole::drift(&mut finder),
        PlanRule::IncompletePlan => whole::incomplete_plan(&mut finder),
        PlanRule::SecretUnmarked => whole::secret_unmarked(&mut finder),
        PlanRule::PrivilegedWorkload => manifests::privileged_workload(&mut finder),
        PlanRule::SafeguardRemoved => manifests::safeguard_removed(&mut finder),
        PlanRule::SingleReplica => manifests::single_replica(&mut finder),
    }
    finder.finish()
}
