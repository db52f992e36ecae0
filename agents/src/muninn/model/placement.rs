//! The few texts about a thing that are kept, bounded (U3): its title, kind, environment, zones, tier and replicas.

use std::collections::BTreeSet;

/// Bytes of a title at most: a line on a screen.
const TITLE_BYTES_MAX: usize = 256;
/// Bytes of a kind, environment or zone at most.
const WORD_BYTES_MAX: usize = 64;
/// Zones of one thing at most.
const ZONES_MAX: usize = 64;
/// The least critical tier.
const TIER_MAX: u8 = 9;

/// What is wrong with a tier.
const TIER_RANGE: &str = "expected a whole number from 1 (most critical) to 9";

/// A title without control characters, cut to its bound.
pub(super) fn title(text: &str) -> String {
    let clean: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    let clean = clean.trim();
    let cut =
        (0..=TITLE_BYTES_MAX.min(clean.len())).rev().find(|cut| clean.is_char_boundary(*cut)).unwrap_or(0);
    clean[..cut].to_owned()
}

/// A kind, environment or zone: a short name.
pub(super) fn word(text: &str) -> Result<String, &'static str> {
    let text = text.trim();
    let is_word = |it: char| it.is_alphanumeric() || "._-/:".contains(it);
    if text.is_empty() || text.len() > WORD_BYTES_MAX || !text.chars().all(is_word) {
        return Err("expected a short name of letters, digits and . _ - / :");
    }
    Ok(text.to_owned())
}

/// Names of zones.
pub(super) fn zones<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<BTreeSet<String>, &'static str> {
    let zones = texts.into_iter().map(word).collect::<Result<BTreeSet<_>, _>>()?;
    if zones.len() > ZONES_MAX { Err("expected at most 64 zones") } else { Ok(zones) }
}

/// Checks a tier.
pub(super) fn check_tier(tier: u8) -> Result<(), &'static str> {
    if (1..=TIER_MAX).contains(&tier) { Ok(()) } else { Err(TIER_RANGE) }
}

/// A tier from a text.
pub(super) fn tier(text: &str) -> Result<u8, &'static str> {
    let tier = text.trim().parse().map_err(|_| TIER_RANGE)?;
    check_tier(tier).map(|()| tier)
}

/// A number of replicas from a text.
pub(super) fn replicas(text: &str) -> Result<u32, &'static str> {
    text.trim().parse().map_err(|_| "expected a whole number from 0")
}
