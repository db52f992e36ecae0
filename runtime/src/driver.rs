//! The driver core: sans-IO. One loop, everywhere: live, restart, second replica, replay and simulation.
//!
//! A [`Seat`] is one agent in one process. It takes an [`Input`] and returns [`Action`]s; it never waits, never
//! looks at a clock and never touches a store. For each key it folds events in log order, each followed at once by
//! the agent's own step for that event: the recorded one if the log holds it, else what the agent decides, which
//! is then appended, one append in flight per (key, owner).

mod answering;
pub mod deadlines;
mod fold;
mod saying;
pub mod seat;
pub mod tail;
pub mod voice;

pub use deadlines::{Deadlines, Due};
pub use seat::{Member, Seat, Standing};
pub use tail::{Delivery, Tail};
pub use voice::Voice;

use topics::{Answer, Key, Needed, Owner, Position, Question, Step, StepId, Stored};

use crate::log::Expect;

/// What happens to a seat.
#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "inputs are moved once, and most are the large kinds")]
pub enum Input {
    /// The seat's own steps of a key, all that the log holds, before the first event of that key.
    Recorded {
        /// The key.
        key: Key,
        /// In log order.
        own: Vec<Stored>,
    },
    /// The log delivered a step. Delivered again, it is ignored.
    Event(Stored),
    /// The key was folded to the head that the log had at its start: from now on the seat appends and asks.
    Live(Key),
    /// What became of the append in flight.
    Reply {
        /// The key whose events are being folded (not that of a step to another key).
        key: Key,
        /// The step that was appended.
        step: StepId,
        /// The outcome.
        outcome: Outcome,
    },
    /// The seat's own steps after its last known head, as a read-back found them.
    ReadBack {
        /// The key.
        key: Key,
        /// The step whose fate was unclear.
        step: StepId,
        /// In log order.
        own: Vec<Stored>,
    },
    /// The world answered a question, owed or not.
    Answered {
        /// The key.
        key: Key,
        /// The question.
        question: Question,
        /// The answer.
        answer: Answer,
    },
    /// What an event needs is in the library now.
    Resolved(Key),
    /// It cannot be had.
    Unresolved {
        /// The key.
        key: Key,
        /// Why.
        why: String,
    },
    /// Try an append again that found no room or no log.
    Retry(Key),
    /// Take a parked key up again.
    Redrive(Key),
}

/// What became of an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Stored at this position.
    Stored(Position),
    /// Another head, a lost reply, a duplicate: read back.
    Unclear,
    /// Not stored; try again later.
    Later,
}

/// What a seat wants done.
#[derive(Debug, Clone)]
pub enum Action {
    /// Append a step; reply with [`Input::Reply`] for `key`.
    Append {
        /// The key whose events are being folded.
        key: Key,
        /// The step, to that key or another.
        step: Step,
        /// What the seat believes.
        expect: Expect,
    },
    /// Read the seat's own steps of `key` after a position; reply with [`Input::ReadBack`].
    ReadBack {
        /// The key.
        key: Key,
        /// The step whose fate is unclear.
        step: StepId,
        /// The last known head.
        after: Option<Position>,
    },
    /// Carry a question to the world; reply with [`Input::Answered`].
    Ask {
        /// The key.
        key: Key,
        /// The question.
        question: Question,
    },
    /// Bring these into the library; reply with [`Input::Resolved`] or [`Input::Unresolved`].
    Resolve {
        /// The key.
        key: Key,
        /// What an event names.
        needed: Vec<Needed>,
    },
    /// The seat parked the key at an event.
    Park {
        /// The key.
        key: Key,
        /// The event.
        event: StepId,
        /// Why.
        why: String,
    },
    /// The log holds other bytes than this logic says: the seat stopped for this key.
    Halt {
        /// The key.
        key: Key,
        /// Why.
        why: String,
    },
    /// Read the whole key and feed it again: recorded steps, events, live.
    Refold(Key),
}

/// The rules of the loop, each of which can be taken out to see that the simulator notices
/// (`tests/tests/simulation/switched_off.rs`). A running process has them all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// After an unclear append, read *all* own steps after the last known head; else only the last one.
    pub read_back_after_head: bool,
    /// A derived step's time is the greatest time folded; else its cause's.
    pub clock_is_greatest: bool,
    /// Steps to other keys go before the own one.
    pub others_first: bool,
    /// Other bytes of another logic are accepted; else they stop the agent.
    pub other_logic_wins: bool,
    /// Own observed steps are folded whether the agent reads their topic or not.
    pub own_observed_always: bool,
    /// A process that just went live waits 20 % of the budget before it fires an overdue deadline.
    pub deadlines_wait: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            read_back_after_head: true,
            clock_is_greatest: true,
            others_first: true,
            other_logic_wins: true,
            own_observed_always: true,
            deadlines_wait: true,
        }
    }
}

/// Every agent of this binary, in the fixed order in which the embedded loop runs them.
#[must_use]
pub fn all_agents() -> Vec<Box<dyn Seat>> {
    use agents::{Coordinator, Forseti, Huginn, Loki, Mimir, Muninn, Njord, Saga, Var, Vidar};
    vec![
        Member::<Huginn>::boxed(),
        Member::<Muninn>::boxed(),
        Member::<Mimir>::boxed(),
        Member::<Forseti>::boxed(),
        Member::<Coordinator>::boxed(),
        Member::<Njord>::boxed(),
        Member::<Vidar>::boxed(),
        Member::<Loki>::boxed(),
        Member::<Var>::boxed(),
        Member::<Saga>::boxed(),
        Member::<Voice>::boxed(),
    ]
}

/// The owners that [`all_agents`] hosts.
#[must_use]
pub fn hosted() -> Vec<Owner> {
    all_agents().iter().map(|seat| seat.role()).collect()
}
