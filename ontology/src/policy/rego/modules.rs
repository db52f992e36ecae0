//! The modules of a catalog, as text, and the bundle that is prepared of them once.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Bundle, Fault};

/// Rego modules by their path in the catalog. Equal when their texts are; the bundle that is prepared of them is
/// kept with them and with their clones.
#[derive(Clone, Default)]
pub struct Modules {
    texts: BTreeMap<String, String>,
    bundle: Arc<OnceLock<Result<Bundle, Fault>>>,
}

impl Modules {
    /// These modules.
    #[must_use]
    pub fn new(texts: BTreeMap<String, String>) -> Self {
        Self { texts, bundle: Arc::default() }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The modules' texts by path.
    #[must_use]
    pub const fn texts(&self) -> &BTreeMap<String, String> {
        &self.texts
    }

    /// The prepared bundle.
    ///
    /// # Errors
    /// The first [`Fault`], by the modules' paths.
    pub fn bundle(&self) -> Result<&Bundle, &Fault> {
        self.bundle.get_or_init(|| Bundle::prepare(&self.texts)).as_ref()
    }
}

impl fmt::Debug for Modules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.texts.fmt(f)
    }
}

impl PartialEq for Modules {
    fn eq(&self, other: &Self) -> bool {
        self.texts == other.texts
    }
}

impl Eq for Modules {}

impl Serialize for Modules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.texts.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Modules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BTreeMap::deserialize(deserializer).map(Self::new)
    }
}

impl JsonSchema for Modules {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Modules".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<String, String>::json_schema(generator)
    }
}
