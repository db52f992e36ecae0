//! What modules see: the stored document in the shape that conftest's users write for, and nothing that was
//! withheld (U3).
//!
//! A Terraform plan is one input in the shape of `terraform show -json`: `format_version`, `terraform_version`,
//! `resource_changes`, `planned_values`, `resource_drift` (addresses) and `output_changes` (names). A withheld
//! attribute is left out and marked in `before_sensitive` or `after_sensitive`; one that is known only after apply is
//! left out and marked in `after_unknown`; in a list, `null` keeps its place. There are no `variables`, no
//! `configuration` and no `prior_state`: the document has none.
//!
//! Of any other format, each target is an input: a Kubernetes object as it will be; of our own format
//! `address`, `kind`, `action`, `before`, `after`.

mod address;
mod tree;

use std::collections::BTreeMap;

use regorus::Value as Rego;

use crate::records::ChangeDocument;
use crate::records::document::{Action, Format, Target};
use crate::value::{Attributes, Value};
use address::Address;

/// One input of modules.
#[derive(Debug, Clone)]
pub struct Input<'a> {
    /// The target that it shows; none, where it shows the whole plan.
    pub target: Option<&'a Target>,
    /// What modules see as `input`.
    pub value: Rego,
}

/// Which of the two a document is shown as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    AsIs,
    AsProposed,
}

/// The inputs of a change.
#[must_use]
pub fn as_proposed(document: &ChangeDocument) -> Vec<Input<'_>> {
    inputs(document, Side::AsProposed)
}

/// The inputs of the same change as if it did nothing: what a rule says of these was there before (U10).
#[must_use]
pub fn as_is(document: &ChangeDocument) -> Vec<Input<'_>> {
    inputs(document, Side::AsIs)
}

/// An input as JSON, for people and files.
#[must_use]
pub fn json_of(input: &Rego) -> String {
    input.to_json_str().unwrap_or_default()
}

fn inputs(document: &ChangeDocument, side: Side) -> Vec<Input<'_>> {
    if document.format == Format::TerraformPlan {
        return vec![Input { target: None, value: plan(document, side) }];
    }
    let shown = document.targets.iter().filter_map(|target| {
        let value = single(target, side)?;
        Some(Input { target: Some(target), value })
    });
    shown.collect()
}

/// A target by itself.
fn single(target: &Target, side: Side) -> Option<Rego> {
    let attributes = match side {
        Side::AsIs => target.before.as_ref(),
        Side::AsProposed => target.after.as_ref(),
    };
    if attributes.is_some_and(|attributes| attributes.contains_key("apiVersion")) {
        return attributes.map(values);
    }
    if side == Side::AsIs && target.before.is_none() && target.action == Action::Create {
        return None;
    }
    let (action, after) = match side {
        Side::AsIs => (Action::NoOp, &target.before),
        Side::AsProposed => (target.action, &target.after),
    };
    Some(object([
        ("address", text(target.address.as_str())),
        ("kind", text(&target.kind)),
        ("action", text(action.as_str())),
        ("before", target.before.as_ref().map_or(Rego::Null, values)),
        ("after", after.as_ref().map_or(Rego::Null, values)),
    ]))
}

