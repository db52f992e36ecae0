//! Which attributes are kept: those that rules read, those that the catalog lists or prices, and a few that say
//! what a thing is. Everything else is withheld (U3).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ontology::policy::catalog::wildcard;
use ontology::policy::{Catalog, attributes_read};

/// What a thing of any type is and where, beside what rules read: none of it opens anything.
const IDENTITY: [&str; 8] =
    ["account_id", "arn", "kind", "multi_az", "namespace", "replicas", "subscription_id", "zone"];

/// Types whose id is what they made, which is often a password; of all others the id is kept.
const SPEAKING_IDS: &str = "random_*";

/// The allow-list of one catalog, looked up once a type.
pub(super) struct Kept<'c> {
    catalog: &'c Catalog,
    by_type: BTreeMap<String, Arc<Names>>,
}

/// The names that are kept of one type: an attribute, or a dotted path in it, through lists.
pub(super) type Names = BTreeSet<String>;

impl<'c> Kept<'c> {
    pub(super) fn new(catalog: &'c Catalog) -> Self {
        Self { catalog, by_type: BTreeMap::new() }
    }

    /// The names that are kept of a resource of this type.
    pub(super) fn of(&mut self, kind: &str) -> Arc<Names> {
        if let Some(names) = self.by_type.get(kind) {
            return Arc::clone(names);
        }
        let names = Arc::new(self.look_up(kind));
        self.by_type.insert(kind.to_owned(), Arc::clone(&names));
        names
    }

    fn look_up(&self, kind: &str) -> Names {
        let read = attributes_read().iter().filter(|(pattern, _)| wildcard(pattern, kind));
        let mut names: Names = read.flat_map(|(_, names)| *names).map(|name| (*name).to_owned()).collect();
        names.extend(IDENTITY.map(str::to_owned));
        let listed = self.catalog.kept_attributes.iter().filter(|(pattern, _)| wildcard(pattern, kind));
        names.extend(listed.flat_map(|(_, names)| names.iter().cloned()));
        if !wildcard(SPEAKING_IDS, kind) {
            names.insert("id".to_owned());
        }
        if let Some(price) = self.catalog.prices.types.get(kind) {
            names.extend(price.attribute.iter().chain(&price.times).cloned());
        }
        names
    }
}
