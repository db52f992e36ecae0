//! One bundle, one judgement, one receipt an evaluation; and every accepted change comes to an end.

use std::collections::BTreeMap;

use ontology::records::{ApprovalState, Evaluation, RecommendationKind, VerdictKind};
use runtime::log::LocalLog;
use topics::{Key, Object, Owner, Stored};

use super::record::{Told, tell};
use super::{Run, Violation};
use crate::simulation::cast::{Fault, is_unlucky};

pub(super) fn check(run: &Run, key: &Key, steps: &[Stored], broken: &mut Vec<Violation>) {
    let (change, told) = tell(steps);
    if change.is_none() {
        return;
    }
    for (evaluation, told) in &told {
        once(key, *evaluation, told, broken);
        ends(run, key, *evaluation, told, broken);
        names_who_is_missing(run, key, *evaluation, told, broken);
    }
    numbers(key, &told, broken);
    leaves_the_estate(run, key, &told, broken);
}

fn once(key: &Key, evaluation: Evaluation, told: &Told<'_>, broken: &mut Vec<Violation>) {
    let counts = [
        ("openings", told.opened.len(), 1),
        ("bundles", told.bundles.len(), 0),
        ("recommendations", told.recommendations.len(), 0),
        ("requests to people", told.requests.len(), 0),
        ("ends of a request", told.approvals.len(), 0),
        ("verdicts", told.verdicts.len(), 0),
        ("receipts", told.receipts.len(), 0),
    ];
    for (what, count, least) in counts {
        if count > 1 || count < least {
            let what = format!("evaluation {evaluation} of {key} has {count} {what}");
            broken.push(Violation::new("once an evaluation", what));
        }
    }
    for (_, verdict) in told.verdicts.iter().filter(|_| asks(told)) {
        let expected = told.approvals.first().map(|(_, approval)| match approval.state {
            ApprovalState::Approved => VerdictKind::Conformant,
            ApprovalState::Rejected => VerdictKind::Rejected,
            ApprovalState::Expired | ApprovalState::Void => VerdictKind::Held,
        });
        if expected != Some(verdict.verdict) {
            let said = verdict.verdict;
            let what = format!("evaluation {evaluation} of {key} is {said:?}, which no person's answer says");
            broken.push(Violation::new("people decide", what));
        }
    }
    for (_, approval) in &told.approvals {
        if approval.people.iter().any(|person| person.as_str() == "eve") {
            let what = format!("evaluation {evaluation} of {key} counts somebody without a role");
            broken.push(Violation::new("people decide", what));
        }
    }
    if told.verdicts.is_empty() && !told.receipts.is_empty() {
        let what = format!("evaluation {evaluation} of {key} has a receipt without a verdict");
        broken.push(Violation::new("once an evaluation", what));
    }
}

/// Whether a person has to decide.
fn asks(told: &Told<'_>) -> bool {
    told.recommendations.iter().any(|(_, it)| it.kind == RecommendationKind::ApprovalRequired)
}

/// Whether this agent takes part on this key.
fn takes_part(run: &Run, agent: Owner, key: &Key) -> bool {
    let parked = run.configuration.fault == Some(Fault::Panics(agent)) && is_unlucky(key);
    run.configuration.silent != Some(agent) && !parked
}

fn ends(run: &Run, key: &Key, evaluation: Evaluation, told: &Told<'_>, broken: &mut Vec<Violation>) {
    if takes_part(run, Owner::Forseti, key) && told.recommendations.is_empty() {
        let what = format!("evaluation {evaluation} of {key} was never judged");
        broken.push(Violation::new("every review ends", what));
    }
    if takes_part(run, Owner::Var, key) && asks(told) && told.approvals.is_empty() {
        let what = format!("evaluation {evaluation} of {key} asks a person, and the request never ends");
        broken.push(Violation::new("every review ends", what));
    }
    if takes_part(run, Owner::Saga, key) && !told.verdicts.is_empty() && told.receipts.is_empty() {
        let what = format!("evaluation {evaluation} of {key} has a verdict and no receipt");
        broken.push(Violation::new("every review ends", what));
    }
    if run.configuration.is_calm() && told.bundles.iter().any(|(_, bundle)| bundle.sealed_by_deadline) {
        let what = format!("nothing went wrong, and a deadline sealed evaluation {evaluation} of {key}");
        broken.push(Violation::new("prompt", what));
    }
}

