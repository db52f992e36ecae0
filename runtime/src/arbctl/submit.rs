//! `submit-change` and `review`.

use std::path::{Path, PathBuf};

use super::arguments::{Change, Form, Review, Shown, Submit};
use super::connect::{self, Location};
use super::render::{self, View};
use super::{Code, FailOn, Failure, Outlet, inputs, wait};
use crate::call::{self, Answers, Call, Reply, Submitted};
use crate::report::next::PLAN;
use crate::report::{Outcome, Report};
use ontology::policy::catalog::Mode;

/// Reviews a change and keeps the review.
pub(super) fn submit(asked: &Submit, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let submit = inputs::submit(&asked.change, asked.key.as_deref(), outlet)?;
    let location = Location::of(&asked.directory, outlet)?;
    let node = connect::node(&location)?;
    let submitted = send(&*node, submit)?;
    if submitted.replayed {
        outlet.note(
            "the same change was taken in before: this is the stored review (`arbctl recheck` judges again)",
        );
    }
    if asked.no_wait {
        return accepted(&submitted, asked.shown.output, outlet);
    }
    let report = wait::for_outcome(&*node, &submitted.review.to_string())?;
    show(report, Some(typed(&asked.change)), &asked.shown, location.config.mode, outlet)
}

/// Reviews a change on a log in memory.
pub(super) fn review(asked: &Review, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let Review { change, shown } = asked;
    let submit = inputs::submit(change, None, outlet)?;
    let report = in_memory(submit)?;
    outlet.note("nothing of this review is kept; `arbctl submit-change` keeps it");
    show(report, Some(typed(change)), shown, None, outlet)
}

/// The report of a review that nobody finds afterwards.
pub(super) fn in_memory(submit: call::Submit) -> Result<Report, Failure> {
    let node = connect::in_memory()?;
    let submitted = send(&*node, submit)?;
    let mut report = wait::for_outcome(&*node, &submitted.review.to_string())?;
    // Nothing of this review outlives the command: no other command finds it.
    report.next.retain(|step| !step.command.contains(&report.short));
    Ok(report)
}

/// How the change was given, as `model init` takes it.
fn typed(change: &Change) -> String {
    match &change.given.change {
        Some(path) => from_plan(path),
        None => from_manifests(&change.given.manifests.after),
    }
}

fn from_plan(path: &Path) -> String {
    format!("--from {}", quoted(&path.display().to_string()))
}

/// As [`from_plan`], for manifests.
fn from_manifests(paths: &[PathBuf]) -> String {
    let after = paths.iter().map(|path| format!("--after {}", quoted(&path.display().to_string())));
    after.collect::<Vec<String>>().join(" ")
}

fn send(node: &dyn Answers, submit: call::Submit) -> Result<Submitted, Failure> {
    match node.call(Call::Submit(Box::new(submit)))? {
        Reply::Submitted(submitted) => Ok(submitted),
        _ => Err(Failure::unexpected()),
    }
}

fn accepted(submitted: &Submitted, output: Form, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    match output {
        Form::Json => outlet.json(submitted)?,
        Form::Text | Form::Markdown | Form::Github | Form::Atlantis => {
            let (short, revision) = (submitted.review.short(), submitted.revision);
            outlet.print(&format!("{short} r{revision} is taken in: `arbctl status {short}` shows it\n"))?;
        }
    }
    Ok(Code::Done)
}

/// Prints a report, and says how the program ends. `mode` is the deployment's own word, which goes before the
/// catalog's.
pub(super) fn show(
    mut report: Report,
    given: Option<String>,
    shown: &Shown,
    mode: Option<Mode>,
    outlet: &mut Outlet<'_>,
) -> Result<Code, Failure> {
    report.mode = mode.unwrap_or(report.mode);
    if let Some(given) = given {
        name_plan(&mut report, &given);
    }
    let outcome = if report.under_way { Outcome::Undecided } else { report.outcome };
    let code = FailOn::code(&shown.fail_on, report.mode, outcome);
    let view = View { agents: shown.agents, verbose: shown.verbose, exit: code.number() };
    let text = match shown.output {
        Form::Json => {
            outlet.json(&report)?;
            return Ok(code);
        }
        Form::Text => render::review(&report, &outlet.paper(), view),
        Form::Markdown => render::markdown(&report, view),
        Form::Atlantis => render::atlantis(&report, view),
        Form::Github => {
            outlet.append("GITHUB_STEP_SUMMARY", &render::markdown(&report, view))?;
            outlet.append("GITHUB_OUTPUT", &render::github_outputs(&report, view))?;
            render::github(&report, view)
        }
    };
    outlet.print(&text)?;
    Ok(code)
}

/// Puts what was typed where a node could only say `--from PLAN`, or `PLAN`.
pub(super) fn name_plan(report: &mut Report, given: &str) {
    let option = format!("--from {PLAN}");
    let name = |text: &mut String| {
        *text = text.replace(&option, given);
        if let Some(plan) = given.strip_prefix("--from ") {
            *text = text.replace(PLAN, plan);
        }
    };
    report.next.iter_mut().for_each(|step| name(&mut step.command));
    report.undecided.iter_mut().for_each(|row| name(&mut row.takes));
}

/// A path as a shell takes it.
pub(super) fn quoted(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./+:@%,=".contains(&byte);
    if !path.is_empty() && path.bytes().all(plain) {
        return path.to_owned();
    }
    format!("'{}'", path.replace('\'', r"'\''"))
}
