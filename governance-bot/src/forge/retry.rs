//! What follows from an outcome: done, again, or given up. A pure function.

#[cfg(test)]
mod tests;

use ontology::Timestamp;

use super::failure::Limit;
use super::limits::{BACK_OFF_MS, LIMIT_FLOOR_MS, MESSAGE_CHARS_MAX, RETRIES_MAX};
use super::operation::Class;
use super::wire::{Lost, Reply};

/// What follows from an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// The reply is the answer.
    Answered,
    /// The forge refused: it carried nothing out.
    Refused {
        /// Its words.
        message: String,
    },
    /// The token did not count. Once, with a fresh one, it may be sent again: nothing was carried out.
    Unauthorised {
        /// Its words.
        message: String,
    },
    /// Sent again after so many milliseconds.
    Again {
        /// The wait.
        wait_ms: u64,
        /// The limit waited for, where it is one.
        limit: Option<Limit>,
    },
    /// A limit, and this class is not sent again by the client: nothing was carried out.
    Limited {
        /// Which.
        limit: Limit,
        /// How long it lasts.
        wait_ms: u64,
    },
    /// It may or may not have been carried out.
    InDoubt {
        /// What came instead of an answer.
        why: String,
    },
    /// No attempt is left.
    GivenUp {
        /// What came instead of an answer.
        why: String,
    },
}

/// What follows from `outcome` of attempt number `attempt`, counted from 0.
#[must_use]
pub fn next(class: Class, attempt: u32, outcome: &Result<Reply, Lost>, server_now: Timestamp) -> Next {
    let reply = match outcome {
        Ok(reply) => reply,
        Err(Lost::TooLarge) => return Next::GivenUp { why: Lost::TooLarge.to_string() },
        Err(lost @ Lost::NotSent(_)) => return doubtful(class, attempt, lost.to_string(), false),
        Err(lost @ Lost::Unanswered(_)) => return doubtful(class, attempt, lost.to_string(), true),
    };
    if let Some((limit, wait_ms)) = limited(reply, attempt, server_now) {
        return match class {
            Class::Read | Class::Repeatable | Class::Marked => Next::Again { wait_ms, limit: Some(limit) },
            // The forge refused before it began. Even so: the gate evaluates anew instead of sending again.
            Class::Once => Next::Limited { limit, wait_ms },
        };
    }
    match reply.status {
        200..=299 | 304 => Next::Answered,
        401 => Next::Unauthorised { message: message(reply) },
        408 | 500..=599 => doubtful(class, attempt, format!("status {}", reply.status), true),
        _ => Next::Refused { message: message(reply) },
    }
}

/// `sent` is whether the forge may have carried the request out.
fn doubtful(class: Class, attempt: u32, why: String, sent: bool) -> Next {
    let again = attempt < RETRIES_MAX;
    match class {
        Class::Read | Class::Repeatable if again => {
            Next::Again { wait_ms: BACK_OFF_MS << attempt, limit: None }
        }
        // A request that never left may be sent, whatever it is; a merge is not, because the gate decides anew.
        Class::Marked if again && !sent => Next::Again { wait_ms: BACK_OFF_MS << attempt, limit: None },
        Class::Marked | Class::Once if sent => Next::InDoubt { why },
        Class::Read | Class::Repeatable | Class::Marked | Class::Once => Next::GivenUp { why },
    }
}

/// The limit that a reply tells of, and how long to wait. A bare 403 is a refusal like any other (research 1.14).
fn limited(reply: &Reply, attempt: u32, server_now: Timestamp) -> Option<(Limit, u64)> {
    if !matches!(reply.status, 403 | 429) {
        return None;
    }
    let floor_ms = LIMIT_FLOOR_MS << attempt.min(4);
    let said_ms = reply.number("retry-after").map(|seconds| seconds.saturating_mul(1_000));
    if reply.number("x-ratelimit-remaining") == Some(0) {
        let reset = reply.number("x-ratelimit-reset").and_then(|seconds| i64::try_from(seconds).ok());
        let left_us = reset.map_or(0, |seconds| {
            Timestamp::default().plus_seconds(seconds).as_micros() - server_now.as_micros()
        });
        // One second more: the header has whole seconds.
        let wait_ms = u64::try_from(left_us / 1_000).ok().filter(|left| *left > 0).map(|left| left + 1_000);
        return Some((Limit::Primary, said_ms.or(wait_ms).unwrap_or(floor_ms)));
    }
    let words = message(reply).to_lowercase();
    let secondary = said_ms.is_some()
        || reply.status == 429
        || words.contains("secondary rate limit")
        || words.contains("abuse detection");
    secondary.then(|| (Limit::Secondary, said_ms.unwrap_or(floor_ms)))
}

/// The forge's own words, cut at a character.
#[must_use]
pub fn message(reply: &Reply) -> String {
    let parsed: Option<serde_json::Value> = serde_json::from_slice(&reply.body).ok();
    let said = parsed.as_ref().and_then(|body| body.get("message")).and_then(serde_json::Value::as_str);
    let words = said.map_or_else(|| String::from_utf8_lossy(&reply.body).into_owned(), ToOwned::to_owned);
    words.chars().filter(|letter| !letter.is_control()).take(MESSAGE_CHARS_MAX).collect()
}
