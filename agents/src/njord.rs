//! Counts what each option costs.

mod count;
#[cfg(test)]
mod tests;

use ontology::records::{Cost, EvidenceKey};
use topics::{Agent, Answer, Ask, Event, Key, Library, Object, Owed, Owner, Question, Topic};

use crate::specialist;

/// Counts what each option costs.
#[derive(Debug, Clone, Copy)]
pub struct Njord;

impl Agent for Njord {
    const ROLE: Owner = Owner::Njord;
    const LOGIC: u16 = 1;
    const READS: &'static [Topic] = specialist::READS;
    type State = specialist::State;

    fn evolve(state: &mut Self::State, event: &Event<'_>) {
        specialist::evolve(state, event);
    }

    fn decide(_: &Self::State, _: &Event<'_>, _: &Library) -> Vec<(Option<Key>, Object)> {
        Vec::new()
    }

    fn observe(question: &Question, answer: &Answer, library: &Library) -> Vec<Object> {
        let Ask::Cost(assessment) = &question.ask else { return Vec::new() };
        let counted = match answer {
            Answer::Library => specialist::setting(assessment, question.as_of, library),
            Answer::Unavailable(unavailable) => Err(unavailable.clone()),
            _ => return Vec::new(),
        };
        let cost = match counted {
            Ok((setting, objects)) => count::count(assessment, &setting, &objects),
            Err(unavailable) => Cost {
                evaluation: assessment.evaluation,
                effects: Vec::new(),
                reasons: Vec::new(),
                unavailable: Some(unavailable),
            },
        };
        vec![cost.into()]
    }

    fn owed(state: &Self::State) -> Owed {
        specialist::owed(state, EvidenceKey::Cost, Ask::Cost)
    }
}
