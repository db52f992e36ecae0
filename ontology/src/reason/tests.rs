use std::collections::BTreeSet;

use super::{DETAIL_BYTES_MAX, Effect, Reason, ReasonCode};
use crate::cbor;

#[test]
fn every_code_is_unique_stable_text_that_reads_back() {
    let texts: BTreeSet<&str> = ReasonCode::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(texts.len(), ReasonCode::ALL.len());
    for code in ReasonCode::ALL {
        let text = code.as_str();
        assert!(text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{text}");
        assert_eq!(text.parse::<ReasonCode>().as_ref(), Ok(code));
        assert_eq!(serde_json::json!(code), text);
        let record = cbor::to_vec(code).unwrap();
        assert_eq!(&cbor::from_slice::<ReasonCode>(&record).unwrap(), code);
    }
    let error = "no_such_code".parse::<ReasonCode>().unwrap_err().to_string();
    assert_eq!(error, "find a reason: there is no code \"no_such_code\"");
}

#[test]
fn s12_effects_are_ordered_from_mildest_to_hardest() {
    assert!(
        Effect::Noted < Effect::Approval
            && Effect::Approval < Effect::Held
            && Effect::Held < Effect::Rejected
    );
    assert_eq!(ReasonCode::ConstraintViolated.effect(), Effect::Rejected);
    assert_eq!(ReasonCode::GraphStale.effect(), Effect::Held);
    assert_eq!(ReasonCode::LinkEvidenceUnverified.effect(), Effect::Approval);
    assert_eq!(ReasonCode::PlanDrift.effect(), Effect::Noted);
    let noted = Reason::about(ReasonCode::GraphStale, "bindings.yaml").noted();
    assert_eq!((noted.code, noted.effect), (ReasonCode::GraphStale, Effect::Noted));
}

#[test]
fn a_reason_reads_as_a_line_and_is_cut_at_a_character() {
    let reason = Reason::about(ReasonCode::GraphStale, "bindings.yaml").with_detail("reviewed in May");
    assert_eq!(reason.to_string(), "graph_stale:bindings.yaml (reviewed in May)");
    let long = Reason::about(ReasonCode::GraphStale, "가".repeat(1_000)).subject.unwrap();
    assert!(long.len() <= DETAIL_BYTES_MAX && long.ends_with('…'), "{}", long.len());
    let fits = "a".repeat(DETAIL_BYTES_MAX);
    assert_eq!(Reason::about(ReasonCode::GraphStale, &fits).subject, Some(fits));
}
