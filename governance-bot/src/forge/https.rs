//! The wire in production: HTTPS with the platform's roots, proxies from the environment, one clock.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ontology::Timestamp;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::operation::Method;
use super::wire::{Lost, REPLY_BYTES_MAX, Reply, Sending, Wire};

/// Where the API is when `GITHUB_API_URL` does not say otherwise.
pub const GITHUB_API_URL: &str = "https://api.github.com";
/// How long a request may take (research 1.14).
const TIMEOUT: Duration = Duration::from_secs(30);
/// How long a connection may take: a host that is down should not cost a whole request's time.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A connection to one forge.
#[derive(Debug, Clone)]
pub struct Https {
    client: reqwest::Client,
    base: String,
}

impl Https {
    /// A connection to the API at `base`. `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` are honoured.
    /// Redirects are not followed: a renamed repository is a fact for whoever asked, and a token goes nowhere else.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new(base: impl Into<String>) -> Result<Self, reqwest::Error> {
        // An error means that the process has a provider already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .user_agent(concat!("arb-merge-gate/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .timeout(TIMEOUT)
            .connect_timeout(CONNECT_TIMEOUT)
            .build()?;
        Ok(Self { client, base: base.into().trim_end_matches('/').to_owned() })
    }

    /// A connection to where `GITHUB_API_URL` says, or to github.com.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn from_environment() -> Result<Self, reqwest::Error> {
        Self::new(std::env::var("GITHUB_API_URL").unwrap_or_else(|_| GITHUB_API_URL.to_owned()))
    }

    /// The API's root.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }
}

impl Wire for Https {
    async fn send(&self, sending: &Sending) -> Result<Reply, Lost> {
        let method = match sending.method {
            Method::Get => reqwest::Method::GET,
            Method::Post => reqwest::Method::POST,
            Method::Put => reqwest::Method::PUT,
            Method::Patch => reqwest::Method::PATCH,
            Method::Delete => reqwest::Method::DELETE,
        };
        let mut headers = HeaderMap::new();
        for (name, value) in &sending.headers {
            let mut value = HeaderValue::from_str(value)
                .map_err(|_| Lost::NotSent(format!("the header {name} cannot be sent")))?;
            value.set_sensitive(*name == "authorization");
            headers.insert(HeaderName::from_static(name), value);
        }
        let mut request =
            self.client.request(method, format!("{}{}", self.base, sending.target)).headers(headers);
        if let Some(body) = &sending.body {
            request = request.header("content-type", "application/json").body(body.clone());
        }
        let unanswered = |why: reqwest::Error| Lost::Unanswered(why.without_url().to_string());
        let mut response = match request.send().await {
            Ok(response) => response,
            Err(why) if why.is_connect() || why.is_builder() => {
                return Err(Lost::NotSent(why.without_url().to_string()));
            }
            Err(why) => return Err(unanswered(why)),
        };
        let status = response.status().as_u16();
        let headers = response.headers().iter();
        let headers = headers
            .map(|(name, value)| {
                (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
            })
            .collect();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(unanswered)? {
            if body.len() + chunk.len() > REPLY_BYTES_MAX {
                return Err(Lost::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Reply { status, headers, body })
    }

    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }

    async fn pause(&self, wait_ms: u64) {
        tokio::time::sleep(Duration::from_millis(wait_ms)).await;
    }
}
