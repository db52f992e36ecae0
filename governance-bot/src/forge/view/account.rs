//! Who: accounts, installations, tokens, and deliveries to them.

use ontology::Timestamp;
use serde::{Deserialize, Serialize};

use super::word::words;

words! {
    /// What kind of account it is.
    AccountKind {
        User = "User",
        Bot = "Bot",
        Organization = "Organization",
        Mannequin = "Mannequin",
    }
}

/// An account. The id decides who it is; a login can be changed, reused, and written with or without `[bot]` (faults 37,
/// 38).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The numeric id.
    pub id: u64,
    /// The login, for people.
    pub login: String,
    /// The kind; absent in very old answers.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<AccountKind>,
}

/// An installation of the App.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installation {
    /// The numeric id.
    pub id: u64,
    /// Where it is installed. An enterprise has no login.
    #[serde(default)]
    pub account: Option<serde_json::Value>,
    /// Why nothing can be asked, where it is so.
    #[serde(default)]
    pub suspended_at: Option<Timestamp>,
    /// What it may do, for the check of the setup.
    #[serde(default)]
    pub permissions: std::collections::BTreeMap<String, String>,
}

impl Installation {
    /// The login of the account, where it has one.
    #[must_use]
    pub fn login(&self) -> Option<&str> {
        self.account.as_ref()?.get("login")?.as_str()
    }
}

/// A token of an installation.
#[derive(Clone, Deserialize)]
pub struct Token {
    /// The token.
    pub token: String,
    /// When it ends, an hour after it was made.
    pub expires_at: Timestamp,
}

impl std::fmt::Debug for Token {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Token(withheld, until {})", self.expires_at)
    }
}

/// A webhook delivery, as the forge lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// The attempt's id: a redelivery has another.
    pub id: u64,
    /// The event's id, `x-github-delivery`: a redelivery has the same.
    pub guid: String,
    /// When the attempt was made.
    pub delivered_at: Timestamp,
    /// Whether it is not the first attempt.
    #[serde(default)]
    pub redelivery: bool,
    /// What the receiver answered; 0 when nothing.
    #[serde(default)]
    pub status_code: u16,
    /// The event's name.
    pub event: String,
    /// The event's action.
    #[serde(default)]
    pub action: Option<String>,
    /// The installation that it is about.
    #[serde(default)]
    pub installation_id: Option<u64>,
    /// The repository that it is about.
    #[serde(default)]
    pub repository_id: Option<u64>,
}
