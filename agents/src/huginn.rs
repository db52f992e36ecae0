//! Takes changes in: normalises, redacts, deduplicates, pins (S-01, S-08).

pub mod attachment;
pub mod change_file;
pub mod intake;
pub mod redact;
pub mod terraform;

use topics::{Agent, Answer, Event, Key, Library, Object, Owed, Owner, Question, Topic};

/// Takes changes in: normalises, redacts, deduplicates, pins (S-01, S-08).
#[derive(Debug, Clone, Copy)]
pub struct Huginn;

impl Agent for Huginn {
    const ROLE: Owner = Owner::Huginn;
    const LOGIC: u16 = 1;
    const READS: &'static [Topic] = &[];
    type State = ();
    fn evolve(_: &mut (), _: &Event<'_>) {}
    fn decide(_: &(), _: &Event<'_>, _: &Library) -> Vec<(Option<Key>, Object)> {
        Vec::new()
    }
    fn observe(_: &Question, _: &Answer, _: &Library) -> Vec<Object> {
        Vec::new()
    }
    fn owed(_: &()) -> Owed {
        Owed::default()
    }
}
