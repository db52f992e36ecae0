//! Why: every reason with an effect, hardest first, one row a code.

use ontology::records::RecommendationKind;
use ontology::{Effect, ReasonCode};

use super::View;
use super::paper::{Cell, Paper, Table};
use super::words::{effect, listed};
use crate::report::{ReasonShown, Report};

/// Subjects named of one code without `-v`.
const SUBJECTS_MAX: usize = 2;

pub(super) fn why(report: &Report, paper: &Paper, view: View) -> String {
    let explained = !view.verbose
        && !report.undecided.is_empty()
        && report.undecided.iter().all(|row| row.then != RecommendationKind::Held);
    let counts = |reason: &&ReasonShown| {
        reason.effect > Effect::Noted
            && !(explained && reason.effect == Effect::Held)
            // It stands among what was seen in the plan.
            && (view.verbose || reason.code != ReasonCode::AffectedCapExceeded)
    };
    let mut groups: Vec<Vec<&ReasonShown>> = Vec::new();
    for reason in report.reasons.iter().filter(counts) {
        match groups.iter_mut().find(|group| group[0].code == reason.code && group[0].effect == reason.effect)
        {
            Some(group) => group.push(reason),
            None => groups.push(vec![reason]),
        }
    }
    if groups.is_empty() {
        return String::new();
    }
    let mut table = Table::new(1);
    for group in groups {
        let (word, style) = effect(group[0].effect);
        table.row([
            Cell::text(word).styled(style),
            Cell::text(words(&group, view)),
            Cell::text(group[0].code.as_str()).dim(),
        ]);
        if view.verbose {
            for reason in &group {
                table.row([Cell::text(""), Cell::text(about(reason))]);
            }
            table.row([Cell::text(""), Cell::text(format!("next: {}", group[0].next))]);
        }
    }
    paper.heading("Why", "") + &table.render(paper, 2, view.verbose)
}

fn words(group: &[&ReasonShown], view: View) -> String {
    let subjects: Vec<String> =
        group.iter().map(|reason| about(reason)).filter(|about| !about.is_empty()).collect();
    if subjects.is_empty() || view.verbose {
        return group[0].title.clone();
    }
    format!("{}: {}", group[0].title, listed(&subjects, SUBJECTS_MAX))
}

fn about(reason: &ReasonShown) -> String {
    match (&reason.subject, &reason.detail) {
        (Some(subject), Some(detail)) => format!("{subject} ({detail})"),
        (Some(what), None) | (None, Some(what)) => what.clone(),
        (None, None) => String::new(),
    }
}
