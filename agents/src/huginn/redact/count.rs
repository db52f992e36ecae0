//! Counts what a document withholds: each value once, however many sides it stands on.

use ontology::Value;
use ontology::records::Target;
use ontology::value::Attributes;

/// How many values the targets withhold.
pub(crate) fn count(targets: &[Target]) -> u32 {
    let none = Attributes::new();
    let of = |target: &Target| {
        maps(target.before.as_ref().unwrap_or(&none), target.after.as_ref().unwrap_or(&none))
    };
    targets.iter().map(of).sum()
}

/// Whether one of them has no MAC: changes between two such documents cannot be seen.
pub(crate) fn any_unkeyed(targets: &[Target]) -> bool {
    let sides = targets.iter().flat_map(|target| target.before.iter().chain(&target.after));
    sides.flat_map(Attributes::values).any(unkeyed)
}

fn unkeyed(value: &Value) -> bool {
    match value {
        Value::Withheld(withheld) => withheld.mac.is_none(),
        Value::List(values) => values.iter().any(unkeyed),
        Value::Map(map) => map.values().any(unkeyed),
        _ => false,
    }
}

fn pair(before: Option<&Value>, after: Option<&Value>) -> u32 {
    match (before, after) {
        (Some(Value::Withheld(_)), _) | (_, Some(Value::Withheld(_))) => 1,
        (Some(Value::List(before)), Some(Value::List(after))) => {
            let longer = before.len().max(after.len());
            (0..longer).map(|index| pair(before.get(index), after.get(index))).sum()
        }
        (Some(Value::Map(before)), Some(Value::Map(after))) => maps(before, after),
        (one, other) => one.into_iter().chain(other).map(alone).sum(),
    }
}

fn alone(value: &Value) -> u32 {
    match value {
        Value::Withheld(_) => 1,
        Value::List(values) => values.iter().map(alone).sum(),
        Value::Map(map) => map.values().map(alone).sum(),
        _ => 0,
    }
}

fn maps(before: &Attributes, after: &Attributes) -> u32 {
    let first = before.iter().map(|(key, value)| pair(Some(value), after.get(key)));
    let added = after.iter().filter(|(key, _)| !before.contains_key(*key)).map(|(_, value)| alone(value));
    first.chain(added).sum()
}
