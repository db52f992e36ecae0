//! What to type next.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use ontology::records::EvidenceKey;
use ontology::{Effect, ReasonCode, ReviewId};

use super::{Outcome, ReasonShown, Rules, Undecided};

/// Steps that are proposed at most: more than a line of them is no help.
const STEPS_MAX: usize = 4;
/// Stands for the submitted file, which a node does not know by its path.
pub const PLAN: &str = "PLAN";

/// A command, and what it is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NextStep {
    /// The command; `PLAN` stands for the submitted file.
    pub command: String,
    /// What it is for.
    pub why: String,
}

pub(super) fn steps(
    review: ReviewId,
    outcome: Outcome,
    reasons: &[ReasonShown],
    rules: &Rules,
    undecided: &[Undecided],
) -> Vec<NextStep> {
    let short = review.short();
    let mut steps = Vec::new();
    let mut add = |command: String, why: &str| steps.push(NextStep { command, why: why.to_owned() });
    let lacks = |keys: &[EvidenceKey]| undecided.iter().any(|row| keys.contains(&row.key));
    let caused = |code: ReasonCode| reasons.iter().any(|it| it.code == code && it.effect > Effect::Noted);
    if outcome == Outcome::ApprovalRequired {
        add(format!("arbctl approve {short}"), "says yes, if you may decide; `arbctl reject` says no");
    }
    if lacks(&[EvidenceKey::Topology, EvidenceKey::Objectives]) {
        add(
            format!("arbctl model init --from {PLAN}"),
            "says what the targets are, who owns them and how critical they are",
        );
    }
    if caused(ReasonCode::PlanStale) || caused(ReasonCode::PlanErrored) || caused(ReasonCode::PlanIncomplete)
    {
        add(
            format!("terraform plan -out=tfplan && terraform show -json tfplan > {PLAN}"),
            "makes the plan again",
        );
    }
    if caused(ReasonCode::ConcurrentChange)
        || caused(ReasonCode::EvidenceUnavailable)
        || outcome == Outcome::Undecided
    {
        add(format!("arbctl recheck {short}"), "judges again with what is there now");
    }
    let holding = reasons.iter().find(|it| it.effect == Effect::Held && it.code != ReasonCode::PlanErrored);
    if let Some(reason) = holding.filter(|_| outcome == Outcome::Held && undecided.is_empty()) {
        let code = reason.code;
        add(
            format!("arbctl accept-gap {short} --reason {code} --until 14d --because TEXT"),
            "asks a person to accept it for a while",
        );
    }
    let found = rules.findings.iter().find(|finding| finding.counts);
    if let Some(reason) = reasons.iter().find(|reason| reason.effect > Effect::Noted) {
        add(format!("arbctl explain {}", reason.code), "says what the hardest reason means and what to do");
    } else if found.is_some() {
        add("arbctl explain constraint_warned".to_owned(), "says what a warning means");
    }
    add(format!("arbctl trace {short}"), "shows every stage with its owner and digest");
    steps.truncate(STEPS_MAX);
    steps
}
