//! The client: sends calls, waits, tries again where that is right, keeps what was read, and counts.

mod listing;
mod once;
mod tokens;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use ontology::Timestamp;
use serde::de::DeserializeOwned;

use super::app::{AppKey, ClockOffset};
use super::budget::Budget;
use super::call::Call;
use super::etags::{Etags, Kept};
use super::evidence::{Evidence, Source};
use super::failure::{Failure, Limit};
use super::limits::{KEPT_BYTES_MAX, PATIENCE_MS};
use super::operation::{Class, Method, Operation};
use super::retry::{self, Next};
use super::secret::Secret;
use super::wire::{Lost, Reply, Sending, Wire};

pub use listing::Listed;
pub use once::Made;

/// Whom a call is made as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// The App itself: its installations, its webhook deliveries.
    App,
    /// An installation of the App, by id.
    Installation(u64),
}

/// How the client proves who it is.
#[derive(Debug)]
pub enum Credentials {
    /// A GitHub App: a token of its own, and one for each installation.
    App(Box<AppKey>),
    /// One token for everything: a workflow's, or a person's for a look.
    Token(Secret),
}

/// What was asked and what it cost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Requests sent.
    pub calls: u64,
    /// Of them, answered 304: not counted by the forge's limit.
    pub not_modified: u64,
    /// Bytes of bodies received.
    pub bytes: u64,
    /// Milliseconds waited.
    pub waited_ms: u64,
    /// Requests sent, by operation.
    pub by_operation: BTreeMap<&'static str, u64>,
}

/// An answer: the body as it came, and where it came from.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The body. After a 304, the one that was kept.
    pub body: Vec<u8>,
    /// The same, compressed, to keep.
    pub evidence: Evidence,
    /// The `Link` header.
    pub link: Option<String>,
    /// The exchange.
    pub source: Source,
}

impl Answer {
    /// The body as a view.
    ///
    /// # Errors
    /// With the place that is not as expected.
    pub fn view<T: DeserializeOwned>(&self, operation: Operation) -> Result<T, Failure> {
        serde_json::from_slice(&self.body)
            .map_err(|why| Failure::Unreadable { operation: operation.name, why: why.to_string() })
    }

    /// Whether what was known still holds.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.source.status == 304
    }
}

/// The client of one forge. All of its calls share its tokens, kept bodies and budgets.
#[derive(Debug)]
pub struct Client<W> {
    wire: W,
    /// The API's root, against which links to next pages are held.
    base: String,
    credentials: Credentials,
    patience_ms: u64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    clock: ClockOffset,
    tokens: BTreeMap<u64, (Secret, Timestamp)>,
    etags: Etags,
    budgets: BTreeMap<Actor, Budget>,
    tally: Tally,
}

/// Why attempts ended without an answer.
enum Stop {
    /// The token did not count.
    Unauthorised(Failure),
    /// Anything else.
    Failed(Failure),
}

impl<W: Wire> Client<W> {
    /// A client of the API at `base`, for example `https://api.github.com` or `https://HOST/api/v3`.
    pub fn new(wire: W, base: impl Into<String>, credentials: Credentials) -> Self {
        let state = State {
            clock: ClockOffset::default(),
            tokens: BTreeMap::new(),
            etags: Etags::new(KEPT_BYTES_MAX),
            budgets: BTreeMap::new(),
            tally: Tally::default(),
        };
        let base = base.into().trim_end_matches('/').to_owned();
        Self { wire, base, credentials, patience_ms: PATIENCE_MS, state: Mutex::new(state) }
    }

    /// The same, waiting at most `patience_ms` in one call.
    #[must_use]
    pub fn with_patience(mut self, patience_ms: u64) -> Self {
        self.patience_ms = patience_ms;
        self
    }

    /// The wire.
    pub const fn wire(&self) -> &W {
        &self.wire
    }

    /// What was asked so far.
    pub fn tally(&self) -> Tally {
        self.state().tally.clone()
    }

    /// The budget of an actor, as its newest reply says.
    pub fn budget(&self, actor: Actor) -> Budget {
        self.state().budgets.get(&actor).cloned().unwrap_or_default()
    }

    /// The forge's time, by the newest reply's `Date`.
    pub fn server_now(&self) -> Timestamp {
        self.state().clock.server(self.wire.now())
    }

