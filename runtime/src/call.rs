//! What one may ask a node, in process, over its socket or over HTTP: one set of calls, one implementation.

mod given;

use ontology::records::ApprovalDecision;
use ontology::{Digest, Name, ObjectId, Principal, ReasonCode, ReviewId, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::{Outcome, Report};
pub use given::{Given, Manifests};

/// A file that came with a call, as its giver names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Its path, relative to what was given.
    pub path: String,
    /// Its content. Text: every input format is.
    pub text: String,
}

/// Who calls, and whether that was verified (U13). Never taken from the call's own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The principal.
    pub principal: Principal,
    /// Whether the socket, token or process proved it.
    pub verified: bool,
}

/// A question or command to a node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Call {
    /// Take a change in and review it.
    Submit(Box<Submit>),
    /// Add claims to a review and judge it again.
    Evidence {
        /// The review, or a unique prefix of its id.
        review: String,
        /// The claims.
        evidence: Vec<File>,
    },
    /// Judge a review again with what is in force now.
    Recheck {
        /// The review, or a unique prefix of its id.
        review: String,
    },
    /// Answer what a person is asked about a review, or take an approval back.
    Decide {
        /// The review, or a unique prefix of its id.
        review: String,
        /// The answer.
        decide: Decide,
    },
    /// Ask that a reason which holds a review be accepted for a while.
    AcceptGap {
        /// The review, or a unique prefix of its id.
        review: String,
        /// The reason.
        gap: Gap,
    },
    /// Show a review.
    Review {
        /// The review, or a unique prefix of its id.
        review: String,
    },
    /// Ask whether a plan may be applied now.
    Admit {
        /// The review, or a unique prefix of its id.
        review: String,
        /// The plan, change file or manifests.
        change: Given,
    },
    /// The stored steps of a review, a body's key, or another key.
    Steps {
        /// The review (or a unique prefix), or any key.
        key: String,
    },
    /// Reviews, latest first.
    List {
        /// At most so many.
        limit: usize,
    },
    /// Steps of the log after a position, in order.
    Events {
        /// After this position; from the start, where absent.
        after: Option<u64>,
        /// At most so many.
        limit: usize,
    },
    /// How the node does: log, agents, what is missing.
    Status,
    /// Take parked agents of a review up again.
    Redrive {
        /// The review, or a unique prefix of its id.
        review: String,
    },
    /// Compare what the audit vouches for with what the log holds, by digests alone.
    Digests,
    /// Re-decide from observed steps and compare every derived step.
    Replay {
        /// The review, or a unique prefix of its id; all, where absent.
        review: Option<String>,
    },
}

/// A change to take in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Submit {
    /// The plan, change file or manifests.
    pub change: Given,
    /// Claims (infracost, rehearsals).
    #[serde(default)]
    pub evidence: Vec<File>,
    /// Where the change comes from; `local` where absent.
    pub source: Option<Name>,
    /// Unique at that source; by default the digest of content, model, catalog and evidence (U5).
    pub idempotency_key: Option<Name>,
    /// Overrides the kind that the file states.
    pub change_kind: Option<Name>,
    /// The ontology release asked for; the deployment's where absent.
    pub release: Option<Digest>,
    /// The organisation's process it belongs to (S-31).
    pub process_ref: Option<ObjectId>,
    /// The model directory's files; what is in force, where absent.
    pub model: Option<Vec<File>>,
    /// The catalog directory's files; what is in force, where absent.
    pub catalog: Option<Vec<File>>,
    /// The caller's clock. More than 30 s ahead of the node's is refused.
    pub sent_at: Timestamp,
}

/// A person's answer. Who answers is the caller, or who signed (U13).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decide {
    /// The answer.
    pub decision: ApprovalDecision,
    /// In the person's words.
    pub because: Option<String>,
    /// The case that the person saw; an answer to another one is refused.
    pub case_digest: Option<Digest>,
    /// An SSH signature of the statement, armoured, in the namespace `arb-approval`.
    pub signature: Option<String>,
}

/// An exception that is asked for (U9).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// The reason.
    pub code: ReasonCode,
    /// What it is about; every subject, where absent.
    pub subject: Option<String>,
    /// Until when.
    pub until: Timestamp,
    /// Why.
    pub because: String,
}

/// What a node answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// A change was taken in, or was there already.
    Submitted(Submitted),
    /// Evidence or a recheck was taken in.
    Accepted {
        /// The review.
        review: ReviewId,
    },
    /// A review.
    Review(Box<Report>),
    /// Whether a plan may be applied.
    Admission(Admission),
    /// Stored steps.
    Steps(Vec<StoredStep>),
    /// Reviews.
    List(Vec<Listed>),
    /// How the node does.
    Status(NodeStatus),
    /// What replay found.
    Replayed(ReplayReport),
    /// What comparing digests found.
    Compared(DigestReport),
}