/// Evaluations follow each other: the next opens when the one before has its receipt (C11).
fn numbers(key: &Key, told: &BTreeMap<Evaluation, Told<'_>>, broken: &mut Vec<Violation>) {
    for (evaluation, here) in told {
        let Some((opened, _)) = here.opened.first() else { continue };
        let Some(before) = evaluation.checked_sub(1).filter(|before| *before > 0) else { continue };
        let closed = told.get(&before).and_then(|before| before.receipts.first());
        if closed.is_none_or(|closed| *closed > opened.position) {
            let what = format!("evaluation {evaluation} of {key} opened before {before} had its receipt");
            broken.push(Violation::new("evaluations follow", what));
        }
    }
}

/// What each agent that says nothing is called where it is missed.
fn missed(agent: Owner) -> &'static [&'static str] {
    match agent {
        Owner::Muninn => &["evidence-bundle", "state-snapshot"],
        Owner::Mimir => &["policy-set", "policy"],
        Owner::Coordinator => &["review-schedule"],
        Owner::Njord => &["cost"],
        Owner::Vidar => &["recovery"],
        _ => &[],
    }
}

fn names_who_is_missing(
    run: &Run,
    key: &Key,
    evaluation: Evaluation,
    told: &Told<'_>,
    broken: &mut Vec<Violation>,
) {
    let Some(agent) = run.configuration.silent.or(run.configuration.mute) else { return };
    let Some((_, recommendation)) = told.recommendations.first() else { return };
    let names = missed(agent);
    let activated = |name: &str| {
        told.schedules.iter().any(|it| it.activated.iter().any(|activated| activated.as_str() == name))
    };
    // A schedule that came too late is missed itself, and nobody can tell whom it would have asked.
    let names_one =
        |subject: &Option<String>, names: &[&str]| subject.as_deref().is_some_and(|it| names.contains(&it));
    let scheduled = !recommendation.reasons.iter().any(|it| names_one(&it.subject, &["review-schedule"]));
    let needed = matches!(agent, Owner::Muninn | Owner::Mimir | Owner::Coordinator)
        || scheduled && names.iter().any(|name| activated(name));
    let named = |subject: &Option<String>| names_one(subject, names);
    if needed && !names.is_empty() && !recommendation.reasons.iter().any(|reason| named(&reason.subject)) {
        let reasons: Vec<String> =
            recommendation.reasons.iter().map(|it| format!("{:?} {:?}", it.code, it.subject)).collect();
        let what = format!("{agent} is silent, and evaluation {evaluation} of {key} says only {reasons:?}");
        broken.push(Violation::new("missing is named", what));
    }
}

/// A rejected change is said to have left the estate (C2).
fn leaves_the_estate(
    run: &Run,
    key: &Key,
    told: &BTreeMap<Evaluation, Told<'_>>,
    broken: &mut Vec<Violation>,
) {
    let rejected = told.values().any(|told| {
        told.verdicts.iter().any(|(_, verdict)| verdict.verdict == VerdictKind::Rejected)
            && !told.receipts.is_empty()
    });
    let estate = run.log.read_now(&Key::estate(), None).unwrap_or_default();
    let objects = || estate.iter().flat_map(|stored| stored.step.records()).map(|record| &record.object);
    let is = |review| key.as_review() == Some(review);
    if rejected && !objects().any(|it| matches!(it, Object::ChangeClosed(closed) if is(closed.review))) {
        broken.push(Violation::new("change-closed", format!("{key} was rejected and never left the estate")));
    }
    if !objects().any(|it| matches!(it, Object::ChangeOpened(opened) if is(opened.review))) {
        broken.push(Violation::new("change-opened", format!("{key} never came into the estate")));
    }
}
