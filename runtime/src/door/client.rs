//! Speaks to a door over its unix socket.

use std::path::PathBuf;

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde::de::DeserializeOwned;
use tokio::net::UnixStream;

use crate::call::{Answers, Call, CallError, ErrorCode, Reply};

/// A door behind a socket.
#[derive(Debug, Clone)]
pub struct Client {
    socket: PathBuf,
}

impl Client {
    /// The door behind this unix socket.
    #[must_use]
    pub const fn unix(socket: PathBuf) -> Self {
        Self { socket }
    }

    /// Whether anybody listens.
    #[must_use]
    pub fn reaches(&self) -> bool {
        std::os::unix::net::UnixStream::connect(&self.socket).is_ok()
    }

    fn request(&self, method: Method, path: &str, body: Vec<u8>) -> Result<(StatusCode, Bytes), Away> {
        let away =
            |error: &dyn std::fmt::Display| Away(format!("speak to {}: {error}", self.socket.display()));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| away(&error))?;
        runtime.block_on(async {
            let stream = UnixStream::connect(&self.socket).await.map_err(|error| away(&error))?;
            let handshake = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
            let (mut sender, connection) = handshake.map_err(|error| away(&error))?;
            let connection = tokio::spawn(connection);
            let request = Request::builder().method(method).uri(path).header("host", "door");
            let request = request.body(Full::new(Bytes::from(body))).map_err(|error| away(&error))?;
            let response = sender.send_request(request).await.map_err(|error| away(&error))?;
            let status = response.status();
            let body = response.into_body().collect().await.map_err(|error| away(&error))?.to_bytes();
            connection.abort();
            Ok((status, body))
        })
    }

    fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Vec<u8>,
    ) -> Result<Result<T, CallError>, Away> {
        let (status, body) = self.request(method, path, body)?;
        let strange = |error: serde_json::Error| {
            CallError::new(ErrorCode::Internal, format!("read the door's answer: {error}"))
        };
        if status.is_success() {
            return Ok(serde_json::from_slice(&body).map_err(strange));
        }
        Ok(Err(serde_json::from_slice::<CallError>(&body).unwrap_or_else(strange)))
    }
}

/// Nobody answered: the process behind the socket is gone, or went in between.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Away(pub String);

fn encode<T: serde::Serialize>(body: &T) -> Vec<u8> {
    serde_json::to_vec(body).expect("calls are texts and numbers")
}

/// Escapes what a path segment cannot hold: ids come from people.
fn segment(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b':' => char::from(byte).to_string(),
            other => format!("%{other:02X}"),
        })
        .collect()
}

#[derive(serde::Deserialize)]
struct AcceptedBody {
    review: ontology::ReviewId,
}

impl Client {
    /// Carries out a call.
    ///
    /// # Errors
    /// [`Away`] when nobody answered: whether the call was carried out is unknown, and it may be repeated.
    pub fn attempt(&self, call: Call) -> Result<Result<Reply, CallError>, Away> {
        let (get, post) = (Method::GET, Method::POST);
        let of = |review: &str, what: &str| format!("/v1/reviews/{}{what}", segment(review));
        let accepted = |body: AcceptedBody| Reply::Accepted { review: body.review };
        Ok(match call {
            Call::Submit(submit) => self.ask(post, "/v1/reviews", encode(&submit))?.map(Reply::Submitted),
            Call::Evidence { review, evidence } => {
                let body = encode(&serde_json::json!({ "evidence": evidence }));
                self.ask(post, &of(&review, "/evidence"), body)?.map(accepted)
            }
            Call::Recheck { review } => self.ask(post, &of(&review, "/recheck"), Vec::new())?.map(accepted),
            Call::Admit { review, change } => {
                let body = encode(&serde_json::json!({ "change": change }));
                self.ask(post, &of(&review, "/admission"), body)?.map(Reply::Admission)
            }
            Call::Decide { review, decide } => {
                self.ask(post, &of(&review, "/decision"), encode(&decide))?.map(accepted)
            }
            Call::AcceptGap { review, gap } => {
                self.ask(post, &of(&review, "/exceptions"), encode(&gap))?.map(accepted)
            }
            Call::Redrive { review } => self.ask(post, &of(&review, "/redrive"), Vec::new())?.map(accepted),
            Call::Review { review } => self.ask(get, &of(&review, ""), Vec::new())?.map(Reply::Review),
            Call::Steps { key } => self.ask(get, &of(&key, "/steps"), Vec::new())?.map(Reply::Steps),
            Call::List { limit } => {
                self.ask(get, &format!("/v1/reviews?limit={limit}"), Vec::new())?.map(Reply::List)
            }
            Call::Events { after, limit } => {
                let after = after.map(|after| format!("&after={after}")).unwrap_or_default();
                self.ask(get, &format!("/v1/events?limit={limit}{after}"), Vec::new())?.map(Reply::Steps)
            }
            Call::Status => self.ask(get, "/v1/status", Vec::new())?.map(Reply::Status),
            Call::Digests => self.ask(get, "/v1/digests", Vec::new())?.map(Reply::Compared),
            Call::Replay { review } => {
                let review = review.map(|review| format!("?review={}", segment(&review))).unwrap_or_default();
                self.ask(get, &format!("/v1/replay{review}"), Vec::new())?.map(Reply::Replayed)
            }
        })
    }
}

impl Answers for Client {
    fn call(&self, call: Call) -> Result<Reply, CallError> {
        self.attempt(call).unwrap_or_else(|Away(why)| Err(CallError::new(ErrorCode::LogUnavailable, why)))
    }
}
