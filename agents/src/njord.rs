//! Counts what each option costs.

use topics::{Agent, Answer, Event, Key, Library, Object, Owed, Owner, Question, Topic};

/// Counts what each option costs.
#[derive(Debug, Clone, Copy)]
pub struct Njord;

impl Agent for Njord {
    const ROLE: Owner = Owner::Njord;
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
