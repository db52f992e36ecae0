//! An export of Backstage without everything that a model does not need: what may lie in a repository (U3).

use serde::Deserialize;
use serde_json::Value;

use super::entity::Entity;
use super::{Kind, VERSION};
use crate::input::{InputError, json, yaml};

/// The parts of entities that are read, as the array of the catalog API, sorted by kind, namespace and name.
///
/// Read are the array of `GET /api/catalog/entities`, the answer of `GET /api/catalog/entities/by-query`, and files of
/// entities in YAML.
///
/// # Errors
/// [`InputError`] names the place and what is allowed there; it quotes no value.
pub fn reduce(file: &str, bytes: &[u8]) -> Result<Value, InputError> {
    let text = json::text(file, bytes)?;
    let entities: Vec<Entity> = if text.trim_start().starts_with('[') {
        yaml::parse(file, bytes)?
    } else if text.trim_start().starts_with('{') {
        yaml::parse::<Answer>(file, bytes)?.items
    } else {
        yaml::parse_all(file, bytes)?
    };
    if let Some(index) = entities.iter().position(|entity| !entity.api_version.contains(VERSION)) {
        return Err(InputError::at(file, format!("$[{index}]"), "apiVersion: it is not Backstage's"));
    }
    let mut entities: Vec<&Entity> =
        entities.iter().filter(|entity| !matches!(Kind::of(&entity.kind), Kind::Ignored(_))).collect();
    if entities.is_empty() {
        return Err(InputError::at(
            file,
            "",
            "it holds no component, system, resource, group or user; export them with: curl \
             BACKSTAGE/api/catalog/entities > entities.json",
        ));
    }
    entities.sort_by_key(|entity| {
        let metadata = &entity.metadata;
        (entity.kind.to_lowercase(), metadata.namespace.clone(), metadata.name.clone())
    });
    let reduced = entities.into_iter().map(serde_json::to_value);
    let reduced: Result<Vec<Value>, serde_json::Error> = reduced.collect();
    let reduced = reduced.expect("entities have text keys and texts");
    Ok(Value::Array(reduced))
}

/// What `by-query` answers.
#[derive(Debug, Deserialize)]
struct Answer {
    items: Vec<Entity>,
}
