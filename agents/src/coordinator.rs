//! Looks up deadlines and required keys; never judges (S-06).

use topics::{Agent, Answer, Event, Key, Library, Object, Owed, Owner, Question, Topic};

/// Looks up deadlines and required keys; never judges (S-06).
#[derive(Debug, Clone, Copy)]
pub struct Coordinator;

impl Agent for Coordinator {
    const ROLE: Owner = Owner::Coordinator;
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
