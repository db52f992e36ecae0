//! Which required facts are there.

use super::View;
use super::paper::Paper;
use super::words::listed;
use crate::report::Report;
use crate::report::facts::KeyShown;

pub(super) fn line(report: &Report, paper: &Paper, view: View) -> String {
    let facts = &report.facts;
    if facts.required == 0 && facts.keys.is_empty() {
        return String::new();
    }
    let name = |key: &KeyShown| {
        if view.agents {
            format!("{} ({})", key.key.as_str(), key.agent)
        } else {
            key.key.as_str().to_owned()
        }
    };
    let pick = |present: bool| -> Vec<String> {
        facts.keys.iter().filter(|key| key.present == present).map(name).collect()
    };
    let mut text = format!("{} of {} required keys", facts.present, facts.required);
    let (there, missing) = (pick(true), pick(false));
    if !missing.is_empty() {
        text.push_str(&format!("; without evidence: {}", listed(&missing, usize::MAX)));
    }
    if view.verbose && !there.is_empty() {
        text.push_str(&format!("; with evidence: {}", listed(&there, usize::MAX)));
    }
    let sealed = if facts.sealed_by_deadline { "sealed by its deadline" } else { "" };
    paper.labelled("Facts", &text, sealed)
}