    /// Waits, as the wire does.
    pub async fn pause(&self, wait_ms: u64) {
        self.state().tally.waited_ms += wait_ms;
        self.wire.pause(wait_ms).await;
    }

    /// Compressed bytes of bodies kept for conditional requests.
    pub fn kept_bytes(&self) -> usize {
        self.state().etags.bytes()
    }

    /// Makes a call.
    ///
    /// # Errors
    /// When no answer came; [`Failure`] says what that means for what was asked.
    pub async fn call(&self, actor: Actor, call: &Call) -> Result<Answer, Failure> {
        self.renew(actor).await?;
        match self.attempts(actor, call).await {
            Ok(answer) => Ok(answer),
            Err(Stop::Failed(failure)) => Err(failure),
            Err(Stop::Unauthorised(failure)) => {
                // The token ended before its time, or the clock is wrong: a fresh one, once (faults 82, 83).
                self.forget_token(actor);
                if call.operation.class == Class::Once {
                    return Err(failure);
                }
                self.renew(actor).await?;
                self.attempts(actor, call).await.map_err(|stop| match stop {
                    Stop::Failed(failure) | Stop::Unauthorised(failure) => failure,
                })
            }
        }
    }

    /// Sends until there is an answer, a refusal, or no attempt left.
    async fn attempts(&self, actor: Actor, call: &Call) -> Result<Answer, Stop> {
        let operation = call.operation;
        let name = operation.name;
        let target = call.target();
        let mut waited_ms = self.hold(actor, operation).await.map_err(Stop::Failed)?;
        let mut attempt = 0;
        loop {
            let (sending, kept) = self.prepare(actor, call, &target).map_err(Stop::Failed)?;
            let outcome = self.wire.send(&sending).await;
            let server_now = self.note(actor, operation, &outcome);
            match retry::next(operation.class, attempt, &outcome, server_now) {
                Next::Answered => {
                    return self.answered(actor, call, target, outcome, kept).map_err(Stop::Failed);
                }
                Next::Again { wait_ms, limit } => {
                    let until = self.wire.now().plus_ms(wait_ms);
                    if let Some(limit) = limit {
                        self.block(actor, until);
                        if attempt >= super::limits::RETRIES_MAX || waited_ms + wait_ms > self.patience_ms {
                            return Err(Stop::Failed(Failure::Limited { operation: name, limit, until }));
                        }
                    }
                    self.pause(wait_ms).await;
                    waited_ms += wait_ms;
                    attempt += 1;
                }
                Next::Limited { limit, wait_ms } => {
                    let until = self.wire.now().plus_ms(wait_ms);
                    self.block(actor, until);
                    return Err(Stop::Failed(Failure::Limited { operation: name, limit, until }));
                }
                Next::Refused { message } => return Err(Stop::Failed(refused(operation, &outcome, message))),
                Next::Unauthorised { message } => {
                    return Err(Stop::Unauthorised(refused(operation, &outcome, message)));
                }
                Next::InDoubt { why } => return Err(Stop::Failed(Failure::InDoubt { operation: name, why })),
                Next::GivenUp { why } => {
                    let attempts = attempt + 1;
                    return Err(Stop::Failed(Failure::Unreachable { operation: name, attempts, why }));
                }
            }
        }
    }

    /// Waits for the limits that are known before sending. Returns the wait.
    async fn hold(&self, actor: Actor, operation: Operation) -> Result<u64, Failure> {
        let now = self.wire.now();
        let (limit, wait_ms) = {
            let mut state = self.state();
            let budget = state.budgets.entry(actor).or_default();
            let blocked = budget.blocked_until.map_or(0, |until| until.as_micros() - now.as_micros());
            let blocked_ms = u64::try_from(blocked).unwrap_or(0).div_ceil(1_000);
            let content_ms = if operation.creates_content { budget.content_wait_ms(now) } else { 0 };
            if content_ms > blocked_ms {
                (Limit::Content, content_ms)
            } else {
                (Limit::Secondary, blocked_ms)
            }
        };
        if wait_ms > self.patience_ms {
            let until = now.plus_ms(wait_ms);
            return Err(Failure::Limited { operation: operation.name, limit, until });
        }
        if wait_ms > 0 {
            self.pause(wait_ms).await;
        }
        Ok(wait_ms)
    }

