//! Redaction by allow-list (U3): what is not known to be needed and harmless never reaches the log.
//!
//! Kept are the attributes of `kept`; of those, whatever is marked sensitive, has a suspicious name or reads like a
//! secret is withheld in place. Of everything else only type, whether it changes and, under a key, a MAC remain.

mod count;
mod document;
mod kept;
mod mac;
mod names;
mod scrub;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use ontology::Value;
use ontology::policy::Catalog;
use ontology::value::Attributes;
use serde_json::Value as Json;

pub(crate) use count::{any_unkeyed, count};
pub(crate) use document::sort_links;
pub use document::{DOCUMENT_HEADER, parse, to_json};
pub use mac::{KEY_BYTES_MIN, RedactionKey, WeakKey};
pub(crate) use names::looks_secret;

/// Withheld values of one document at most: each costs some 150 bytes, so the document stays under the 64 MiB of a body.
pub const WITHHELD_MAX: usize = 400_000;
/// Levels that a kept value nests at most; what lies deeper is withheld. Records nest 64 levels, a value takes two a level.
pub const KEPT_DEPTH_MAX: usize = 20;

/// More than [`WITHHELD_MAX`] values would have to be listed as withheld.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("more than {WITHHELD_MAX} values are to be withheld; split the change")]
pub struct TooManyWithheld;

/// The attributes of one target before and after.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sides {
    pub(crate) before: Option<Attributes>,
    pub(crate) after: Option<Attributes>,
}

/// What the plan marks as sensitive on either side: `true`, or a structure that holds it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Marks<'a> {
    pub(crate) before: Option<&'a Json>,
    pub(crate) after: Option<&'a Json>,
}

impl<'a> Marks<'a> {
    /// Whether all of this place is marked, on either side: the same value may stand unmarked on the other.
    pub(crate) fn here(self) -> bool {
        [self.before, self.after].into_iter().any(|mark| mark == Some(&Json::Bool(true)))
    }

    /// The marks under a key; what is marked as a whole is marked in all its parts.
    pub(crate) fn key(self, key: &str) -> Self {
        self.under(|mark| mark.get(key))
    }

    /// The marks of a member.
    pub(crate) fn index(self, index: usize) -> Self {
        self.under(|mark| mark.get(index))
    }

    fn under(self, part: impl Fn(&'a Json) -> Option<&'a Json>) -> Self {
        let part = |mark: &'a Json| if mark.is_boolean() { Some(mark) } else { part(mark) };
        Self { before: self.before.and_then(part), after: self.after.and_then(part) }
    }
}

/// Redacts the targets of one change.
pub(crate) struct Redactor<'c> {
    kept: kept::Kept<'c>,
    key: Option<&'c RedactionKey>,
    withheld: usize,
}

impl<'c> Redactor<'c> {
    pub(crate) fn new(catalog: &'c Catalog, key: Option<&'c RedactionKey>) -> Self {
        Self { kept: kept::Kept::new(catalog), key, withheld: 0 }
    }

    /// What may be stored of the attributes of one target of type `kind`. Of a target that does not change
    /// (`changes` is false), what is merely not listed is left out: it says neither a value nor a change.
    pub(crate) fn attributes(
        &mut self,
        kind: &str,
        changes: bool,
        sides: Sides,
        marks: Marks<'_>,
    ) -> Result<Sides, TooManyWithheld> {
        let names = self.kept.of(kind);
        let mut scrub = scrub::Scrub { names: &names, key: self.key, list_unlisted: changes, withheld: 0 };
        let side = |scrub: &mut scrub::Scrub<'_>, own: &Option<Attributes>, other: &Option<Attributes>| {
            own.as_ref().map(|own| scrub.side(own, other.as_ref(), marks))
        };
        let before = side(&mut scrub, &sides.before, &sides.after);
        let after = side(&mut scrub, &sides.after, &sides.before);
        self.withheld += scrub.withheld;
        if self.withheld > WITHHELD_MAX { Err(TooManyWithheld) } else { Ok(Sides { before, after }) }
    }
}

/// The provider's tags of a target: all of them where the provider says so, else its own, else labels. What is marked,
/// has a suspicious name or reads like a secret is left out.
pub(crate) fn tags(sides: &Sides, marks: Marks<'_>) -> BTreeMap<String, String> {
    const PLACES: [&str; 3] = ["tags_all", "tags", "labels"];
    let Some(attributes) = sides.after.as_ref().or(sides.before.as_ref()) else { return BTreeMap::new() };
    let found = PLACES.iter().find_map(|place| {
        let map = attributes.get(*place)?.as_map()?;
        Some((map, marks.key(place)))
    });
    let Some((map, marks)) = found else { return BTreeMap::new() };
    let texts = map.iter().filter_map(|(key, value)| Some((key.clone(), value.as_text()?.to_owned())));
    keep_tags(texts.filter(|(key, _)| !marks.key(key).here()).collect())
}

/// Those tags that may be stored.
pub(crate) fn keep_tags(mut tags: BTreeMap<String, String>) -> BTreeMap<String, String> {
    tags.retain(|key, text| !looks_secret(key) && !names::is_secret_text(text));
    tags
}

/// Adds to `after` what is known only after apply, so that rules see it in its place, and returns its paths.
pub(crate) fn overlay_unknown(after: &mut Option<Attributes>, unknown: &Json) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    let Json::Object(map) = unknown else { return paths };
    for (key, mark) in map {
        let mut value = after.as_mut().and_then(|after| after.remove(key));
        overlay(&mut value, mark, key, &mut paths);
        if let (Some(value), Some(after)) = (value, after.as_mut()) {
            after.insert(key.clone(), value);
        }
    }
    paths
}

fn overlay(value: &mut Option<Value>, mark: &Json, path: &str, paths: &mut BTreeSet<String>) {
    match mark {
        Json::Bool(true) => {
            paths.insert(path.to_owned());
            *value = Some(Value::Unknown);
        }
        Json::Object(marks) => {
            for (key, mark) in marks {
                let mut inner = match value {
                    Some(Value::Map(map)) => map.remove(key),
                    _ => None,
                };
                overlay(&mut inner, mark, &format!("{path}.{key}"), paths);
                if let (Some(Value::Map(map)), Some(inner)) = (value.as_mut(), inner) {
                    map.insert(key.clone(), inner);
                }
            }
        }
        Json::Array(marks) => {
            for (index, mark) in marks.iter().enumerate() {
                let mut place = match value {
                    Some(Value::List(list)) => list.get_mut(index),
                    _ => None,
                };
                let mut inner = place.as_mut().map(|place| std::mem::replace(*place, Value::Null));
                overlay(&mut inner, mark, &format!("{path}[{index}]"), paths);
                if let (Some(place), Some(inner)) = (place, inner) {
                    *place = inner;
                }
            }
        }
        _ => {}
    }
}
