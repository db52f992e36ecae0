//! What cannot be decided yet: for each missing key, what it takes and what the verdict would then be (U1).
//! Hypothetical, never recorded.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use agents::forseti::hypothesis::{Hypothesis, hypotheses};
use agents::forseti::{Docket, Filed, Inputs};
use agents::review::{Known, Part};
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

pub(super) fn rows(change: &Arc<Change>, part: &Part<'_>, library: &Library) -> Vec<Undecided> {
    let Some(docket) = docket(change, part) else { return Vec::new() };
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
fn docket(change: &Arc<Change>, part: &Part<'_>) -> Option<Docket> {
    let opened = part.opened()?;
    let judged = part.recommendation()?;
    let bundle = filed(part.bundle()).filter(|_| part.case().is_some());
    let _ = judged;
    Some(Docket {
        evaluation: part.evaluation,
        opened_at: opened.said.time,
        change: Arc::clone(change),
        pins: opened.pins.clone(),
        snapshot: filed(part.snapshot()),
        policies: filed(part.policies()),
        options: filed(part.options()),
        schedule: filed(part.schedule()),
        concurrent: filed(part.concurrent()),
        cost: filed(part.cost()),
        recovery: filed(part.recovery()),
        overdue: bundle.is_none(),
        bundle,
        judged: false,
        closed: false,
    })
}

fn filed<T: Clone>(known: Option<Known<'_, T>>) -> Option<Filed<T>> {
    known.map(|known| Filed { object: Arc::new(known.record.clone()), digest: known.said.digest })
}
