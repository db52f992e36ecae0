//! The App's own token, and the clock that it must agree with.

#[cfg(test)]
mod tests;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::fmt::rfc2822;
use ontology::Timestamp;
use ontology::time::SECOND_US;
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject as _;
use serde_json::json;

use super::failure::Failure;
use super::wire::Reply;

/// Seconds before now at which a token begins: clocks differ (fault 83).
pub const ISSUED_BEFORE_S: i64 = 60;
/// Seconds after now at which a token ends: the forge refuses more than ten minutes (fault 83).
pub const EXPIRES_AFTER_S: i64 = 540;

/// How far the forge's clock is ahead of this machine's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClockOffset {
    micros: i64,
}

impl ClockOffset {
    /// What a reply's `Date` says, received at `now`. A difference of a second is the header's precision and no offset.
    #[must_use]
    pub fn of(reply: &Reply, now: Timestamp) -> Option<Self> {
        let date = rfc2822::DateTimeParser::new().parse_timestamp(reply.header("date")?).ok()?;
        let micros = date.as_microsecond() - now.as_micros();
        Some(Self { micros: if micros.abs() <= SECOND_US { 0 } else { micros } })
    }

    /// The forge's time at this machine's `now`.
    #[must_use]
    pub const fn server(self, now: Timestamp) -> Timestamp {
        now.plus_micros(self.micros)
    }
}

/// The App's id and private key.
pub struct AppKey {
    issuer: String,
    key: RsaKeyPair,
}

impl std::fmt::Debug for AppKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "AppKey({}, key withheld)", self.issuer)
    }
}

impl AppKey {
    /// From the App's id (or client id) and its key in PEM, PKCS#1 as GitHub hands it out or PKCS#8. A `\n` that came
    /// through an environment as two characters is a line's end (research 1.14).
    ///
    /// # Errors
    /// When the text holds no RSA key.
    pub fn from_pem(issuer: impl Into<String>, pem: &str) -> Result<Box<Self>, Failure> {
        let pem = pem.replace("\\n", "\n");
        let der = PrivateKeyDer::from_pem_slice(pem.as_bytes())
            .map_err(|_| Failure::Key("the text holds no private key in PEM".to_owned()))?;
        let key = match &der {
            PrivateKeyDer::Pkcs1(key) => RsaKeyPair::from_der(key.secret_pkcs1_der()),
            PrivateKeyDer::Pkcs8(key) => RsaKeyPair::from_pkcs8(key.secret_pkcs8_der()),
            _ => return Err(Failure::Key("the key is not RSA".to_owned())),
        };
        let key = key.map_err(|why| Failure::Key(format!("the key is not a valid RSA key: {why}")))?;
        Ok(Box::new(Self { issuer: issuer.into(), key }))
    }

    /// The token (RFC 7519, RS256) that counts at the forge's time `server_now`.
    ///
    /// # Errors
    /// When the key cannot sign.
    pub fn token(&self, server_now: Timestamp) -> Result<String, Failure> {
        let now_s = server_now.as_micros().div_euclid(SECOND_US);
        let header = json!({ "alg": "RS256", "typ": "JWT" });
        let claims =
            json!({ "iat": now_s - ISSUED_BEFORE_S, "exp": now_s + EXPIRES_AFTER_S, "iss": self.issuer });
        let part = |value: &serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(&header), part(&claims));
        let mut signature = vec![0; self.key.public().modulus_len()];
        self.key
            .sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), signed.as_bytes(), &mut signature)
            .map_err(|_| Failure::Key("the key does not sign".to_owned()))?;
        Ok(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }
}
