//! Who has to decide: the catalog's approval rules for what the change alters.

use std::collections::BTreeSet;

use ontology::policy::ApprovalRule;
use ontology::records::ApprovalNeed;

use crate::muninn::snapshot::Setting;
use crate::muninn::snapshot::scope::{object_of, resolve, selects};

/// What a request needs.
pub(super) struct Needed {
    /// One a rule that applies, sorted and once each.
    pub(super) needs: Vec<ApprovalNeed>,
    /// The shortest time of them.
    pub(super) expires_s: i64,
}

/// The first rule that applies to each target, all of them together. A change without targets is the general rule's.
pub(super) fn needs(setting: &Setting<'_>) -> Needed {
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
    let needs: BTreeSet<ApprovalNeed> = found.iter().map(need).collect();
    let expires_s = found.iter().map(|rule| rule.expires_s).min().unwrap_or(shipped.expires_s);
    Needed { needs: needs.into_iter().collect(), expires_s: i64::try_from(expires_s).unwrap_or(i64::MAX) }
}
