//! Strict YAML: duplicate keys are refused; aliases, nesting and size are bounded; errors name a line and a column
//! and never quote a value, only keys, which are the structure that a person has to correct (U3, U6).

pub mod quantity;

use serde::de::DeserializeOwned;
use serde_saphyr::options::DuplicateKeyPolicy;
use serde_saphyr::{Error, Options};

use super::{DEPTH_MAX, InputError, json};

/// Nodes (mappings, lists and scalars) of a file at most: 50,000 entities of a hundred nodes each.
pub const NODES_MAX: usize = 5_000_000;
/// Documents of a file at most: as many as a model has objects.
pub const DOCUMENTS_MAX: usize = 50_000;
/// Aliases (`*name`) of a file at most; more than people write, far fewer than a bomb needs.
pub const ALIASES_MAX: usize = 1_000;
/// Events that aliases may repeat in a file at most: a bomb grows by repeating what it repeats.
pub const REPEATED_MAX: usize = 100_000;
/// Bytes shown of a key that is not known.
const KEY_SHOWN_BYTES_MAX: usize = 64;

/// Reads a file that holds one YAML document.
///
/// # Errors
/// [`InputError`] when it is empty, not UTF-8, too large, not YAML, more than one document, over a bound, or not a `T`.
pub fn parse<T: DeserializeOwned>(file: &str, bytes: &[u8]) -> Result<T, InputError> {
    let text = json::text(file, bytes)?;
    serde_saphyr::from_str_with_options(text, options()).map_err(|error| explain(file, &error))
}

/// Reads a file that holds any number of YAML documents, divided by `---`. Documents that are empty are skipped.
///
/// # Errors
/// As for [`parse`].
pub fn parse_all<T: DeserializeOwned>(file: &str, bytes: &[u8]) -> Result<Vec<T>, InputError> {
    let text = json::text(file, bytes)?;
    serde_saphyr::from_multiple_with_options(text, options()).map_err(|error| explain(file, &error))
}

fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: DEPTH_MAX,
            flow_nesting_limit: DEPTH_MAX,
            max_events: 3 * NODES_MAX,
            max_nodes: NODES_MAX,
            max_documents: DOCUMENTS_MAX,
            max_aliases: ALIASES_MAX,
            max_anchors: ALIASES_MAX,
            max_merge_keys: ALIASES_MAX,
            max_recorded_anchor_events: REPEATED_MAX,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: REPEATED_MAX,
        },
        duplicate_keys: DuplicateKeyPolicy::Error,
        strict_booleans: true,
        reject_unsupported_tags: true,
        with_snippet: false,
    }
}

fn explain(file: &str, error: &Error) -> InputError {
    let at = match error.location() {
        Some(location) => format!("line {}, column {}", location.line(), location.column()),
        None => String::new(),
    };
    InputError::at(file, at, message(error.without_snippet()))
}

fn message(error: &Error) -> String {
    match error {
        Error::Message { msg, .. } => msg.clone(),
        Error::AliasError { error, .. } | Error::WithSnippet { error, .. } => message(error),
        Error::ExternalMessage { msg, .. } if msg == "recursion limit exceeded" => too_deep(),
        Error::ExternalMessage { msg, .. } => format!("it is not YAML: {msg}"),
        Error::Eof { .. } => "it ends too early".into(),
        Error::MultipleDocuments { .. } => "a second document starts here; one is allowed".into(),
        Error::Unexpected { expected, .. } => format!("expected {}", type_name(expected)),
        Error::MergeValueNotMapOrSeqOfMaps { .. } => "\"<<\" takes a mapping, or a list of them".into(),
        Error::InvalidBooleanStrict { .. } => "expected true or false".into(),
        Error::NullIntoString { .. } => "expected a text; there is none".into(),
        Error::InvalidScalar { ty, .. } => format!("expected {}", type_name(ty)),
        Error::SerdeInvalidType { unexpected, expected, .. } => {
            format!("expected {expected}, found {}", kind_only(unexpected))
        }
        Error::SerdeInvalidValue { expected, .. } => format!("expected {expected}"),
        Error::SerdeInvalidLength { len, expected, .. } => format!("{len} members; expected {expected}"),
        Error::SerdeUnknownVariant { expected, .. } => format!("expected one of {}", expected.join(", ")),
        Error::SerdeUnknownField { field, expected, .. } => unknown_key(field, expected),
        Error::SerdeMissingField { field, .. } => format!("the key {field:?} is missing"),
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            format!("the key {:?} stands here twice", shown(key))
        }
        Error::DuplicateMappingKey { key: None, .. } => "a key stands here twice".into(),
        Error::UnknownAnchor { .. } => "the alias names no anchor above it".into(),
        Error::UnsupportedTag { .. } => "tags other than YAML's own are not allowed".into(),
        Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. }
        | Error::AliasReplayCounterOverflow { .. } => repeats_too_much(),
        Error::Budget { breach, .. } => over_budget(breach),
        _ => "it is not what is expected here".into(),
    }
}

fn unknown_key(field: &str, expected: &[&str]) -> String {
    if expected.is_empty() {
        return format!("{:?} is not a key that is known here; none is", shown(field));
    }
    format!("{:?} is not a key that is known here ({})", shown(field), expected.join(", "))
}

fn over_budget(breach: &serde_saphyr::budget::BudgetBreach) -> String {
    use serde_saphyr::budget::BudgetBreach as Breach;
    match breach {
        Breach::Depth { .. } => too_deep(),
        Breach::RecordedAnchorEvents { .. } | Breach::RecordedAnchorBytes { .. } => repeats_too_much(),
        Breach::Aliases { .. } | Breach::Anchors { .. } | Breach::AliasAnchorRatio { .. } => {
            format!("it has too many aliases; at most {ALIASES_MAX} are allowed")
        }
        Breach::Documents { .. } => format!("it has too many documents; at most {DOCUMENTS_MAX} are allowed"),
        Breach::Nodes { .. } | Breach::Events { .. } => {
            format!("it is too large; at most {NODES_MAX} parts are allowed")
        }
        Breach::MergeKeys { .. } => format!("it has too many \"<<\" keys; at most {ALIASES_MAX} are allowed"),
        Breach::SequenceUnbalanced => "it ends too early".into(),
        _ => "it is over a bound of its size".into(),
    }
}

fn too_deep() -> String {
    format!("it nests too deeply; at most {DEPTH_MAX} levels are allowed")
}

fn repeats_too_much() -> String {
    format!("its aliases repeat too much; at most {REPEATED_MAX} repeated parts are allowed")
}

/// serde writes `string "hunter2"` where a text stands; only the kind may be shown.
fn kind_only(unexpected: &str) -> &str {
    unexpected.split([' ', '`', '"']).next().unwrap_or("something else")
}

fn type_name(ty: &str) -> &str {
    match ty {
        "bool" => "true or false",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "sequence start" => "a list",
        "mapping start" => "a mapping",
        "string scalar" => "a text",
        other => other,
    }
}

fn shown(key: &str) -> &str {
    let cut =
        (0..=KEY_SHOWN_BYTES_MAX.min(key.len())).rev().find(|cut| key.is_char_boundary(*cut)).unwrap_or(0);
    &key[..cut]
}

#[cfg(test)]
mod tests;
