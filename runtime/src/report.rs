//! The report of a review: everything a screen shows, one document with a schema (`--output json`).
//!
//! Computed from the read model of a review and from the immutable things that it pins; never stored, never edited.
//! Nothing here judges: words and order are chosen, values are those of the records.

pub mod approval;
pub mod axes;
pub mod change;
pub mod experiments;
pub mod facts;
pub mod findings;
pub mod next;
pub mod options;
pub mod outcome;
pub mod reach;
pub mod reasons;
#[cfg(test)]
mod tests;
pub mod undecided;

use agents::review::{Part, Review};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use ontology::policy::catalog::Mode;
use ontology::records::{Condition, Evaluation, RecommendationKind};
use ontology::{Digest, Name, ReasonCode, ReviewId};
use topics::Library;

pub use approval::{AnswerShown, ApprovalShown, NeedShown};
pub use axes::{AxesShown, AxisShown};
pub use change::{ChangeShown, Superseded};
pub use experiments::ExperimentShown;
pub use facts::Facts;
pub use findings::{Finding, Rules};
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
    /// Every evaluation, oldest first.
    pub evaluations: Vec<EvaluationShown>,
    /// The evaluation that decides, and that the rest of this document shows: the newest with an outcome.
    pub shown: Evaluation,
    /// A newer evaluation, or the only one, has no outcome yet.
    pub under_way: bool,
    /// What was recommended.
    pub recommendation: Option<RecommendationKind>,
    /// The last word of the evaluation, with its receipt.
    pub verdict: Option<VerdictShown>,
    /// What a person is asked, who may answer, and what was answered.
    pub approval: Option<ApprovalShown>,
    /// What has to be given before the change goes ahead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
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
    /// What could be rehearsed, so that it is known before it is needed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub experiments: Vec<ExperimentShown>,
    /// What was known of what is required.
    pub facts: Facts,
    /// Five axes, each with the records that made its state (S-37, S-38).
    pub axes: AxesShown,
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

/// The report of a review from its steps; `None` where they hold no change. `durable` says whether the log outlives
/// the process (S-30).
#[must_use]
pub fn of(steps: &[topics::Stored], library: &Library, durable: bool) -> Option<Report> {
    let mut report = build(&Review::of(steps), library)?;
    if !durable {
        report.not_durable();
    }
    Some(report)
}

/// The report of a review; `None` where no change was taken in under this key.
#[must_use]
pub fn build(review: &Review, library: &Library) -> Option<Report> {
    let change = review.change()?;
    let evaluations: Vec<Part<'_>> = review.evaluations().collect();
    let newest = evaluations.last()?;
    let decided = evaluations.iter().rev().find(|part| Outcome::of(part) != Outcome::Undecided);
    let shown = decided.unwrap_or(newest);
    let pins = shown.opened()?.pins;
    let catalog = library.catalog(&pins.catalog).map(AsRef::as_ref);
    let model = library.model(&pins.model).map(AsRef::as_ref);
    let outcome = Outcome::of(shown);
    let reasons = reasons::shown(shown);
    let rules = findings::rules(shown, pins.catalog, catalog);
    let undecided = undecided::rows(review, change, shown, library);
    let is_empty = model.is_some_and(|graph| graph.model().objects.is_empty());
    Some(Report {
        review: change.review,
        short: change.review.short(),
        revision: change.revision,
        supersedes: change::superseded(change),
        change: change::shown(review, change, &evaluations[0]),
        outcome,
        headline: reasons::headline(outcome, &reasons, is_empty),
        mode: catalog.map_or(Mode::Observe, |catalog| catalog.mode),
        evaluations: evaluations.iter().filter_map(outcome::evaluation).collect(),
        shown: shown.evaluation,
        under_way: Outcome::of(newest) == Outcome::Undecided,
        recommendation: shown.recommendation().map(|known| known.record.kind),
        verdict: outcome::verdict(shown),
        conditions: shown.recommendation().map(|known| known.record.conditions.clone()).unwrap_or_default(),
        approval: approval::shown(review, shown, catalog),
        reach: reach::shown(shown, model),
        options: options::shown(shown, model),
        experiments: experiments::shown(shown),
        facts: facts::shown(shown, &reasons),
        axes: axes::shown(review, newest)?,
        next: next::steps(change.review, outcome, &reasons, &rules, &undecided),
        reasons,
        rules,
        undecided,
    })
}

impl Report {
    /// Says that the log of this review does not outlive the process (S-30).
    fn not_durable(&mut self) {
        let reason = ReasonShown::of(&ontology::Reason::new(ReasonCode::NotDurable));
        self.facts.noted.push(reason.clone());
        self.reasons.push(reason);
    }

    /// Says what changed since the review that this one supersedes (U5). Another review changes nothing.
    pub fn compare_with(&mut self, before: &Self) {
        let since = change::since(before, self);
        if let Some(superseded) = &mut self.supersedes
            && superseded.review == before.review
        {
            superseded.revision = before.revision;
            superseded.outcome = Some(before.outcome);
            superseded.since = since;
        }
    }
}

/// A length as records hold it.
fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
