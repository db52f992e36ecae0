//! What may still be asked: the forge's count of requests, and our count of content made.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use ontology::Timestamp;
use ontology::time::MILLISECOND_US;

use super::limits::{CONTENT_PER_HOUR, CONTENT_PER_MINUTE};
use super::wire::Reply;

/// The budget of one installation, or of the App.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Budget {
    /// Requests left in this hour, as the newest reply says.
    pub remaining: Option<u64>,
    /// Requests of an hour.
    pub limit: Option<u64>,
    /// When the hour ends, by the forge's clock.
    pub reset: Option<Timestamp>,
    /// Nothing is sent before this: a secondary limit was met.
    pub blocked_until: Option<Timestamp>,
    made: VecDeque<Timestamp>,
}

impl Budget {
    /// Takes in what a reply says of the limits.
    pub fn note(&mut self, reply: &Reply) {
        // GraphQL and search count apart: their numbers would hide those of the core.
        if reply.header("x-ratelimit-resource").is_some_and(|resource| resource != "core") {
            return;
        }
        self.remaining = reply.number("x-ratelimit-remaining").or(self.remaining);
        self.limit = reply.number("x-ratelimit-limit").or(self.limit);
        let reset = reply.number("x-ratelimit-reset").and_then(|seconds| i64::try_from(seconds).ok());
        self.reset = reset.map(|seconds| Timestamp::default().plus_seconds(seconds)).or(self.reset);
    }

    /// Whether fewer requests than `reserve` are left before the hour ends. Unknown is not low: the first call tells.
    #[must_use]
    pub fn is_low(&self, reserve: u64, server_now: Timestamp) -> bool {
        self.reset.is_none_or(|reset| server_now < reset)
            && self.remaining.is_some_and(|remaining| remaining < reserve)
    }

    /// Milliseconds until content may be made: 80 in any minute and 500 in any hour (fault 79).
    #[must_use]
    pub fn content_wait_ms(&self, now: Timestamp) -> u64 {
        let wait = |most: usize, window_s: i64| {
            let newest = self.made.len().checked_sub(most).and_then(|at| self.made.get(at));
            newest.map_or(0, |made| made.plus_seconds(window_s).as_micros() - now.as_micros())
        };
        let wait_us = wait(CONTENT_PER_MINUTE, 60).max(wait(CONTENT_PER_HOUR, 3_600)).max(0);
        u64::try_from(wait_us).unwrap_or(0).div_ceil(MILLISECOND_US.unsigned_abs())
    }

    /// Counts content made now.
    pub fn made_content(&mut self, now: Timestamp) {
        self.made.push_back(now);
        while self.made.len() > CONTENT_PER_HOUR {
            self.made.pop_front();
        }
    }
}
