//! Waivers: violations that somebody answers for, until a day (U11).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::catalog::{Catalog, wildcard};
use super::constraint::Standing;
use super::evaluate::{Evaluated, Subject};
use crate::{Name, Timestamp};

/// Waivers of a catalog at most: a baseline of 300 services with five violations each, and some.
pub const WAIVERS_MAX: usize = 2_048;

/// One waiver.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Waiver {
    /// The constraint, by its id.
    pub constraint: Name,
    /// The object or target, with `*`.
    pub target: String,
    /// Who answers for it.
    pub owner: Name,
    /// Why.
    pub reason: String,
    /// From then on it counts again.
    pub expires: Timestamp,
}

/// What waivers did to what a constraint found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Waived<'a> {
    /// Waivers that cover something, with how much.
    pub covering: Vec<(&'a Waiver, u32)>,
    /// Waivers that would, and have expired: what they covered counts again.
    pub expired: Vec<&'a Waiver>,
    /// Waivers of a target of this change that cover nothing: they can go.
    pub unmatched: Vec<&'a Waiver>,
}

/// Marks what a waiver in force covers as [`Standing::Waived`]; what was mended stays so.
pub fn waive<'a>(constraint: &Name, evaluated: &mut Evaluated, subject: &Subject<'a>) -> Waived<'a> {
    let mut waived = Waived::default();
    let catalog: &'a Catalog = subject.catalog;
    for waiver in catalog.waivers.iter().filter(|waiver| waiver.constraint == *constraint) {
        let open = evaluated.violations.iter_mut().filter(|violation| {
            !matches!(violation.standing, Standing::Fixed | Standing::Waived)
                && wildcard(&waiver.target, violation.subject.as_str())
        });
        if waiver.expires <= subject.cutoff {
            if open.count() > 0 {
                waived.expired.push(waiver);
            }
            continue;
        }
        let mut many: u32 = 0;
        for violation in open {
            violation.standing = Standing::Waived;
            violation.caused_by = Vec::new();
            many = many.saturating_add(1);
        }
        if many > 0 {
            waived.covering.push((waiver, many));
        } else if concerns(waiver, subject) && evaluated.unknown.is_none() {
            waived.unmatched.push(waiver);
        }
    }
    evaluated.violations.sort();
    waived
}

/// Whether a waiver's target is one of the change, or an object that one is bound to.
fn concerns(one: &Waiver, subject: &Subject<'_>) -> bool {
    subject.targets.iter().any(|resolution| {
        let object = resolution.found.object();
        wildcard(&one.target, resolution.address.as_str())
            || object.is_some_and(|object| wildcard(&one.target, object.as_str()))
    })
}
