//! A report as Markdown: for a comment on a pull request, or a job's summary (U15).
//!
//! What comes from a plan or a person is text and stays text: no markup, no link, no mention of anybody.

use ontology::Effect;
use ontology::records::RecommendationKind;

use super::words::{action, counted, effect, enforcement, outcome, recommendation};
use super::{View, safe};
use crate::report::{Finding, OptionShown, ReasonShown, Report};

/// Rows of a table at most: a comment holds 65,536 characters, and nobody reads more.
const ROWS_MAX: usize = 25;

pub(in crate::arbctl) fn review(report: &Report, view: View) -> String {
    let (word, _) = outcome(report.outcome);
    let sections = [
        format!("### {word}: {}\n\n{}", text(&report.headline), about(report, view)),
        findings(report),
        undecided(report),
        reasons(report),
        options(report),
        who(report),
        next(report),
    ];
    let sections: Vec<String> = sections.into_iter().filter(|section| !section.is_empty()).collect();
    sections.join("\n\n") + "\n"
}

/// Text that stands for itself: Markdown's characters escaped, mentions and references broken.
fn text(words: &str) -> String {
    let mut escaped = String::with_capacity(words.len());
    for letter in safe::line(words).chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '!' | '&' | '$' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            // An invisible space behind it, so that nobody is called.
            '@' => escaped.push_str("@\u{200b}"),
            // The same within an address, so that none becomes a link.
            ':' => escaped.push_str(":\u{200b}"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// A name that can be copied: code holds everything but the character that ends it.
fn code(words: &str) -> String {
    format!("`{}`", safe::line(words).replace('`', "'").replace('|', "¦"))
}

fn about(report: &Report, view: View) -> String {
    let change = &report.change;
    let counts: Vec<String> =
        change.actions.iter().map(|(kind, count)| format!("{count} {}", action(*kind))).collect();
    let counts = if counts.is_empty() { "nothing changes".to_owned() } else { counts.join(", ") };
    format!("{} r{} · {} · exit {}", code(&report.short), report.revision, text(&counts), view.exit)
}

fn table(titles: &[&str], rows: Vec<Vec<String>>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let titles: Vec<String> = titles.iter().map(|title| (*title).to_owned()).collect();
    let mut lines = line(&titles) + &line(&vec!["---".to_owned(); titles.len()]);
    let more = rows.len().saturating_sub(ROWS_MAX);
    rows.iter().take(ROWS_MAX).for_each(|row| lines.push_str(&line(row)));
    if more > 0 {
        lines.push_str(&format!("\nand {more} more\n"));
    }
    lines.trim_end().to_owned()
}

fn findings(report: &Report) -> String {
    let row = |finding: &Finding| {
        let what = match &finding.attribute {
            Some(attribute) => format!("{} {}", text(attribute), text(&finding.value)),
            None => text(&finding.value),
        };
        let (word, _) = enforcement(finding.enforcement);
        vec![word.to_owned(), code(finding.subject.as_str()), what, code(finding.constraint.as_str())]
    };
    let counting = report.rules.findings.iter().filter(|finding| finding.counts);
    table(&["", "what", "found", "rule"], counting.map(row).collect())
}

fn undecided(report: &Report) -> String {
    let rows = report
        .undecided
        .iter()
        .map(|row| vec![text(&row.role), text(&row.takes), recommendation(row.then).to_owned()]);
    table(&["not known", "what it takes", "then"], rows.collect())
}

fn reasons(report: &Report) -> String {
    let row = |reason: &ReasonShown| {
        let (word, _) = effect(reason.effect);
        let about = reason.subject.as_deref().map(code).unwrap_or_default();
        let detail = reason.detail.as_deref().map(text).unwrap_or_default();
        vec![word.to_owned(), code(reason.code.as_str()), text(&reason.title), about, detail]
    };
    let counting = report.reasons.iter().filter(|reason| reason.effect > Effect::Noted);
    table(&["", "reason", "", "about", "found"], counting.map(row).collect())
}

fn options(report: &Report) -> String {
    if report.options.len() < 2 {
        return String::new();
    }
    let row = |option: &OptionShown| {
        let cost = option.monthly_delta.as_ref().map_or_else(|| "–".to_owned(), ToString::to_string);
        let then = recommendation(option.would_be);
        let now =
            option.may_go_now && option.would_be == RecommendationKind::Conformant && option.targets > 0;
        let now = if now { " (may go now)" } else { "" };
        vec![text(&option.title), text(&cost), format!("{then}{now}")]
    };
    table(&["option", "cost a month", "then"], report.options.iter().map(row).collect())
}

fn who(report: &Report) -> String {
    let Some(approval) = report.approval.as_ref().filter(|approval| approval.state == "awaited") else {
        return String::new();
    };
    let needs = approval.needs.iter().map(|need| {
        let roles: Vec<&str> = need.roles.iter().map(|role| role.as_str()).collect();
        let people: Vec<&str> = need.people.iter().map(|person| person.as_str()).collect();
        let people = if people.is_empty() { "nobody yet".to_owned() } else { text(&people.join(", ")) };
        format!("- {} of {}: {people}", need.quorum, text(&roles.join(" or ")))
    });
    let needs: Vec<String> = needs.collect();
    format!("A person decides, until {}:\n\n{}", super::minutes(approval.expires_at), needs.join("\n"))
}

fn next(report: &Report) -> String {
    let steps = report.next.iter();
    let steps: Vec<String> =
        steps.map(|step| format!("- {} {}", code(&step.command), text(&step.why))).collect();
    if steps.is_empty() {
        return String::new();
    }
    let passed = counted(report.rules.passed, "rule passes", "rules pass");
    format!("{}\n\n{passed} of {}.", steps.join("\n"), report.rules.in_force)
}
