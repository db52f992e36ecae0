//! Who asks, what may be asked, and how much of it.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use governance_bot::forge::{Reply, Sending};
use jiff::fmt::rfc2822;
use ontology::Timestamp;
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};
use serde_json::Value;

use super::world::Who;
use super::{Hub, Said};

/// Seconds that a token of an App may last at most.
const APP_TOKEN_S_MAX: i64 = 600;
/// Seconds of the window in which requests are counted.
const HOUR_S: i64 = 3_600;

/// Limits and what was used of them.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Requests an hour.
    pub per_hour: u64,
    /// Content a minute.
    pub content_per_minute: usize,
    used: BTreeMap<Who, (u64, Timestamp)>,
    made: BTreeMap<Who, Vec<Timestamp>>,
    requests: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            per_hour: 5_000,
            content_per_minute: 80,
            used: BTreeMap::new(),
            made: BTreeMap::new(),
            requests: 0,
        }
    }
}

/// Operations that make content.
const CONTENT: [&str; 5] =
    ["issues/create-comment", "issues/create", "pulls/create", "checks/create", "repos/create-commit-status"];

impl Hub {
    /// Who asks.
    pub(crate) fn authenticate(&self, sending: &Sending, path: &str) -> Result<Who, Said> {
        let header = sending.header("authorization").unwrap_or_default();
        let token = header.split_once(' ').map_or(header, |(_, token)| token).trim();
        let of_app = path == "/app" || path.starts_with("/app/");
        if token.is_empty() {
            return if of_app {
                Err(Said::refused(401, "A JSON web token could not be decoded"))
            } else {
                Ok(Who::Anonymous)
            };
        }
        if token.matches('.').count() == 2 {
            let app = self.app_of(token)?;
            return if of_app { Ok(Who::App(app)) } else { Err(Said::refused(401, "Bad credentials")) };
        }
        if of_app {
            return Err(Said::refused(401, "A JSON web token could not be decoded"));
        }
        let known = self.world.tokens.get(token);
        let live = known.filter(|token| token.expires_at.is_none_or(|end| end > self.world.now));
        live.map(|token| token.who).ok_or_else(|| Said::refused(401, "Bad credentials"))
    }

    /// The App whose token this is (fault 83: `exp` and `iat` are held against this clock).
    fn app_of(&self, token: &str) -> Result<u64, Said> {
        let undecoded = || Said::refused(401, "A JSON web token could not be decoded");
        let (signed, signature) = token.rsplit_once('.').ok_or_else(undecoded)?;
        let part = |text: &str| URL_SAFE_NO_PAD.decode(text).map_err(|_| undecoded());
        let claims = signed.split_once('.').ok_or_else(undecoded)?.1;
        let claims: Value = serde_json::from_slice(&part(claims)?).map_err(|_| undecoded())?;
        let issuer =
            claims["iss"].as_str().and_then(|issuer| issuer.parse().ok()).or_else(|| claims["iss"].as_u64());
        let app = issuer.and_then(|issuer| self.world.apps.get(&issuer)).ok_or_else(undecoded)?;
        let key = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, &app.public_key);
        key.verify(signed.as_bytes(), &part(signature)?).map_err(|_| undecoded())?;
        let now_s = self.world.now.as_micros().div_euclid(1_000_000);
        let (issued, expires) =
            (claims["iat"].as_i64().unwrap_or(i64::MAX), claims["exp"].as_i64().unwrap_or(0));
        if issued > now_s {
            return Err(Said::refused(
                401,
                "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
            ));
        }
        if expires <= now_s {
            return Err(Said::refused(
                401,
                "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
            ));
        }
        if expires > now_s + APP_TOKEN_S_MAX {
            return Err(Said::refused(401, "'Expiration time' claim ('exp') is too far in the future"));
        }
        Ok(app.id)
    }

    /// Whether an actor may see a repository: what it may not see is not there.
    pub(crate) fn may_see(&self, who: Who, repository: u64) -> bool {
        let repository = &self.world.repositories[&repository];
        match who {
            Who::Person(_) => true,
            Who::Anonymous => !repository.private,
            Who::App(_) => false,
            Who::Installation(id) => {
                self.world.installations.get(&id).is_some_and(|found| found.account == repository.owner)
            }
        }
    }

    /// Whether an actor has a permission. People have all.
    pub(crate) fn may(&self, who: Who, permission: &str, level: &str) -> bool {
        match who {
            Who::Person(_) => true,
            Who::Anonymous | Who::App(_) => false,
            Who::Installation(id) => {
                let granted =
                    self.world.installations.get(&id).and_then(|found| found.permissions.get(permission));
                granted.is_some_and(|granted| granted == level || granted == "write")
            }
        }
    }

    /// The refusal of a request over a limit.
    pub(crate) fn limited(&mut self, who: Who, operation: &str) -> Option<Reply> {
        let now = self.world.now;
        let plain = |said: &Said| Reply {
            status: said.status,
            headers: Vec::new(),
            body: said.body.to_string().into_bytes(),
        };
        let (used, reset) = self.window(who);
        if used >= self.limits.per_hour && operation != "rate-limit/get" {
            let seconds = (reset.as_micros() - now.as_micros()) / 1_000_000;
            let mut reply = plain(&Said::refused(403, "API rate limit exceeded for installation."));
            reply.headers.push(("retry-after".to_owned(), (seconds + 1).to_string()));
            return Some(reply);
        }
        if CONTENT.contains(&operation) {
            let made = self.limits.made.entry(who).or_default();
            made.retain(|at| at.plus_seconds(60) > now);
            if made.len() >= self.limits.content_per_minute {
                let words = "You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.";
                return Some(plain(&Said::refused(403, words)));
            }
            made.push(now);
        }
        None
    }

    fn window(&mut self, who: Who) -> (u64, Timestamp) {
        let now = self.world.now;
        let window = self.limits.used.entry(who).or_insert((0, now.plus_seconds(HOUR_S)));
        if window.1 <= now {
            *window = (0, now.plus_seconds(HOUR_S));
        }
        *window
    }

    /// Counts an answer: a 304 is free.
    pub(crate) fn count(&mut self, who: Who, status: u16) {
        self.window(who);
        if status != 304
            && let Some(window) = self.limits.used.get_mut(&who)
        {
            window.0 += 1;
        }
    }

    /// Headers that every reply has.
    pub(crate) fn with_limits(&mut self, who: Who, mut reply: Reply) -> Reply {
        self.limits.requests += 1;
        let (used, reset) = self.window(who);
        let date =
            jiff::Timestamp::from_microsecond(self.world.now.as_micros()).expect("a time of this century");
        let date = rfc2822::DateTimePrinter::new()
            .timestamp_to_rfc9110_string(&date)
            .expect("a time of this century");
        let headers = [
            ("date", date),
            ("content-type", "application/json; charset=utf-8".to_owned()),
            ("x-github-request-id", format!("FAKE:{:08X}", self.limits.requests)),
            ("x-ratelimit-limit", self.limits.per_hour.to_string()),
            ("x-ratelimit-remaining", self.limits.per_hour.saturating_sub(used).to_string()),
            ("x-ratelimit-used", used.to_string()),
            ("x-ratelimit-reset", reset.as_micros().div_euclid(1_000_000).to_string()),
            ("x-ratelimit-resource", "core".to_owned()),
        ];
        reply.headers.extend(headers.map(|(name, value)| (name.to_owned(), value)));
        reply
    }
}
