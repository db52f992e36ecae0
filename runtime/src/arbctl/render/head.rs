//! The first lines: the verdict with what to do, what is reviewed, what is worth knowing; and the last: what is next.

use std::collections::BTreeMap;

use ontology::ReasonCode;
use ontology::policy::catalog::Mode;
use ontology::records::document::Action;

use super::paper::Paper;
use super::words::{action, counted, listed, outcome};
use super::{View, safe};
use crate::report::{ReasonShown, Report, Superseded};

/// Codes that another part of the screen shows, or that the command says on stderr.
const SHOWN_ELSEWHERE: [ReasonCode; 9] = [
    ReasonCode::ConstraintWarned,
    ReasonCode::ConstraintPreExisting,
    ReasonCode::ConstraintUnknown,
    ReasonCode::PlanUnknownValue,
    ReasonCode::SensitivityUnmarked,
    ReasonCode::WithheldUnkeyed,
    ReasonCode::RequesterUnverified,
    ReasonCode::StarterCatalog,
    ReasonCode::NotDurable,
];
/// Subjects named in a note without `-v`.
const SUBJECTS_MAX: usize = 1;

pub(super) fn head(report: &Report, paper: &Paper, view: View) -> String {
    let mut text = verdict(report, paper, view);
    text.push_str(&paper.labelled("plan", &plan(report), &identity(report)));
    text.push_str(&paper.labelled("asked", &requester(report), &catalog(report)));
    for note in notes(report, view) {
        text.push_str(&paper.labelled("note", &note, ""));
    }
    text
}

/// `HELD  nothing is modelled yet`, and what the deployment does with it.
fn verdict(report: &Report, paper: &Paper, view: View) -> String {
    let (word, style) = outcome(report.outcome);
    let mode = match (report.mode, view.exit) {
        (Mode::Observe, 0) => "observe mode: blocks nothing, exit 0 (--fail-on to change)".to_owned(),
        (Mode::Observe, exit) => format!("observe mode, exit {exit}"),
        (Mode::Enforce, exit) => format!("enforce mode, exit {exit}"),
    };
    let under_way = if report.under_way { " (an evaluation is under way)" } else { "" };
    let headline = format!("{}{under_way}", report.headline);
    let plain = Paper { colour: false, ..*paper };
    // The word takes the place of the label, which is narrower.
    let indent = word.len() + 2;
    let room = Paper { width: paper.width.saturating_sub(indent).max(40) + 8, ..plain };
    let body = room.labelled("", &headline, &mode);
    let mut lines = body.lines().map(|line| line.get(8..).unwrap_or_default());
    let mut text = format!("{}  {}\n", paper.paint(word, style), lines.next().unwrap_or_default());
    for line in lines {
        text.push_str(&format!("{}{line}\n", " ".repeat(indent)));
    }
    text
}

/// `terraform 1.11.4, format 1.2: 1 replace, 2 update, 13 unchanged`.
fn plan(report: &Report) -> String {
    let change = &report.change;
    let tool = change.tool.as_deref().unwrap_or(change.format.as_str());
    let counts: &BTreeMap<Action, u32> = &change.actions;
    let counts: Vec<String> =
        counts.iter().map(|(kind, count)| format!("{count} {}", action(*kind))).collect();
    let counts = if counts.is_empty() { "nothing changes".to_owned() } else { counts.join(", ") };
    let kind = if change.kind.as_str() == agents::huginn::intake::KIND_DEFAULT {
        String::new()
    } else {
        format!("{}, ", change.kind)
    };
    format!("{tool}, format {}: {kind}{counts}", change.format_version)
}

/// `rv-7k2m4p1q r2 (r1 held: model 4be1…→77c0…)  change 4f0c…`.
fn identity(report: &Report) -> String {
    let before = report.supersedes.as_ref().map(superseded).unwrap_or_default();
    let evaluation =
        if report.evaluations.len() > 1 { format!(" evaluation {}", report.shown) } else { String::new() };
    format!(
        "{} r{}{evaluation}{before}  change {}",
        report.short,
        report.revision,
        report.change.change_digest.short()
    )
}

fn superseded(superseded: &Superseded) -> String {
    let since: Vec<String> = superseded
        .since
        .iter()
        .map(|since| format!("{} {}→{}", since.what, since.before.short(), since.after.short()))
        .collect();
    let outcome = superseded.outcome.map(|outcome| format!(" {outcome}")).unwrap_or_default();
    let since = if since.is_empty() { String::new() } else { format!(": {}", since.join(", ")) };
    format!(" (r{}{outcome}{since})", superseded.revision)
}

fn requester(report: &Report) -> String {
    let change = &report.change;
    let verified = if change.requester_verified { "verified" } else { "not verified" };
    format!(
        "by {} ({}, {verified}) from {}",
        change.requester.subject, change.requester.issuer, change.source
    )
}

fn catalog(report: &Report) -> String {
    let catalog = &report.rules.catalog;
    let model =
        report.evaluations.iter().find(|it| it.number == report.shown).map(|it| it.pins.model.short());
    let name = match (&catalog.name, catalog.starter) {
        (_, true) => "starter catalog".to_owned(),
        (Some(name), false) => format!("catalog {name}"),
        (None, false) => "catalog".to_owned(),
    };
    format!("{name} {}  model {}", catalog.digest.short(), model.unwrap_or_default())
}

fn notes(report: &Report, view: View) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(withheld) = withheld(report) {
        notes.push(withheld);
    }
    let mut by_code: Vec<(ReasonCode, Vec<&ReasonShown>)> = Vec::new();
    for reason in report.facts.noted.iter().filter(|it| view.verbose || !SHOWN_ELSEWHERE.contains(&it.code)) {
        match by_code.iter_mut().find(|(code, _)| *code == reason.code) {
            Some((_, reasons)) => reasons.push(reason),
            None => by_code.push((reason.code, vec![reason])),
        }
    }
    let most = if view.verbose { usize::MAX } else { SUBJECTS_MAX };
    for (code, reasons) in by_code {
        let subjects: Vec<&str> = reasons.iter().filter_map(|reason| reason.subject.as_deref()).collect();
        let about =
            if subjects.is_empty() { String::new() } else { format!(": {}", listed(&subjects, most)) };
        notes.push(format!("{}{about} ({code})", reasons[0].title));
    }
    if !report.change.attachments.is_empty() {
        let names: Vec<&str> = report.change.attachments.iter().map(|name| name.as_str()).collect();
        notes.push(format!("claims of the requester: {}", listed(&names, most)));
    }
    notes
}

/// What was kept out (U3), and what that costs.
fn withheld(report: &Report) -> Option<String> {
    let noted = |code: ReasonCode| report.facts.noted.iter().any(|reason| reason.code == code);
    let unmarked = noted(ReasonCode::SensitivityUnmarked);
    if report.change.withheld == 0 && !unmarked {
        return None;
    }
    let marks = if unmarked { "this format marks no secrets: " } else { "" };
    let values = counted(report.change.withheld, "value", "values");
    let unkeyed = noted(ReasonCode::WithheldUnkeyed);
    let unkeyed = if unkeyed { "; without a key a change between them cannot be seen" } else { "" };
    Some(format!("{marks}{values} withheld, none stored{unkeyed}"))
}

/// What to type next.
pub(super) fn next(report: &Report, paper: &Paper) -> String {
    let mut text = String::new();
    for (number, step) in report.next.iter().enumerate() {
        let label = if number == 0 { "next" } else { "" };
        text.push_str(&paper.labelled(label, &safe::line(&step.command), &step.why));
    }
    text
}
