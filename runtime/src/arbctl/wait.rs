//! Waiting until an evaluation has its receipt, or a person is awaited.

use std::time::{Duration, Instant};

use crate::call::{Answers, Call, Reply};
use crate::report::Report;

use super::Failure;

/// How long the first look waits; each further one twice as long, up to [`PAUSE_MAX`].
const PAUSE_FIRST: Duration = Duration::from_millis(2);
/// How long a look waits at most: nobody notices a twentieth of a second.
const PAUSE_MAX: Duration = Duration::from_millis(50);
/// What is allowed beyond the budget and a fifth of it: a node that just went live waits that fifth (architecture.md).
const GRACE: Duration = Duration::from_secs(1);

/// The report once nothing is under way any more, or what there is when the time is up.
pub(super) fn for_outcome(node: &dyn Answers, review: &str) -> Result<Report, Failure> {
    let started = Instant::now();
    let mut pause = PAUSE_FIRST;
    loop {
        let report = report(node, review)?;
        if !report.under_way || started.elapsed() > patience(&report) {
            return Ok(report);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(PAUSE_MAX);
    }
}

fn patience(report: &Report) -> Duration {
    let budget_ms = report.evaluations.last().map_or(0, |evaluation| evaluation.pins.budget_ms);
    Duration::from_millis(budget_ms.saturating_add(budget_ms / 5)) + GRACE
}

/// A review, with what changed since the one that it supersedes, where that is still there.
pub(super) fn report(node: &dyn Answers, review: &str) -> Result<Report, Failure> {
    let mut report = read(node, review)?;
    if let Some(superseded) = report.supersedes.as_ref().map(|it| it.review.to_string())
        && let Ok(before) = read(node, &superseded)
    {
        report.compare_with(&before);
    }
    Ok(report)
}

fn read(node: &dyn Answers, review: &str) -> Result<Report, Failure> {
    match node.call(Call::Review { review: review.to_owned() })? {
        Reply::Review(report) => Ok(*report),
        _ => Err(Failure::unexpected()),
    }
}
