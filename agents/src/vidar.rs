//! Knows whether each option can be recovered from in time.

use topics::{Agent, Answer, Event, Key, Library, Object, Owed, Owner, Question, Topic};

/// Knows whether each option can be recovered from in time.
#[derive(Debug, Clone, Copy)]
pub struct Vidar;

impl Agent for Vidar {
    const ROLE: Owner = Owner::Vidar;
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
