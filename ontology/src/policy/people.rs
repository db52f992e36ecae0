//! Who is who, and who may answer what (U13): one person behind several identities, and the roles people have.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Selector;
use crate::time::DAY_S;
use crate::{Name, Principal};

/// People of a catalog at most: beyond, roles come from a directory.
pub const PEOPLE_MAX: usize = 4_096;
/// The role that may approve where the catalog says nothing.
pub const ROLE_DEFAULT: &str = "approver";

/// The people that a catalog knows, and their roles.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct People {
    /// Each person's identities, by the person's name. No identity belongs to two people.
    pub identities: BTreeMap<Name, BTreeSet<Principal>>,
    /// Who has which role.
    pub roles: BTreeMap<Name, BTreeSet<Name>>,
}

impl People {
    /// Whether nobody is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.identities.is_empty()
    }

    /// The person behind an identity, with all identities of that person.
    #[must_use]
    pub fn person(&self, principal: &Principal) -> Option<(&Name, &BTreeSet<Principal>)> {
        self.identities.iter().find(|(_, identities)| identities.contains(principal))
    }

    /// The roles that a person has.
    #[must_use]
    pub fn roles_of(&self, person: &Name) -> BTreeSet<Name> {
        let having = self.roles.iter().filter(|(_, members)| members.contains(person));
        having.map(|(role, _)| role.clone()).collect()
    }

    /// Everybody who has one of these roles.
    #[must_use]
    pub fn with_roles(&self, roles: &BTreeSet<Name>) -> BTreeSet<&Name> {
        roles.iter().filter_map(|role| self.roles.get(role)).flatten().collect()
    }
}

/// Who decides, where a person has to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApprovalRule {
    /// When it applies.
    #[serde(default, skip_serializing_if = "Selector::is_everything")]
    pub when: Selector,
    /// A person with one of these roles may answer.
    pub roles: BTreeSet<Name>,
    /// So many different people have to approve; at least one.
    pub quorum: u32,
    /// Seconds until a request expires. Expiry is no approval.
    pub expires_s: u64,
}

impl ApprovalRule {
    /// The rule of a catalog that has none: one person of the role [`ROLE_DEFAULT`], within seven days.
    ///
    /// # Panics
    /// Never: the role is a short literal.
    #[must_use]
    pub fn shipped() -> Self {
        Self {
            when: Selector::default(),
            roles: BTreeSet::from([Name::new(ROLE_DEFAULT).expect("a short literal")]),
            quorum: 1,
            expires_s: (7 * DAY_S).unsigned_abs(),
        }
    }
}
