//! Words for values.

use anstyle::Style;

use ontology::policy::Enforcement;
use ontology::records::RecommendationKind;
use ontology::records::document::Action;
use ontology::{Effect, Timestamp};

use super::paper::{ASK, GO, STOP};
use crate::report::Outcome;

/// An action, as a count's noun.
pub(crate) const fn action(action: Action) -> &'static str {
    match action {
        Action::NoOp => "unchanged",
        other => other.as_str(),
    }
}

/// What a reason does.
pub(crate) const fn effect(effect: Effect) -> (&'static str, Style) {
    match effect {
        Effect::Noted => ("note", Style::new()),
        Effect::Conditional => ("if", ASK),
        Effect::Approval => ("ask", ASK),
        Effect::Held => ("held", ASK),
        Effect::Rejected => ("reject", STOP),
    }
}

/// What violating a constraint does.
pub(super) const fn enforcement(enforcement: Enforcement) -> (&'static str, Style) {
    match enforcement {
        Enforcement::Observe => ("seen", Style::new()),
        Enforcement::Warn => ("warn", ASK),
        Enforcement::Condition => ("if", ASK),
        Enforcement::Approve => ("ask", ASK),
        Enforcement::Deny => ("deny", STOP),
    }
}

/// An outcome, as the first word of a screen.
pub(super) const fn outcome(outcome: Outcome) -> (&'static str, Style) {
    match outcome {
        Outcome::Conformant => ("CONFORMANT", GO),
        Outcome::Approved => ("APPROVED", GO),
        Outcome::Conditional => ("CONDITIONAL", ASK),
        Outcome::ApprovalRequired => ("APPROVAL REQUIRED", ASK),
        Outcome::Held => ("HELD", ASK),
        Outcome::Rejected => ("REJECTED", STOP),
        Outcome::Undecided => ("UNDECIDED", ASK),
    }
}

/// A recommendation, as a person says it.
pub(super) const fn recommendation(kind: RecommendationKind) -> &'static str {
    match kind {
        RecommendationKind::Conformant => "conformant",
        RecommendationKind::Conditional => "conditional",
        RecommendationKind::ApprovalRequired => "approval required",
        RecommendationKind::Held => "held",
        RecommendationKind::Rejected => "rejected",
    }
}

/// How long ago, in a word: `12 d ago`.
pub(crate) fn span_since(earlier: Timestamp, later: Timestamp) -> String {
    const UNITS: [(i64, &str); 3] = [(86_400, "d"), (3_600, "h"), (60, "min")];
    let seconds = later.micros_since(earlier) / ontology::time::SECOND_US;
    match UNITS.iter().find(|(unit, _)| seconds >= *unit) {
        Some((unit, name)) => format!("{} {name} ago", seconds / unit),
        None => "just now".to_owned(),
    }
}

/// `n thing` or `n things`.
pub(crate) fn counted(count: u32, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// At most `most` names, and how many are left.
pub(crate) fn listed<T: AsRef<str>>(names: &[T], most: usize) -> String {
    let mut text = names.iter().take(most).map(AsRef::as_ref).collect::<Vec<&str>>().join(", ");
    if names.len() > most {
        text.push_str(&format!(" and {} more", names.len() - most));
    }
    text
}
