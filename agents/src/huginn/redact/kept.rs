//! Which attributes are kept: those that rules read, those that the catalog lists or prices, and a few that say
//! what a thing is. Everything else is withheld (U3).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ontology::policy::Catalog;
use ontology::policy::catalog::wildcard;

/// What a thing is and where, by resource type: none of it opens anything.
const IDENTITY: &[(&str, &[&str])] = &[(
    "*",
    &[
        "account_id",
        "arn",
        "availability_zone",
        "availability_zones",
        "bucket",
        "cluster_identifier",
        "engine",
        "engine_version",
        "identifier",
        "instance_class",
        "instance_type",
        "kind",
        "location",
        "machine_type",
        "multi_az",
        "name",
        "namespace",
        "node_type",
        "project",
        "region",
        "replicas",
        "resource_group_name",
        "sku",
        "sku_name",
        "subscription_id",
        "tags",
        "tags_all",
        "zone",
        "zones",
    ],
)];

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
        let shipped = IDENTITY.iter().chain(attributes_read());
        let shipped = shipped.filter(|(pattern, _)| wildcard(pattern, kind));
        let mut names: Names =
            shipped.flat_map(|(_, names)| names.iter().map(|name| (*name).to_owned())).collect();
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

/// The attributes that rules read, by resource type.
fn attributes_read() -> &'static [(&'static str, &'static [&'static str])] {
    &[
        (
            "aws_db_instance",
            &[
                "vpc_security_group_ids",
                "storage_encrypted",
                "deletion_protection",
                "backup_retention_period",
            ],
        ),
        ("aws_security_group*", &["ingress", "cidr_blocks"]),
    ]
}
