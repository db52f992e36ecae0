//! `evidence`, `recheck` and `redrive`: what opens the next evaluation of a review, or takes parked agents up.

use ontology::ReviewId;

use super::arguments::{Evidence, Recheck, Redrive, Shown};
use super::{Code, Failure, Outlet, inputs, submit, wait};
use crate::call::{Answers, Call, Reply};
use ontology::policy::catalog::Mode;

/// Adds claims to a review.
pub(super) fn evidence(asked: &Evidence, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let files = inputs::evidence(&asked.files, outlet)?;
    let (node, mode) = asked.directory.open(outlet)?;
    let review = accepted(&*node, Call::Evidence { review: asked.review.clone(), evidence: files })?;
    finish(&*node, review, asked.no_wait, &asked.shown, mode, outlet)
}

/// Judges a review again.
pub(super) fn recheck(asked: &Recheck, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let (node, mode) = asked.directory.open(outlet)?;
    let review = accepted(&*node, Call::Recheck { review: asked.review.clone() })?;
    finish(&*node, review, asked.no_wait, &asked.shown, mode, outlet)
}

/// Takes parked agents of a review up again.
pub(super) fn redrive(asked: &Redrive, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let (node, _) = asked.directory.open(outlet)?;
    let review = accepted(&*node, Call::Redrive { review: asked.review.clone() })?;
    let short = review.short();
    outlet.print(&format!("{short}: its parked agents go on from where they stopped\n"))?;
    Ok(Code::Done)
}

pub(super) fn accepted(node: &dyn Answers, call: Call) -> Result<ReviewId, Failure> {
    match node.call(call)? {
        Reply::Accepted { review } => Ok(review),
        _ => Err(Failure::unexpected()),
    }
}

pub(super) fn finish(
    node: &dyn Answers,
    review: ReviewId,
    no_wait: bool,
    shown: &Shown,
    mode: Option<Mode>,
    outlet: &mut Outlet<'_>,
) -> Result<Code, Failure> {
    if no_wait {
        outlet.print(&format!("{0}: taken in; `arbctl status {0}` shows it\n", review.short()))?;
        return Ok(Code::Done);
    }
    let report = wait::for_outcome(node, &review.to_string())?;
    submit::show(report, None, shown, mode, outlet)
}
