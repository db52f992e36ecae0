//! What is reviewed, who asks, and what changed since the review that this one supersedes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use agents::review::{Part, Review};
use ontology::records::Change;
use ontology::records::document::{Action, Format};
use ontology::{Digest, Name, Principal, ReviewId, Timestamp};

use super::{Outcome, Report};

/// A change, in numbers and names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeShown {
    /// The format it came in.
    pub format: Format,
    /// That format's version.
    pub format_version: String,
    /// The tool that made it.
    pub tool: Option<String>,
    /// Targets by action.
    pub actions: BTreeMap<Action, u32>,
    /// Targets in all.
    pub targets: u32,
    /// Values withheld, none of which is stored (U3).
    pub withheld: u32,
    /// `infrastructure`, `promotion` or another.
    pub kind: Name,
    /// Where it comes from.
    pub source: Name,
    /// Unique at that source.
    pub idempotency_key: Name,
    /// What the change is, whatever its file's bytes (U5).
    pub content_digest: Digest,
    /// The whole change (S-22).
    pub change_digest: Digest,
    /// When it was planned, as it says.
    pub planned_at: Option<Timestamp>,
    /// When it was taken in.
    pub submitted_at: Timestamp,
    /// Who asks.
    pub requester: Principal,
    /// Whether the requester's identity was verified (U13).
    pub requester_verified: bool,
    /// Claims that came with it or later, by their files' names.
    pub attachments: Vec<Name>,
}

pub(super) fn shown(review: &Review, change: &Change, first: &Part<'_>) -> ChangeShown {
    ChangeShown {
        format: change.summary.format,
        format_version: change.summary.format_version.clone(),
        tool: change.summary.tool.clone(),
        actions: change.summary.actions.clone(),
        targets: change.summary.actions.values().sum(),
        withheld: change.summary.withheld,
        kind: change.change_kind.clone(),
        source: change.source.clone(),
        idempotency_key: change.idempotency_key.clone(),
        content_digest: change.content_digest,
        change_digest: change.change_digest,
        planned_at: change.planned_at,
        submitted_at: first.opened().map_or_else(Timestamp::default, |opened| opened.said.time),
        requester: change.requester.clone(),
        requester_verified: change.requester_verified,
        attachments: review.attachments().into_iter().map(|attachment| attachment.name.clone()).collect(),
    }
}

/// The review that this one supersedes (U5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Superseded {
    /// Which.
    pub review: ReviewId,
    /// The form of its id that people type.
    pub short: String,
    /// Its revision.
    pub revision: u32,
    /// What it came to; absent where that review is not at hand.
    pub outcome: Option<Outcome>,
    /// What is in force now and was not then.
    pub since: Vec<Since>,
}

/// Something that changed between two reviews of one content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Since {
    /// `model`, `catalog` or `release`.
    pub what: String,
    /// What it was.
    pub before: Digest,
    /// What it is.
    pub after: Digest,
}

pub(super) fn superseded(change: &Change) -> Option<Superseded> {
    let review = change.supersedes?;
    let revision = change.revision.saturating_sub(1);
    Some(Superseded { review, short: review.short(), revision, outcome: None, since: Vec::new() })
}

/// What is in force in the newest evaluation of `after` and was not in that of `before`.
pub(super) fn since(before: &Report, after: &Report) -> Vec<Since> {
    let pins = |report: &Report| report.evaluations.last().map(|evaluation| evaluation.pins.clone());
    let (Some(then), Some(now)) = (pins(before), pins(after)) else { return Vec::new() };
    [
        ("model", then.model, now.model),
        ("catalog", then.catalog, now.catalog),
        ("release", then.release, now.release),
    ]
    .into_iter()
    .filter(|(_, before, after)| before != after)
    .map(|(what, before, after)| Since { what: what.to_owned(), before, after })
    .collect()
}
