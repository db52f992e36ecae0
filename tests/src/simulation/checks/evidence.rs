//! Facts count up to the cut-off, whenever they were looked at (S-18).

use std::collections::BTreeSet;

use agents::estate::Estate;
use ontology::records::Evaluation;
use ontology::{Digest, Timestamp};
use runtime::log::LocalLog;
use topics::{Answer, Cause, Key, Object, Stored};

use super::record::{Told, tell};
use super::{Run, Violation};

pub(super) fn check(run: &Run, key: &Key, steps: &[Stored], broken: &mut Vec<Violation>) {
    let (_, told) = tell(steps);
    for (evaluation, told) in &told {
        cutoffs(key, steps, *evaluation, told, broken);
        claims(key, steps, *evaluation, told, broken);
        concurrent(run, key, *evaluation, told, broken);
    }
}

/// The bundle's cut-off is the opening's time, and what asked for the evaluation is not after it (C3).
fn cutoffs(
    key: &Key,
    steps: &[Stored],
    evaluation: Evaluation,
    told: &Told<'_>,
    broken: &mut Vec<Violation>,
) {
    let Some((opened, cutoff)) = told.opened.first() else { return };
    for (_, bundle) in &told.bundles {
        if bundle.cutoff != *cutoff {
            let what =
                format!("evaluation {evaluation} of {key} opened at {cutoff}, sealed at {}", bundle.cutoff);
            broken.push(Violation::new("cut-off", what));
        }
    }
    if evaluation == 1 {
        return;
    }
    // One evaluation answers all that asked before the step that it was opened because of.
    let Cause::Step(because) = opened.step.cause() else { return };
    let cause = steps.iter().find(|stored| stored.step.id() == *because);
    let asked = steps
        .iter()
        .filter(|stored| cause.is_some_and(|cause| stored.position <= cause.position) && asks(stored));
    for asked in asked {
        if asked.at > *cutoff {
            let what = format!(
                "evaluation {evaluation} of {key} counts facts up to {cutoff}, and was asked for at {} by {:?}",
                asked.at, asked.step
            );
            broken.push(Violation::new("own evidence", what));
        }
    }
}

fn asks(stored: &Stored) -> bool {
    let asks = |object: &Object| matches!(object, Object::Evidence(_) | Object::RecheckAsked(_));
    stored.step.records().iter().any(|record| asks(&record.object))
}

/// Claims in a bundle were there when its evaluation opened.
fn claims(key: &Key, steps: &[Stored], evaluation: Evaluation, told: &Told<'_>, broken: &mut Vec<Violation>) {
    let Some((opened, cutoff)) = told.opened.first() else { return };
    let sealed: BTreeSet<Digest> =
        told.bundles.iter().flat_map(|(_, bundle)| &bundle.document).map(|item| item.digest).collect();
    let late = |stored: &&Stored| stored.position > opened.position || stored.at > *cutoff;
    for stored in steps.iter().filter(late) {
        for record in stored.step.records() {
            let Object::Evidence(evidence) = &record.object else { continue };
            if evidence.attachments.iter().any(|claim| sealed.contains(&claim.digest)) {
                let what =
                    format!("evaluation {evaluation} of {key} is judged on what came at {}", stored.at);
                broken.push(Violation::new("newer evidence", what));
            }
        }
    }
}

/// Concurrent changes are those that were in the estate before this one, whenever the question was answered.
fn concurrent(run: &Run, key: &Key, evaluation: Evaluation, told: &Told<'_>, broken: &mut Vec<Violation>) {
    let Some(review) = key.as_review() else { return };
    let found = told.concurrent.iter().filter(|found| found.unavailable.is_none());
    for found in found {
        // Nobody closed yet: whoever is named must have been there before.
        let mut estate = Estate::default();
        for stored in run.log.read_now(&Key::estate(), None).unwrap_or_default() {
            let closes = |object: &Object| matches!(object, Object::ChangeClosed(_));
            if !stored.step.records().iter().any(|record| closes(&record.object)) {
                estate.fold(&stored);
            }
        }
        let none = BTreeSet::new();
        let Some(Answer::ConcurrentChanges { open, .. }) = estate.answer(review, &none, Timestamp::default())
        else {
            continue;
        };
        for other in &found.open {
            if !open.iter().any(|known| known.review == other.review) {
                let what =
                    format!("evaluation {evaluation} of {key} knows of {}, which came later", other.review);
                broken.push(Violation::new("newer evidence", what));
            }
        }
    }
}
