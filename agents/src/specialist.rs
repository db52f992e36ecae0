//! What the specialists have in common: each owes one assessment an evaluation, if the schedule activates it, once
//! schedule, options and snapshot are there. The library holds all it takes.

use std::collections::BTreeSet;
use std::sync::Arc;

use ontology::graph::Node;
use ontology::records::evidence::Unavailable;
use ontology::records::{EvidenceKey, OptionSet, ReviewSchedule};
use ontology::{ObjectId, Timestamp};
use topics::question::Assessment;
use topics::{Ask, Cause, Event, Library, Object, Owed, Question, Topic};

use crate::followed::Followed;
use crate::muninn::snapshot::{Setting, scope};

/// What every specialist folds.
pub const READS: &[Topic] = &[
    Topic::Change,
    Topic::Evidence,
    Topic::EvaluationOpened,
    Topic::ReviewSchedule,
    Topic::StateSnapshot,
    Topic::OptionSet,
    Topic::DecisionReceipt,
];

/// What a specialist holds of a review.
pub type State = Followed<Task>;

/// What the assessment of the open evaluation waits for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Task {
    schedule: Option<Arc<ReviewSchedule>>,
    options: Option<Arc<OptionSet>>,
    scope: Option<Arc<BTreeSet<ObjectId>>>,
    answered: bool,
}

/// Folds an event for a specialist, whose own observation is the only `cost` or `recovery` it hears.
pub fn evolve(state: &mut State, event: &Event<'_>) {
    state.follow(event);
    for object in event.objects() {
        match object {
            Object::ReviewSchedule(schedule) => {
                if let Some(current) = state.of(schedule.evaluation) {
                    current.work.schedule.get_or_insert_with(|| Arc::clone(schedule));
                }
            }
            Object::OptionSet(options) => {
                if let Some(current) = state.of(options.evaluation) {
                    current.work.options.get_or_insert_with(|| Arc::clone(options));
                }
            }
            Object::StateSnapshot(snapshot) => {
                if let Some(current) = state.of(snapshot.evaluation) {
                    let ids =
                        || snapshot.objects.iter().filter_map(|pair| ObjectId::new(pair.id.as_str()).ok());
                    current.work.scope.get_or_insert_with(|| Arc::new(ids().collect()));
                }
            }
            Object::Cost(cost) => answered(state, cost.evaluation),
            Object::Recovery(recovery) => answered(state, recovery.evaluation),
            _ => {}
        }
    }
}

fn answered(state: &mut State, evaluation: ontology::records::Evaluation) {
    if let Some(current) = state.of(evaluation) {
        current.work.answered = true;
    }
}

/// What a specialist of this key waits for.
#[must_use]
pub fn owed(state: &State, key: EvidenceKey, ask: fn(Box<Assessment>) -> Ask) -> Owed {
    let Some((change, current)) = state.open_evaluation() else { return Owed::default() };
    let mut owed = Owed { open: true, ..Owed::default() };
    let Task { schedule: Some(schedule), options: Some(options), scope: Some(scope), answered: false } =
        &current.work
    else {
        return owed;
    };
    if schedule.activated.contains(&key) {
        owed.questions.push(Question {
            cause: Cause::named(&format!("{}/{}", key.as_str(), current.evaluation)),
            as_of: current.cutoff,
            ask: ask(Box::new(Assessment {
                evaluation: current.evaluation,
                document: change.document.clone(),
                options: Arc::clone(options),
                pins: current.pins.clone(),
                attachments: current.claims.to_vec(),
                scope: Arc::clone(scope),
            })),
        });
    }
    owed
}

/// What the assessment is made from, and the objects in scope.
///
/// # Errors
/// [`Unavailable`] where the library does not hold what is pinned.
pub fn setting<'a>(
    assessment: &'a Assessment,
    cutoff: Timestamp,
    library: &'a Library,
) -> Result<(Setting<'a>, BTreeSet<Node>), Unavailable> {
    let setting =
        Setting::of(library, &assessment.document, &assessment.pins, cutoff).ok_or_else(|| Unavailable {
            cause: "the pinned model, catalog or document is not at hand".to_owned(),
            cure: "make the bodies that the change names available, and ask to judge again".to_owned(),
        })?;
    // A snapshot of many objects does not list them; who needs them makes the list again.
    let objects = if assessment.scope.is_empty() {
        scope(&setting).objects.into_keys().collect()
    } else {
        assessment.scope.iter().filter_map(|id| setting.graph.node(id)).collect()
    };
    Ok((setting, objects))
}
