//! What the plan says of itself: drift, gaps, secrets without a marker.

use std::collections::BTreeSet;

use super::finding::Finder;
use super::side::{Weakness, compare};
use crate::policy::constraint::Standing;
use crate::value::{Attributes, Value};

/// Parts of names under which secrets stand.
const SECRET_NAMES: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "private_key",
    "api_key",
    "access_key",
    "credential",
];
/// Depth of attributes that are looked through for secrets: blocks in blocks.
const SECRET_DEPTH_MAX: usize = 8;

/// The world drifted. On a target that changes, applying the plan overwrites what somebody did by other means; on
/// any other, the drift is there whatever happens to this change.
pub(super) fn drift(finder: &mut Finder<'_>) {
    let drift = &finder.subject.document.drift;
    if drift.is_empty() {
        finder.checked_whole();
        return;
    }
    for target in finder.targets() {
        finder.checked(target);
        if drift.contains(&target.address) {
            let standing = if target.action.changes() { Standing::Introduced } else { Standing::PreExisting };
            let caused_by = BTreeSet::from([target.address.clone()]);
            finder.violates(target, standing, None, "differs from the recorded state", caused_by);
        }
    }
}

pub(super) fn incomplete_plan(finder: &mut Finder<'_>) {
    finder.checked_whole();
    let document = finder.subject.document;
    if document.errored {
        finder.violates_whole("the tool says that the plan failed");
    }
    if document.incomplete {
        finder.violates_whole("the tool says that the plan leaves things out");
    }
}

/// A value under the name of a secret, in a plan that marks none.
pub(super) fn secret_unmarked(finder: &mut Finder<'_>) {
    if !finder.subject.document.sensitivity_unmarked {
        finder.checked_whole();
        return;
    }
    for target in finder.targets() {
        finder.checked(target);
        for (standing, weakness) in compare(target, |side, _| secrets(side)) {
            finder.found(target, standing, weakness);
        }
    }
}

fn secrets(side: &Attributes) -> Vec<Weakness> {
    let mut found = Vec::new();
    collect(side, "", SECRET_DEPTH_MAX, &mut found);
    found
}

fn collect(side: &Attributes, prefix: &str, depth: usize, found: &mut Vec<Weakness>) {
    for (name, value) in side {
        let path = || if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        match value {
            Value::Withheld(withheld) if withheld.kind == "text" && is_secret(name) => {
                found.push(Weakness::new(path(), "(withheld)"));
            }
            Value::Map(map) if depth > 0 => collect(map, &path(), depth - 1, found),
            Value::List(values) if depth > 0 => {
                for map in values.iter().filter_map(Value::as_map) {
                    collect(map, &path(), depth - 1, found);
                }
            }
            _ => {}
        }
    }
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_NAMES.iter().any(|part| name.contains(part))
        && !["_arn", "_id", "_name"].iter().any(|end| name.ends_with(end))
}
