//! Taking in deliveries: signed, of bounded size, each once.

use std::collections::{BTreeSet, VecDeque};

use super::event::Event;
use super::signature::verify;
use crate::forge::Secret;

/// Delivery ids remembered. The forge redelivers for three days; a busy organisation sends some ten thousand a day.
pub const SEEN_MAX: usize = 50_000;
/// Bytes of a payload at most: GitHub caps them at 25 MB.
pub const PAYLOAD_BYTES_MAX: usize = 25 << 20;
/// Characters of a delivery's id at most; GitHub sends a UUID.
const DELIVERY_CHARS_MAX: usize = 64;

/// What became of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taken {
    /// A new event.
    New(Event),
    /// It was taken in before.
    Repeated,
    /// It is not taken in.
    Refused(Refusal),
}

/// Why a delivery is not taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No secret signs these bytes.
    #[error("the signature is missing or wrong")]
    Signature,
    /// It is larger than the forge sends.
    #[error("the payload is larger than {PAYLOAD_BYTES_MAX} bytes")]
    TooLarge,
    /// It names no delivery or no event.
    #[error("the headers name no delivery or no event")]
    Headers,
    /// It is no JSON object.
    #[error("the payload is no JSON object")]
    Payload,
}

/// What was taken in. One instance decides; where several share a log, the log's unique slot does (fault 74).
#[derive(Debug, Default)]
pub struct Intake {
    secrets: Vec<Secret>,
    seen: BTreeSet<String>,
    order: VecDeque<String>,
}

impl Intake {
    /// An intake that accepts these secrets, the newest first.
    #[must_use]
    pub const fn new(secrets: Vec<Secret>) -> Self {
        Self { secrets, seen: BTreeSet::new(), order: VecDeque::new() }
    }

    /// Takes in a delivery. `header` returns a header's value by its name in lower case. The signature comes first:
    /// nothing of an unsigned body is looked at, and an unsigned delivery does not use up an id.
    pub fn take<'h>(&mut self, header: impl Fn(&str) -> Option<&'h str>, body: &[u8]) -> Taken {
        if body.len() > PAYLOAD_BYTES_MAX {
            return Taken::Refused(Refusal::TooLarge);
        }
        if !verify(&self.secrets, body, header("x-hub-signature-256").unwrap_or_default()) {
            return Taken::Refused(Refusal::Signature);
        }
        let named =
            |name: &str| header(name).filter(|value| !value.is_empty() && value.len() <= DELIVERY_CHARS_MAX);
        let (Some(delivery), Some(name)) = (named("x-github-delivery"), named("x-github-event")) else {
            return Taken::Refused(Refusal::Headers);
        };
        if self.has_seen(delivery) {
            return Taken::Repeated;
        }
        let Some(event) = Event::read(delivery, name, body) else { return Taken::Refused(Refusal::Payload) };
        self.remember(delivery);
        Taken::New(event)
    }

    /// Whether a delivery was taken in.
    #[must_use]
    pub fn has_seen(&self, delivery: &str) -> bool {
        self.seen.contains(delivery)
    }

    fn remember(&mut self, delivery: &str) {
        self.seen.insert(delivery.to_owned());
        self.order.push_back(delivery.to_owned());
        if self.order.len() > SEEN_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.seen.remove(&oldest);
        }
    }
}
