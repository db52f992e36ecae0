//! Which attributes rules read, by resource type: what redaction keeps (U3).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::plan_rules::{exposure, grants, identity, manifests, removal, switches};
use crate::graph::edits::placement;

/// Attributes of every type that say what a thing is, where it runs and how large it is, and open nothing.
const EVERY_TYPE: &[&str] = &[
    "allocated_storage",
    "bucket",
    "capacity",
    "cluster_identifier",
    "cpu",
    "engine",
    "engine_version",
    "iops",
    "identifier",
    "instance_class",
    "instance_type",
    "instance_types",
    "location",
    "machine_type",
    "max_allocated_storage",
    "max_capacity",
    "max_size",
    "memory",
    "memory_size",
    "min_capacity",
    "name",
    "node_type",
    "num_cache_nodes",
    "num_node_groups",
    "number_of_nodes",
    "project",
    "read_capacity",
    "region",
    "replicas_per_node_group",
    "replicate_source_db",
    "resource_group_name",
    "size",
    "sku",
    "sku_name",
    "storage_type",
    "tags",
    "tags_all",
    "tier",
    "type",
    "version",
    "volume_size",
    "volume_type",
    "write_capacity",
];

/// The attributes that rules, edits of the graph and prices may read, by resource type (`*` stands for any run of
/// characters), sorted. A name is an attribute or a dotted path in it, through lists (`ingress.cidr_blocks`); what is
/// named is read whole. Policy documents are read as the provider takes them: a text of JSON, or the map it stands for.
#[must_use]
pub fn attributes_read() -> &'static [(&'static str, &'static [&'static str])] {
    static READ: LazyLock<BTreeMap<&'static str, BTreeSet<String>>> = LazyLock::new(collect);
    static NAMES: LazyLock<Vec<(&'static str, Vec<&'static str>)>> = LazyLock::new(|| {
        READ.iter().map(|(kind, names)| (*kind, names.iter().map(String::as_str).collect())).collect()
    });
    static TABLE: LazyLock<Vec<(&'static str, &'static [&'static str])>> =
        LazyLock::new(|| NAMES.iter().map(|(kind, names)| (*kind, names.as_slice())).collect());
    &TABLE
}

fn collect() -> BTreeMap<&'static str, BTreeSet<String>> {
    let mut read: BTreeMap<&'static str, BTreeSet<String>> = BTreeMap::new();
    let tables = [
        switches::ENCRYPTION,
        switches::DELETION_PROTECTION,
        switches::BACKUPS,
        switches::LOGGING,
        switches::EXPOSURE,
    ];
    for (kind, rows) in tables.into_iter().flatten() {
        read.entry(kind).or_default().extend(rows.iter().map(|(path, _)| (*path).to_owned()));
    }
    let others = [
        exposure::attributes(),
        grants::attributes(),
        identity::attributes(),
        manifests::attributes(),
        removal::attributes(),
    ];
    for (kind, names) in others.into_iter().flatten() {
        read.entry(kind).or_default().extend(names);
    }
    let placed = placement::ATTRIBUTES.iter().copied().flatten();
    let every_type = EVERY_TYPE.iter().chain(placed).map(|name| (*name).to_owned());
    read.entry("*").or_default().extend(every_type);
    read
}
