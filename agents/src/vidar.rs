//! Knows whether each option can be recovered from in time.

mod assess;
#[cfg(test)]
mod tests;

use ontology::records::{EvidenceKey, Recovery};
use topics::{Agent, Answer, Ask, Event, Key, Library, Object, Owed, Owner, Question, Topic};

use crate::specialist;

/// Knows whether each option can be recovered from in time.
#[derive(Debug, Clone, Copy)]
pub struct Vidar;

impl Agent for Vidar {
    const ROLE: Owner = Owner::Vidar;
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
        let Ask::Recovery(assessment) = &question.ask else { return Vec::new() };
        let assessed = match answer {
            Answer::Library => specialist::setting(assessment, question.as_of, library),
            Answer::Unavailable(unavailable) => Err(unavailable.clone()),
            _ => return Vec::new(),
        };
        let recovery = match assessed {
            Ok((setting, objects)) => assess::assess(assessment, &setting, &objects),
            Err(unavailable) => Recovery {
                evaluation: assessment.evaluation,
                effects: Vec::new(),
                reasons: Vec::new(),
                unavailable: Some(unavailable),
            },
        };
        vec![recovery.into()]
    }

    fn owed(state: &Self::State) -> Owed {
        specialist::owed(state, EvidenceKey::Recovery, Ask::Recovery)
    }
}
