//! Judges: options, and the join of six records (S-07, S-11).

use topics::{Agent, Answer, Event, Key, Library, Object, Owed, Owner, Question, Topic};

/// Judges: options, and the join of six records (S-07, S-11).
#[derive(Debug, Clone, Copy)]
pub struct Forseti;

impl Agent for Forseti {
    const ROLE: Owner = Owner::Forseti;
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
