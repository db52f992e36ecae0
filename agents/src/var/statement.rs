//! The text that a person signs (U13): everything an answer is bound to, a line each.

use ontology::ReviewId;
use ontology::records::{ApprovalDecision, ApprovalRequest};

/// The namespace of the signatures, so that one made for something else is none here.
pub const NAMESPACE: &str = "arb-approval";

/// The statement of an answer. Two answers that differ in anything have two statements.
#[must_use]
pub fn statement(
    review: ReviewId,
    request: &ApprovalRequest,
    decision: ApprovalDecision,
    because: Option<&str>,
) -> String {
    let absent = || "none".to_owned();
    let digest = |digest: Option<ontology::Digest>| digest.map_or_else(absent, |digest| digest.to_string());
    // Quoted, so that nobody writes a line of the statement into it.
    let because = because.map_or_else(absent, |because| format!("{because:?}"));
    format!(
        "arb approval statement 1\ndecision: {}\nreview: {review}\nevaluation: {}\nchange: {}\nsnapshot: {}\n\
         bundle: {}\ncase: {}\nexpires: {}\nbecause: {because}\n",
        decision.as_str(),
        request.evaluation,
        request.change_digest,
        digest(request.snapshot_digest),
        digest(request.bundle_digest),
        request.case_digest,
        request.expires_at,
    )
}
