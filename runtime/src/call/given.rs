//! A change as it is given: one file, or manifests on both sides.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::File;

/// A change as its giver has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Given {
    /// One file: a plan, or a change in our own format.
    File(File),
    /// Kubernetes manifests: what is there, and what will be.
    Manifests(Manifests),
}

/// Kubernetes manifests before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifests {
    /// What is there now; nothing, where all of it is new.
    #[serde(default)]
    pub before: Vec<File>,
    /// What will be there; nothing, where all of it goes.
    #[serde(default)]
    pub after: Vec<File>,
    /// The cluster, as bindings name it.
    #[serde(default)]
    pub cluster: Option<String>,
}

impl Given {
    /// What to call it, for people.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::File(file) => &file.path,
            Self::Manifests(_) => "what the manifests hold",
        }
    }
}

impl From<File> for Given {
    fn from(file: File) -> Self {
        Self::File(file)
    }
}
