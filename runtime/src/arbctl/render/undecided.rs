//! What cannot be decided yet, what it takes, and what it would then be.

use ontology::records::RecommendationKind;

use super::View;
use super::paper::{Cell, Paper, Table};
use super::words::recommendation;
use crate::report::Report;

pub(super) fn rows(report: &Report, paper: &Paper, view: View) -> String {
    if report.undecided.is_empty() {
        return String::new();
    }
    let mut table = Table::new(1);
    for row in &report.undecided {
        let role = if view.agents { format!("{} ({})", row.role, row.agent) } else { row.role.clone() };
        let then = if view.verbose && row.alone != row.then {
            format!("{} ({} with this alone)", recommendation(row.then), recommendation(row.alone))
        } else {
            recommendation(row.then).to_owned()
        };
        table.row([Cell::text(role), Cell::text(&row.takes), Cell::text(then)]);
    }
    let mut text = paper.heading("Not decidable yet", "what it takes, and what this would then be");
    text.push_str(&table.render(paper, 2, view.verbose));
    if report.undecided.iter().all(|row| row.then != RecommendationKind::Held) {
        text.push_str("  nothing else is missing\n");
    }
    text
}
