//! Every record reads back from its canonical form and from JSON, refuses what it does not know, and has a schema.

mod change;
mod judgement;
mod operation;

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::graph::sample::name;
use crate::records::Pins;
use crate::{Digest, Principal, Reason, ReasonCode, ReviewId, Timestamp, cbor};

/// Writes and reads a record both ways, and once more with a field that no record has.
fn reads_back<T: Serialize + DeserializeOwned + JsonSchema + PartialEq + Debug>(record: &T) {
    let stored = cbor::to_vec(record).unwrap();
    assert_eq!(cbor::check(&stored), Ok(()));
    assert_eq!(&cbor::from_slice::<T>(&stored).unwrap(), record);

    let json = serde_json::to_value(record).unwrap();
    assert_eq!(&serde_json::from_value::<T>(json.clone()).unwrap(), record, "{json}");

    let mut surplus = json;
    surplus.as_object_mut().unwrap().insert("no_record_has_this".to_owned(), true.into());
    let refused = serde_json::from_value::<T>(surplus).map_err(|error| error.to_string()).unwrap_err();
    assert!(refused.starts_with("unknown field `no_record_has_this`"), "{refused}");

    let schema = schemars::schema_for!(T).to_value();
    assert_eq!(schema["additionalProperties"], false, "{schema}");
    assert!(schema["properties"].as_object().is_some_and(|properties| !properties.is_empty()));
}

fn digest(text: &str) -> Digest {
    Digest::of(text.as_bytes())
}

fn at() -> Timestamp {
    "2026-11-30T09:00:00.000001Z".parse().unwrap()
}

fn review() -> ReviewId {
    ReviewId::derive("terraform", "key")
}

fn mina() -> Principal {
    Principal { issuer: name("unix-socket"), subject: name("민아") }
}

fn pins() -> Pins {
    Pins { release: digest("release"), model: digest("model"), catalog: digest("catalog"), budget_ms: 5_000 }
}

fn reasons() -> Vec<Reason> {
    vec![
        Reason::new(ReasonCode::StarterCatalog),
        Reason::about(ReasonCode::GraphStale, "bindings.yaml").with_detail("reviewed in May"),
    ]
}
