//! What rules say: texts, objects with `msg`, lists and sets of them, as conftest takes them.

use regorus::Value;

use super::MESSAGE_BYTES_MAX;

/// Keys under which a result may name the target it is about.
const ABOUT: [&str; 4] = ["address", "resource", "resource_address", "target"];
/// Keys of objects in a result that may name it.
const WITHIN: [&str; 2] = ["details", "metadata"];

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Message {
    pub(super) text: String,
    /// The target that the result itself names.
    pub(super) about: Option<String>,
}

/// The messages of a rule's value, in its order. A rule that is just true says its own name.
pub(super) fn messages(rule: &str, value: &Value) -> Vec<Message> {
    match value {
        Value::Undefined | Value::Null | Value::Bool(false) => Vec::new(),
        Value::Bool(true) => vec![Message { text: format!("{rule} is true"), about: None }],
        Value::Array(members) => members.iter().flat_map(|it| messages(rule, it)).collect(),
        Value::Set(members) => members.iter().flat_map(|it| messages(rule, it)).collect(),
        Value::String(text) => vec![Message { text: capped(text), about: None }],
        Value::Object(fields) => {
            let field = |key: &str| fields.get(&Value::from(key));
            let text = field("msg").or_else(|| field("message")).map(plain);
            let nested = WITHIN.iter().filter_map(|key| field(key)?.as_object().ok());
            let about = std::iter::once(&**fields)
                .chain(nested)
                .find_map(|fields| ABOUT.iter().find_map(|key| Some(plain(fields.get(&Value::from(*key))?))));
            vec![Message { text: capped(&text.unwrap_or_else(|| plain(value))), about }]
        }
        Value::Number(_) => vec![Message { text: capped(&plain(value)), about: None }],
    }
}

fn plain(value: &Value) -> String {
    value.as_string().map_or_else(|_| value.to_string(), |text| text.to_string())
}

/// Cuts a message at [`MESSAGE_BYTES_MAX`], at a character, in one line.
fn capped(text: &str) -> String {
    let line: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    let line = line.trim();
    if line.len() <= MESSAGE_BYTES_MAX {
        return line.to_owned();
    }
    let room = MESSAGE_BYTES_MAX - '…'.len_utf8();
    let cut = (0..=room).rev().find(|cut| line.is_char_boundary(*cut)).unwrap_or(0);
    format!("{}…", &line[..cut])
}
