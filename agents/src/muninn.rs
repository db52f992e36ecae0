//! Freezes the context and seals the evidence (S-09, S-15).

pub mod model;

use topics::{Agent, Answer, Event, Key, Library, Object, Owed, Owner, Question, Topic};

/// Freezes the context and seals the evidence (S-09, S-15).
#[derive(Debug, Clone, Copy)]
pub struct Muninn;

impl Agent for Muninn {
    const ROLE: Owner = Owner::Muninn;
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
