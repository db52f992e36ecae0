//! The report of a review: everything a screen shows, one document with a schema (`--output json`).
//!
//! Computed from what the log holds of a review and from the immutable things it pins; never stored, never edited.
//! Nothing here judges: words and order are chosen, values are those of the records.

pub mod axes;
pub mod change;
pub mod facts;
pub mod findings;
pub mod folded;
pub mod next;
pub mod options;
pub mod outcome;
pub mod reach;
pub mod reasons;
#[cfg(test)]
mod tests;
pub mod undecided;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use ontology::policy::catalog::Mode;
use ontology::records::RecommendationKind;
use ontology::{Digest, Name, ReviewId};
use topics::Library;

pub use axes::Axes;
pub use change::{ChangeShown, Superseded};
pub use facts::Facts;
pub use findings::{Finding, Rules};
pub use folded::Folded;
pub use next::NextStep;
pub use options::OptionShown;
pub use outcome::{EvaluationShown, Outcome, VerdictShown};
pub use reach::Reach;
pub use reasons::ReasonShown;
pub use undecided::Undecided;

/// A review for people and programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The review.
    pub review: ReviewId,
    /// The form of its id that people type.
    pub short: String,
    /// Its revision, from 1.
    pub revision: u32,
    /// The review that it supersedes, and what changed since (U5).
    pub supersedes: Option<Superseded>,
    /// What is reviewed, and who asks.
    pub change: ChangeShown,
    /// What the exit code says (architecture.md).
    pub outcome: Outcome,
    /// Why, in a few words: the hardest reason.
    pub headline: String,
    /// What the deployment does with verdicts.
    pub mode: Mode,
    /// Every evaluation, oldest first; the last one is what the rest of this document shows.
    pub evaluations: Vec<EvaluationShown>,
    /// What was recommended.
    pub recommendation: Option<RecommendationKind>,
    /// The last word of the evaluation, with its receipt.
    pub verdict: Option<VerdictShown>,
    /// Every reason, hardest first.
    pub reasons: Vec<ReasonShown>,
    /// What the constraints found.
    pub rules: Rules,
    /// What cannot be decided yet, what it takes and what it would then be (U1). Hypothetical, never recorded.
    pub undecided: Vec<Undecided>,
    /// How far the change may reach.
    pub reach: Option<Reach>,
    /// What could be done, and what each option does.
    pub options: Vec<OptionShown>,
    /// What was known of what is required.
    pub facts: Facts,
    /// Five axes, each with the records that made its state (S-37, S-38).
    pub axes: Axes,
    /// What to type next.
    pub next: Vec<NextStep>,
}

/// A catalog, by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogShown {
    /// Its name; its digest alone, where this process does not hold it.
    pub name: Option<Name>,
    /// The shipped starter catalog (U1).
    pub starter: bool,
    /// What pins it.
    pub digest: Digest,
}

/// The report of a review. `before` is the review that it supersedes, where that is at hand.
#[must_use]
pub fn build(review: &Folded, before: Option<&Folded>, library: &Library) -> Report {
    let newest = review.newest();
    let catalog = library.catalog(&newest.pins.catalog);
    let reasons = reasons::shown(newest);
    let rules = findings::rules(newest, catalog.map(AsRef::as_ref));
    let outcome = Outcome::of(newest);
    let undecided = undecided::rows(review, library);
    let options = options::shown(newest);
    let next = next::steps(review, outcome, &reasons, &rules, &undecided);
    Report {
        review: review.change.object.review,
        short: review.change.object.review.short(),
        revision: review.change.object.revision,
        supersedes: change::superseded(review, before),
        change: change::shown(review),
        outcome,
        headline: reasons::headline(outcome, &reasons, is_empty_model(newest, library)),
        mode: catalog.map_or(Mode::Observe, |catalog| catalog.mode),
        evaluations: review.evaluations.iter().map(outcome::evaluation).collect(),
        recommendation: newest.recommendation.as_ref().map(|filed| filed.object.kind),
        verdict: outcome::verdict(newest),
        facts: facts::shown(newest, &reasons),
        reasons,
        rules,
        undecided,
        reach: reach::shown(newest, library),
        options,
        axes: axes::of(review),
        next,
    }
}

/// Whether the model in force says nothing at all.
fn is_empty_model(newest: &folded::Evaluated, library: &Library) -> bool {
    library.model(&newest.pins.model).is_some_and(|graph| graph.model().objects.is_empty())
}

/// A length as records hold it.
fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
