//! Attributes that must be on, not off, kept on, or large enough: encryption, protection, backups, logging.

mod tables;

use super::finding::Finder;
use super::side::{Weakness, compare, each_at, first_at, is_nothing, text_at, untold};
use crate::records::document::{Action, Target};
use crate::value::{Attributes, Value};

pub(in crate::policy) use tables::{BACKUPS, DELETION_PROTECTION, ENCRYPTION, EXPOSURE, LOGGING};

/// What is demanded of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::policy) enum Demand {
    /// True; where nothing is said, it is off.
    On,
    /// Not false; where nothing is said, the provider has it on or decides.
    NotOff,
    /// Not true.
    NotOn,
    /// If it was on, or held anything, it still does.
    Kept,
    /// A number; nothing said counts as zero.
    AtLeast(i64),
    /// A number; where nothing is said, the provider's default is enough.
    AtLeastIfSaid(i64),
    /// None of these texts.
    Not(&'static [&'static str]),
}

/// What is demanded of the attributes of each type, sorted by type.
pub(in crate::policy) type Table = &'static [(&'static str, &'static [(&'static str, Demand)])];

pub(super) fn evaluate(finder: &mut Finder<'_>, table: Table) {
    for target in finder.targets() {
        let Ok(index) = table.binary_search_by(|(kind, _)| (*kind).cmp(&target.kind)) else { continue };
        finder.checked(target);
        for (path, demand) in table[index].1 {
            if let Some(why) = missing(target, path, *demand) {
                finder.unknown(target, &format!("{path} is {why}"));
                continue;
            }
            for (standing, weakness) in compare(target, |side, before| weak(side, before, path, *demand)) {
                finder.found(target, standing, weakness);
            }
        }
    }
}

/// Why the demand cannot be judged after the change, if it cannot. What is created without a word on an attribute
/// that the provider fills well is not missing.
fn missing(target: &Target, path: &str, demand: Demand) -> Option<&'static str> {
    let by_default = matches!(
        demand,
        Demand::NotOff | Demand::NotOn | Demand::Kept | Demand::AtLeastIfSaid(_) | Demand::Not(_)
    );
    match target.action {
        Action::Create if by_default => None,
        Action::Create | Action::Update | Action::Replace => untold(target, path),
        Action::Delete | Action::Read | Action::NoOp | Action::Forget => None,
    }
}

fn weak(side: &Attributes, before: Option<&Attributes>, path: &str, demand: Demand) -> Vec<Weakness> {
    if demand.is_of_backups(path) && !text_at(side, "replicate_source_db").is_empty() {
        // A replica is backed up at its source.
        return Vec::new();
    }
    let value = worst(side, path, demand);
    if matches!(value, Some(Value::Unknown | Value::Withheld(_))) {
        return Vec::new();
    }
    let said = value.filter(|value| **value != Value::Null);
    let number = said.and_then(Value::as_integer);
    let is = match demand {
        Demand::On => said.and_then(Value::as_boolean) != Some(true),
        Demand::NotOff => said.and_then(Value::as_boolean) == Some(false),
        Demand::NotOn => said.and_then(Value::as_boolean) == Some(true),
        Demand::AtLeast(min) => number.unwrap_or(0) < min,
        Demand::AtLeastIfSaid(min) => number.is_some_and(|number| number < min),
        Demand::Not(texts) => said.and_then(Value::as_text).is_some_and(|text| texts.contains(&text)),
        Demand::Kept => {
            let was_on = before.and_then(|before| first_at(before, path)).is_some_and(is_on);
            was_on && !said.is_some_and(is_on)
        }
    };
    if !is {
        return Vec::new();
    }
    let value = said.map_or_else(|| "not set".to_owned(), ToString::to_string);
    vec![Weakness { degree: -number.unwrap_or(0), ..Weakness::new(path, value) }]
}

impl Demand {
    fn is_of_backups(self, path: &str) -> bool {
        path == "backup_retention_period" && matches!(self, Self::AtLeast(_))
    }
}

/// Of several values (a block that may be repeated), one that breaks the demand, else the first.
fn worst<'v>(side: &'v Attributes, path: &str, demand: Demand) -> Option<&'v Value> {
    let bad = match demand {
        Demand::On | Demand::NotOff => Value::Boolean(false),
        Demand::NotOn => Value::Boolean(true),
        Demand::Kept | Demand::AtLeast(_) | Demand::AtLeastIfSaid(_) | Demand::Not(_) => {
            return first_at(side, path);
        }
    };
    let mut found: Option<&'v Value> = None;
    each_at(side, path, &mut |value| {
        if found.is_none() || *value == bad {
            found = Some(value);
        }
    });
    found
}

fn is_on(value: &Value) -> bool {
    !matches!(value, Value::Boolean(false) | Value::Integer(0)) && !is_nothing(Some(value))
}
