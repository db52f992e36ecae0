//! Judges: options, and the join of six records (S-07, S-11).
//!
//! [`judge::judge`] is the judgement, a pure function; this file says when it is made. Every evaluation is judged
//! once (S-18): because of its bundle, or because its deadline passed without one.

mod assess;
mod branch;
pub mod docket;
mod effects;
mod evidence;
mod exceptions;
pub mod hypothesis;
pub mod judge;
mod option;
mod options;
mod paths;
mod plan;
mod reach;
mod receipt;
mod rules;
mod scope;
mod selection;

#[cfg(test)]
pub(crate) mod tests;

use ontology::Name;
use ontology::records::decision::Basis;
use ontology::records::{ApprovalState, Verdict, VerdictKind};
use topics::{Agent, Answer, Deadline, Event, Key, Library, Object, Owed, Owner, Question, Topic};

pub use docket::{Docket, Filed};
pub use judge::{Inputs, Judgement, judge};

/// The deadline at which an evaluation is judged, whatever has arrived.
pub const JUDGE: &str = "judge";

/// Judges: options, and the join of six records (S-07, S-11).
#[derive(Debug, Clone, Copy)]
pub struct Forseti;

impl Agent for Forseti {
    const ROLE: Owner = Owner::Forseti;
    const LOGIC: u16 = 2;
    const READS: &'static [Topic] = &[
        Topic::Change,
        Topic::EvaluationOpened,
        Topic::ReviewSchedule,
        Topic::StateSnapshot,
        Topic::ConcurrentChanges,
        Topic::EvidenceBundle,
        Topic::PolicySet,
        Topic::Cost,
        Topic::Recovery,
        Topic::Approval,
        Topic::ExceptionAsked,
        Topic::DecisionReceipt,
        Topic::DeadlineReached,
    ];
    /// What has arrived of the current evaluation; nothing before the change.
    type State = Option<Docket>;

    fn evolve(state: &mut Self::State, event: &Event<'_>) {
        docket::fold(state, event);
    }

    fn decide(state: &Self::State, event: &Event<'_>, library: &Library) -> Vec<(Option<Key>, Object)> {
        let Some(docket) = state.as_ref() else { return Vec::new() };
        if docket.judged {
            return answered(docket, event).map(|verdict| (None, verdict.into())).into_iter().collect();
        }
        let Some(inputs) = Inputs::of(docket, library) else { return Vec::new() };
        let said = match prompt(docket, event) {
            Some(Prompt::Options) => options::draft(&inputs).map(Object::from).into_iter().collect(),
            Some(Prompt::Join) => judge(&inputs).into_objects(),
            None => Vec::new(),
        };
        said.into_iter().map(|object| (None, object)).collect()
    }

    fn observe(_: &Question, _: &Answer, _: &Library) -> Vec<Object> {
        Vec::new()
    }

    fn owed(state: &Self::State) -> Owed {
        let Some(docket) = state else { return Owed::default() };
        let deadline = (!docket.judged).then(|| Deadline {
            at: docket.opened_at.plus_ms(docket.pins.budget_ms),
            evaluation: docket.evaluation,
            name: Name::new(JUDGE).expect("a short literal"),
            budget_ms: docket.pins.budget_ms,
        });
        Owed { questions: Vec::new(), deadline, open: !docket.closed }
    }
}

/// The last word on what a person was asked: what became of the request decides, and nothing else (S-36). Expired
/// and void are no answer, so the change is held.
fn answered(docket: &Docket, event: &Event<'_>) -> Option<Verdict> {
    let (case_digest, conditional) = docket.awaits?;
    let approval = event.objects().find_map(|object| match object {
        Object::Approval(it) if it.evaluation == docket.evaluation => Some(it),
        _ => None,
    })?;
    let (verdict, basis) = match approval.state {
        _ if approval.case_digest != case_digest => (VerdictKind::Held, Basis::Observation),
        // Nobody's approval gives what a rule asks for.
        ApprovalState::Approved if conditional => (VerdictKind::Conditional, Basis::HumanApproval),
        ApprovalState::Approved => (VerdictKind::Conformant, Basis::HumanApproval),
        ApprovalState::Rejected => (VerdictKind::Rejected, Basis::Denied),
        ApprovalState::Expired | ApprovalState::Void => (VerdictKind::Held, Basis::Observation),
    };
    Some(judge::last_word(docket, verdict, basis, case_digest))
}

/// What an event asks Forseti to say.
enum Prompt {
    /// Snapshot and policy set are here: draft the options.
    Options,
    /// The bundle is here, or the time is up: judge.
    Join,
}

fn prompt(docket: &Docket, event: &Event<'_>) -> Option<Prompt> {
    let now = docket.evaluation;
    event.objects().find_map(|object| match object {
        Object::StateSnapshot(it) if it.evaluation == now => drafts(docket),
        Object::PolicySet(it) if it.evaluation == now => drafts(docket),
        Object::EvidenceBundle(it) if it.evaluation == now && docket.bundle.is_some() => Some(Prompt::Join),
        Object::DeadlineReached(it)
            if it.evaluation == now && it.name.as_str() == JUDGE && docket.overdue =>
        {
            Some(Prompt::Join)
        }
        _ => None,
    })
}

fn drafts(docket: &Docket) -> Option<Prompt> {
    let both = docket.snapshot.is_some() && docket.policies.is_some();
    (both && docket.options.is_none()).then_some(Prompt::Options)
}
