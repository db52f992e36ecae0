//! Writes the audit and the receipt (S-03).

use topics::{Agent, Answer, Event, Key, Library, Object, Owed, Owner, Question, Topic};

/// Writes the audit and the receipt (S-03).
#[derive(Debug, Clone, Copy)]
pub struct Saga;

impl Agent for Saga {
    const ROLE: Owner = Owner::Saga;
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
