//! The fake as a wire of the client, in this process: the same handlers as over HTTP, on a clock that only waiting and
//! asking moves.

use std::sync::{Arc, Mutex, MutexGuard};

use governance_bot::forge::{Lost, Reply, Sending, Wire};
use ontology::Timestamp;

use super::Hub;

/// What a request takes.
const REQUEST_MICROS: i64 = 40_000;

/// What happens in the world before a request is answered.
pub type Meanwhile = Box<dyn FnMut(&mut Hub, &Sending) + Send>;

/// The wire.
pub struct HubWire {
    hub: Arc<Mutex<Hub>>,
    /// How far this client's clock is ahead of the hub's.
    clock_ahead_s: i64,
    meanwhile: Mutex<Option<Meanwhile>>,
}

impl std::fmt::Debug for HubWire {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "HubWire({}s ahead)", self.clock_ahead_s)
    }
}

impl HubWire {
    /// A wire to a hub.
    #[must_use]
    pub fn to(hub: &Arc<Mutex<Hub>>) -> Self {
        Self { hub: Arc::clone(hub), clock_ahead_s: 0, meanwhile: Mutex::new(None) }
    }

    /// The same, on a machine whose clock is wrong.
    #[must_use]
    pub fn with_clock_ahead_s(mut self, seconds: i64) -> Self {
        self.clock_ahead_s = seconds;
        self
    }

    /// Has something happen before each request.
    pub fn meanwhile(&self, meanwhile: Option<Meanwhile>) {
        *self.meanwhile.lock().expect("nobody panics while it is held") = meanwhile;
    }

    fn hub(&self) -> MutexGuard<'_, Hub> {
        self.hub.lock().expect("the hub does not panic")
    }
}

impl Wire for HubWire {
    async fn send(&self, sending: &Sending) -> Result<Reply, Lost> {
        let mut hub = self.hub();
        hub.world.now = hub.world.now.plus_micros(REQUEST_MICROS);
        if let Some(meanwhile) = self.meanwhile.lock().expect("nobody panics while it is held").as_mut() {
            meanwhile(&mut hub, sending);
        }
        hub.handle(sending)
    }

    fn now(&self) -> Timestamp {
        self.hub().world.now.plus_seconds(self.clock_ahead_s)
    }

    async fn pause(&self, wait_ms: u64) {
        let mut hub = self.hub();
        hub.world.now = hub.world.now.plus_ms(wait_ms);
    }
}
