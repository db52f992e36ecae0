//! What cannot be decided yet: for each missing key, what it takes and what the verdict would then be (U1).
//! Hypothetical, never recorded.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use agents::forseti::hypothesis::{Hypothesis, hypotheses};
use agents::forseti::{Docket, Filed, Inputs};
use agents::review::{Known, Part, Review};
use ontology::Timestamp;
use ontology::records::{Change, EvidenceKey, RecommendationKind};
use topics::Library;

/// One missing key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Undecided {
    /// The key without evidence.
    pub key: EvidenceKey,
    /// The same in words of the role.
    pub role: String,
    /// The agent that would bring it.
    pub agent: String,
    /// What a person can do about it; `PLAN` stands for the submitted file.
    pub takes: String,
    /// What it would be if everything that is missing were there.
    pub then: RecommendationKind,
    /// What it would be if only this were there.
    pub alone: RecommendationKind,
}

/// A key in words of the role (U1).
#[must_use]
pub const fn role(key: EvidenceKey) -> &'static str {
    match key {
        EvidenceKey::Change => "the change",
        EvidenceKey::Topology => "owner, topology",
        EvidenceKey::Objectives => "objectives",
        EvidenceKey::Policy => "rules",
        EvidenceKey::ConcurrentChanges => "other open changes",
        EvidenceKey::Cost => "cost",
        EvidenceKey::Recovery => "recovery",
    }
}

pub(super) fn rows(
    review: &Review,
    change: &Arc<Change>,
    part: &Part<'_>,
    library: &Library,
) -> Vec<Undecided> {
    let Some(docket) = docket(review, change, part) else { return Vec::new() };
    let Some(inputs) = Inputs::of(&docket, library) else { return Vec::new() };
    let row = |hypothesis: Hypothesis| Undecided {
        key: hypothesis.key,
        role: role(hypothesis.key).to_owned(),
        agent: super::facts::bringer(hypothesis.key).to_owned(),
        takes: hypothesis.takes,
        then: hypothesis.would_be,
        alone: hypothesis.alone,
    };
    hypotheses(&inputs).into_iter().map(row).collect()
}

/// What Forseti had before it when it judged this evaluation; nothing, where it has not judged.
fn docket(review: &Review, change: &Arc<Change>, part: &Part<'_>) -> Option<Docket> {
    let opened = part.opened()?;
    let judged_at = part.recommendation()?.said.time;
    let used = part.scenario()?.record.bundle_digest;
    let bundle = filed(part.bundle(), judged_at).filter(|filed| used == Some(filed.digest));
    let exceptions = review.exceptions().map(|(asked, at)| (Arc::new(asked.clone()), at)).collect();
    Some(Docket {
        evaluation: part.evaluation,
        opened_at: opened.said.time,
        change: Arc::clone(change),
        pins: opened.pins.clone(),
        snapshot: filed(part.snapshot(), judged_at),
        policies: filed(part.policies(), judged_at),
        options: filed(part.options(), judged_at),
        schedule: filed(part.schedule(), judged_at),
        concurrent: filed(part.concurrent(), judged_at),
        cost: filed(part.cost(), judged_at),
        recovery: filed(part.recovery(), judged_at),
        overdue: bundle.is_none(),
        bundle,
        judged: false,
        awaits: None,
        closed: false,
        exceptions,
    })
}

/// What came after the judgement was not judged.
fn filed<T: Clone>(known: Option<Known<'_, T>>, judged_at: Timestamp) -> Option<Filed<T>> {
    let known = known.filter(|known| known.said.time <= judged_at)?;
    Some(Filed { object: Arc::new(known.record.clone()), digest: known.said.digest })
}
