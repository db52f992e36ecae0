//! Says which constraints and policies are in force.

pub mod catalog;

pub use catalog::starter;

#[cfg(test)]
mod tests;

use ontology::policy::Catalog;
use ontology::records::PolicySet;
use ontology::records::snapshot::Pair;
use ontology::{Digest, Name};
use topics::{Agent, Answer, Ask, Event, Key, Library, Object, Owed, Owner, Question, Topic};

use crate::followed::{Current, Followed};

/// Says which constraints and policies are in force.
#[derive(Debug, Clone, Copy)]
pub struct Mimir;

impl Agent for Mimir {
    const ROLE: Owner = Owner::Mimir;
    const LOGIC: u16 = 1;
    const READS: &'static [Topic] = &[Topic::Change, Topic::EvaluationOpened, Topic::DecisionReceipt];
    type State = Followed<()>;

    fn evolve(state: &mut Self::State, event: &Event<'_>) {
        state.follow(event);
    }

    fn decide(state: &Self::State, event: &Event<'_>, library: &Library) -> Vec<(Option<Key>, Object)> {
        let opened = state.open_evaluation().filter(|(_, current)| current.opened_by == event.id());
        let set = opened
            .and_then(|(_, current)| Some(policy_set(current, library.catalog(&current.pins.catalog)?)));
        set.into_iter().map(|set| (None, set.into())).collect()
    }

    fn observe(question: &Question, answer: &Answer, _: &Library) -> Vec<Object> {
        match (&question.ask, answer) {
            (Ask::Intake, Answer::Catalog(revision)) => vec![revision.clone().into()],
            _ => Vec::new(),
        }
    }

    fn owed(state: &Self::State) -> Owed {
        Owed { open: state.open_evaluation().is_some(), ..Owed::default() }
    }
}

/// Every constraint of the catalog is in force, and every Rego module; `deny_from` alters only what a violation does (U11).
fn policy_set(current: &Current<()>, catalog: &Catalog) -> PolicySet {
    let pair = |constraint: &ontology::policy::Constraint| Pair {
        id: constraint.id.to_string(),
        digest: Digest::of_value(constraint),
    };
    let mut constraints: Vec<Pair> = catalog.constraints.iter().map(pair).collect();
    constraints.sort();
    let texts = catalog.policies.texts().iter();
    let policies =
        texts.filter_map(|(path, text)| Some((Name::new(path.as_str()).ok()?, Digest::of_value(text))));
    PolicySet {
        evaluation: current.evaluation,
        catalog: current.pins.catalog,
        constraints,
        policies: policies.collect(),
    }
}
