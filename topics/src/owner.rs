//! Who speaks: fifteen agents, the Coordinator, the Runtime and the Gate.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

macro_rules! owners {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        /// Who may own a topic. Closed: there is no sixteenth agent.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Owner { $($(#[$doc])* $name,)* }

        impl Owner {
            /// Every owner, in order.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The stable text: a subject token and an account's name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }

        impl FromStr for Owner {
            type Err = UnknownOwner;
            fn from_str(text: &str) -> Result<Self, UnknownOwner> {
                match text { $($text => Ok(Self::$name),)* _ => Err(UnknownOwner(text.chars().take(64).collect())) }
            }
        }
    };
}

owners! {
    /// Takes changes in.
    Huginn = "huginn",
    /// Remembers the model and freezes context.
    Muninn = "muninn",
    /// Keeps constraints and catalogs.
    Mimir = "mimir",
    /// Watches health, drift and security.
    Heimdall = "heimdall",
    /// Counts cost.
    Njord = "njord",
    /// Foresees capacity and performance.
    Freyr = "freyr",
    /// Knows recovery.
    Vidar = "vidar",
    /// Proposes experiments.
    Loki = "loki",
    /// Judges.
    Forseti = "forseti",
    /// Arbitrates between objectives.
    Odin = "odin",
    /// Asks people.
    Var = "var",
    /// Writes the audit.
    Saga = "saga",
    /// Executes.
    Thor = "thor",
    /// Learn.
    Norns = "norns",
    /// Explains.
    Bragi = "bragi",
    /// Looks up deadlines and required keys. Never judges.
    Coordinator = "coordinator",
    /// The process itself.
    Runtime = "runtime",
    /// The merge gate.
    Gate = "gate",
}

/// What an agent is: an owner that folds.
pub type Role = Owner;

/// A text that names no owner.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("read an owner: there is none called {0:?}")]
pub struct UnknownOwner(pub String);

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
