//! Five axes in a line; with `-v` each with the records that made it.

use super::View;
use super::paper::{Cell, Paper, Table};
use crate::report::{AxisShown, Report};

pub(super) fn line(report: &Report, paper: &Paper, view: View) -> String {
    let axes = &report.axes;
    let all: [(&str, &AxisShown); 5] = [
        ("evidence", &axes.evidence),
        ("evaluation", &axes.evaluation),
        ("authority", &axes.authority),
        ("execution", &axes.execution),
        ("learning", &axes.learning),
    ];
    if !view.verbose {
        let words: Vec<String> = all.iter().map(|(name, axis)| format!("{name} {}", axis.state)).collect();
        return words.join(" · ") + "\n";
    }
    let mut table = Table::new(2);
    for (name, axis) in all {
        for (number, source) in axis.because.iter().enumerate() {
            let first = number == 0;
            table.row([
                Cell::text(if first { name } else { "" }),
                Cell::text(if first { axis.state.as_str() } else { "" }),
                Cell::text(&source.topic),
                Cell::text(source.record.as_str()).dim(),
                Cell::text(source.digest.to_string()).dim(),
            ]);
        }
    }
    let id = format!("review  {}\n", report.review);
    id + &table.render(paper, 0, true)
}
