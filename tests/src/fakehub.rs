//! A stateful fake of GitHub on real bare repositories: whatever GitHub does to a client, this does on demand.
//!
//! One [`Hub`] answers requests wherever they come from: in this process ([`wire`]) or over HTTP ([`serve`]). What is
//! computed (merges, comparisons, files, patches) is computed by git. What is answered has the shape of GitHub's
//! published description, from which shapes are made ([`description`]); tests hold every answer against it.
//! Ugly things happen by script or by seed ([`faults`]).

pub mod access;
pub mod bare;
pub mod deliveries;
pub mod demo;
pub mod description;
pub mod faults;
pub mod fleet;
pub mod graphql;
pub mod people;
mod render;
mod routes;
pub mod serve;
pub mod wire;
pub mod world;

use std::collections::BTreeMap;

use governance_bot::forge::{Lost, Reply, Sending};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use access::Limits;
use deliveries::Deliveries;
use faults::{Fault, Faults};
use world::{Who, World};

/// What happens differently from one GitHub to the next.
#[derive(Debug, Clone)]
pub struct Behaviour {
    /// Reads of a pull request before its mergeability is known (fault 65).
    pub mergeable_after_reads: u32,
    /// A merge lands another tree than it should (fault 63).
    pub lands_wrong_tree: bool,
    /// ETags differ between tokens of one installation.
    pub etags_vary_with_tokens: bool,
    /// A push reaches its pull request only when [`Hub::settle`] is called (fault 67).
    pub pulls_lag: bool,
}

impl Default for Behaviour {
    fn default() -> Self {
        Self {
            mergeable_after_reads: 1,
            lands_wrong_tree: false,
            etags_vary_with_tokens: false,
            pulls_lag: false,
        }
    }
}

/// Sees every request with the operation that it was, and its reply.
pub type Observer = Box<dyn FnMut(&str, &Sending, &Reply) + Send>;

/// The fake.
pub struct Hub {
    /// What it holds.
    pub world: World,
    /// What it does differently.
    pub behaviour: Behaviour,
    /// Ugly things to come.
    pub faults: Faults,
    /// Requests an hour and content a minute.
    pub limits: Limits,
    /// Webhook deliveries.
    pub deliveries: Deliveries,
    /// How often each operation was carried out, whatever the reply became.
    pub carried_out: BTreeMap<String, u64>,
    /// Where the API is, for links.
    pub base: String,
    observer: Option<Observer>,
}

impl std::fmt::Debug for Hub {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Hub({} repositories)", self.world.repositories.len())
    }
}

/// A request, understood.
pub(crate) struct Asked<'a> {
    pub(crate) who: Who,
    pub(crate) parameters: &'a BTreeMap<String, String>,
    pub(crate) query: &'a BTreeMap<String, String>,
    pub(crate) body: &'a Value,
    pub(crate) path: &'a str,
}

impl Asked<'_> {
    pub(crate) fn parameter(&self, name: &str) -> &str {
        self.parameters.get(name).map_or("", String::as_str)
    }

    pub(crate) fn number(&self, name: &str) -> u64 {
        self.parameter(name).parse().unwrap_or(0)
    }

    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.body.get(name)?.as_str().map(ToOwned::to_owned)
    }
}

/// What an operation answers.
pub(crate) struct Said {
    pub(crate) status: u16,
    pub(crate) body: Value,
    /// Items of a listing, of which a page is shown; `body` is then its envelope.
    pub(crate) items: Option<(Vec<Value>, Option<&'static str>)>,
}

impl Said {
    pub(crate) const fn ok(body: Value) -> Self {
        Self { status: 200, body, items: None }
    }

    pub(crate) const fn with(status: u16, body: Value) -> Self {
        Self { status, body, items: None }
    }

    pub(crate) fn refused(status: u16, message: &str) -> Self {
        let documentation = "https://docs.github.com/rest";
        let body =
            json!({ "message": message, "documentation_url": documentation, "status": status.to_string() });
        Self { status, body, items: None }
    }

    pub(crate) fn missing() -> Self {
        Self::refused(404, "Not Found")
    }

