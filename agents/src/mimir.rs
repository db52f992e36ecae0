//! Says which constraints and policies are in force.

pub mod catalog;

pub use catalog::starter;

use topics::{Agent, Answer, Event, Key, Library, Object, Owed, Owner, Question, Topic};

/// Says which constraints and policies are in force.
#[derive(Debug, Clone, Copy)]
pub struct Mimir;

impl Agent for Mimir {
    const ROLE: Owner = Owner::Mimir;
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
