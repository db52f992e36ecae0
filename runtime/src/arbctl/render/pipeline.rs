//! A report as pipelines read it: GitHub's workflow commands, and Atlantis' words (U15).

use ontology::Effect;

use super::words::outcome;
use super::{View, safe};
use crate::report::{Finding, Report};

/// Annotations of one step that GitHub shows: ten of each level.
const ANNOTATIONS_MAX: usize = 10;

/// Workflow commands: the verdict, then one a finding that counts.
pub(in crate::arbctl) fn github(report: &Report, view: View) -> String {
    let (word, _) = outcome(report.outcome);
    let level = match (view.exit, report.outcome) {
        (0, crate::report::Outcome::Conformant | crate::report::Outcome::Approved) => "notice",
        (0, _) => "warning",
        _ => "error",
    };
    let mut text =
        command(level, &format!("arb: {word}"), &format!("{} ({})", report.headline, report.short));
    let counting = report.rules.findings.iter().filter(|finding| finding.counts).take(ANNOTATIONS_MAX - 1);
    for finding in counting {
        text.push_str(&command("warning", finding.constraint.as_str(), &what(finding)));
    }
    text
}

/// `::level title=TITLE::MESSAGE`, with everything escaped that would end either.
fn command(level: &str, title: &str, message: &str) -> String {
    let data = |text: &str| safe::line(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    format!("::{level} title={}::{}\n", property(title), data(message))
}

fn what(finding: &Finding) -> String {
    match &finding.attribute {
        Some(attribute) => format!("{}: {attribute} {}", finding.subject, finding.value),
        None => format!("{}: {}", finding.subject, finding.value),
    }
}

/// The step's outputs, a line each: what later steps decide by.
pub(in crate::arbctl) fn github_outputs(report: &Report, view: View) -> String {
    format!(
        "review={}\nrevision={}\noutcome={}\nexit={}\nchange={}\n",
        report.review,
        report.revision,
        report.outcome.as_str(),
        view.exit,
        report.change.change_digest,
    )
}

/// Lines for a policy check of Atlantis, which takes any "fail" in the output for a failure: the word stands in it
/// exactly when the exit code says so.
pub(in crate::arbctl) fn atlantis(report: &Report, view: View) -> String {
    let (word, _) = outcome(report.outcome);
    let first = if view.exit == 0 { "PASS" } else { "FAIL" };
    let mut lines = vec![format!("{word}: {} ({} r{})", report.headline, report.short, report.revision)];
    lines.extend(report.rules.findings.iter().filter(|finding| finding.counts).map(what));
    let counting = report.reasons.iter().filter(|reason| reason.effect > Effect::Noted);
    lines.extend(counting.map(|reason| {
        let about = reason.subject.as_deref().map(|subject| format!(" {subject}")).unwrap_or_default();
        format!("{}{about}: {}", reason.code, reason.title)
    }));
    lines.extend(report.next.iter().map(|step| format!("{}  # {}", step.command, step.why)));
    let body: Vec<String> = lines.iter().map(|line| unalarming(&safe::line(line))).collect();
    format!("{first} - arb - {}\n", body.join("\n"))
}

/// Text in which nobody finds the word, whatever its case.
fn unalarming(text: &str) -> String {
    let mut calm = String::with_capacity(text.len());
    let letters: Vec<char> = text.chars().collect();
    let is_word = |at: usize| {
        letters
            .get(at..at + 4)
            .is_some_and(|four| four.iter().collect::<String>().eq_ignore_ascii_case("fail"))
    };
    for (at, letter) in letters.iter().enumerate() {
        calm.push(*letter);
        if is_word(at) {
            calm.push('·');
        }
    }
    calm
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn u15_no_text_alarms_atlantis_by_itself() {
        for text in ["failover", "FAILED", "a Fail", "defaiLt"] {
            assert!(!unalarming(text).to_lowercase().contains("fail"), "{text}");
        }
        assert_eq!(unalarming("ordinary fa il"), "ordinary fa il");
    }

    #[test]
    fn u15_a_workflow_command_ends_where_it_should() {
        assert_eq!(
            command("error", "a:b,c", "50 %: one::two"),
            "::error title=a%3Ab%2Cc::50 %25: one::two\n"
        );
        assert_eq!(command("notice", "t", "one\n::error::two").lines().count(), 1);
    }
}
