//! Serves the calls over HTTP.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::extract::connect_info::Connected;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Path as UrlPath, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::IncomingStream;
use ontology::{Digest, Name, Principal};
use serde::Deserialize;
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::oneshot;

use super::openapi;
use crate::call::{Call, CallError, Caller, Decide, ErrorCode, File, Gap, Given, Reply, Submit};
use crate::node::NodeHandle;

/// Bytes of a request at most: the largest plan, escaped as JSON, with its evidence.
pub const REQUEST_BYTES_MAX: usize = 160 * 1024 * 1024;

/// Who speaks on a connection.
#[derive(Debug, Clone)]
pub enum Peer {
    /// A local user, by the kernel's word.
    User(Option<u32>),
    /// Somebody over the network, who must bring a token.
    Network,
}

impl Connected<IncomingStream<'_, UnixListener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, UnixListener>) -> Self {
        Self::User(stream.io().peer_cred().ok().map(|cred| cred.uid()))
    }
}

impl Connected<IncomingStream<'_, TcpListener>> for Peer {
    fn connect_info(_: IncomingStream<'_, TcpListener>) -> Self {
        Self::Network
    }
}

/// What the handlers share.
#[derive(Clone)]
pub struct Shared {
    node: NodeHandle,
    /// SHA-256 of each token → its name. Tokens themselves are not kept.
    tokens: Arc<Vec<(Digest, Name)>>,
}

impl Shared {
    /// A node, and who may reach it over the network.
    #[must_use]
    pub fn new(node: NodeHandle, tokens: Vec<(Digest, Name)>) -> Self {
        Self { node, tokens: Arc::new(tokens) }
    }
}

/// A door that is open; it closes when this is dropped, after the requests under way.
pub struct Serving {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
    socket: PathBuf,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.socket);
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Binds the socket at `path`, readable and writable by its owner only. The caller holds the log's lock, so a socket
/// that is there is left over.
///
/// # Errors
/// [`ErrorCode::Internal`] when the socket cannot be made.
pub fn bind_unix(path: &Path) -> Result<std::os::unix::net::UnixListener, CallError> {
    let failed = |error: std::io::Error| {
        CallError::new(ErrorCode::Internal, format!("open the door at {}: {error}", path.display()))
    };
    let _ = std::fs::remove_file(path);
    let listener = std::os::unix::net::UnixListener::bind(path).map_err(failed)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    if let Some(directory) = path.parent() {
        let _ = std::fs::write(directory.join("node.pid"), format!("{}\n", std::process::id()));
    }
    Ok(listener)
}

/// Opens the door of a node at a unix socket, on a thread of its own.
///
/// # Errors
/// As [`bind_unix`].
pub fn serve_unix(node: NodeHandle, path: &Path) -> Result<Serving, CallError> {
    let failed =
        |error: std::io::Error| CallError::new(ErrorCode::Internal, format!("open the door: {error}"));
    let listener = bind_unix(path)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let (stop, stopped) = oneshot::channel::<()>();
    let thread = std::thread::Builder::new().name("door".to_owned()).spawn(move || {
        runtime.block_on(async move {
            let Ok(listener) = UnixListener::from_std(listener) else { return };
            let service = router(Shared::new(node, Vec::new())).into_make_service_with_connect_info::<Peer>();
            let served = axum::serve(listener, service).with_graceful_shutdown(async move {
                let _ = stopped.await;
            });
            if let Err(error) = served.await {
                tracing::error!("serve the door: {error}");
            }
        });
    });
    let thread = thread.map_err(failed)?;
    Ok(Serving { stop: Some(stop), thread: Some(thread), socket: path.to_owned() })
}

/// Every route of the door. [`openapi::ROUTES`] lists the same ones; a test compares them.
pub fn router(shared: Shared) -> Router {
    Router::new()
        .route("/v1/reviews", post(submit).get(list))
        .route("/v1/reviews/{review}", get(review))
        .route("/v1/reviews/{review}/steps", get(steps))
        .route("/v1/reviews/{review}/evidence", post(evidence))
        .route("/v1/reviews/{review}/recheck", post(recheck))
        .route("/v1/reviews/{review}/admission", post(admit))
        .route("/v1/reviews/{review}/decision", post(decide))
        .route("/v1/reviews/{review}/exceptions", post(accept_gap))
        .route("/v1/reviews/{review}/redrive", post(redrive))
        .route("/v1/events", get(events))
        .route("/v1/replay", get(replay))
        .route("/v1/digests", get(digests))
        .route("/v1/status", get(status))
        .route("/v1/openapi.json", get(|| async { json(StatusCode::OK, &openapi::document()) }))
        .route("/live", get(|| async { "live\n" }))
        .route("/ready", get(ready))
        .route("/metrics", get(metrics))
        .layer(DefaultBodyLimit::max(REQUEST_BYTES_MAX))
        .with_state(shared)
}

