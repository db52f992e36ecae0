//! The excluded classes: they always need a person (S-36). Which row of the catalog's tables put a change there is
//! told with it (U11).

use super::catalog::{Catalog, wildcard};
use crate::records::document::Target;

/// The kind of a change that promotes to production (S-36). An ordinary apply to production is none (U11).
pub const PROMOTION: &str = "promotion";
/// The kind of a change to what everything else is judged by (S-36).
pub const BASELINE: &str = "baseline";

/// An excluded class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// What cannot be undone.
    Irreversible,
    /// A promotion to production.
    Promotion,
    /// A change of what reviews are judged by.
    Baseline,
}

impl Class {
    /// The stable text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Irreversible => "irreversible",
            Self::Promotion => "promotion",
            Self::Baseline => "baseline",
        }
    }
}

/// Why a change is in a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classified<'a> {
    /// The class.
    pub class: Class,
    /// The target that puts it there; none, where the change's own kind does.
    pub target: Option<&'a Target>,
    /// The table of the catalog, and its row.
    pub row: (&'static str, &'a str),
}

/// The excluded classes of a change of this kind that changes these targets.
#[must_use]
pub fn classify<'a>(catalog: &'a Catalog, kind: &'a str, changed: &[&'a Target]) -> Vec<Classified<'a>> {
    let mut found = Vec::new();
    for target in changed.iter().copied().filter(|target| target.action.destroys()) {
        let row = catalog.stateful_types.iter().find(|pattern| wildcard(pattern, &target.kind));
        found.extend(row.map(|row| Classified {
            class: Class::Irreversible,
            target: Some(target),
            row: ("stateful_types", row),
        }));
    }
    let of_kind = |class, row| Classified { class, target: None, row };
    if kind == PROMOTION {
        found.push(of_kind(Class::Promotion, ("kind of the change", PROMOTION)));
    }
    let baseline = |text: &str| catalog.baseline_kinds.get(text).map(String::as_str);
    if let Some(row) = baseline(kind) {
        found.push(of_kind(Class::Baseline, ("baseline_kinds", row)));
    } else if kind == BASELINE {
        found.push(of_kind(Class::Baseline, ("kind of the change", BASELINE)));
    }
    for target in changed.iter().copied() {
        let row = baseline(&target.kind).or_else(|| target.address.as_str().split('/').find_map(baseline));
        found.extend(row.map(|row| Classified {
            class: Class::Baseline,
            target: Some(target),
            row: ("baseline_kinds", row),
        }));
    }
    found
}
