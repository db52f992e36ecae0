//! `replay`: decides again and compares.

use super::arguments::{Output, Replay};
use super::{Code, Failure, Outlet};
use crate::call::{Answers, Call, DigestReport, ReplayReport, Reply};

pub(super) fn run(asked: &Replay, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let (node, _) = asked.directory.open(outlet)?;
    if asked.digests {
        return digests(&*node, asked.output, outlet);
    }
    let Reply::Replayed(report) = node.call(Call::Replay { review: asked.review.clone() })? else {
        return Err(Failure::unexpected());
    };
    match asked.output {
        Output::Json => outlet.json(&report)?,
        Output::Text => outlet.print(&text(&report))?,
    }
    let others = asked.strict && report.other_logic > 0;
    if report.differences.is_empty() && !others {
        return Ok(Code::Done);
    }
    outlet.finish()?;
    Err(Failure::Differs(if report.differences.is_empty() {
        format!("{} steps are of another logic number, which --strict does not allow", report.other_logic)
    } else {
        format!("{} steps differ from what is recorded", report.differences.len())
    }))
}

/// Compares digests alone.
fn digests(node: &dyn Answers, output: Output, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let Reply::Compared(report) = node.call(Call::Digests)? else { return Err(Failure::unexpected()) };
    match output {
        Output::Json => outlet.json(&report)?,
        Output::Text => {
            let DigestReport { records, entries, vouched, differences } = &report;
            let many = differences.len();
            let mut text = format!(
                "{records} records, of which {vouched} are listed by {entries} audit entries: {many} differ\n"
            );
            for difference in differences {
                text.push_str(&format!("  {}\n", super::render::safe::line(difference)));
            }
            outlet.print(&text)?;
        }
    }
    if report.differences.is_empty() {
        return Ok(Code::Done);
    }
    outlet.finish()?;
    Err(Failure::Differs(format!("{} records or entries differ from the audit", report.differences.len())))
}

fn text(report: &ReplayReport) -> String {
    let mut text = format!(
        "{} reviews: {} derived steps equal, {} observed steps equal, {} differ",
        report.reviews,
        report.equal,
        report.observed,
        report.differences.len()
    );
    if report.other_logic > 0 {
        text.push_str(&format!(", {} of another logic number not compared", report.other_logic));
    }
    text.push('\n');
    for difference in &report.differences {
        text.push_str(&format!("  {}\n", super::render::safe::line(difference)));
    }
    text
}
