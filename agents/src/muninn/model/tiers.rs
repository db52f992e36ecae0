//! `arb: tiers/1`: default objectives by tier. They are assumed, and a person approves what rests on them (U7).

use std::collections::{BTreeMap, BTreeSet};

use ontology::Name;
use ontology::policy::Catalog;
use serde::Deserialize;

use super::header::Header;
use super::objectives::{Kept, kept};
use super::stated::{Facts, Stated};
use super::{ModelFile, placement};
use crate::input::yaml::quantity::Moment;
use crate::input::{InputError, yaml};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "arb")]
    _arb: String,
    #[serde(default)]
    authority: Option<Name>,
    #[serde(default)]
    review_by: Option<Moment>,
    #[serde(default)]
    synthetic: bool,
    #[serde(default)]
    incomplete: bool,
    tiers: BTreeMap<u8, Kept>,
}

/// Reads a file of tiers.
pub(super) fn read(file: &ModelFile, catalog: &Catalog) -> Result<Stated, InputError> {
    let read: File = yaml::parse(&file.path, &file.bytes)?;
    let header = Header {
        authority: read.authority,
        review_by: read.review_by.map(|moment| moment.0),
        synthetic: read.synthetic,
        incomplete: read.incomplete,
    };
    let mut facts = Facts::default();
    for (tier, defaults) in read.tiers {
        let fault = |message: String| InputError::at(&file.path, format!("$.tiers.{tier}"), message);
        placement::check_tier(tier).map_err(|message| fault(message.to_owned()))?;
        let objectives = kept(defaults).map_err(fault)?;
        facts.defaults.insert(tier, objectives.into_iter().map(super::stated::Objective::assumed).collect());
    }
    Ok(Stated { source: header.source(file, catalog)?, complete_for: BTreeSet::new(), facts })
}
