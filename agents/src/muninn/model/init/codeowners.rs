//! Owners from a CODEOWNERS file: a guess that a person confirms.

/// A team or person, with a name that Backstage allows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::muninn::model) enum Owner {
    /// `@org/team`.
    Team(String),
    /// `@person`.
    Person(String),
}

impl Owner {
    /// The owner of what is called `name`: the last rule with a path segment of that name, else the last rule for
    /// everything, as the last matching rule counts in CODEOWNERS.
    pub(super) fn of(name: &str, codeowners: &str) -> Option<Self> {
        let rules = || {
            codeowners.lines().rev().filter_map(|line| {
                let line = line.split('#').next().unwrap_or_default();
                let mut words = line.split_whitespace();
                let pattern = words.next()?;
                words.find_map(Self::read).map(|owner| (pattern, owner))
            })
        };
        let named = |pattern: &str| pattern.split('/').any(|segment| segment.eq_ignore_ascii_case(name));
        let of_all = |pattern: &str| matches!(pattern, "*" | "/" | "**" | "/**" | "/*");
        let closest = rules().find(|(pattern, _)| named(pattern));
        closest.or_else(|| rules().find(|(pattern, _)| of_all(pattern))).map(|(_, owner)| owner)
    }

    pub(in crate::muninn::model) fn read(word: &str) -> Option<Self> {
        let name = word.strip_prefix('@')?;
        match name.split_once('/') {
            Some((_, team)) => Some(Self::Team(super::slug(team))),
            None => Some(Self::Person(super::slug(name))),
        }
    }

    /// How an entity refers to it.
    pub(in crate::muninn::model) fn reference(&self) -> String {
        match self {
            Self::Team(name) => format!("group:default/{name}"),
            Self::Person(name) => format!("user:default/{name}"),
        }
    }

    /// Its kind and name as an entity.
    pub(super) fn kind_and_name(&self) -> (&'static str, &str) {
        match self {
            Self::Team(name) => ("Group", name),
            Self::Person(name) => ("User", name),
        }
    }
}
