//! A state without everything that a model does not need: what may lie in a repository.

use serde_json::{Value, json};

use super::parts;
use crate::input::InputError;

/// The part of a state that is read, in the form of `terraform show -json`: addresses, types, tags, dependencies.
///
/// # Errors
/// [`InputError`] names the place in the state and what is allowed there; it quotes no value.
pub fn reduce(file: &str, bytes: &[u8]) -> Result<Value, InputError> {
    let resources: Vec<Value> = parts::read(file, bytes)?
        .into_iter()
        .map(|resource| {
            json!({
                "address": resource.address,
                "mode": "managed",
                "type": resource.kind,
                "values": { "tags": resource.tags },
                "depends_on": resource.dependencies,
            })
        })
        .collect();
    Ok(json!({ "format_version": "1.0", "values": { "root_module": { "resources": resources } } }))
}