    /// A listing whose body is the array.
    pub(crate) const fn list(items: Vec<Value>) -> Self {
        Self { status: 200, body: Value::Null, items: Some((items, None)) }
    }

    /// A listing within an envelope.
    pub(crate) const fn within(envelope: Value, name: &'static str, items: Vec<Value>) -> Self {
        Self { status: 200, body: envelope, items: Some((items, Some(name))) }
    }
}

impl Hub {
    /// A hub around a world.
    #[must_use]
    pub fn new(world: World) -> Self {
        Self {
            world,
            behaviour: Behaviour::default(),
            faults: Faults::default(),
            limits: Limits::default(),
            deliveries: Deliveries::default(),
            carried_out: BTreeMap::new(),
            base: "http://fakehub.example".to_owned(),
            observer: None,
        }
    }

    /// Has every exchange seen.
    pub fn observe(&mut self, observer: Observer) {
        self.observer = Some(observer);
    }

    /// Answers a request.
    ///
    /// # Errors
    /// When a fault has the reply lost.
    pub fn handle(&mut self, sending: &Sending) -> Result<Reply, Lost> {
        let (path, query) = sending.target.split_once('?').unwrap_or((&sending.target, ""));
        let query: BTreeMap<String, String> = query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .map(|(name, value)| (description::decode(name), description::decode(value)))
            .collect();
        let (operation, parameters) = if path == "/graphql" {
            ("graphql", BTreeMap::new())
        } else {
            description::description()
                .route(sending.method.name(), path)
                .map_or(("", BTreeMap::new()), |(name, parameters)| (name, parameters))
        };
        let fault = self.faults.next(operation);
        if let Some(early) = self.before(fault.as_ref()) {
            return self.seen(operation, sending, early);
        }
        let reply = match self.authenticate(sending, path) {
            Ok(who) => {
                let body = sending.body.as_deref().map(serde_json::from_slice).transpose();
                match body {
                    Ok(body) => {
                        let body = body.unwrap_or(Value::Null);
                        let asked = Asked { who, parameters: &parameters, query: &query, body: &body, path };
                        self.answer(operation, &asked, sending, fault.as_ref())
                    }
                    Err(_) => self.plain(who, &Said::refused(400, "Problems parsing JSON")),
                }
            }
            Err(said) => self.plain(Who::Anonymous, &said),
        };
        let reply = match fault {
            Some(Fault::LoseReply) => Err(Lost::Unanswered("connection reset by peer".to_owned())),
            Some(Fault::FailAfter(status)) => Ok(self.html(status)),
            Some(Fault::Garbage) => Ok(Reply { status: 200, body: b"<html>not JSON".to_vec(), ..reply }),
            _ => Ok(reply),
        };
        self.seen(operation, sending, reply)
    }

    fn seen(
        &mut self,
        operation: &str,
        sending: &Sending,
        reply: Result<Reply, Lost>,
    ) -> Result<Reply, Lost> {
        if let (Some(observer), Ok(reply)) = (&mut self.observer, &reply) {
            observer(operation, sending, reply);
        }
        reply
    }

    /// What a fault answers before anything is carried out.
    fn before(&mut self, fault: Option<&Fault>) -> Option<Result<Reply, Lost>> {
        match fault? {
            Fault::LoseRequest => Some(Err(Lost::Unanswered("connection reset by peer".to_owned()))),
            Fault::Refuse => Some(Err(Lost::NotSent("connection refused".to_owned()))),
            Fault::FailBefore(status) => Some(Ok(self.html(*status))),
            Fault::Answer { status, headers, message } => {
                let mut reply = self.plain(Who::Anonymous, &Said::refused(*status, message));
                let given = headers.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
                reply.headers.retain(|(name, _)| !headers.iter().any(|(given, _)| given == name));
                reply.headers.extend(given);
                Some(Ok(reply))
            }
            Fault::ExpireTokens => {
                let now = self.world.now;
                for token in self.world.tokens.values_mut().filter(|token| token.expires_at.is_some()) {
                    token.expires_at = Some(now);
                }
                None
            }
            Fault::LoseReply
            | Fault::FailAfter(_)
            | Fault::Truncate { .. }
            | Fault::SmallPage
            | Fault::Garbage => None,
        }
    }

