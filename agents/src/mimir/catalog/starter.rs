//! The starter catalog (U1): applies where an organisation has none of its own. Rules over the plan alone,
//! at `warn`; the tables of it are the shipped defaults of every other catalog.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use ontology::policy::{Catalog, RequiredEvidence};
use serde::Deserialize;

use super::settings::Required;
use super::{CatalogFile, compile};
use crate::input::yaml;

macro_rules! files {
    ($($path:literal),* $(,)?) => { &[$(($path, include_str!(concat!("../starter/", $path)))),*] };
}

/// The starter's files.
const FILES: &[(&str, &str)] = files![
    "catalog.yaml",
    "constraints/backups-off.yaml",
    "constraints/deletion-protection-off.yaml",
    "constraints/drift.yaml",
    "constraints/duplicate-identity.yaml",
    "constraints/encryption-off.yaml",
    "constraints/forgotten.yaml",
    "constraints/iam-wildcard.yaml",
    "constraints/incomplete-plan.yaml",
    "constraints/logging-off.yaml",
    "constraints/privileged-workload.yaml",
    "constraints/public-exposure.yaml",
    "constraints/safeguard-removed.yaml",
    "constraints/secret-unmarked.yaml",
    "constraints/security-group-removed.yaml",
    "constraints/single-replica.yaml",
    "constraints/stateful-destroyed.yaml",
];

/// The shipped starter catalog, compiled once.
///
/// # Panics
/// Never: a test compiles it.
#[must_use]
pub fn starter() -> &'static Catalog {
    static STARTER: LazyLock<Catalog> = LazyLock::new(|| {
        let file =
            |(path, text): &(&str, &str)| CatalogFile { path: (*path).into(), bytes: text.as_bytes().into() };
        let files: Vec<CatalogFile> = FILES.iter().map(file).collect();
        let catalog = compile(&files).expect("the shipped files compile, and a test holds them to it");
        Catalog { starter: true, ..catalog }
    });
    &STARTER
}

/// Tables that a catalog may leave out.
pub(super) struct Tables {
    pub(super) required: Vec<RequiredEvidence>,
    pub(super) stateful_types: BTreeSet<String>,
    pub(super) baseline_kinds: BTreeSet<String>,
}

/// The tables of the starter's own `catalog.yaml`.
pub(super) fn tables() -> Tables {
    #[derive(Deserialize)]
    struct Shipped {
        required: Vec<Required>,
        stateful_types: BTreeSet<String>,
        baseline_kinds: BTreeSet<String>,
    }
    let (path, text) = FILES[0];
    let shipped: Shipped =
        yaml::parse(path, text.as_bytes()).expect("the shipped file is valid, and a test reads it");
    Tables {
        required: shipped.required.into_iter().map(Required::into).collect(),
        stateful_types: shipped.stateful_types,
        baseline_kinds: shipped.baseline_kinds,
    }
}
