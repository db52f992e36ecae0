//! What the rules found: in the plan alone, and in the model.

use ontology::records::decision::Outcome as Found;
use ontology::{Effect, ReasonCode};

use super::View;
use super::paper::{ASK, Cell, GO, Paper, Table};
use super::words::{counted, enforcement, listed};
use crate::report::findings::RuleShown;
use crate::report::{Finding, Report};

/// Findings shown without `-v`.
const FINDINGS_MAX: usize = 12;
/// Names of passed rules shown without `-v`.
const PASSED_MAX: usize = 4;

/// What was seen in the plan alone: it does not wait for what may proceed (U1).
pub(super) fn seen(report: &Report, paper: &Paper, view: View) -> String {
    let alone: Vec<&RuleShown> = report.rules.constraints.iter().filter(|rule| rule.plan_alone).collect();
    if alone.is_empty() {
        return String::new();
    }
    let about = format!(
        "{}, {}",
        counted(alone.len().try_into().unwrap_or(u32::MAX), "rule", "rules"),
        counted(report.change.targets, "target", "targets"),
    );
    let mut table = rows(report, view, true);
    for reason in report.reasons.iter().filter(|reason| reason.code == ReasonCode::AffectedCapExceeded) {
        if reason.effect > Effect::Noted {
            let what = reason.detail.as_deref().unwrap_or(&reason.title);
            table.row([
                Cell::text("ask").styled(ASK),
                Cell::text(what),
                Cell::text(reason.code.as_str()).dim(),
            ]);
        }
    }
    let passed: Vec<&str> = alone
        .iter()
        .filter(|rule| rule.outcome == Found::Passed)
        .map(|rule| rule.constraint.as_str())
        .collect();
    if !passed.is_empty() {
        let most = if view.verbose { usize::MAX } else { PASSED_MAX };
        table.row([Cell::text("pass").styled(GO), Cell::text(listed(&passed, most))]);
    }
    for rule in alone.iter().filter(|rule| rule.outcome == Found::Unknown) {
        let why = rule.unknown.as_deref().unwrap_or("an input is missing");
        table.row([
            Cell::text("open").styled(ASK),
            Cell::text(why),
            Cell::text(rule.constraint.as_str()).dim(),
        ]);
    }
    paper.heading("Seen in the plan alone", &about) + &table.render(paper, 2, view.verbose)
}

/// One row a finding.
fn rows(report: &Report, view: View, plan_alone: bool) -> Table {
    let mut table = Table::new(1);
    let findings = report.rules.findings.iter().filter(|it| it.plan_alone == plan_alone);
    let findings: Vec<&Finding> = findings.filter(|it| it.counts || view.verbose).collect();
    let most = if view.verbose { usize::MAX } else { FINDINGS_MAX };
    for finding in findings.iter().take(most) {
        let (word, style) =
            if finding.counts { enforcement(finding.enforcement) } else { ("was", anstyle::Style::new()) };
        table.row([
            Cell::text(word).styled(style),
            Cell::text(what(finding)),
            Cell::text(finding.constraint.as_str()).dim(),
        ]);
        if view.verbose && finding.path.len() > 1 {
            let path: Vec<&str> = finding.path.iter().map(|id| id.as_str()).collect();
            table.row([Cell::text(""), Cell::text(format!("path: {}", path.join(" → ")))]);
        }
        if view.verbose
            && let Some(remedy) = &finding.remedy
        {
            table.row([Cell::text(""), Cell::text(format!("fix: {remedy}"))]);
        }
    }
    if findings.len() > most {
        table.row([Cell::text(""), Cell::text(format!("and {} more (-v)", findings.len() - most))]);
    }
    table
}

fn what(finding: &Finding) -> String {
    match &finding.attribute {
        Some(attribute) => format!("{}: {attribute} {}", finding.subject, finding.value),
        None => format!("{}: {}", finding.subject, finding.value),
    }
}

/// All rules in a line, and what those that need the model found.
pub(super) fn rules(report: &Report, paper: &Paper, view: View) -> String {
    let rules = &report.rules;
    if rules.in_force == 0 {
        return String::new();
    }
    let mut parts = vec![format!("{} pass", rules.passed)];
    let mut add = |count: u32, words: &str| {
        if count > 0 {
            parts.push(format!("{count} {words}"));
        }
    };
    add(rules.violated, "with findings");
    add(rules.unknown, "cannot be evaluated");
    let mut right = Vec::new();
    if rules.pre_existing > 0 {
        right.push(format!("pre-existing, not counted: {}", rules.pre_existing));
    }
    if rules.fixed > 0 {
        right.push(format!("fixed: {}", rules.fixed));
    }
    let line = format!("{}: {}", rules.in_force, parts.join(", "));
    paper.labelled("Rules", &line, &right.join(", "))
        + &rows(report, view, false).render(paper, 2, view.verbose)
}