    fn answer(
        &mut self,
        operation: &str,
        asked: &Asked<'_>,
        sending: &Sending,
        fault: Option<&Fault>,
    ) -> Reply {
        let reads = sending.method == governance_bot::forge::Method::Get;
        if let Some(limited) = self.limited(asked.who, operation) {
            return self.with_limits(asked.who, limited);
        }
        let said = self.route(operation, asked);
        if said.status < 400 {
            *self.carried_out.entry(operation.to_owned()).or_default() += 1;
        }
        let (body, link) = self.paged(said.body, said.items, asked, fault);
        let bytes = if said.status == 204 { Vec::new() } else { body.to_string().into_bytes() };
        let mut reply = Reply { status: said.status, headers: Vec::new(), body: bytes };
        reply.headers.extend(link.map(|link| ("link".to_owned(), link)));
        if reads && said.status == 200 {
            let mut hasher = Sha256::new_with_prefix(&reply.body);
            if self.behaviour.etags_vary_with_tokens {
                hasher.update(sending.header("authorization").unwrap_or_default());
            }
            let etag: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
            let etag = format!("W/\"{etag}\"");
            if sending.header("if-none-match") == Some(&etag) {
                // A 304 repeats neither body nor links.
                reply = Reply { status: 304, ..Reply::default() };
            }
            reply.headers.push(("etag".to_owned(), etag));
        }
        self.count(asked.who, reply.status);
        self.with_limits(asked.who, reply)
    }

    /// One page of a listing, with its links.
    fn paged(
        &self,
        envelope: Value,
        items: Option<(Vec<Value>, Option<&'static str>)>,
        asked: &Asked<'_>,
        fault: Option<&Fault>,
    ) -> (Value, Option<String>) {
        let Some((mut items, name)) = items else { return (envelope, None) };
        let number = |name: &str, otherwise: usize| {
            asked.query.get(name).and_then(|value| value.parse().ok()).unwrap_or(otherwise)
        };
        let asked_for = if matches!(fault, Some(Fault::SmallPage)) { 30 } else { number("per_page", 30) };
        let (per_page, page) = (asked_for.clamp(1, 100), number("page", 1).max(1));
        let total = items.len();
        let rest = items.split_off(((page - 1) * per_page).min(total));
        let mut shown: Vec<Value> = rest.into_iter().take(per_page).collect();
        let mut more = page * per_page < total;
        if let Some(Fault::Truncate { keep, keep_link }) = fault {
            more &= *keep_link;
            shown.truncate(*keep);
        }
        let link = more.then(|| {
            // Deliveries go on from a cursor, not from a number.
            if asked.path == "/app/hook/deliveries" {
                let cursor = shown.last().map_or(Value::Null, |last| last["id"].clone());
                return format!(
                    "<{}{}?per_page={per_page}&cursor={cursor}>; rel=\"next\"",
                    self.base, asked.path
                );
            }
            let kept = asked.query.iter().filter(|(name, _)| *name != "page");
            let query: String = kept.map(|(name, value)| format!("{name}={value}&")).collect();
            let url = |page| format!("<{}{}?{query}page={page}>", self.base, asked.path);
            format!("{}; rel=\"next\", {}; rel=\"last\"", url(page + 1), url(total.div_ceil(per_page)))
        });
        let body = match name {
            None => Value::Array(shown),
            Some(name) => {
                let mut envelope = envelope;
                envelope[name] = Value::Array(shown);
                envelope
            }
        };
        (body, link)
    }

    /// An answer that no operation made.
    fn plain(&mut self, who: Who, said: &Said) -> Reply {
        let reply =
            Reply { status: said.status, headers: Vec::new(), body: said.body.to_string().into_bytes() };
        self.with_limits(who, reply)
    }

    /// What a proxy answers when nobody is behind it.
    fn html(&mut self, status: u16) -> Reply {
        let body = format!("<html><title>{status}</title></html>").into_bytes();
        self.with_limits(Who::Anonymous, Reply { status, headers: Vec::new(), body })
    }
}
