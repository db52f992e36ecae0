//! Reports as people read them. Words and layout only: everything shown is in the report.

mod axes;
mod facts;
mod findings;
mod head;
mod options;
mod paper;
mod reach;
mod reasons;
pub(crate) mod safe;
mod undecided;
mod words;

use crate::report::{Outcome, Report};

pub(super) use paper::{Cell, Paper, Table};
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
    text
}

/// Who may act, where a person has to.
fn who(report: &Report, paper: &Paper) -> String {
    if report.outcome != Outcome::ApprovalRequired {
        return String::new();
    }
    let requester = safe::line(report.change.requester.subject.as_str());
    let who = format!("anybody who answers for what is reached; not {requester} (requester)");
    let how = "decide where you merge or apply: a review records no approvals, and its receipt waits for one";
    format!("{}{}", paper.labelled("who", &who, ""), paper.labelled("how", how, ""))
}
