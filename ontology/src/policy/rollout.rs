//! Rollout: where verdicts are off, observed, advice, or enforced (U11).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::catalog::{Catalog, Mode, wildcard};

/// Rows of a catalog at most.
pub const ROWS_MAX: usize = 1_024;

/// What is done with a verdict, mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Nothing is reviewed.
    Off,
    /// Reviewed and recorded, shown to nobody who does not ask.
    Observe,
    /// Shown, and blocks nothing.
    Advise,
    /// What does not conform is blocked.
    Enforce,
}

impl Level {
    /// The stable text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Observe => "observe",
            Self::Advise => "advise",
            Self::Enforce => "enforce",
        }
    }
}

/// One row. Each pattern that is stated must match; `*` stands for any run of characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// `owner/name` of a repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// Who owns what is changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The class or kind of the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The environment that is changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// What is done.
    pub level: Level,
}

/// What a change is matched by. What is not known matches only rows that do not ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place<'a> {
    /// `owner/name` of its repository.
    pub repository: Option<&'a str>,
    /// Who owns what it changes.
    pub owner: Option<&'a str>,
    /// Its class or kind.
    pub class: Option<&'a str>,
    /// The environment that it changes.
    pub environment: Option<&'a str>,
}

impl Row {
    /// Whether this row is about a change in such a place.
    #[must_use]
    pub fn matches(&self, place: &Place<'_>) -> bool {
        let one = |asked: &Option<String>, known: Option<&str>| {
            asked.as_ref().is_none_or(|pattern| known.is_some_and(|known| wildcard(pattern, known)))
        };
        one(&self.repository, place.repository)
            && one(&self.owner, place.owner)
            && one(&self.class, place.class)
            && one(&self.environment, place.environment)
    }

    /// Whether it asks for nothing and so matches everything.
    #[must_use]
    pub const fn is_general(&self) -> bool {
        self.repository.is_none()
            && self.owner.is_none()
            && self.class.is_none()
            && self.environment.is_none()
    }
}

impl Catalog {
    /// What is done with a verdict in such a place, and which row says so; where none does, the catalog's mode.
    #[must_use]
    pub fn level(&self, place: &Place<'_>) -> (Level, Option<usize>) {
        let row = self.rollout.iter().position(|row| row.matches(place));
        let level = row.and_then(|row| self.rollout.get(row)).map(|row| row.level);
        let general = match self.mode {
            Mode::Observe => Level::Observe,
            Mode::Enforce => Level::Enforce,
        };
        (level.unwrap_or(general), row)
    }
}
