//! Walks the attributes of one target and decides each: kept, withheld in place, or only listed.

use ontology::Value;
use ontology::value::Attributes;

use super::kept::Names;
use super::names::{is_secret_text, looks_secret};
use super::{KEPT_DEPTH_MAX, Marks, RedactionKey, mac};

pub(super) struct Scrub<'a> {
    pub(super) names: &'a Names,
    pub(super) key: Option<&'a RedactionKey>,
    /// Whether what is merely not listed is said to be withheld; else it is left out.
    pub(super) list_unlisted: bool,
    /// How many values were withheld.
    pub(super) withheld: usize,
}

/// What the allow-list says of a path.
enum Listed<'p> {
    /// All of it is kept.
    Whole,
    /// Some of it is: this path goes on.
    Within(&'p str),
    /// None of it is.
    No,
}

impl Scrub<'_> {
    /// One side of a target; `other` is its other side.
    pub(super) fn side(
        &mut self,
        own: &Attributes,
        other: Option<&Attributes>,
        marks: Marks<'_>,
    ) -> Attributes {
        self.map(own, other, marks, Some(""), 0)
    }

    /// A map; `within` is the path of a map that is kept in parts, and absent in one that is kept whole.
    fn map(
        &mut self,
        own: &Attributes,
        other: Option<&Attributes>,
        marks: Marks<'_>,
        within: Option<&str>,
        depth: usize,
    ) -> Attributes {
        let named_secret = ["name", "key"]
            .iter()
            .any(|label| own.get(*label).and_then(Value::as_text).is_some_and(looks_secret));
        let mut kept = Attributes::new();
        for (name, value) in own {
            let other = other.and_then(|other| other.get(name));
            let suspicious = looks_secret(name) || (named_secret && name == "value");
            let path = within
                .map(|within| if within.is_empty() { name.clone() } else { format!("{within}.{name}") });
            let scrubbed = if suspicious || marks.key(name).here() {
                self.withhold(value, other)
            } else {
                match path.as_deref().map_or(Listed::Whole, |path| self.listed(path)) {
                    Listed::Whole => self.value(value, other, marks.key(name), None, depth + 1),
                    Listed::Within(path) => self.value(value, other, marks.key(name), Some(path), depth + 1),
                    Listed::No => self.unlisted(value, other),
                }
            };
            kept.extend(scrubbed.map(|scrubbed| (name.clone(), scrubbed)));
        }
        kept
    }

    /// A value under a name that is kept, whole or in parts.
    fn value(
        &mut self,
        own: &Value,
        other: Option<&Value>,
        marks: Marks<'_>,
        within: Option<&str>,
        depth: usize,
    ) -> Option<Value> {
        if marks.here() {
            return self.withhold(own, other);
        }
        match own {
            Value::List(_) | Value::Map(_) if depth > KEPT_DEPTH_MAX => self.withhold(own, other),
            Value::List(values) => {
                let others = other.and_then(Value::as_list);
                let members = values.iter().enumerate().map(|(index, value)| {
                    let other = others.and_then(|others| others.get(index));
                    let kept = self.value(value, other, marks.index(index), within, depth + 1);
                    let nothing = if *value == Value::Unknown { Value::Unknown } else { Value::Null };
                    kept.unwrap_or(nothing)
                });
                Some(Value::List(members.collect()))
            }
            Value::Map(map) => {
                Some(Value::Map(self.map(map, other.and_then(Value::as_map), marks, within, depth)))
            }
            Value::Text(text) if is_secret_text(text) => self.withhold(own, other),
            Value::Unknown | Value::Withheld(_) => Some(own.clone()),
            _ if within.is_some() => self.unlisted(own, other),
            _ => Some(own.clone()),
        }
    }

    /// A value that is not on the list.
    fn unlisted(&mut self, own: &Value, other: Option<&Value>) -> Option<Value> {
        match own {
            Value::Withheld(_) => Some(own.clone()),
            _ if self.list_unlisted => self.withhold(own, other),
            _ => None,
        }
    }

    /// What is said instead of a value; nothing where there is nothing on either side, or it is not known yet.
    fn withhold(&mut self, own: &Value, other: Option<&Value>) -> Option<Value> {
        match own {
            Value::Withheld(_) => return Some(own.clone()),
            Value::Unknown => return None,
            _ if is_empty(own) && other.is_none_or(is_empty) => return None,
            _ => {}
        }
        self.withheld += 1;
        let changed = other != Some(own);
        Some(Value::Withheld(mac::withheld(own, changed, self.key)))
    }

    fn listed<'p>(&self, path: &'p str) -> Listed<'p> {
        if self.names.contains(path) {
            return Listed::Whole;
        }
        let longer =
            self.names.range::<str, _>((std::ops::Bound::Excluded(path), std::ops::Bound::Unbounded));
        let mut within = longer.take_while(|name| name.starts_with(path));
        let goes_on = within.any(|name| name.as_bytes().get(path.len()) == Some(&b'.'));
        if goes_on { Listed::Within(path) } else { Listed::No }
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Text(text) => text.is_empty(),
        Value::List(values) => values.is_empty(),
        Value::Map(map) => map.is_empty(),
        _ => false,
    }
}
