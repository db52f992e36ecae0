//! The parts of a Backstage entity that are read. Everything else is passed over without being kept.

use serde::Deserialize;

/// An entity.
#[derive(Debug, Deserialize)]
pub(super) struct Entity {
    #[serde(rename = "apiVersion")]
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) metadata: Metadata,
    #[serde(default)]
    pub(super) spec: Option<Spec>,
    #[serde(default)]
    pub(super) relations: Option<Vec<Relation>>,
}

/// Its `metadata`.
#[derive(Debug, Deserialize)]
pub(super) struct Metadata {
    pub(super) name: String,
    #[serde(default)]
    pub(super) namespace: Option<String>,
    #[serde(default)]
    pub(super) title: Option<String>,
    #[serde(default)]
    pub(super) tags: Option<Vec<String>>,
    #[serde(default)]
    pub(super) labels: Option<Marks>,
    #[serde(default)]
    pub(super) annotations: Option<Marks>,
}

/// The labels and annotations that are read.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Marks {
    #[serde(default, rename = "arb/environment", alias = "environment")]
    pub(super) environment: Option<String>,
    #[serde(default, rename = "arb/tier", alias = "tier")]
    pub(super) tier: Option<String>,
    /// Availability zones, with commas.
    #[serde(default, rename = "arb/zones")]
    pub(super) zones: Option<String>,
    #[serde(default, rename = "arb/replicas")]
    pub(super) replicas: Option<String>,
}

/// Its `spec`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Spec {
    #[serde(default, rename = "type")]
    pub(super) kind: Option<String>,
    #[serde(default)]
    pub(super) owner: Option<String>,
    #[serde(default)]
    pub(super) system: Option<String>,
    #[serde(default)]
    pub(super) depends_on: Option<Vec<String>>,
    #[serde(default)]
    pub(super) dependency_of: Option<Vec<String>>,
    #[serde(default)]
    pub(super) provides_apis: Option<Vec<String>>,
    #[serde(default)]
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