fn plan(document: &ChangeDocument, side: Side) -> Rego {
    let shown = |target: &&Target| side == Side::AsProposed || target.before.is_some();
    let targets: Vec<(&Target, Address<'_>)> =
        document.targets.iter().filter(shown).map(|target| (target, Address::of(target))).collect();
    let changes = targets.iter().map(|(target, address)| change(target, address, side));
    let drift = document.drift.iter().map(|address| object([("address", text(address.as_str()))]));
    let outputs = match side {
        Side::AsIs => BTreeMap::new(),
        Side::AsProposed => {
            let actions = || object([("actions", list([text("update")]))]);
            document.outputs.iter().map(|name| (text(name), actions())).collect()
        }
    };
    let mut fields = BTreeMap::from([
        (text("format_version"), text(&document.format_version)),
        (text("resource_changes"), list(changes)),
        (text("planned_values"), tree::planned_values(&targets, side == Side::AsIs)),
        (text("resource_drift"), list(drift)),
        (text("output_changes"), Rego::from(outputs)),
        (text("errored"), Rego::from(document.errored)),
        (text("complete"), Rego::from(!document.incomplete)),
    ]);
    if let Some(tool) = &document.tool {
        let version = tool.rsplit(' ').next().unwrap_or(tool);
        fields.insert(text("terraform_version"), text(version));
    }
    Rego::from(fields)
}

/// An entry of `resource_changes`.
fn change(target: &Target, address: &Address<'_>, side: Side) -> Rego {
    let after = match side {
        Side::AsIs => &target.before,
        Side::AsProposed => &target.after,
    };
    let actions: &[&str] = match (side, target.action) {
        (Side::AsIs, _) | (_, Action::NoOp) => &["no-op"],
        (_, Action::Replace) => &["delete", "create"],
        (_, Action::Create) => &["create"],
        (_, Action::Update) => &["update"],
        (_, Action::Delete) => &["delete"],
        (_, Action::Read) => &["read"],
        (_, Action::Forget) => &["forget"],
    };
    let side_of = |attributes: &Option<Attributes>| attributes.as_ref().map_or(Rego::Null, values);
    let marks = |attributes: &Option<Attributes>, which| {
        attributes.as_ref().and_then(|it| marked_map(it, which)).unwrap_or_else(Rego::new_object)
    };
    let mut unknown = marks(after, Mark::Unknown);
    if side == Side::AsProposed
        && let Ok(fields) = unknown.as_object_mut()
    {
        let plain = target.unknown.iter().filter(|path| !path.contains(['.', '[']));
        plain.for_each(|path| _ = fields.insert(text(path), Rego::from(true)));
    }
    let mut change = BTreeMap::from([
        (text("actions"), list(actions.iter().map(|action| text(action)))),
        (text("before"), side_of(&target.before)),
        (text("after"), side_of(after)),
        (text("after_unknown"), unknown),
        (text("before_sensitive"), marks(&target.before, Mark::Withheld)),
        (text("after_sensitive"), marks(after, Mark::Withheld)),
    ]);
    if side == Side::AsProposed && !target.replace_paths.is_empty() {
        let segments = |path: &String| list(path.split('.').map(text));
        change.insert(text("replace_paths"), list(target.replace_paths.iter().map(segments)));
    }
    let mut fields = address.fields(target);
    fields.insert(text("change"), Rego::from(change));
    if side == Side::AsProposed {
        let moved = target.moved_from.as_ref().map(|from| from.as_str());
        let more = [("previous_address", moved), ("action_reason", target.action_reason.as_deref())];
        fields.extend(more.into_iter().filter_map(|(key, value)| Some((text(key), text(value?)))));
    }
    Rego::from(fields)
}

/// What is left out of the values and marked beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Unknown,
    Withheld,
}

fn values(attributes: &Attributes) -> Rego {
    let shown = attributes.iter().filter_map(|(key, value)| Some((text(key), shown(value)?)));
    Rego::from(shown.collect::<BTreeMap<Rego, Rego>>())
}

fn shown(value: &Value) -> Option<Rego> {
    Some(match value {
        Value::Unknown | Value::Withheld(_) => return None,
        Value::Null => Rego::Null,
        Value::Boolean(value) => Rego::from(*value),
        Value::Integer(value) => Rego::from(*value),
        Value::Decimal(number) => Rego::from_numeric_string(number).unwrap_or_else(|_| text(number)),
        Value::Text(value) => text(value),
        Value::List(members) => list(members.iter().map(|member| shown(member).unwrap_or(Rego::Null))),
        Value::Map(map) => values(map),
    })
}

fn marked_map(attributes: &Attributes, which: Mark) -> Option<Rego> {
    let marked = attributes.iter().filter_map(|(key, value)| Some((text(key), marked(value, which)?)));
    let marked: BTreeMap<Rego, Rego> = marked.collect();
    (!marked.is_empty()).then(|| Rego::from(marked))
}

fn marked(value: &Value, which: Mark) -> Option<Rego> {
    match value {
        Value::Unknown => (which == Mark::Unknown).then(|| Rego::from(true)),
        Value::Withheld(_) => (which == Mark::Withheld).then(|| Rego::from(true)),
        Value::Map(map) => marked_map(map, which),
        Value::List(members) => {
            let marks: Vec<Option<Rego>> = members.iter().map(|member| marked(member, which)).collect();
            let any = marks.iter().any(Option::is_some);
            any.then(|| list(marks.into_iter().map(|mark| mark.unwrap_or_else(|| Rego::from(false)))))
        }
        _ => None,
    }
}

fn text(text: &str) -> Rego {
    Rego::from(text)
}

fn list(members: impl IntoIterator<Item = Rego>) -> Rego {
    Rego::from(members.into_iter().collect::<Vec<Rego>>())
}

fn object<const N: usize>(fields: [(&str, Rego); N]) -> Rego {
    Rego::from(fields.into_iter().map(|(key, value)| (text(key), value)).collect::<BTreeMap<Rego, Rego>>())
}
