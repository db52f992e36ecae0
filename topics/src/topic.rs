//! The closed table of topics: name, owner, kind, schema number, object type, readers. One line each.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use ontology::cbor;
use ontology::records;
use serde::de::{self, Deserialize, Deserializer};
use serde::{Serialize, Serializer};

use crate::owner::Owner::{
    self, Coordinator, Forseti, Huginn, Loki, Mimir, Muninn, Njord, Runtime, Saga, Var, Vidar,
};

/// Whether anybody can recompute a record, or the world said it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Recomputed to the same bytes by anybody who folds the same events.
    Derived,
    /// What the world said: the first appended in a slot wins, replay feeds it back.
    Observed,
}

macro_rules! topics {
    ($($name:ident $text:literal $owner:ident $kind:ident $schema:literal [$($reader:ident),*]),* $(,)?) => {
        /// Everything that can be said. Each has one owner.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Topic { $(
            #[doc = concat!("`object.", $text, "`, owned by ", stringify!($owner), ".")]
            $name,
        )* }

        /// What was said: one variant a topic, cheap to clone.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Object { $(
            #[doc = concat!("See [`Topic::", stringify!($name), "`].")]
            $name(Arc<records::$name>),
        )* }

        impl Topic {
            /// Every topic, in order.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name without `object.`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Who alone may say it.
            #[must_use]
            pub const fn owner(self) -> Owner {
                match self { $(Self::$name => $owner,)* }
            }

            /// Derived or observed.
            #[must_use]
            pub const fn kind(self) -> Kind {
                match self { $(Self::$name => Kind::$kind,)* }
            }

            /// The schema number that this binary writes; it reads none that is newer.
            #[must_use]
            pub const fn schema(self) -> u16 {
                match self { $(Self::$name => $schema,)* }
            }

            /// Who folds it.
            #[must_use]
            pub const fn readers(self) -> &'static [Owner] {
                match self { $(Self::$name => &[$($reader),*],)* }
            }
        }

        impl FromStr for Topic {
            type Err = UnknownTopic;
            fn from_str(text: &str) -> Result<Self, UnknownTopic> {
                match text { $($text => Ok(Self::$name),)* _ => Err(UnknownTopic(text.chars().take(64).collect())) }
            }
        }

        impl Object {
            /// The topic it belongs to.
            #[must_use]
            pub const fn topic(&self) -> Topic {
                match self { $(Self::$name(_) => Topic::$name,)* }
            }

            /// Its stored bytes: canonical CBOR.
            ///
            /// # Errors
            /// [`cbor::EncodeError`] when it has no canonical form; records made by our agents always have one.
            pub fn encode(&self) -> Result<Vec<u8>, cbor::EncodeError> {
                match self { $(Self::$name(object) => cbor::to_vec(&**object),)* }
            }

            /// Reads an object of `topic` from bytes whose enclosing step was found canonical. The bytes of an
            /// object are a string in their step, so they are checked themselves.
            ///
            /// # Errors
            /// [`cbor::DecodeError`] when they are not canonical or not such an object.
            pub fn decode(topic: Topic, bytes: &[u8]) -> Result<Self, cbor::DecodeError> {
                Ok(match topic { $(Topic::$name => Self::$name(Arc::new(cbor::from_slice(bytes)?)),)* })
            }

            /// As JSON, for people.
            ///
            /// # Errors
            /// [`serde_json::Error`] never happens for records made by our agents.
            pub fn to_json(&self) -> Result<serde_json::Value, serde_json::Error> {
                match self { $(Self::$name(object) => serde_json::to_value(&**object),)* }
            }
        }

        $(impl From<records::$name> for Object {
            fn from(object: records::$name) -> Self {
                Self::$name(Arc::new(object))
            }
        })*

        /// The JSON Schema of each topic's object, by topic name.
        #[must_use]
        pub fn schemas() -> Vec<(Topic, schemars::Schema)> {
            vec![$((Topic::$name, schemars::schema_for!(records::$name)),)*]
        }
    };
}

topics! {
    Change "change" Huginn Observed 1 [Huginn, Muninn, Mimir, Forseti, Coordinator, Njord, Vidar, Loki, Var, Saga],
    ChangeRefused "change-refused" Huginn Observed 1 [Saga],
    Evidence "evidence" Huginn Observed 1 [Coordinator, Muninn, Njord, Vidar, Var, Saga],
    RecheckAsked "recheck-asked" Huginn Observed 1 [Coordinator, Var, Saga],
    RequesterAdded "requester-added" Huginn Observed 1 [Var, Saga],
    ChangeOpened "change-opened" Huginn Derived 1 [],
    EvaluationOpened "evaluation-opened" Coordinator Derived 1 [Muninn, Mimir, Forseti, Coordinator, Njord, Vidar, Loki, Var, Saga],
    ReviewSchedule "review-schedule" Coordinator Derived 1 [Muninn, Forseti, Njord, Vidar, Saga],
    ModelRevision "model-revision" Muninn Observed 1 [],
    StateSnapshot "state-snapshot" Muninn Derived 1 [Forseti, Coordinator, Njord, Vidar, Var, Saga],
    ConcurrentChanges "concurrent-changes" Muninn Observed 1 [Forseti, Saga],
    EvidenceBundle "evidence-bundle" Muninn Derived 1 [Forseti, Var, Saga],
    CatalogRevision "catalog" Mimir Observed 1 [],
    PolicySet "policy-set" Mimir Derived 1 [Muninn, Forseti, Coordinator, Saga],
    OptionSet "option-set" Forseti Derived 1 [Muninn, Njord, Vidar, Saga],
    Cost "cost" Njord Observed 1 [Muninn, Forseti, Saga],
    Recovery "recovery" Vidar Observed 1 [Muninn, Loki, Forseti, Saga],
    ExperimentProposal "experiment-proposal" Loki Derived 1 [Saga],
    GraphReceipt "graph-receipt" Forseti Derived 1 [Saga],
    Scenario "scenario" Forseti Derived 1 [Saga],
    Case "decision-case" Forseti Derived 1 [Saga],
    ImpactEnvelope "impact-envelope" Forseti Derived 1 [Saga],
    Recommendation "recommendation" Forseti Derived 2 [Var, Saga],
    Verdict "verdict" Forseti Derived 1 [Saga],
    ApprovalRequest "approval-request" Var Derived 1 [Saga],
    ApprovalSignal "approval-signal" Var Observed 1 [Coordinator, Saga],
    Approval "approval" Var Derived 1 [Forseti, Saga],
    ExceptionAsked "exception-asked" Var Observed 1 [Coordinator, Forseti, Saga],
    AuditIntent "audit-intent" Saga Derived 1 [],
    AuditEntry "audit-entry" Saga Derived 1 [],
    DecisionReceipt "decision-receipt" Saga Derived 2 [Huginn, Coordinator, Muninn, Mimir, Forseti, Njord, Vidar, Loki, Var],
    ReviewProjection "review-projection" Saga Derived 1 [],
    ChangeClosed "change-closed" Saga Derived 1 [],
    BodyChunk "body-chunk" Runtime Observed 1 [],
    DeadlineReached "deadline-reached" Runtime Observed 1 [Muninn, Forseti, Var, Saga],
    Degradation "degradation" Runtime Observed 1 [Saga],
    Quarantined "quarantined" Runtime Observed 1 [Saga],
    SecurityEvent "security-event" Runtime Observed 1 [Saga],
}

/// A text that names no topic.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("read a topic: there is none called {0:?}")]
pub struct UnknownTopic(pub String);

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Topic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Topic {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
