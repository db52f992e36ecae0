//! The Runtime's own voice: an agent without state that says what happened to the process.

use ontology::records::{DeadlineReached, Degradation, Quarantined};
use ontology::{Name, Timestamp};
use topics::{Agent, Answer, Ask, Cause, Event, Key, Library, Object, Owed, Owner, Question, StepId, Topic};

use super::Input;

/// The Runtime as an owner: deadlines, degradation, quarantine.
#[derive(Debug, Clone, Copy)]
pub struct Voice;

impl Agent for Voice {
    const ROLE: Owner = Owner::Runtime;
    const LOGIC: u16 = 1;
    const READS: &'static [Topic] = &[];
    type State = ();

    fn evolve((): &mut (), _: &Event<'_>) {}

    fn decide((): &(), _: &Event<'_>, _: &Library) -> Vec<(Option<Key>, Object)> {
        Vec::new()
    }

    fn observe(_: &Question, answer: &Answer, _: &Library) -> Vec<Object> {
        match answer {
            Answer::Said(object) if object.topic().owner() == Owner::Runtime => vec![object.clone()],
            _ => Vec::new(),
        }
    }

    fn owed((): &()) -> Owed {
        Owed::default()
    }
}

/// A deadline that was owed has passed: `deadline/<evaluation>/<name>`.
#[must_use]
pub fn deadline_reached(key: Key, evaluation: u8, name: Name, now: Timestamp) -> Input {
    let cause = Cause::named(&format!("deadline/{evaluation}/{name}"));
    say(key, cause, now, DeadlineReached { evaluation, name }.into())
}

/// An agent parked a key: `quarantine/<agent>/<event>`, once.
#[must_use]
pub fn quarantined(key: Key, agent: Owner, event: StepId, why: &str, now: Timestamp) -> Input {
    let cause = Cause::named(&format!("quarantine/{agent}/{event}"));
    say(
        key,
        cause,
        now,
        Quarantined { agent: name(agent), event: event.to_string(), why: bounded(why) }.into(),
    )
}

/// An agent was halted for a key: `halt/<agent>`, once.
#[must_use]
pub fn halted(key: Key, agent: Owner, why: &str, now: Timestamp) -> Input {
    let halted = Name::new("halted").expect("a literal");
    let cause = Cause::named(&format!("halt/{agent}"));
    say(key, cause, now, Degradation { agent: name(agent), state: halted, why: bounded(why) }.into())
}

fn say(key: Key, cause: Cause, as_of: Timestamp, object: Object) -> Input {
    Input::Answered {
        key,
        question: Question { cause, as_of, ask: Ask::Intake },
        answer: Answer::Said(object),
    }
}

fn name(agent: Owner) -> Name {
    Name::new(agent.as_str()).expect("names of owners are short literals")
}

/// Words of a panic or an error are cut: a record stays small whatever happened.
fn bounded(why: &str) -> String {
    const WORDS_MAX: usize = 400;
    why.chars().take(WORDS_MAX).collect()
}
