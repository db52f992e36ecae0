//! The door of a node: everybody else comes through it. HTTP/1.1 on the unix socket `DIR/door.sock` (0600) and,
//! configured, on a TCP address with tokens. One implementation of the calls, one OpenAPI document.
//!
//! With a directory, a command takes the lock if it is free and is the node while it runs, door included; else it
//! speaks to the socket. Two commands on one directory both work, and if the one that was the node ends, the other
//! takes over: every call may be repeated.

pub mod client;
pub mod openapi;
pub mod server;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ontology::{Name, Principal};

use crate::call::{Answers, Call, CallError, Caller, ErrorCode, Reply};
use crate::node::serve::embedded;
use crate::node::{Directories, NodeHandle};

/// How long a command waits for a log that another process holds without answering.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long it waits between two tries.
const BETWEEN_TRIES: Duration = Duration::from_millis(15);

/// Where a node's data are, and what it reads.
#[derive(Debug, Clone)]
pub struct Location {
    /// The data directory.
    pub directory: PathBuf,
    /// Its own model and catalog directories.
    pub directories: Directories,
}

impl Location {
    /// The door's socket.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        socket_of(&self.directory)
    }
}

fn socket_of(directory: &Path) -> PathBuf {
    directory.join("door.sock")
}

/// A node at hand, or the way to one.
enum Way {
    /// The door closes before the node goes.
    Node {
        _open: server::Serving,
        node: NodeHandle,
    },
    Socket(client::Client),
}

/// Answers calls, as the node or through its socket, whichever is possible now.
pub struct Door {
    location: Location,
    way: Mutex<Option<Way>>,
}

/// Opens the log in a directory, or reaches whoever holds it.
///
/// # Errors
/// [`ErrorCode::Locked`] when the holder does not answer within ten seconds; other codes say what is wrong.
pub fn open(location: &Location) -> Result<Box<dyn Answers>, CallError> {
    let way = patiently(location, || find_way(location))?;
    Ok(Box::new(Door { location: location.clone(), way: Mutex::new(Some(way)) }))
}

/// Tries until it works or patience ends: the process that is the node may end at any moment, and the next one that
/// takes the lock is the node.
#[allow(clippy::disallowed_methods, reason = "patience is the wall clock's; nothing is decided by it")]
fn patiently<T>(
    location: &Location,
    mut attempt: impl FnMut() -> Result<Option<T>, CallError>,
) -> Result<T, CallError> {
    let since = Instant::now();
    loop {
        if let Some(done) = attempt()? {
            return Ok(done);
        }
        if since.elapsed() > PATIENCE {
            return Err(held(&location.directory));
        }
        std::thread::sleep(BETWEEN_TRIES);
    }
}

/// The node, where the lock is free; its socket, where somebody listens there; else nothing yet.
fn find_way(location: &Location) -> Result<Option<Way>, CallError> {
    match embedded(&location.directory, location.directories.clone(), this_user()) {
        Ok(node) => {
            let serving = server::serve_unix(node.clone(), &location.socket())?;
            Ok(Some(Way::Node { _open: serving, node }))
        }
        Err(error) if error.code == ErrorCode::Locked => {
            let client = client::Client::unix(location.socket());
            Ok(client.reaches().then_some(Way::Socket(client)))
        }
        Err(error) => Err(error),
    }
}

fn held(directory: &Path) -> CallError {
    let holder = std::fs::read_to_string(directory.join("node.pid")).unwrap_or_default();
    let who = if holder.trim().is_empty() {
        "another process".to_owned()
    } else {
        format!("process {}", holder.trim())
    };
    let why = format!(
        "the log in {} is held by {who}, which does not answer at its socket: end it, or give another directory with --dir",
        directory.display()
    );
    CallError::new(ErrorCode::Locked, why)
}

impl Answers for Door {
    fn call(&self, call: Call) -> Result<Reply, CallError> {
        let mut way = self.way.lock().unwrap_or_else(PoisonError::into_inner);
        patiently(&self.location, || {
            if way.is_none() {
                *way = find_way(&self.location)?;
            }
            match way.as_ref() {
                Some(Way::Node { node, .. }) => node.call(call.clone()).map(Some),
                Some(Way::Socket(client)) => match client.attempt(call.clone()) {
                    Ok(answered) => answered.map(Some),
                    // The process that was the node ended in between; a call may be repeated.
                    Err(client::Away(_)) => {
                        *way = None;
                        Ok(None)
                    }
                },
                None => Ok(None),
            }
        })
    }
}

/// The user that this process runs as: its identity at the door.
#[must_use]
pub fn this_user() -> Caller {
    use std::os::unix::fs::MetadataExt as _;
    let uid = std::fs::metadata("/proc/self").map(|about| about.uid());
    user(uid.ok())
}

/// The caller that the kernel names by this user id; unverified where it names none.
#[must_use]
pub fn user(uid: Option<u32>) -> Caller {
    let subject = uid.map(|uid| user_name(uid).unwrap_or_else(|| uid.to_string()));
    let verified = subject.is_some();
    let name = |text: &str| Name::new(text).unwrap_or_else(|_| Name::new("unknown").expect("a literal"));
    let principal = Principal { issuer: name("unix"), subject: name(&subject.unwrap_or_default()) };
    Caller { principal, verified }
}

fn user_name(uid: u32) -> Option<String> {
    let passwd = std::fs::read_to_string("/etc/passwd").ok()?;
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == uid.to_string()).then(|| name.to_owned())
    })
}
