//! A node on a thread of its own: calls come in through a channel, those that wait together are stored together.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use ontology::Timestamp;
use topics::Key;

use super::intake::{internal, retry};
use super::{Directories, Node, keys};
use crate::call::{Answers, Call, CallError, Caller, ErrorCode, Reply};
use crate::log::embedded::EmbeddedLog;
use crate::log::memory::MemoryLog;
use crate::log::{LocalLog, wall_clock};

/// Calls that wait at most; beyond, a caller waits at the channel: back-pressure, never loss.
const CALLS_MAX: usize = 1_024;
/// Calls of one transaction at most: bounds what a crash makes callers repeat, and what one commit writes.
const BATCH_MAX: usize = 256;
/// How long the loop sleeps at most without a deadline.
const IDLE: Duration = Duration::from_secs(60);

/// Speaks to a node's thread. Cheap to clone; the thread ends with the last handle.
#[derive(Debug, Clone)]
pub struct NodeHandle {
    calls: SyncSender<Asked>,
    caller: Caller,
}

/// A call on its way.
#[derive(Debug)]
struct Asked {
    caller: Caller,
    call: Call,
    reply: SyncSender<Result<Reply, CallError>>,
}

impl NodeHandle {
    /// Carries out a call for `caller`. Blocks until it is stored.
    ///
    /// # Errors
    /// [`CallError`] with a stable code.
    pub fn call_as(&self, caller: Caller, call: Call) -> Result<Reply, CallError> {
        let (reply, answer) = sync_channel(1);
        let gone = |_| CallError::new(ErrorCode::Retry, "the node stopped: ask again");
        self.calls.send(Asked { caller, call, reply }).map_err(|error| gone(error.to_string()))?;
        answer.recv().map_err(|error| gone(error.to_string()))?
    }
}

impl Answers for NodeHandle {
    fn call(&self, call: Call) -> Result<Reply, CallError> {
        self.call_as(self.caller.clone(), call)
    }
}

/// A node on a memory log: nothing is kept, observation only (S-30).
///
/// # Errors
/// [`CallError`] never happens on an empty memory log, and is handed on if it does.
pub fn in_memory(caller: Caller) -> Result<NodeHandle, CallError> {
    let log = Arc::new(MemoryLog::default());
    let node = Node::open(log, None, Directories::default(), wall_clock()).map_err(|error| retry(&error))?;
    start(node, "memory".to_owned(), caller)
}

/// A node on the embedded log in `directory`.
///
/// # Errors
/// [`ErrorCode::Locked`] when another process holds it; other codes say what is wrong.
pub fn embedded(directory: &Path, directories: Directories, caller: Caller) -> Result<NodeHandle, CallError> {
    // The log holds what the organisation plans: nobody else on this machine reads it.
    let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(directory);
    made.map_err(|error| {
        CallError::new(ErrorCode::BadInput, format!("use the directory {}: {error}", directory.display()))
    })?;
    let path = directory.join("arb.redb");
    let log = Arc::new(EmbeddedLog::open(&path).map_err(|error| retry(&error))?);
    let key = keys::read_or_make(&directory.join("redaction.key"))?;
    let node = Node::open(log, Some(key), directories, wall_clock()).map_err(|error| retry(&error))?;
    start(node, path.display().to_string(), caller)
}

fn start<L: LocalLog>(node: Node<L>, log: String, caller: Caller) -> Result<NodeHandle, CallError> {
    let (calls, asked) = sync_channel(CALLS_MAX);
    let thread = std::thread::Builder::new().name("node".to_owned());
    thread.spawn(move || run(node, &log, &asked)).map_err(|error| internal(&error.to_string()))?;
    Ok(NodeHandle { calls, caller })
}

