//! Options, with what each does.

use ontology::Money;
use ontology::records::RecommendationKind;

use super::View;
use super::paper::{ASK, Cell, GO, Paper, STOP, Table};
use super::words::{counted, recommendation, span_since};
use crate::report::options::RecoveryShown;
use crate::report::reach::span;
use crate::report::{OptionShown, Report};

/// What is not known, in a table.
const UNKNOWN: &str = "–";

pub(super) fn table(report: &Report, paper: &Paper, view: View) -> String {
    // Alone, the change as it came needs no comparison.
    if report.options.len() < 2 && !view.verbose {
        return String::new();
    }
    let mut table = Table::new(0);
    let measured = report.options.iter().any(|option| option.service_bp.is_some());
    let named =
        |role: &str, agent: &str| if view.agents { format!("{role} ({agent})") } else { role.to_owned() };
    let mut titles = vec!["Options".to_owned()];
    titles.extend(measured.then(|| "availability".to_owned()));
    titles.extend([named("cost/month", "njord"), named("recovery", "vidar"), "then".to_owned()]);
    table.row(titles.iter().map(|title| Cell::text(title).styled(anstyle::Style::new().bold())));
    for (letter, option) in ('A'..='Z').zip(&report.options) {
        let mut cells = vec![Cell::text(format!("{letter} {}", title(option)))];
        cells.extend(measured.then(|| Cell::text(availability(option))));
        cells.extend([
            Cell::text(option.monthly_delta.as_ref().map_or_else(|| UNKNOWN.to_owned(), signed)),
            Cell::text(recovery(report, option)),
            then(option),
        ]);
        table.row(cells);
    }
    table.render(paper, 0, view.verbose)
}

fn title(option: &OptionShown) -> String {
    if option.without.is_empty() {
        return option.title.clone();
    }
    let left_out = u32::try_from(option.without.len()).unwrap_or(u32::MAX);
    format!("{} ({} fewer)", option.title, counted(left_out, "target", "targets"))
}

/// Basis points of the objective's allowance, as a percentage.
fn availability(option: &OptionShown) -> String {
    let Some(points) = option.service_bp else { return UNKNOWN.to_owned() };
    let sign = if points < 0 { "−" } else { "+" };
    match points.unsigned_abs() {
        0 => "0".to_owned(),
        points => format!("{sign}{}.{:02} %", points / 100, points % 100),
    }
}

fn signed(money: &Money) -> String {
    if money.micro.0 > 0 { format!("+{money}") } else { money.to_string() }
}

fn recovery(report: &Report, option: &OptionShown) -> String {
    let Some(worst) = option.recovery.iter().min_by_key(|it| (it.met, std::cmp::Reverse(it.rto_s))) else {
        return UNKNOWN.to_owned();
    };
    let rehearsed = |it: &RecoveryShown| Some((it.rto_s?, it.rehearsed_at?));
    match rehearsed(worst) {
        Some((rto_s, at)) => {
            let now = report.evaluations.last().map_or(at, |evaluation| evaluation.opened_at);
            let met = if worst.met { "" } else { ", not met" };
            format!("{}, rehearsed {}{met}", span(rto_s), span_since(at, now))
        }
        None => "never rehearsed".to_owned(),
    }
}

fn then(option: &OptionShown) -> Cell {
    let style = match option.would_be {
        RecommendationKind::Conformant => GO,
        RecommendationKind::Rejected => STOP,
        _ => ASK,
    };
    let mut text = recommendation(option.would_be).to_owned();
    if option.may_go_now && option.targets > 0 {
        text.push_str("  ← may go now");
    }
    Cell::text(text).styled(style)
}
