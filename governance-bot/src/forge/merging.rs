//! The merge: sent once, with the head that was evaluated and the words that were composed.

#[cfg(test)]
mod tests;

use ontology::Timestamp;
use serde_json::json;

use super::call::Call;
use super::client::{Actor, Client};
use super::failure::Failure;
use super::operation::Operation;
use super::wire::Wire;

/// How it is merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeMethod {
    /// One commit.
    Squash,
    /// Each commit on top of the base.
    Rebase,
    /// A merge commit.
    Merge,
}

impl MergeMethod {
    const fn word(self) -> &'static str {
        match self {
            Self::Squash => "squash",
            Self::Rebase => "rebase",
            Self::Merge => "merge",
        }
    }
}

/// A merge to be asked for. There is none without a head (fault 52) or without words (faults 88, 89: the forge's own
/// join the messages, which makes prose of trailers and lets unwanted ones in).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merge<'a> {
    /// `owner/name`.
    pub full_name: &'a str,
    /// The pull request.
    pub number: u64,
    /// The head that was evaluated: any other is refused by the forge.
    pub head: &'a str,
    /// How.
    pub method: MergeMethod,
    /// The landed commit's subject.
    pub title: &'a str,
    /// The landed commit's text, trailers last.
    pub message: &'a str,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergeOutcome {
    /// It landed, says the forge. What landed is verified over git.
    Landed {
        /// The landed commit.
        sha: String,
    },
    /// The forge refused: nothing landed.
    Refused {
        /// Why, as far as it is known.
        reason: MergeRefusal,
        /// The forge's words.
        message: String,
    },
    /// It may have landed: to be found out by reading refs and trees, never by sending again (faults 57, 58).
    Unknown {
        /// What came instead of an answer.
        why: String,
    },
}

/// Why a merge was refused. One status has several reasons (faults 55, 59).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeRefusal {
    /// The head is another one by now: evaluate anew.
    HeadMoved,
    /// The base moved while it was merged (fault 54): evaluate anew.
    BaseMoved,
    /// Another merge is going on (fault 56): evaluate anew.
    InProgress,
    /// It is a draft (fault 61).
    Draft,
    /// It conflicts, is closed, or the forge does not say more.
    NotMergeable,
    /// A rule of the forge is not satisfied.
    RuleUnmet,
    /// This way of merging is not allowed.
    MethodNotAllowed,
    /// We may not merge here.
    NotPermitted,
    /// A limit, until then.
    Limited(Timestamp),
    /// Words that this version does not know: no retry.
    Other,
}

impl MergeRefusal {
    /// Whether it may be different soon. Even then the pull request is evaluated anew, not the request repeated.
    #[must_use]
    pub const fn is_transient(self) -> bool {
        matches!(self, Self::HeadMoved | Self::BaseMoved | Self::InProgress | Self::Limited(_))
    }

    /// From the forge's status and words.
    #[must_use]
    pub fn of(status: u16, message: &str) -> Self {
        let words = message.to_lowercase();
        let table: [(u16, &str, Self); 12] = [
            (409, "head branch was modified", Self::HeadMoved),
            (405, "base branch was modified", Self::BaseMoved),
            (405, "merge already in progress", Self::InProgress),
            (405, "still a draft", Self::Draft),
            (405, "is not mergeable", Self::NotMergeable),
            (405, "required status check", Self::RuleUnmet),
            (405, "review is required", Self::RuleUnmet),
            (405, "rule violations", Self::RuleUnmet),
            (405, "merges are not allowed", Self::MethodNotAllowed),
            (405, "not authorized", Self::NotPermitted),
            (409, "not authorized", Self::NotPermitted),
            (403, "", Self::NotPermitted),
        ];
        let found = table.into_iter().find(|(of, part, _)| *of == status && words.contains(part));
        found.map_or(Self::Other, |(_, _, reason)| reason)
    }
}

/// Asks for a merge: one request, whatever becomes of it.
///
/// # Errors
/// When it could not be asked for: nothing landed.
pub async fn merge<W: Wire>(
    client: &Client<W>,
    actor: Actor,
    merge: &Merge<'_>,
) -> Result<MergeOutcome, Failure> {
    let body = json!({
        "sha": merge.head, "merge_method": merge.method.word(), "commit_title": merge.title,
        "commit_message": merge.message,
    });
    let call = Call::of(Operation::MERGE, merge.full_name).at("pull_number", merge.number).sending(body);
    match client.call(actor, &call).await {
        Ok(answer) => {
            let said: serde_json::Value = answer.view(Operation::MERGE).unwrap_or_default();
            Ok(match (said["merged"].as_bool(), said["sha"].as_str()) {
                (Some(true), Some(sha)) => MergeOutcome::Landed { sha: sha.to_owned() },
                _ => MergeOutcome::Unknown { why: "an answer that is none".to_owned() },
            })
        }
        Err(Failure::Refused { status, message, .. }) => {
            Ok(MergeOutcome::Refused { reason: MergeRefusal::of(status, &message), message })
        }
        Err(Failure::Limited { until, limit, .. }) => {
            let message = format!("{limit:?} limit");
            Ok(MergeOutcome::Refused { reason: MergeRefusal::Limited(until), message })
        }
        Err(Failure::InDoubt { why, .. }) => Ok(MergeOutcome::Unknown { why }),
        Err(failure) => Err(failure),
    }
}