/// The loop: the calls that wait, or the next deadline.
fn run<L: LocalLog>(mut node: Node<L>, log: &str, asked: &Receiver<Asked>) {
    loop {
        let first = match asked.recv_timeout(until(node.next_due())) {
            Ok(first) => Some(first),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let calls: Vec<Asked> = first.into_iter().chain(asked.try_iter().take(BATCH_MAX - 1)).collect();
        answer(&mut node, log, calls);
        if let Err(error) = node.tick(wall_clock()) {
            tracing::warn!("fire deadlines: {error}");
        }
    }
}

fn until(due: Option<Timestamp>) -> Duration {
    let wait = due.map(|due| Duration::from_micros(due.micros_since(wall_clock()).try_into().unwrap_or(0)));
    wait.unwrap_or(IDLE).min(IDLE)
}

fn answer<L: LocalLog>(node: &mut Node<L>, log: &str, calls: Vec<Asked>) {
    let (said, read): (Vec<Asked>, Vec<Asked>) = calls.into_iter().partition(|asked| changes(&asked.call));
    if !said.is_empty() {
        let outcomes = node.together_at(said.iter().map(|asked| (&asked.caller, &asked.call)), wall_clock());
        for (asked, outcome) in said.into_iter().zip(outcomes) {
            // A caller that went away asks again with the same key.
            let _ = asked.reply.send(outcome);
        }
    }
    for asked in read {
        let outcome = node.read_call(log, &asked.call);
        let _ = asked.reply.send(outcome);
    }
}

/// Whether a call says something.
fn changes(call: &Call) -> bool {
    match call {
        Call::Submit(_)
        | Call::Evidence { .. }
        | Call::Recheck { .. }
        | Call::Decide { .. }
        | Call::AcceptGap { .. }
        | Call::Redrive { .. } => true,
        Call::Review { .. }
        | Call::Admit { .. }
        | Call::Steps { .. }
        | Call::List { .. }
        | Call::Events { .. }
        | Call::Status
        | Call::Digests
        | Call::Replay { .. } => false,
    }
}

impl<L: LocalLog> Node<L> {
    /// Carries out calls in one transaction, at a time. What cannot be stored was not accepted, for all of them.
    pub fn together_at<'a>(
        &mut self,
        calls: impl Iterator<Item = (&'a Caller, &'a Call)>,
        now: Timestamp,
    ) -> Vec<Result<Reply, CallError>> {
        let begun = self.begin(now).map_err(|error| retry(&error));
        let mut outcomes: Vec<Result<Reply, CallError>> = calls
            .map(|(caller, call)| begun.clone().and_then(|()| self.change_call(caller, call, now)))
            .collect();
        if begun.is_ok()
            && let Err(error) = self.commit(now)
        {
            outcomes = outcomes.into_iter().map(|outcome| outcome.and(Err(retry(&error)))).collect();
        }
        outcomes
    }

    fn change_call(&mut self, caller: &Caller, call: &Call, now: Timestamp) -> Result<Reply, CallError> {
        match call {
            Call::Submit(submit) => self.submit(caller, submit, now).map(Reply::Submitted),
            Call::Evidence { review, evidence } => {
                let key = self.find(review)?;
                self.evidence(caller, &key, evidence, now)?;
                accepted(&key)
            }
            Call::Recheck { review } => {
                let key = self.find(review)?;
                self.recheck(caller, &key, now)?;
                accepted(&key)
            }
            Call::Decide { review, decide } => {
                let key = self.find(review)?;
                self.decide(caller, &key, decide, now)?;
                accepted(&key)
            }
            Call::AcceptGap { review, gap } => {
                let key = self.find(review)?;
                self.accept_gap(caller, &key, gap, now)?;
                accepted(&key)
            }
            Call::Redrive { review } => {
                let key = self.find(review)?;
                self.redrive(&key).map_err(|error| retry(&error))?;
                accepted(&key)
            }
            _ => Err(internal("a call that says nothing was taken for one that does")),
        }
    }

    /// Answers a call that says nothing.
    pub fn read_call(&mut self, log: &str, call: &Call) -> Result<Reply, CallError> {
        match call {
            Call::Review { review } => {
                let key = self.find(review)?;
                self.report(&key).map(|report| Reply::Review(Box::new(report)))
            }
            Call::Admit { review, change } => {
                let key = self.find(review)?;
                self.admit(&key, change, wall_clock()).map(Reply::Admission)
            }
            Call::Steps { key } => {
                let key = self.find(key)?;
                self.stored(&key).map(Reply::Steps)
            }
            Call::List { limit } => self.list(*limit).map(Reply::List),
            Call::Events { after, limit } => self.events(*after, *limit).map(Reply::Steps),
            Call::Status => self.status(log).map(Reply::Status),
            Call::Digests => self.compare_digests().map(Reply::Compared),
            Call::Replay { review } => self.replay(review.as_deref()).map(Reply::Replayed),
            _ => Err(internal("a call that says something was taken for one that does not")),
        }
    }
}

fn accepted(key: &Key) -> Result<Reply, CallError> {
    key.as_review()
        .map(|review| Reply::Accepted { review })
        .ok_or_else(|| CallError::new(ErrorCode::BadInput, format!("{key} is not a review")))
}
