//! What may happen next, and which of it does.

use fastrand::Rng;
use ontology::Timestamp;
use topics::Position;

use super::replica::Replica;

/// Something that may happen next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// The log delivers to this seat of this replica.
    Deliver(usize, usize),
    /// This flight of this replica arrives.
    Arrive(usize, usize),
    /// An append of a process that is dead arrives.
    Orphan(usize),
    /// This replica starts a process.
    Start(usize),
    /// This replica looks at its deadlines.
    Tick(usize),
    /// Somebody calls at the door of this replica.
    Call(usize),
}

/// Everything that may happen now.
pub(super) fn possible(
    replicas: &mut [Replica],
    orphans: usize,
    call: bool,
    head: Option<Position>,
    now: Timestamp,
) -> Vec<Next> {
    let mut possible: Vec<Next> = (0..orphans).map(Next::Orphan).collect();
    for (number, replica) in replicas.iter_mut().enumerate() {
        if replica.is_to_start(now) {
            possible.push(Next::Start(number));
        }
        let Some(process) = replica.awake(now) else { continue };
        let behind = (0..process.seats()).filter(|seat| process.is_behind(*seat, head));
        possible.extend(behind.map(|seat| Next::Deliver(number, seat)));
        let ready = process.flights.iter().enumerate().filter(|(_, flight)| flight.at <= now);
        possible.extend(ready.map(|(flight, _)| Next::Arrive(number, flight)));
        if call && process.is_live() {
            possible.push(Next::Call(number));
        }
    }
    possible
}

/// Draws one. The head start of the lower replicas is none: each thing is as likely as any other.
pub(super) fn draw(possible: &[Next], rng: &mut Rng) -> Option<Next> {
    if possible.is_empty() { None } else { Some(possible[rng.usize(..possible.len())]) }
}

/// The next moment at which something may happen that may not happen now.
pub(super) fn next_moment(replicas: &[Replica], now: Timestamp) -> Option<Timestamp> {
    let mut moments: Vec<Timestamp> = Vec::new();
    for replica in replicas {
        moments.push(replica.paused_until);
        match &replica.process {
            None => moments.push(replica.down_until),
            Some(process) if process.halted => {}
            Some(process) => moments.extend(process.flights.iter().map(|flight| flight.at)),
        }
    }
    moments.into_iter().filter(|moment| *moment > now).min()
}
