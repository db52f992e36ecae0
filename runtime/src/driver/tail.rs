//! A reader's own cursor over one shard: duplicates are dropped, a gap is noticed, a log that lost its tail halts.

use topics::Position;

/// A cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tail {
    last: Option<Position>,
}

/// What to do with a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// The next one: fold it.
    Next,
    /// Seen before: drop it.
    Duplicate,
    /// Something is missing: read again after this position.
    Gap {
        /// The last position that was delivered in order.
        after: Option<Position>,
    },
}

impl Tail {
    /// A cursor after `last`.
    #[must_use]
    pub const fn after(last: Option<Position>) -> Self {
        Self { last }
    }

    /// The last position that was delivered in order.
    #[must_use]
    pub const fn last(&self) -> Option<Position> {
        self.last
    }

    /// Judges a delivery, and moves on if it is the next one. Positions of a shard start at 1 and have no gaps.
    pub fn deliver(&mut self, position: Position) -> Delivery {
        let next = self.last.map_or(1, |last| last.0 + 1);
        if position.0 < next {
            Delivery::Duplicate
        } else if position.0 == next {
            self.last = Some(position);
            Delivery::Next
        } else {
            Delivery::Gap { after: self.last }
        }
    }

    /// Whether the log lost its tail: its head is before this cursor. Halt, never wait.
    #[must_use]
    pub fn is_ahead_of(&self, head: Option<Position>) -> bool {
        self.last > head
    }
}