/// Who calls: the kernel's word on the socket, a token's name over the network.
fn caller(shared: &Shared, peer: &Peer, headers: &HeaderMap) -> Result<Caller, Box<Response>> {
    match peer {
        Peer::User(uid) => Ok(super::user(*uid)),
        Peer::Network => {
            let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
            let token = bearer
                .and_then(|value| value.strip_prefix("Bearer "))
                .map(|token| Digest::of(token.as_bytes()));
            // Comparing digests of what was sent says nothing of the tokens by its time.
            let known = shared.tokens.iter().find(|(digest, _)| Some(*digest) == token);
            let (_, name) = known.ok_or_else(|| {
                let error = CallError::new(ErrorCode::BadInput, "give a token: Authorization: Bearer TOKEN");
                Box::new(json(StatusCode::UNAUTHORIZED, &error))
            })?;
            let issuer = Name::new("token").expect("a literal");
            Ok(Caller { principal: Principal { issuer, subject: name.clone() }, verified: true })
        }
    }
}

async fn carry_out(shared: Shared, peer: Peer, headers: HeaderMap, call: Call) -> Response {
    let caller = match caller(&shared, &peer, &headers) {
        Ok(caller) => caller,
        Err(refused) => return *refused,
    };
    // The node answers when the call is stored; waiting for that must not hold up other connections.
    let answered = tokio::task::spawn_blocking(move || shared.node.call_as(caller, call)).await;
    match answered {
        Ok(Ok(reply)) => match reply {
            Reply::Submitted(body) => json(StatusCode::OK, &body),
            Reply::Accepted { review } => json(StatusCode::OK, &serde_json::json!({ "review": review })),
            Reply::Review(body) => json(StatusCode::OK, &body),
            Reply::Admission(body) => json(StatusCode::OK, &body),
            Reply::Steps(body) => json(StatusCode::OK, &body),
            Reply::List(body) => json(StatusCode::OK, &body),
            Reply::Status(body) => json(StatusCode::OK, &body),
            Reply::Compared(body) => json(StatusCode::OK, &body),
            Reply::Replayed(body) => json(StatusCode::OK, &body),
        },
        Ok(Err(error)) => json(status_of(error.code), &error),
        Err(error) => {
            json(StatusCode::INTERNAL_SERVER_ERROR, &CallError::new(ErrorCode::Internal, error.to_string()))
        }
    }
}

