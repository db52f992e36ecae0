//! The log: the truth. One ordered sequence of steps a shard; a step is appended once or not at all.

pub mod embedded;
pub mod index;
pub mod memory;

use std::future::Future;

use ontology::{Name, Timestamp};
use topics::{Key, Owner, Position, Step, Stored};

/// What the writer believes about the last step of (key, owner).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// Nothing: a step `To` another key. Said again, it is the same step in the same slot and is not stored twice
    /// while the log remembers it; readers count the first with its id in any case.
    Any,
    /// The last step of (key, owner) is at this position; `None`: there is none.
    Head(Option<Position>),
}

/// What became of an append.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Append {
    /// All steps are stored, at these positions.
    Stored(Vec<Position>),
    /// Nothing is stored: the head of (key, owner) is another.
    Conflict {
        /// The owner whose head differs.
        owner: Owner,
        /// Where its last step of the key is.
        head: Option<Position>,
    },
    /// Nobody knows whether anything is stored: read back.
    Unknown,
    /// Nothing is stored: there is no room.
    Full,
    /// Nothing is stored, and trying again will not help.
    Refused(String),
}

/// A log that does not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// It may answer later.
    #[error("reach the log: {0}")]
    Retry(String),
    /// Somebody else holds it.
    #[error("open the log: it is held by another process")]
    Locked,
    /// It is damaged, or of a version that this binary does not read.
    #[error("read the log: {0}")]
    Damaged(String),
}

/// One ordered log among several; the embedded file is shard 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Shard(pub u16);

/// What a log says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Info {
    /// Which creation of the log this is. A log that was replaced has another.
    pub incarnation: Name,
    /// The last position; `None` while empty.
    pub head: Option<Position>,
    /// Steps stored.
    pub steps: u64,
    /// Whether it outlives the process.
    pub durable: bool,
    /// Steps that one append may hold.
    pub steps_per_append: usize,
}

/// A log as a driver sees it. All stores pass one contract suite (`tests/tests/log_contract.rs`).
pub trait EventLog: Send + Sync + 'static {
    /// Appends all of `steps` or none, each with what the writer believes.
    fn append(&self, steps: &[Step], expect: &[Expect]) -> impl Future<Output = Append> + Send;
    /// The last step of (key, owner), from the leader.
    fn last(
        &self,
        key: &Key,
        owner: Owner,
    ) -> impl Future<Output = Result<Option<Stored>, Unavailable>> + Send;
    /// The steps of a key after a position, in order.
    fn read(
        &self,
        key: &Key,
        after: Option<Position>,
    ) -> impl Future<Output = Result<Vec<Stored>, Unavailable>> + Send;
    /// At most `limit` steps of the shard after a position, in order.
    fn tail(
        &self,
        shard: Shard,
        after: Option<Position>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Stored>, Unavailable>> + Send;
    /// What the shard says of itself.
    fn info(&self, shard: Shard) -> impl Future<Output = Result<Info, Unavailable>> + Send;
}

/// A log in this process: it answers at once, and this process is its only writer.
pub trait LocalLog: Send + Sync + 'static {
    /// See [`EventLog::append`]. Steps may span keys: the cascade that one event sets off is one transaction.
    fn append_now(&self, steps: &[Step], expect: &[Expect], at: Timestamp) -> Append;
    /// See [`EventLog::last`].
    fn last_now(&self, key: &Key, owner: Owner) -> Result<Option<Stored>, Unavailable>;
    /// See [`EventLog::read`].
    fn read_now(&self, key: &Key, after: Option<Position>) -> Result<Vec<Stored>, Unavailable>;
    /// See [`EventLog::tail`].
    fn tail_now(&self, after: Option<Position>, limit: usize) -> Result<Vec<Stored>, Unavailable>;
    /// Hands the stored bytes of every step to `take`, in order: for whoever looks at bytes alone.
    fn scan_now(&self, take: &mut dyn FnMut(Position, &[u8])) -> Result<(), Unavailable> {
        const PAGE: usize = 4_096;
        let mut after = None;
        loop {
            let page = self.tail_now(after, PAGE)?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.position);
            page.iter().for_each(|stored| take(stored.position, stored.step.bytes()));
        }
    }
    /// See [`EventLog::info`].
    fn info_now(&self) -> Result<Info, Unavailable>;
    /// Keys whose fold may still be needed, in the order of their first step.
    fn open_keys(&self) -> Result<Vec<Key>, Unavailable>;
    /// Marks a review as closed: its positions move from memory to one index row.
    fn close(&self, key: &Key);
    /// The newest review of a change with this content, by [`index::content_slot`].
    fn newest_of(&self, slot: &[u8; 32]) -> Result<Option<Key>, Unavailable>;
    /// Keys whose text starts with `prefix`, at most `limit`.
    fn keys_with(&self, prefix: &str, limit: usize) -> Result<Vec<Key>, Unavailable>;
    /// Reviews, latest first by their latest step, at most `limit`.
    fn reviews(&self, limit: usize) -> Result<Vec<Key>, Unavailable>;
}

/// The wall clock, for a local log that is used through [`EventLog`].
#[allow(
    clippy::disallowed_methods,
    reason = "a log's `at` is the wall clock's; no decision reads it elsewhere"
)]
#[must_use]
pub fn wall_clock() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

impl<L: LocalLog> EventLog for L {
    async fn append(&self, steps: &[Step], expect: &[Expect]) -> Append {
        self.append_now(steps, expect, wall_clock())
    }

    async fn last(&self, key: &Key, owner: Owner) -> Result<Option<Stored>, Unavailable> {
        self.last_now(key, owner)
    }

    async fn read(&self, key: &Key, after: Option<Position>) -> Result<Vec<Stored>, Unavailable> {
        self.read_now(key, after)
    }

    async fn tail(
        &self,
        _: Shard,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<Stored>, Unavailable> {
        self.tail_now(after, limit)
    }

    async fn info(&self, _: Shard) -> Result<Info, Unavailable> {
        self.info_now()
    }
}
