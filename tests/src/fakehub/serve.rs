//! The fake over HTTP: the API, and git's own protocol for clones and pushes.

use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, Method as HttpMethod, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use governance_bot::forge::{Method, Sending};
use ontology::Timestamp;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpListener;
use tokio::process::Command;

use super::Hub;
use super::world::Who;

/// Bytes of a request at most: a push of the demo's size.
const REQUEST_BYTES_MAX: usize = 64 << 20;
/// Headers that the fake reads.
const HEADERS: [&str; 3] = ["authorization", "if-none-match", "accept"];

type Shared = Arc<Mutex<Hub>>;

/// Serves a hub until the process ends.
///
/// # Errors
/// When the listener fails.
pub async fn serve(hub: Shared, listener: TcpListener) -> std::io::Result<()> {
    let address = listener.local_addr()?;
    hub.lock().expect("the hub does not panic").base = format!("http://{address}");
    let router =
        Router::new().fallback(answer).layer(DefaultBodyLimit::max(REQUEST_BYTES_MAX)).with_state(hub);
    axum::serve(listener, router).await
}

async fn answer(
    State(hub): State<Shared>,
    method: HttpMethod,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let target = uri.path_and_query().map_or("/", |target| target.as_str());
    // Enterprise Server has its API under a prefix.
    let target = target.strip_prefix("/api/v3").or_else(|| target.strip_prefix("/api")).unwrap_or(target);
    if uri.path().contains(".git/") {
        return git(&hub, &method, &uri, &headers, &body).await.unwrap_or_else(IntoResponse::into_response);
    }
    let method = match method.as_str() {
        "GET" => Method::Get,
        "POST" => Method::Post,
        "PUT" => Method::Put,
        "PATCH" => Method::Patch,
        "DELETE" => Method::Delete,
        _ => return StatusCode::METHOD_NOT_ALLOWED.into_response(),
    };
    let given =
        HEADERS.into_iter().filter_map(|name| Some((name, headers.get(name)?.to_str().ok()?.to_owned())));
    let body = (!body.is_empty()).then(|| body.to_vec());
    let sending = Sending { method, target: target.to_owned(), headers: given.collect(), body };
    let reply = {
        let mut hub = hub.lock().expect("the hub does not panic");
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        hub.world.now = Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX));
        hub.handle(&sending)
    };
    match reply {
        Ok(reply) => {
            let mut response = Response::builder().status(reply.status);
            for (name, value) in &reply.headers {
                response = response.header(name, value);
            }
            response
                .body(Body::from(reply.body))
                .unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
        }
        // A reply is lost by ending it before its time: the client sees a broken connection.
        Err(_) => {
            let broken = Response::builder().header("content-length", "1000").body(Body::from("{"));
            broken.unwrap_or_else(|_| StatusCode::BAD_GATEWAY.into_response())
        }
    }
}

/// `git http-backend` on the repository's folder. Who may not see a repository is told that it is not there.
async fn git(
    hub: &Shared,
    method: &HttpMethod,
    uri: &Uri,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<Response, StatusCode> {
    let (name, rest) = uri.path().trim_start_matches('/').split_once(".git/").ok_or(StatusCode::NOT_FOUND)?;
    let (owner, name) = name.split_once('/').ok_or(StatusCode::NOT_FOUND)?;
    let header =
        |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let (repository, folder) = {
        let hub = hub.lock().expect("the hub does not panic");
        let who = hub.git_user(&header("authorization"));
        let repository = hub.world.repository_id(owner, name).filter(|id| hub.may_see(who, *id));
        let Some(repository) = repository else {
            let challenge = [("www-authenticate", "Basic realm=\"fakehub\"")];
            return Ok((StatusCode::UNAUTHORIZED, challenge).into_response());
        };
        (repository, hub.world.repositories[&repository].bare.folder().to_owned())
    };
    let mut child = Command::new("git")
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", &folder)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("PATH_INFO", format!("/{rest}"))
        .env("QUERY_STRING", uri.query().unwrap_or_default())
        .env("REQUEST_METHOD", method.as_str())
        .env("CONTENT_TYPE", header("content-type"))
        .env("CONTENT_LENGTH", body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", header("content-encoding"))
        .env("GIT_PROTOCOL", header("git-protocol"))
        .env("REMOTE_USER", "somebody")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    let mut stdin = child.stdin.take().ok_or(StatusCode::INTERNAL_SERVER_ERROR)?;
    let input = body.to_vec();
    let feed = tokio::spawn(async move { stdin.write_all(&input).await });
    let done = child.wait_with_output().await.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    feed.abort();
    if rest.starts_with("git-receive-pack") {
        hub.lock().expect("the hub does not panic").pushed(repository);
    }
    let end = done.stdout.windows(4).position(|four| four == b"\r\n\r\n").ok_or(StatusCode::BAD_GATEWAY)?;
    let mut response = Response::builder();
    for line in String::from_utf8_lossy(&done.stdout[..end]).lines() {
        if let Some((name, value)) = line.split_once(": ") {
            response = match name {
                "Status" => response
                    .status(value.split(' ').next().and_then(|code| code.parse::<u16>().ok()).unwrap_or(500)),
                _ => response.header(name, value),
            };
        }
    }
    response.body(Body::from(done.stdout[end + 4..].to_vec())).map_err(|_| StatusCode::BAD_GATEWAY)
}

impl Hub {
    /// Who uses git: a token as the password.
    fn git_user(&self, header: &str) -> Who {
        use base64::Engine as _;
        let basic = header.strip_prefix("Basic ").and_then(|basic| {
            base64::engine::general_purpose::STANDARD
                .decode(basic)
                .ok()
                .and_then(|bytes| String::from_utf8(bytes).ok())
        });
        let token = basic.as_deref().and_then(|basic| basic.split_once(':')).map(|(_, token)| token);
        let known = token.and_then(|token| self.world.tokens.get(token));
        let live = known.filter(|token| token.expires_at.is_none_or(|end| end > self.world.now));
        live.map_or(Who::Anonymous, |token| token.who)
    }

    /// Takes in what somebody pushed with git.
    fn pushed(&mut self, repository: u64) {
        let found = &self.world.repositories[&repository];
        let changed: Vec<(String, String)> = found
            .bare
            .branches()
            .into_iter()
            .filter(|(branch, sha)| found.branches.get(branch) != Some(sha))
            .collect();
        let owner = found.owner;
        for (branch, sha) in changed {
            self.push(repository, &branch, &sha, owner);
        }
    }
}
