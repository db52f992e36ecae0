//! Who plays: every agent of the binary, and agents with something wrong with them.

use agents::{Coordinator, Forseti, Huginn, Loki, Mimir, Muninn, Njord, Saga, Var, Vidar};
use ontology::records::{AuditEntry, Evaluation, EvaluationOpened, Opening, Pins};
use runtime::driver::{Member, Seat, Voice};
use topics::{Agent, Answer, Event, Key, Library, Object, Owed, Owner, Question, Topic};

use super::Configuration;

/// What is wrong with an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It panics on some keys ([`is_unlucky`]).
    Panics(Owner),
    /// The Coordinator opens the next evaluation as soon as evidence arrives (C11 taken out).
    OpensAtOnce,
    /// Saga's entry lists the records of its own evaluation alone (C13 taken out).
    ForgetsOthers,
}

/// Seats for every agent of this configuration, in the embedded loop's order, with a logic number that is greater
/// than the agents' own by `newer`.
#[must_use]
pub fn seats(configuration: &Configuration, newer: u16) -> Vec<Box<dyn Seat>> {
    let cast = Cast { configuration, newer };
    let coordinator = match configuration.fault {
        Some(Fault::OpensAtOnce) => cast.seat::<Hasty>(),
        _ => cast.seat::<Coordinator>(),
    };
    let saga = match configuration.fault {
        Some(Fault::ForgetsOthers) => cast.seat::<Forgetful>(),
        _ => cast.seat::<Saga>(),
    };
    let all = [
        cast.seat::<Huginn>(),
        cast.seat::<Muninn>(),
        cast.seat::<Mimir>(),
        cast.seat::<Forseti>(),
        coordinator,
        cast.seat::<Njord>(),
        cast.seat::<Vidar>(),
        cast.seat::<Loki>(),
        cast.seat::<Var>(),
        saga,
        cast.seat::<Voice>(),
    ];
    all.into_iter().flatten().collect()
}

struct Cast<'a> {
    configuration: &'a Configuration,
    newer: u16,
}

impl Cast<'_> {
    fn seat<A: Agent>(&self) -> Option<Box<dyn Seat>> {
        let (rules, logic) = (self.configuration.rules, A::LOGIC + self.newer);
        match self.configuration.fault {
            _ if self.configuration.silent == Some(A::ROLE) => None,
            Some(Fault::Panics(agent)) if agent == A::ROLE => {
                Some(Box::new(Member::<Panics<A>>::with(rules, logic)))
            }
            _ => Some(Box::new(Member::<A>::with(rules, logic))),
        }
    }
}

/// Whether an agent that panics does so on this key: one review of three.
#[must_use]
pub fn is_unlucky(key: &Key) -> bool {
    key.as_review().is_some() && key.partition().number().is_multiple_of(3)
}

/// An agent that cannot fold the events of some keys, but those that open a review.
#[derive(Debug, Clone, Copy)]
pub struct Panics<A>(std::marker::PhantomData<A>);

impl<A: Agent> Agent for Panics<A> {
    const ROLE: Owner = A::ROLE;
    const LOGIC: u16 = A::LOGIC;
    const READS: &'static [Topic] = A::READS;
    type State = A::State;

    fn evolve(state: &mut A::State, event: &Event<'_>) {
        let opens = event.objects().any(|object| object.topic() == Topic::Change);
        if is_unlucky(event.step.key()) && !opens {
            // Unwinds as a panic does, without telling the console a hundred thousand times.
            std::panic::resume_unwind(Box::new("it cannot fold this key".to_owned()));
        }
        A::evolve(state, event);
    }

    fn decide(state: &A::State, event: &Event<'_>, library: &Library) -> Vec<(Option<Key>, Object)> {
        A::decide(state, event, library)
    }

    fn observe(question: &Question, answer: &Answer, library: &Library) -> Vec<Object> {
        A::observe(question, answer, library)
    }

    fn owed(state: &A::State) -> Owed {
        A::owed(state)
    }
}

/// A Coordinator that does not wait for the receipt.
#[derive(Debug, Clone, Copy)]
pub struct Hasty;

impl Agent for Hasty {
    const ROLE: Owner = Owner::Coordinator;
    const LOGIC: u16 = Coordinator::LOGIC;
    const READS: &'static [Topic] = Coordinator::READS;
    /// The Coordinator's, and the newest evaluation.
    type State = (<Coordinator as Agent>::State, Evaluation);

    fn evolve(state: &mut Self::State, event: &Event<'_>) {
        Coordinator::evolve(&mut state.0, event);
        for object in event.objects() {
            match object {
                Object::Change(_) => state.1 = state.1.max(1),
                Object::EvaluationOpened(opened) => state.1 = state.1.max(opened.evaluation),
                _ => {}
            }
        }
    }

    fn decide(state: &Self::State, event: &Event<'_>, library: &Library) -> Vec<(Option<Key>, Object)> {
        let mut said = Coordinator::decide(&state.0, event, library);
        let open = |pins: &Pins, opening| {
            let next = EvaluationOpened { evaluation: state.1 + 1, opening, pins: pins.clone() };
            (None, next.into())
        };
        said.retain(|(_, object)| object.topic() != Topic::EvaluationOpened);
        said.extend(event.objects().find_map(|object| match object {
            Object::Evidence(evidence) => Some(open(&evidence.pins, Opening::Evidence)),
            Object::RecheckAsked(asked) => Some(open(&asked.pins, Opening::Recheck)),
            _ => None,
        }));
        said
    }

    fn observe(question: &Question, answer: &Answer, library: &Library) -> Vec<Object> {
        Coordinator::observe(question, answer, library)
    }

    fn owed(state: &Self::State) -> Owed {
        Coordinator::owed(&state.0)
    }
}

/// A Saga whose entries list what was said since the evaluation opened, and nothing before.
#[derive(Debug, Clone, Copy)]
pub struct Forgetful;

impl Agent for Forgetful {
    const ROLE: Owner = Owner::Saga;
    const LOGIC: u16 = Saga::LOGIC;
    const READS: &'static [Topic] = Saga::READS;
    /// Saga's, and the records of evaluations that were closed when the newest one opened.
    type State = (<Saga as Agent>::State, Vec<String>, Vec<String>);

    fn evolve(state: &mut Self::State, event: &Event<'_>) {
        Saga::evolve(&mut state.0, event);
        if event.objects().any(|object| object.topic() == Topic::EvaluationOpened) {
            let since = std::mem::take(&mut state.2);
            state.1.extend(since);
        }
        for ordinal in 0..event.step.records().len() {
            state.2.push(event.step.record_id(ordinal).to_string());
        }
    }

    fn decide(state: &Self::State, event: &Event<'_>, library: &Library) -> Vec<(Option<Key>, Object)> {
        let listed = |entry: &AuditEntry| {
            let mut entry = entry.clone();
            entry.items.retain(|item| !state.1.iter().any(|old| *old == item.record.to_string()));
            entry
        };
        let said = Saga::decide(&state.0, event, library);
        said.into_iter()
            .map(|(key, object)| match &object {
                Object::AuditEntry(entry) => (key, listed(entry).into()),
                _ => (key, object),
            })
            .collect()
    }

    fn observe(question: &Question, answer: &Answer, library: &Library) -> Vec<Object> {
        Saga::observe(question, answer, library)
    }

    fn owed(state: &Self::State) -> Owed {
        Saga::owed(&state.0)
    }
}