/// What became of a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Submitted {
    /// The review.
    pub review: ReviewId,
    /// Its revision.
    pub revision: u32,
    /// The same change was accepted before: this is the stored review.
    pub replayed: bool,
}

/// Whether a plan may be applied now. Records nothing and starts nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Admission {
    /// The review.
    pub review: ReviewId,
    /// Its newest evaluation.
    pub evaluation: u8,
    /// What that came to.
    pub outcome: Outcome,
    /// Whether it may.
    pub admitted: bool,
    /// Why, or why not.
    pub why: String,
}

/// A step as the log holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoredStep {
    /// Its position.
    pub position: u64,
    /// When the log took it.
    pub at: Timestamp,
    /// Its stored bytes.
    pub bytes: ontology::Bytes,
}

/// A review in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// The review.
    pub review: ReviewId,
    /// Its revision.
    pub revision: u32,
    /// Its newest evaluation.
    pub evaluation: u8,
    /// Its outcome in a word: a recommendation, or `undecided`.
    pub outcome: String,
    /// When it was taken in.
    pub submitted_at: Timestamp,
    /// What it is, in a line.
    pub what: String,
}

/// How a node does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeStatus {
    /// The process that holds the log.
    pub pid: u32,
    /// Since when it is live.
    pub live_since: Timestamp,
    /// Which log.
    pub log: String,
    /// Whether the log outlives the process.
    pub durable: bool,
    /// Steps in the log.
    pub steps: u64,
    /// Its last position.
    pub head: Option<u64>,
    /// The log's incarnation.
    pub incarnation: Name,
    /// The model in force: its digest and counts in words, or that there is none.
    pub model: String,
    /// The catalog in force: its name and digest.
    pub catalog: String,
    /// Open reviews.
    pub open_reviews: u64,
    /// Agents, and keys parked at each.
    pub agents: Vec<AgentStatus>,
    /// What is missing before a change can be more than held, each with its cure.
    pub advice: Vec<String>,
}

/// How an agent does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentStatus {
    /// The agent.
    pub agent: String,
    /// Its logic number.
    pub logic: u16,
    /// Keys it parked, with the reason each.
    pub parked: Vec<String>,
}

/// What replay found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplayReport {
    /// Reviews replayed.
    pub reviews: u64,
    /// Derived steps that were decided again to equal bytes.
    pub equal: u64,
    /// Observed steps whose content was recomputed to equal bytes.
    pub observed: u64,
    /// Steps of another logic number, which this binary does not answer for.
    pub other_logic: u64,
    /// What differs, a line each.
    pub differences: Vec<String>,
}

/// What comparing digests found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DigestReport {
    /// Records in the log.
    pub records: u64,
    /// Audit entries.
    pub entries: u64,
    /// Records that the entries list.
    pub vouched: u64,
    /// What differs, a line each.
    pub differences: Vec<String>,
}

/// A call that failed: a stable code with a page in `docs/reasons/`, and words (U6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{message}")]
#[serde(deny_unknown_fields)]
pub struct CallError {
    /// The code.
    pub code: ErrorCode,
    /// What, where, and how to fix it.
    pub message: String,
}

/// Why a call failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorCode {
    /// What was given cannot be used.
    BadInput,
    /// There is no such review.
    NotFound,
    /// The identity is taken by another change, or the review's evaluations are used up.
    Conflict,
    /// Who calls may not do this, or not so.
    Refused,
    /// The log cannot be reached.
    LogUnavailable,
    /// The log is held by a process that does not answer.
    Locked,
    /// A fault of this program.
    Internal,
    /// Not now: no room, too many open reviews, a log that is away. Nothing was accepted.
    Retry,
}

impl ErrorCode {
    /// The stable text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BadInput => "bad-input",
            Self::NotFound => "not-found",
            Self::Conflict => "conflict",
            Self::Refused => "refused",
            Self::LogUnavailable => "log-unavailable",
            Self::Locked => "locked",
            Self::Internal => "internal",
            Self::Retry => "retry",
        }
    }
}

impl CallError {
    /// An error with its code.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// Anything that answers calls: a node in this process, or one behind its socket.
pub trait Answers {
    /// Carries out a call on behalf of this process' user.
    ///
    /// # Errors
    /// [`CallError`] with a stable code.
    fn call(&self, call: Call) -> Result<Reply, CallError>;
}
