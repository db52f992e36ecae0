//! Who has to decide: the catalog's approval rules for what the change alters.

use std::collections::BTreeSet;

use ontology::ReasonCode;
use ontology::policy::ApprovalRule;
use ontology::records::{ApprovalNeed, Recommendation};

use crate::muninn::snapshot::Setting;
use crate::muninn::snapshot::scope::{object_of, resolve, selects};

/// What a request needs.
pub(super) struct Needed {
    /// One a rule that applies, sorted and once each.
    pub(super) needs: Vec<ApprovalNeed>,
    /// The shortest time of them.
    pub(super) expires_s: i64,
}

/// What constraints that ask for approval by roles of their own need (U11).
fn approvers(setting: &Setting<'_>, recommendation: &Recommendation) -> BTreeSet<ApprovalNeed> {
    let asking = recommendation.reasons.iter().filter(|it| it.code == ReasonCode::ConstraintApproval);
    let subjects: BTreeSet<&str> = asking.filter_map(|reason| reason.subject.as_deref()).collect();
    let constraints = setting.catalog.constraints.iter();
    let own = constraints.filter(|it| !it.approvers.is_empty() && subjects.contains(it.id.as_str()));
    own.map(|constraint| ApprovalNeed { roles: constraint.approvers.clone(), quorum: 1 }).collect()
}

/// The first rule that applies to each target, all of them together. A change without targets is the general rule's.
pub(super) fn needs(setting: &Setting<'_>, recommendation: &Recommendation) -> Needed {
    let targets = resolve(setting);
    let rules = &setting.catalog.approvals;
    let mut found: Vec<&ApprovalRule> = Vec::new();
    for target in setting.document.changed() {
        let at = targets.binary_search_by(|resolution| resolution.address.cmp(&target.address)).ok();
        let object = at.and_then(|at| object_of(setting.graph, &targets[at]));
        found.extend(rules.iter().find(|rule| selects(&rule.when, target, object)));
    }
    let shipped = ApprovalRule::shipped();
    if found.is_empty() {
        found.push(rules.last().unwrap_or(&shipped));
    }
    let need = |rule: &&ApprovalRule| ApprovalNeed { roles: rule.roles.clone(), quorum: rule.quorum };
    let mut needs: BTreeSet<ApprovalNeed> = found.iter().map(need).collect();
    needs.extend(approvers(setting, recommendation));
    let expires_s = found.iter().map(|rule| rule.expires_s).min().unwrap_or(shipped.expires_s);
    Needed { needs: needs.into_iter().collect(), expires_s: i64::try_from(expires_s).unwrap_or(i64::MAX) }
}
