//! Reasons, hardest first, with their titles.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use agents::reasons::{Language, page};
use agents::review::Part;
use ontology::{Effect, Reason, ReasonCode};

use super::Outcome;

/// One reason, for people and programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReasonShown {
    /// The stable code; `arbctl explain CODE` has its page.
    pub code: ReasonCode,
    /// What it does to the ceiling.
    pub effect: Effect,
    /// What it is about.
    pub subject: Option<String>,
    /// What was found.
    pub detail: Option<String>,
    /// What the code says, in a line.
    pub title: String,
    /// What to do about it, in a line.
    pub next: String,
}

impl ReasonShown {
    /// A reason with the words of its page.
    #[must_use]
    pub fn of(reason: &Reason) -> Self {
        let page = page(reason.code.as_str(), Language::English);
        Self {
            code: reason.code,
            effect: reason.effect,
            subject: reason.subject.clone(),
            detail: reason.detail.clone(),
            title: page.map_or_else(|| reason.code.to_string(), |page| page.title.to_owned()),
            next: page.map_or_else(String::new, |page| page.next.to_owned()),
        }
    }
}

/// The recommendation's reasons, hardest first, then as the judge ordered them.
pub(super) fn shown(part: &Part<'_>) -> Vec<ReasonShown> {
    let Some(recommendation) = part.recommendation() else { return Vec::new() };
    let mut reasons: Vec<ReasonShown> = recommendation.record.reasons.iter().map(ReasonShown::of).collect();
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.effect));
    reasons
}

/// Codes that an empty model causes by itself.
const NOTHING_MODELLED: [ReasonCode; 4] = [
    ReasonCode::TargetResourceMissing,
    ReasonCode::ServiceMappingMissing,
    ReasonCode::ObjectivesMissing,
    ReasonCode::GraphReceiptUnverified,
];

/// Why, in a few words.
pub(super) fn headline(outcome: Outcome, reasons: &[ReasonShown], is_empty_model: bool) -> String {
    let hardest = reasons.first().filter(|reason| reason.effect > Effect::Noted);
    match (outcome, hardest) {
        (Outcome::Undecided, _) => "no receipt yet".to_owned(),
        (Outcome::Conformant, _) => "every required fact is there and every rule is kept".to_owned(),
        (Outcome::Approved, _) => "a person approved exactly this".to_owned(),
        (Outcome::Held, Some(hardest)) if is_empty_model && NOTHING_MODELLED.contains(&hardest.code) => {
            "nothing is modelled yet".to_owned()
        }
        (_, None) => "no reason is on record".to_owned(),
        (_, Some(hardest)) => in_a_few_words(hardest),
    }
}

fn in_a_few_words(reason: &ReasonShown) -> String {
    match reason.subject.as_ref().or(reason.detail.as_ref()) {
        Some(what) => format!("{}: {what}", reason.title),
        None => reason.title.clone(),
    }
}
