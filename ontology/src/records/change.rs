//! What Huginn says: a change was taken in, or refused, or somebody added to it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::document::{Action, ChangeDocument, Format};
use super::{Evaluation, Pins};
use crate::model::Rehearsal;
use crate::{Content, Digest, Money, Name, ObjectId, Principal, ReviewId, Timestamp};

/// A client clock further ahead than this is refused (arb.md 4.6, 9.1).
pub const CLOCK_SKEW_MAX_S: i64 = 30;
/// Attachments of one submission at most.
pub const ATTACHMENTS_MAX: usize = 16;

/// One immutable planned revision with one or many targets (S-01). Opens evaluation 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The review it opens.
    pub review: ReviewId,
    /// 1, or one more than that of the review it supersedes.
    pub revision: u32,
    /// The review of the same content that it supersedes.
    pub supersedes: Option<ReviewId>,
    /// Where the change comes from.
    pub source: Name,
    /// Unique at that source; by default the digest of content, model, catalog and evidence (U5).
    pub idempotency_key: Name,
    /// `infrastructure`, `promotion` or another.
    pub change_kind: Name,
    /// Only planned changes are reviewed (S-21).
    pub intent: Intent,
    /// Who asks.
    pub requester: Principal,
    /// Whether the requester's identity was verified, not only stated (U13).
    pub requester_verified: bool,
    /// The digest of what the change is, whatever the file's bytes (U5).
    pub content_digest: Digest,
    /// The digest of the whole change: content and requested release, not times or submitter (S-22).
    pub change_digest: Digest,
    /// The normalised, redacted change.
    pub document: Content<ChangeDocument>,
    /// What it amounts to.
    pub summary: ChangeSummary,
    /// When the plan was made, as it says.
    pub planned_at: Option<Timestamp>,
    /// The release the change asks for (S-08).
    pub requested_release: Digest,
    /// What is in force.
    pub pins: Pins,
    /// Claims of the requester.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// The organisation's process it belongs to (S-31).
    pub process_ref: Option<ObjectId>,
}

/// What the change is meant to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Intent {
    /// It has not happened yet.
    Planned,
}

/// A change in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeSummary {
    /// The format it came in.
    pub format: Format,
    /// That format's version.
    pub format_version: String,
    /// The tool that made it.
    pub tool: Option<String>,
    /// Targets by action.
    pub actions: BTreeMap<Action, u32>,
    /// Values withheld (U3).
    pub withheld: u32,
}

/// A claim of the requester: never fills a required key by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Attachment {
    /// Its file's name.
    pub name: Name,
    /// Digest of the normalised claim.
    pub digest: Digest,
    /// When it was made, as it says.
    pub made_at: Option<Timestamp>,
    /// What it claims.
    pub claim: AttachmentKind,
}

/// What an attachment claims.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AttachmentKind {
    /// Monthly cost differences by address (infracost's JSON).
    CostEstimate(CostEstimate),
    /// A rehearsal of a recovery plan.
    RecoveryRehearsal(RehearsalClaim),
}

/// A cost estimate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CostEstimate {
    /// Total monthly difference.
    pub monthly_delta: Money,
    /// The same by address, where the estimate tells; only non-zero ones.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by_address: BTreeMap<ObjectId, Money>,
}

/// A rehearsal, as its requester states it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RehearsalClaim {
    /// The recovery plan or the object it recovers.
    pub object: ObjectId,
    /// What was measured.
    pub rehearsal: Rehearsal,
}

/// A submission that was not accepted; the review it names, if any, is untouched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeRefused {
    /// Who asked.
    pub requester: Principal,
    /// The digest of the refused change.
    pub change_digest: Digest,
    /// Why, in words.
    pub why: String,
}

/// More evidence for a review, with what is now in force. Opens the next evaluation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Who brings it.
    pub requester: Principal,
    /// The claims.
    pub attachments: Vec<Attachment>,
    /// What is in force now.
    pub pins: Pins,
}

/// Somebody asks to judge again with what is now in force. Opens the next evaluation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecheckAsked {
    /// Who asks.
    pub requester: Principal,
    /// The evaluation that they saw.
    pub seen: Evaluation,
    /// What is in force now.
    pub pins: Pins,
}

/// Another principal submitted the same change, and so may not approve it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequesterAdded {
    /// The other principal.
    pub requester: Principal,
}

impl Change {
    /// The digest of the whole change (S-22): content and requested release.
    #[must_use]
    pub fn digest_of(content: Digest, requested_release: Digest, change_kind: &Name) -> Digest {
        Digest::of_value(&(content, requested_release, change_kind))
    }
}
