//! Reports as people read them. Words and layout only: everything shown is in the report.

mod axes;
mod facts;
mod findings;
mod head;
mod markdown;
mod options;
mod paper;
mod pipeline;
mod reach;
mod reasons;
pub(crate) mod safe;
mod undecided;
mod words;

use ontology::records::ApprovalDecision;

use crate::report::reach::span;
use crate::report::{Outcome, Report};

pub(super) use markdown::review as markdown;
pub(super) use paper::{Cell, Paper, Table};
pub(super) use pipeline::{atlantis, github, github_outputs};
pub(super) use words::listed;

/// How much of a report is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct View {
    /// Agents' names beside the roles.
    pub(super) agents: bool,
    /// Everything.
    pub(super) verbose: bool,
    /// The exit code that will follow.
    pub(super) exit: u8,
}

/// A review, as text.
#[must_use]
pub(super) fn review(report: &Report, paper: &Paper, view: View) -> String {
    let sections = [
        head::head(report, paper, view),
        findings::seen(report, paper, view),
        undecided::rows(report, paper, view),
        reasons::why(report, paper, view),
        reach_options_rules_facts(report, paper, view),
        who(report, paper),
        axes::line(report, paper, view),
    ];
    let mut text = sections.into_iter().filter(|section| !section.is_empty()).collect::<Vec<_>>().join("\n");
    text.push_str(&head::next(report, paper));
    text
}

/// One block: each line begins with its own word.
fn reach_options_rules_facts(report: &Report, paper: &Paper, view: View) -> String {
    let mut text = reach::line(report, paper, view);
    text.push_str(&options::table(report, paper, view));
    text.push_str(&findings::rules(report, paper, view));
    text.push_str(&facts::line(report, paper, view));
    for condition in &report.conditions {
        let what = format!("{} ({})", condition.check, condition.key);
        let until = format!("until {}", minutes(condition.expires_at));
        text.push_str(&paper.labelled("If", &safe::line(&what), &until));
    }
    for (number, it) in report.experiments.iter().enumerate() {
        let label = if number == 0 { "Try" } else { "" };
        let (within, lost) = (span(it.rto_s), span(it.rpo_s));
        let what =
            format!("rehearse {} of {}: back within {within}, at most {lost} lost", it.strategy, it.object);
        text.push_str(&paper.labelled(label, &safe::line(&what), &format!("stands on {}", it.redundancy)));
    }
    text
}

/// Who may act where a person has to, what was answered, and how to answer.
fn who(report: &Report, paper: &Paper) -> String {
    let Some(approval) = &report.approval else { return String::new() };
    let awaited = report.outcome == Outcome::ApprovalRequired;
    let mut text = String::new();
    for need in approval.needs.iter().filter(|_| awaited) {
        let roles: Vec<&str> = need.roles.iter().map(|role| role.as_str()).collect();
        let asks = format!("{} of {}", need.quorum, safe::line(&roles.join(" or ")));
        let people: Vec<String> = need.people.iter().map(|person| safe::line(person.as_str())).collect();
        let who = if people.is_empty() {
            format!("{asks}: nobody can yet; say in the catalog's people.yaml who has the role")
        } else {
            format!("{asks}: {}", people.join(", "))
        };
        text.push_str(&paper.labelled("who", &who, &format!("until {}", minutes(approval.expires_at))));
    }
    for answer in &approval.answers {
        let because = answer.because.as_deref().map(|words| format!(": {}", safe::line(words)));
        let effect = answer.without_effect.as_deref().map(|why| format!(" (does not count: {why})"));
        let said = format!(
            "{} {}{}{}",
            safe::line(answer.person.as_str()),
            answered(answer.decision),
            because.unwrap_or_default(),
            effect.map(|effect| safe::line(&effect)).unwrap_or_default(),
        );
        text.push_str(&paper.labelled("said", &said, if answer.signed { "signed" } else { "" }));
    }
    text
}

/// A time to the minute, in UTC.
fn minutes(at: ontology::Timestamp) -> String {
    let text = at.to_string();
    match (text.get(..10), text.get(11..16)) {
        (Some(day), Some(minute)) => format!("{day} {minute} UTC"),
        _ => text,
    }
}

/// What a person did.
const fn answered(decision: ApprovalDecision) -> &'static str {
    match decision {
        ApprovalDecision::Approve => "approved",
        ApprovalDecision::Reject => "rejected",
        ApprovalDecision::Revoke => "took the approval back",
    }
}
