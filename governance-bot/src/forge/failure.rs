//! Why a call gave nothing, as far as a caller has to tell apart.

use ontology::Timestamp;

/// A call that gave nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The forge answered no. It carried nothing out.
    #[error("{operation}: the forge answered {status}: {message}")]
    Refused {
        /// The operation.
        operation: &'static str,
        /// The HTTP status.
        status: u16,
        /// The forge's own words, cut.
        message: String,
        /// `x-github-request-id`.
        request_id: Option<String>,
    },
    /// A limit was reached and lasts longer than this call may wait. Nothing was carried out.
    #[error("{operation}: {limit:?} limit until {until}")]
    Limited {
        /// The operation.
        operation: &'static str,
        /// Which limit.
        limit: Limit,
        /// When it ends, as far as is known.
        until: Timestamp,
    },
    /// Whether it was carried out is not known, and it must not be sent again before that is found out.
    #[error("{operation}: whether it was carried out is unknown: {why}")]
    InDoubt {
        /// The operation.
        operation: &'static str,
        /// What came instead of an answer.
        why: String,
    },
    /// A read gave no answer after every attempt.
    #[error("{operation}: no answer after {attempts} attempts: {why}")]
    Unreachable {
        /// The operation.
        operation: &'static str,
        /// How often it was sent.
        attempts: u32,
        /// What came instead of an answer.
        why: String,
    },
    /// The answer is not what the operation answers.
    #[error("{operation}: read the answer: {why}")]
    Unreadable {
        /// The operation.
        operation: &'static str,
        /// Which place, and what stands there.
        why: String,
    },
    /// The key of the App does not sign.
    #[error("sign the App's token: {0}")]
    Key(String),
}

/// A limit of the forge, or ours before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Requests an hour.
    Primary,
    /// Too much at once; the forge does not say what.
    Secondary,
    /// Content made a minute or an hour (fault 79).
    Content,
}

impl Failure {
    /// The forge says that there is no such thing, or hides it from us: the two look alike (fault 33).
    #[must_use]
    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::Refused { status: 404 | 410, .. })
    }

    /// The forge's words, where it refused.
    #[must_use]
    pub fn refusal(&self) -> Option<(u16, &str)> {
        match self {
            Self::Refused { status, message, .. } => Some((*status, message)),
            Self::Limited { .. }
            | Self::InDoubt { .. }
            | Self::Unreachable { .. }
            | Self::Unreadable { .. }
            | Self::Key(_) => None,
        }
    }
}
