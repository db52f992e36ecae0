//! What people are asked and what they answer, Var's (arb.md 2.10, U9, U13).

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Evaluation, Pins};
use crate::{Digest, Name, Principal, ReasonCode, Timestamp};

/// Bytes of what somebody says beside a decision, at most.
pub const BECAUSE_BYTES_MAX: usize = 512;

/// A person is asked. Bound to exactly these digests: anything else is another question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApprovalRequest {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The whole change.
    pub change_digest: Digest,
    /// The context it was judged in, if there was one.
    pub snapshot_digest: Option<Digest>,
    /// The evidence it was judged on, if it was sealed in time.
    pub bundle_digest: Option<Digest>,
    /// The case.
    pub case_digest: Digest,
    /// Every one of these has to be met, by different people where roles overlap.
    pub needs: Vec<ApprovalNeed>,
    /// What has to be decided, sorted.
    pub because: BTreeSet<ReasonCode>,
    /// After this nobody can answer.
    pub expires_at: Timestamp,
}

/// So many people of these roles.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApprovalNeed {
    /// One of these roles.
    pub roles: BTreeSet<Name>,
    /// At least one.
    pub quorum: u32,
}

/// What a person answered, as it came through the door. Whether it counts follows from the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApprovalSignal {
    /// The evaluation that was answered.
    pub evaluation: Evaluation,
    /// The case that was answered.
    pub case_digest: Digest,
    /// What was answered.
    pub decision: ApprovalDecision,
    /// The identity that answered, verified by the door.
    pub principal: Principal,
    /// The person behind it.
    pub person: Name,
    /// Every identity of that person.
    pub known_as: BTreeSet<Principal>,
    /// The roles of that person, when it was answered.
    pub roles: BTreeSet<Name>,
    /// The catalog that says so, and what else is in force.
    pub pins: Pins,
    /// In the person's words.
    pub because: Option<String>,
    /// An SSH signature of the statement, armoured, for anybody to check again (U13).
    pub signature: Option<String>,
}

/// An answer, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ApprovalDecision {
    /// It may go ahead.
    Approve,
    /// It may not.
    Reject,
    /// An approval is taken back: the review is judged anew.
    Revoke,
}

impl ApprovalDecision {
    /// For people and statements.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Reject => "reject",
            Self::Revoke => "revoke",
        }
    }
}

/// What became of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The case that was asked about.
    pub case_digest: Digest,
    /// What became of it.
    pub state: ApprovalState,
    /// Who approved, and counts; of a rejection, who rejected.
    pub people: BTreeSet<Name>,
}

/// What became of a request, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ApprovalState {
    /// Everybody needed approved.
    Approved,
    /// Somebody who may said no. Final for this request.
    Rejected,
    /// Nobody answered in time: neither a yes nor a no.
    Expired,
    /// What was asked about is not what is asked about any more.
    Void,
}

impl ApprovalState {
    /// For people.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::Void => "void",
        }
    }
}

/// Somebody asks that a reason which holds the review be accepted for a while (U9). A person decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExceptionAsked {
    /// The evaluation that was held.
    pub evaluation: Evaluation,
    /// Who asks; counts as a requester, so may not approve.
    pub requester: Principal,
    /// The reason.
    pub code: ReasonCode,
    /// What it is about; every subject, where absent.
    pub subject: Option<String>,
    /// Until when.
    pub until: Timestamp,
    /// Why.
    pub because: String,
    /// What is in force.
    pub pins: Pins,
}

impl ExceptionAsked {
    /// Whether it is about this reason.
    #[must_use]
    pub fn covers(&self, reason: &crate::Reason) -> bool {
        reason.code == self.code && (self.subject.is_none() || self.subject == reason.subject)
    }
}
