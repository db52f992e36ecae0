//! When an owed deadline may be said to have passed (C9). Durable: what is owed follows from the log, so a restart
//! loses none.

use ontology::Timestamp;
use topics::Deadline;

use super::{Rules, Standing};

/// Microseconds in a millisecond of budget, divided by five: 20 % of the budget.
const GRACE_US_PER_BUDGET_MS: i64 = 200;

/// The deadlines of one process.
#[derive(Debug, Clone, Copy)]
pub struct Deadlines {
    live_since: Timestamp,
    rules: Rules,
}

/// What a key's deadlines say now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Due {
    /// This one has passed: say so.
    Now(Deadline),
    /// Look again at this time.
    At(Timestamp),
    /// Nothing is owed, or an append is under way and the key is looked at again after it.
    Never,
}

impl Deadlines {
    /// For a process that went live at this time.
    #[must_use]
    pub const fn new(live_since: Timestamp, rules: Rules) -> Self {
        Self { live_since, rules }
    }

    /// The earliest deadline among agents that are not parked, if it may be fired at `now`: every seat of this
    /// process has folded the key to its head with no open append, and a process that just went live lets 20 % of
    /// the budget pass, so that what is on its way may arrive.
    #[must_use]
    pub fn due(&self, standings: &[Standing], now: Timestamp) -> Due {
        let owed = standings
            .iter()
            .filter(|standing| !standing.parked)
            .filter_map(|standing| standing.deadline.as_ref());
        let Some(first) = owed.min() else { return Due::Never };
        let grace = i64::try_from(first.budget_ms).unwrap_or(i64::MAX).saturating_mul(GRACE_US_PER_BUDGET_MS);
        let patient = self.live_since.plus_micros(grace);
        let at = if self.rules.deadlines_wait { first.at.max(patient) } else { first.at };
        if at > now {
            return Due::At(at);
        }
        if standings.iter().any(|standing| standing.busy && !standing.parked) {
            return Due::Never;
        }
        Due::Now(first.clone())
    }
}
