//! The one door to the world: a request goes out, a reply or a loss comes back, and time passes.

use std::future::Future;

use ontology::Timestamp;

use super::operation::Method;

/// A request, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sending {
    /// What to do.
    pub method: Method,
    /// Path and query, encoded, from the API's root: `/repos/a/b/pulls/1?page=2`.
    pub target: String,
    /// Names in lower case, and values. The value of `authorization` is secret: it is not part of any message.
    pub headers: Vec<(&'static str, String)>,
    /// The body, JSON.
    pub body: Option<Vec<u8>>,
}

impl Sending {
    /// A header's value.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
    }
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body as it came.
    pub body: Vec<u8>,
}

impl Reply {
    /// A header's value.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A header's value as a number.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u64> {
        self.header(name)?.trim().parse().ok()
    }
}

/// No reply came. Whether the forge carried the request out is known in one case only.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// Nothing left this machine: no connection.
    #[error("connect to the forge: {0}")]
    NotSent(String),
    /// The request may have been carried out.
    #[error("read the forge's reply: {0}")]
    Unanswered(String),
    /// The reply is larger than [`REPLY_BYTES_MAX`].
    #[error("read the forge's reply: it is larger than {REPLY_BYTES_MAX} bytes")]
    TooLarge,
}

/// Bytes of a reply at most. A blob of 100 MB is the largest that the API hands out; nothing that the gate reads is near.
pub const REPLY_BYTES_MAX: usize = 32 << 20;

/// Sending, the clock and waiting: all the IO of the client.
pub trait Wire: Send + Sync {
    /// Sends once.
    ///
    /// # Errors
    /// When no reply came.
    fn send(&self, sending: &Sending) -> impl Future<Output = Result<Reply, Lost>> + Send;

    /// This machine's clock, which may be wrong: [`super::app::ClockOffset`].
    fn now(&self) -> Timestamp;

    /// Waits so many milliseconds.
    fn pause(&self, wait_ms: u64) -> impl Future<Output = ()> + Send;
}

impl<W: Wire> Wire for &W {
    async fn send(&self, sending: &Sending) -> Result<Reply, Lost> {
        (**self).send(sending).await
    }

    fn now(&self) -> Timestamp {
        (**self).now()
    }

    async fn pause(&self, wait_ms: u64) {
        (**self).pause(wait_ms).await;
    }
}