    /// The request, with what is kept for it.
    fn prepare(&self, actor: Actor, call: &Call, target: &str) -> Result<(Sending, Option<Kept>), Failure> {
        let mut headers = vec![
            ("accept", "application/vnd.github+json".to_owned()),
            ("x-github-api-version", "2022-11-28".to_owned()),
            ("authorization", format!("Bearer {}", self.bearer(actor)?.reveal())),
        ];
        let reads = call.operation.method == Method::Get;
        let kept = if reads { self.state().etags.get(actor, target) } else { None };
        if let Some(kept) = &kept {
            headers.push(("if-none-match", kept.etag.clone()));
        }
        let body = call.body.as_ref().map(|body| body.to_string().into_bytes());
        Ok((Sending { method: call.operation.method, target: target.to_owned(), headers, body }, kept))
    }

    /// Counts an outcome and takes in what it says of limits and clock. Returns the forge's time.
    fn note(&self, actor: Actor, operation: Operation, outcome: &Result<Reply, Lost>) -> Timestamp {
        let now = self.wire.now();
        let mut state = self.state();
        state.tally.calls += 1;
        *state.tally.by_operation.entry(operation.name).or_default() += 1;
        // Counted when sent: content whose reply was lost may have been made.
        if operation.creates_content {
            state.budgets.entry(actor).or_default().made_content(now);
        }
        if let Ok(reply) = outcome {
            state.tally.not_modified += u64::from(reply.status == 304);
            state.tally.bytes += reply.body.len() as u64;
            state.clock = ClockOffset::of(reply, now).unwrap_or(state.clock);
            state.budgets.entry(actor).or_default().note(reply);
        }
        state.clock.server(now)
    }

    fn block(&self, actor: Actor, until: Timestamp) {
        let mut state = self.state();
        let budget = state.budgets.entry(actor).or_default();
        budget.blocked_until = budget.blocked_until.max(Some(until));
    }

    /// Makes the answer of a reply, and keeps it for the next time.
    fn answered(
        &self,
        actor: Actor,
        call: &Call,
        target: String,
        outcome: Result<Reply, Lost>,
        kept: Option<Kept>,
    ) -> Result<Answer, Failure> {
        let operation = call.operation.name;
        let reply = outcome.expect("only a reply is an answer");
        let header = |name: &str| reply.header(name).map(ToOwned::to_owned);
        let (request_id, etag, at) = (header("x-github-request-id"), header("etag"), self.wire.now());
        let source = |etag, digest| Source {
            operation: operation.to_owned(),
            target: target.clone(),
            status: reply.status,
            request_id,
            etag,
            at,
            digest,
        };
        if reply.status == 304 {
            let why = "304 without a condition".to_owned();
            let kept = kept.ok_or(Failure::Unreadable { operation, why })?;
            let source = source(Some(kept.etag), kept.evidence.digest());
            return Ok(Answer {
                body: kept.evidence.body(),
                evidence: kept.evidence,
                link: kept.link,
                source,
            });
        }
        let link = header("link");
        let evidence = Evidence::keep(&reply.body);
        if call.operation.method == Method::Get {
            let mut state = self.state();
            // What is no JSON came from a proxy: under its version it would be answered for ever.
            let is_json = serde_json::from_slice::<serde::de::IgnoredAny>(&reply.body).is_ok();
            match etag.as_ref().filter(|_| is_json) {
                Some(etag) => {
                    let kept = Kept { etag: etag.clone(), evidence: evidence.clone(), link: link.clone() };
                    state.etags.put(actor, &target, kept);
                }
                None => state.etags.forget(actor, &target),
            }
        }
        let source = source(etag, evidence.digest());
        Ok(Answer { body: reply.body, evidence, link, source })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic while it was held leaves numbers, not half a thought.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn refused(operation: Operation, outcome: &Result<Reply, Lost>, message: String) -> Failure {
    let reply = outcome.as_ref().ok();
    Failure::Refused {
        operation: operation.name,
        status: reply.map_or(0, |reply| reply.status),
        message,
        request_id: reply.and_then(|reply| reply.header("x-github-request-id")).map(ToOwned::to_owned),
    }
}
