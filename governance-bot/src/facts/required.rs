//! Required checks of a branch, from both places where the forge keeps them (faults 31, 32).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Known;
use crate::forge::Listing;
use crate::forge::view::{Protection, Rule};

/// Any publisher, in classic protection.
const ANY_APP: i64 = -1;

/// A check that the forge requires.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequiredCheck {
    /// The name, of a check run or a status.
    pub name: String,
    /// The App that must publish it; absent where anybody may (fault 30).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app_id: Option<i64>,
    /// Where it is required.
    pub source: CheckSource,
}

/// Where a check is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckSource {
    /// In classic branch protection.
    Protection,
    /// In a ruleset.
    Ruleset,
}

/// The union of both places. Unknown when one of them is: a list that was not read may require anything.
#[must_use]
pub fn required_checks(
    protection: &Known<Protection>,
    rules: &Listing<Rule>,
) -> Known<BTreeSet<RequiredCheck>> {
    if let Some(shortfall) = &rules.shortfall {
        return Known::Unknown { why: format!("rulesets: {shortfall}") };
    }
    if let Some(why) = protection.unknown() {
        return Known::Unknown { why: format!("protection: {why}") };
    }
    let app = |id: Option<i64>| id.filter(|id| *id != ANY_APP);
    let mut required = BTreeSet::new();
    let classic = protection.value().and_then(|protection| protection.required_status_checks.as_ref());
    if let Some(classic) = classic {
        required.extend(classic.checks.iter().map(|check| RequiredCheck {
            name: check.context.clone(),
            app_id: app(check.app_id),
            source: CheckSource::Protection,
        }));
        let pinned: BTreeSet<&str> = classic.checks.iter().map(|check| check.context.as_str()).collect();
        let bare = classic.contexts.iter().filter(|name| !pinned.contains(name.as_str()));
        required.extend(bare.map(|name| RequiredCheck {
            name: name.clone(),
            app_id: None,
            source: CheckSource::Protection,
        }));
    }
    for rule in rules.items.iter().filter(|rule| rule.kind == "required_status_checks") {
        required.extend(rule.parameters.required_status_checks.iter().map(|check| RequiredCheck {
            name: check.context.clone(),
            app_id: app(check.integration_id),
            source: CheckSource::Ruleset,
        }));
    }
    Known::Known(required)
}