/// The HTTP status of an error code.
const fn status_of(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::BadInput => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorCode::NotFound => StatusCode::NOT_FOUND,
        ErrorCode::Conflict => StatusCode::CONFLICT,
        ErrorCode::Refused => StatusCode::FORBIDDEN,
        ErrorCode::LogUnavailable | ErrorCode::Locked | ErrorCode::Retry => StatusCode::SERVICE_UNAVAILABLE,
        ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

fn json<T: serde::Serialize>(status: StatusCode, body: &T) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => (status, [(header::CONTENT_TYPE, "application/json")], bytes).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

/// Reads a request's JSON, with a precise error instead of the library's page.
fn read<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, Box<Response>> {
    serde_json::from_slice(body).map_err(|error| {
        let error = CallError::new(ErrorCode::BadInput, format!("request: {error}"));
        Box::new(json(StatusCode::UNPROCESSABLE_ENTITY, &error))
    })
}

type Connection = ConnectInfo<Peer>;

async fn submit(
    State(shared): State<Shared>,
    ConnectInfo(peer): Connection,
    headers: HeaderMap,
    body: axum::body::Bytes,
) -> Response {
    match read::<Submit>(&body) {
        Ok(submit) => carry_out(shared, peer, headers, Call::Submit(Box::new(submit))).await,
        Err(refused) => *refused,
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EvidenceBody {
    evidence: Vec<File>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AdmitBody {
    change: Given,
}

/// A handler whose call is about a review and needs what the body says.
macro_rules! about_review_with {
    ($($name:ident($body:ty) |$review:ident, $said:ident| $call:expr;)*) => {$(
        async fn $name(
            State(shared): State<Shared>,
            ConnectInfo(peer): Connection,
            UrlPath($review): UrlPath<String>,
            headers: HeaderMap,
            body: axum::body::Bytes,
        ) -> Response {
            match read::<$body>(&body) {
                Ok($said) => carry_out(shared, peer, headers, $call).await,
                Err(refused) => *refused,
            }
        }
    )*};
}
about_review_with! {
    evidence(EvidenceBody) |review, said| Call::Evidence { review, evidence: said.evidence };
    admit(AdmitBody) |review, said| Call::Admit { review, change: said.change };
    decide(Decide) |review, said| Call::Decide { review, decide: said };
    accept_gap(Gap) |review, said| Call::AcceptGap { review, gap: said };
}

/// A handler whose call needs the review's id alone.
macro_rules! about_review {
    ($($name:ident $field:ident $call:ident),*) => {$(
        async fn $name(
            State(shared): State<Shared>,
            ConnectInfo(peer): Connection,
            UrlPath($field): UrlPath<String>,
            headers: HeaderMap,
        ) -> Response {
            carry_out(shared, peer, headers, Call::$call { $field }).await
        }
    )*};
}
about_review!(review review Review, steps key Steps, recheck review Recheck, redrive review Redrive);

/// Reviews of a list where the caller names no number.
const LIMIT_DEFAULT: usize = 50;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    after: Option<u64>,
    limit: Option<usize>,
}

async fn list(
    State(shared): State<Shared>,
    ConnectInfo(peer): Connection,
    Query(page): Query<Page>,
    headers: HeaderMap,
) -> Response {
    carry_out(shared, peer, headers, Call::List { limit: page.limit.unwrap_or(LIMIT_DEFAULT) }).await
}

async fn events(
    State(shared): State<Shared>,
    ConnectInfo(peer): Connection,
    Query(page): Query<Page>,
    headers: HeaderMap,
) -> Response {
    let call = Call::Events { after: page.after, limit: page.limit.unwrap_or(LIMIT_DEFAULT) };
    carry_out(shared, peer, headers, call).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Replayed {
    review: Option<String>,
}

async fn replay(
    State(shared): State<Shared>,
    ConnectInfo(peer): Connection,
    Query(Replayed { review }): Query<Replayed>,
    headers: HeaderMap,
) -> Response {
    carry_out(shared, peer, headers, Call::Replay { review }).await
}

async fn digests(
    State(shared): State<Shared>,
    ConnectInfo(peer): Connection,
    headers: HeaderMap,
) -> Response {
    carry_out(shared, peer, headers, Call::Digests).await
}

async fn status(State(shared): State<Shared>, ConnectInfo(peer): Connection, headers: HeaderMap) -> Response {
    carry_out(shared, peer, headers, Call::Status).await
}

async fn node_status(shared: Shared) -> Result<crate::call::NodeStatus, CallError> {
    let caller = super::user(None);
    let answered = tokio::task::spawn_blocking(move || shared.node.call_as(caller, Call::Status)).await;
    match answered.map_err(|error| CallError::new(ErrorCode::Internal, error.to_string()))?? {
        Reply::Status(status) => Ok(status),
        _ => Err(CallError::new(ErrorCode::Internal, "a status was asked for")),
    }
}

/// Ready when the log answers and a model is in force; else names what is missing.
async fn ready(State(shared): State<Shared>) -> Response {
    match node_status(shared).await {
        Ok(status) if status.model != "none" && !status.model.contains("(0 objects") => {
            (StatusCode::OK, "ready\n").into_response()
        }
        Ok(status) => {
            (StatusCode::SERVICE_UNAVAILABLE, format!("{}\n", status.advice.join("\n"))).into_response()
        }
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")).into_response(),
    }
}

/// The Prometheus text format.
async fn metrics(State(shared): State<Shared>) -> Response {
    match node_status(shared).await {
        Ok(status) => {
            let parked: usize = status.agents.iter().map(|agent| agent.parked.len()).sum();
            let body = format!(
                "# TYPE arb_steps_total counter\narb_steps_total {}\n# TYPE arb_open_reviews gauge\narb_open_reviews {}\n# TYPE arb_parked_keys gauge\narb_parked_keys {parked}\n",
                status.steps, status.open_reviews
            );
            ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], body).into_response()
        }
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")).into_response(),
    }
}
