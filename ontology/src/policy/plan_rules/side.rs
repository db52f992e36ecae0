//! Reads attributes of one side of a target, and compares both sides.

use crate::policy::constraint::Standing;
use crate::records::document::{Action, Target};
use crate::value::{Attributes, Value};

/// Something that a rule minds in the attributes of one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Weakness {
    /// The attribute, as a dotted path.
    pub(super) attribute: String,
    /// Tells weaknesses of one attribute apart: an open port, a statement. Else empty.
    pub(super) detail: String,
    /// For people.
    pub(super) value: String,
    /// How bad, where one attribute can be weak in degrees.
    pub(super) degree: i64,
}

impl Weakness {
    pub(super) fn new(attribute: impl Into<String>, value: impl ToString) -> Self {
        Self { attribute: attribute.into(), detail: String::new(), value: value.to_string(), degree: 0 }
    }

    /// The same, told apart by its value.
    pub(super) fn one_of_many(attribute: impl Into<String>, value: impl ToString) -> Self {
        let value = value.to_string();
        Self { attribute: attribute.into(), detail: value.clone(), value, degree: 0 }
    }

    fn is(&self, other: &Self) -> bool {
        self.attribute == other.attribute && self.detail == other.detail
    }
}

/// Calls `found` with every value at a dotted path, through lists.
pub(super) fn each_at<'v>(attributes: &'v Attributes, path: &str, found: &mut dyn FnMut(&'v Value)) {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    match (attributes.get(name), rest) {
        (Some(value), None) => found(value),
        (Some(value), Some(rest)) => each_within(value, rest, found),
        (None, _) => {}
    }
}

fn each_within<'v>(value: &'v Value, rest: &str, found: &mut dyn FnMut(&'v Value)) {
    match value {
        Value::Map(map) => each_at(map, rest, found),
        Value::List(values) => values.iter().for_each(|value| each_within(value, rest, found)),
        Value::Unknown | Value::Withheld(_) => found(value),
        _ => {}
    }
}

/// The first value at a path.
pub(super) fn first_at<'v>(attributes: &'v Attributes, path: &str) -> Option<&'v Value> {
    let mut first = None;
    each_at(attributes, path, &mut |value| {
        first.get_or_insert(value);
    });
    first
}

/// The first text at a path; the empty text where there is none.
pub(super) fn text_at<'v>(attributes: &'v Attributes, path: &str) -> &'v str {
    first_at(attributes, path).and_then(Value::as_text).unwrap_or_default()
}

/// Every text at a path, and in a list that is there.
pub(super) fn texts_at<'v>(attributes: &'v Attributes, path: &str) -> Vec<&'v str> {
    let mut texts = Vec::new();
    each_at(attributes, path, &mut |value| match value {
        Value::Text(text) => texts.push(text.as_str()),
        Value::List(values) => texts.extend(values.iter().filter_map(Value::as_text)),
        _ => {}
    });
    texts
}

/// Whether there is nothing: absent, null, or an empty text, list or map.
pub(super) fn is_nothing(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::Text(text)) => text.is_empty(),
        Some(Value::List(values)) => values.is_empty(),
        Some(Value::Map(map)) => map.is_empty(),
        Some(_) => false,
    }
}

/// Why the value at a path cannot be told after the change, if it cannot: it is known only after apply, or it is
/// withheld and changes.
pub(super) fn untold(target: &Target, path: &str) -> Option<&'static str> {
    let mut why =
        target.unknown.iter().any(|unknown| overlaps(unknown, path)).then_some("known only after apply");
    if let Some(after) = &target.after {
        each_at(after, path, &mut |value| match value {
            Value::Unknown => why = Some("known only after apply"),
            Value::Withheld(withheld) if withheld.changed => why = Some("withheld and changed"),
            _ => {}
        });
    }
    why
}

/// Whether an unknown path (`ingress[0].cidr_blocks`) is `path`, lies under it or above it.
fn overlaps(unknown: &str, path: &str) -> bool {
    let names = |text: &'_ str| -> Vec<String> {
        text.split('.').map(|name| name.split('[').next().unwrap_or_default().to_owned()).collect()
    };
    if unknown == path {
        return true;
    }
    let first = path.split('.').next().unwrap_or_default();
    unknown.starts_with(first) && names(unknown).iter().zip(&names(path)).all(|(a, b)| a == b)
}

/// The attributes before and after the change; what stays as it is, is the same on both sides.
pub(super) fn sides(target: &Target) -> (Option<&Attributes>, Option<&Attributes>) {
    match target.action {
        Action::NoOp | Action::Read | Action::Forget => {
            let now = target.after.as_ref().or(target.before.as_ref());
            (now, now)
        }
        Action::Create => (None, target.after.as_ref()),
        Action::Delete => (target.before.as_ref(), None),
        Action::Update | Action::Replace => (target.before.as_ref(), target.after.as_ref()),
    }
}

/// Compares the weaknesses of both sides (U10). `find` sees one side, and the side before it where there is one.
pub(super) fn compare(
    target: &Target,
    find: impl Fn(&Attributes, Option<&Attributes>) -> Vec<Weakness>,
) -> Vec<(Standing, Weakness)> {
    let (before, after) = sides(target);
    let now = after.map(|after| find(after, before)).unwrap_or_default();
    if now.is_empty() && before.is_none() {
        return Vec::new();
    }
    let then = before.map(|before| find(before, None)).unwrap_or_default();
    let mut compared = Vec::new();
    for weakness in &now {
        let standing = match then.iter().find(|old| old.is(weakness)) {
            None => Standing::Introduced,
            Some(old) if weakness.degree > old.degree => Standing::Worsened,
            Some(_) => Standing::PreExisting,
        };
        compared.push((standing, weakness.clone()));
    }
    let fixed = then.into_iter().filter(|old| !now.iter().any(|weakness| weakness.is(old)));
    compared.extend(fixed.map(|weakness| (Standing::Fixed, weakness)));
    compared
}
