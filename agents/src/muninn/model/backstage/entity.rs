//! The parts of a Backstage entity that are read. Everything else is passed over without being kept.

use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Serialize, Serializer};

/// An entity.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Entity {
    #[serde(rename = "apiVersion")]
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) metadata: Metadata,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) spec: Option<Spec>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) relations: Option<Vec<Relation>>,
}

/// Its `metadata`.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Metadata {
    pub(super) name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) namespace: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tags: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) labels: Option<Marks>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) annotations: Option<Marks>,
}

/// The labels and annotations that are read.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Marks {
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        rename = "arb/environment",
        alias = "environment"
    )]
    pub(super) environment: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "arb/tier", alias = "tier")]
    pub(super) tier: Option<String>,
    /// Availability zones, with commas.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "arb/zones")]
    pub(super) zones: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "arb/replicas")]
    pub(super) replicas: Option<String>,
}

/// Its `spec`.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Spec {
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "type")]
    pub(super) kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) owner: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) system: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) depends_on: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) dependency_of: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) provides_apis: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) consumes_apis: Option<Vec<String>>,
}

/// One of its `relations`, in the form of the catalog API: newer ones have `targetRef`, older ones `target`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Relation {
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    target_ref: Option<String>,
    #[serde(default)]
    target: Option<Target>,
}

#[derive(Debug, Deserialize)]
struct Target {
    kind: String,
    namespace: String,
    name: String,
}

impl Relation {
    /// The reference to its other end.
    pub(super) fn target_ref(&self) -> Option<String> {
        self.target_ref.clone().or_else(|| {
            let target = self.target.as_ref()?;
            Some(format!("{}:{}/{}", target.kind, target.namespace, target.name))
        })
    }
}

impl Serialize for Relation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut relation = serializer.serialize_struct("Relation", 2)?;
        relation.serialize_field("type", &self.kind)?;
        relation.serialize_field("targetRef", &self.target_ref())?;
        relation.end()
    }
}
