//! Webhooks: sent once, never again unless asked, and listed for a while. They get lost, doubled, late and out of order.

use hmac::{Hmac, KeyInit as _, Mac as _};
use ontology::Timestamp;
use serde_json::{Value, json};
use sha2::Sha256;

use super::description::description;
use super::render::time;
use super::{Asked, Hub, Said};

/// How long a delivery can be asked for again.
const WINDOW_S: i64 = 3 * 86_400;

/// All deliveries, and those on their way.
#[derive(Debug, Default)]
pub struct Deliveries {
    /// The App's webhook secret; none: nothing is sent.
    pub secret: Option<String>,
    attempts: Vec<Attempt>,
    on_their_way: Vec<Posted>,
}

/// One attempt to deliver an event.
#[derive(Debug, Clone)]
struct Attempt {
    id: u64,
    at: Timestamp,
    redelivery: bool,
    status: u16,
    posted: Posted,
}

/// A webhook, as it is posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posted {
    /// `x-github-delivery`.
    pub guid: String,
    /// `x-github-event`.
    pub event: String,
    /// `x-hub-signature-256`.
    pub signature: String,
    /// The raw body.
    pub body: Vec<u8>,
    installation: Option<u64>,
    repository: Option<u64>,
    action: Option<String>,
}

impl Posted {
    /// A header's value, by its name in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        match name {
            "x-github-delivery" => Some(&self.guid),
            "x-github-event" => Some(&self.event),
            "x-hub-signature-256" => Some(&self.signature),
            _ => None,
        }
    }
}

/// What becomes of webhooks on their way, by seed: those that arrive, and those that are late.
pub fn meddle(mut posted: Vec<Posted>, random: &mut fastrand::Rng) -> (Vec<Posted>, Vec<Posted>) {
    posted.retain(|_| random.u8(..4) > 0);
    let again: Vec<Posted> = posted.iter().filter(|_| random.u8(..4) == 0).cloned().collect();
    posted.extend(again);
    random.shuffle(&mut posted);
    posted.into_iter().partition(|_| random.u8(..4) > 0)
}

impl Hub {
    /// Sends an event to the App, if it listens.
    pub(crate) fn emit(
        &mut self,
        event: &str,
        action: Option<&str>,
        repository: Option<u64>,
        payload: Value,
    ) {
        let Some(secret) = self.deliveries.secret.clone() else { return };
        let owner = repository.and_then(|id| self.world.repositories.get(&id)).map(|found| found.owner);
        let installation = self.world.installations.values().find(|found| Some(found.account) == owner);
        let installation = installation.map(|found| found.id);
        let mut body = payload;
        if let Some(action) = action {
            body["action"] = json!(action);
        }
        if let Some(repository) = repository {
            body["repository"] = json!({ "id": repository, "full_name": self.world.full_name(repository) });
        }
        if let Some(installation) = installation {
            body["installation"] = json!({ "id": installation });
        }
        let body = body.to_string().into_bytes();
        let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any key").chain_update(&body);
        let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        let guid = format!("{:08x}-0000-4000-8000-{:012x}", self.world.id(), self.world.now.as_micros());
        let posted = Posted {
            guid,
            event: event.to_owned(),
            signature: format!("sha256={hex}"),
            body,
            installation,
            repository,
            action: action.map(ToOwned::to_owned),
        };
        self.attempt(posted, false);
    }

    fn attempt(&mut self, posted: Posted, redelivery: bool) {
        let (id, at) = (self.world.id(), self.world.now);
        self.deliveries.on_their_way.push(posted.clone());
        self.deliveries.attempts.push(Attempt { id, at, redelivery, status: 200, posted });
    }

    /// Takes what is on its way. Whoever takes it may lose it: the fake does not know.
    pub fn take_posted(&mut self) -> Vec<Posted> {
        std::mem::take(&mut self.deliveries.on_their_way)
    }

    fn delivery(&self, attempt: &Attempt, schema: &str) -> Value {
        let posted = &attempt.posted;
        let mut fields = json!({
            "id": attempt.id, "guid": posted.guid, "delivered_at": time(attempt.at), "redelivery": attempt.redelivery,
            "duration": 0.1, "status": "OK", "status_code": attempt.status, "event": posted.event, "action": posted.action,
            "installation_id": posted.installation, "repository_id": posted.repository,
        });
        if schema == "hook-delivery" {
            let payload: Value = serde_json::from_slice(&posted.body).unwrap_or_default();
            fields["request"] = json!({ "headers": {}, "payload": payload });
            fields["response"] = json!({ "headers": {}, "payload": "" });
        }
        description().shaped(schema, fields)
    }

    /// Newest first, from a cursor that new deliveries do not move.
    pub(crate) fn list_deliveries(&self, asked: &Asked<'_>) -> Said {
        let before: u64 =
            asked.query.get("cursor").and_then(|cursor| cursor.parse().ok()).unwrap_or(u64::MAX);
        let newest_first = self.deliveries.attempts.iter().rev().filter(|attempt| attempt.id < before);
        let kept = newest_first.filter(|attempt| attempt.at.plus_seconds(WINDOW_S) > self.world.now);
        Said::list(kept.map(|attempt| self.delivery(attempt, "hook-delivery-item")).collect())
    }

    pub(crate) fn get_delivery(&self, id: u64) -> Said {
        match self.deliveries.attempts.iter().find(|attempt| attempt.id == id) {
            Some(attempt) => Said::ok(self.delivery(attempt, "hook-delivery")),
            None => Said::missing(),
        }
    }

    pub(crate) fn redeliver(&mut self, id: u64) -> Said {
        let kept = self.deliveries.attempts.iter().find(|attempt| attempt.id == id);
        let kept = kept.filter(|attempt| attempt.at.plus_seconds(WINDOW_S) > self.world.now);
        let Some(posted) = kept.map(|attempt| attempt.posted.clone()) else { return Said::missing() };
        self.attempt(posted, true);
        Said::with(202, json!({}))
    }
}
