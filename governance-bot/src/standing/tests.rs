use std::collections::BTreeMap;
use std::sync::Arc;

use ontology::records::change::{ChangeSummary, Intent};
use ontology::records::document::Format;
use ontology::records::{
    Change, ChangeDocument, EvaluationOpened, Opening, Pins, Recommendation, RecommendationKind, Verdict,
};
use ontology::{Content, Name, Principal};
use proptest::prelude::*;
use topics::{Cause, Key, Owner, StepId};

use super::*;

const NOW: Timestamp = Timestamp::from_micros(1_000_000);

fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

fn content(of: &str) -> Digest {
    Digest::of(of.as_bytes())
}

fn review(of: &str) -> ReviewId {
    ReviewId::derive("test", of)
}

fn pins() -> Pins {
    Pins {
        release: content("release"),
        model: content("model"),
        catalog: content("catalog"),
        budget_ms: 5_000,
    }
}

fn somebody() -> Principal {
    Principal { issuer: name("unix-socket"), subject: name("1000") }
}

fn step_of(review: ReviewId, owner: Owner, cause: &str, object: impl Into<Object>) -> Step {
    let key = Key::review(review);
    let object = object.into();
    match object.topic().kind() {
        topics::Kind::Observed => Step::observed(key, owner, 1, Cause::named(cause), None, vec![object]),
        topics::Kind::Derived => {
            let cause = topics::step::slot(&key, owner, &Cause::named(cause));
            Step::derived(key, owner, 1, NOW, StepId(cause.0), vec![object])
        }
    }
    .unwrap()
}

fn submitted(of: &str, about: &str, supersedes: Option<&str>) -> Step {
    let document = ChangeDocument {
        format: Format::ArbChange,
        format_version: "1".into(),
        tool: None,
        workspace: None,
        targets: Vec::new(),
        drift: Default::default(),
        links: Vec::new(),
        outputs: Default::default(),
        errored: false,
        incomplete: false,
        sensitivity_unmarked: false,
        withheld_unkeyed: false,
        withheld: 0,
    };
    let change = Change {
        review: review(of),
        revision: 1 + u32::from(supersedes.is_some()),
        supersedes: supersedes.map(review),
        source: name("test"),
        idempotency_key: name(of),
        change_kind: name("infrastructure"),
        intent: Intent::Planned,
        requester: somebody(),
        requester_verified: true,
        content_digest: content(about),
        change_digest: content(about),
        document: Content::Inline(Arc::new(document)),
        summary: ChangeSummary {
            format: Format::ArbChange,
            format_version: "1".into(),
            tool: None,
            actions: BTreeMap::new(),
            withheld: 0,
        },
        planned_at: None,
        requested_release: content("release"),
        pins: pins(),
        attachments: Vec::new(),
        process_ref: None,
    };
    step_of(review(of), Owner::Huginn, "submit", change)
}

fn opened(of: &str, evaluation: Evaluation) -> Step {
    let opened = EvaluationOpened { evaluation, opening: Opening::Recheck, pins: pins() };
    step_of(review(of), Owner::Coordinator, &format!("opened-{evaluation}"), opened)
}

fn receipt_of(of: &str, about: &str, evaluation: Evaluation, verdict: VerdictKind) -> DecisionReceipt {
    DecisionReceipt {
        review: review(of),
        evaluation,
        verdict,
        recommendation: RecommendationKind::Conformant,
        basis: Basis::StandingAuthorization,
        content_digest: content(about),
        change_digest: content(about),
        snapshot_digest: None,
        bundle_digest: None,
        case_digest: content("case"),
        catalog: content("catalog"),
        requester: somebody(),
        approved_by: Default::default(),
        conditions: Vec::new(),
        exceptions: Vec::new(),
        audit_hash: content("audit"),
        decided_at: NOW,
        valid_until: NOW.plus_seconds(60),
    }
}

fn closed(of: &str, about: &str, evaluation: Evaluation, verdict: VerdictKind) -> Step {
    let receipt = receipt_of(of, about, evaluation, verdict);
    step_of(review(of), Owner::Saga, &format!("closed-{evaluation}"), receipt)
}

fn fold<'a>(steps: impl IntoIterator<Item = &'a Step>) -> Standings {
    let mut standings = Standings::new();
    steps.into_iter().for_each(|step| standings.fold(step));
    standings
}

fn word(standing: Standing) -> Option<VerdictKind> {
    match standing {
        Standing::Decided(decided) => Some(decided.verdict),
        Standing::Unknown | Standing::Awaiting { .. } => None,
    }
}

#[test]
fn what_nobody_submitted_is_unknown() {
    let standings = fold(&[submitted("a", "other", None), closed("a", "other", 1, VerdictKind::Conformant)]);
    assert_eq!(standings.of(&content("x"), NOW), Standing::Unknown);
}

#[test]
fn a_receipt_decides() {
    let standings = fold(&[submitted("a", "x", None), closed("a", "x", 1, VerdictKind::Conformant)]);
    let decided = Decided {
        verdict: VerdictKind::Conformant,
        basis: Basis::StandingAuthorization,
        review: review("a"),
        evaluation: 1,
        valid_until: NOW.plus_seconds(60),
    };
    assert_eq!(standings.of(&content("x"), NOW), Standing::Decided(decided));
}

#[test]
fn a_recommendation_and_a_verdict_without_a_receipt_decide_nothing() {
    let recommendation = Recommendation {
        evaluation: 1,
        kind: RecommendationKind::Conformant,
        case_digest: content("case"),
        reasons: Vec::new(),
        keys_present: 1,
        keys_required: 1,
        conditions: Vec::new(),
        alternatives: Vec::new(),
    };
    let verdict = Verdict {
        evaluation: 1,
        kind: name(ontology::records::decision::VERDICT_KIND),
        verdict: VerdictKind::Conformant,
        basis: Basis::StandingAuthorization,
        change_digest: content("x"),
        bundle_digest: None,
        case_digest: content("case"),
    };
    let standings = fold(&[
        submitted("a", "x", None),
        step_of(review("a"), Owner::Forseti, "recommended", recommendation),
        step_of(review("a"), Owner::Forseti, "judged", verdict),
    ]);
    assert_eq!(standings.of(&content("x"), NOW), Standing::Awaiting { review: review("a"), evaluation: 1 });
}

#[test]
fn an_evaluation_that_was_opened_is_awaited_whatever_the_last_one_said() {
    let steps = [submitted("a", "x", None), closed("a", "x", 1, VerdictKind::Conformant), opened("a", 2)];
    let awaiting = Standing::Awaiting { review: review("a"), evaluation: 2 };
    assert_eq!(fold(&steps).of(&content("x"), NOW), awaiting);

    let mut judged_again = fold(&steps);
    judged_again.fold(&closed("a", "x", 2, VerdictKind::Held));
    assert_eq!(word(judged_again.of(&content("x"), NOW)), Some(VerdictKind::Held));
}

#[test]
fn an_expired_receipt_is_unknown_and_valid_until_is_the_last_instant() {
    let standings = fold(&[submitted("a", "x", None), closed("a", "x", 1, VerdictKind::Conformant)]);
    let last = NOW.plus_seconds(60);
    assert_eq!(word(standings.of(&content("x"), last)), Some(VerdictKind::Conformant));
    assert_eq!(standings.of(&content("x"), last.plus_micros(1)), Standing::Unknown);
}

#[test]
fn u5_a_superseded_review_says_nothing_even_before_its_successor_is_judged() {
    let standings = fold(&[
        submitted("a", "x", None),
        closed("a", "x", 1, VerdictKind::Conformant),
        submitted("b", "x", Some("a")),
    ]);
    assert_eq!(standings.of(&content("x"), NOW), Standing::Awaiting { review: review("b"), evaluation: 1 });
}

#[test]
fn of_two_sources_the_harder_word_counts() {
    for (one, two, expect) in [
        (VerdictKind::Conformant, VerdictKind::Rejected, VerdictKind::Rejected),
        (VerdictKind::Held, VerdictKind::Conditional, VerdictKind::Held),
        (VerdictKind::Conformant, VerdictKind::Conditional, VerdictKind::Conditional),
    ] {
        let standings = fold(&[
            submitted("a", "x", None),
            closed("a", "x", 1, one),
            submitted("b", "x", None),
            closed("b", "x", 1, two),
        ]);
        assert_eq!(word(standings.of(&content("x"), NOW)), Some(expect), "{one:?} and {two:?}");
    }
}

#[test]
fn a_log_that_contradicts_itself_decides_nothing() {
    let yes = closed("a", "x", 1, VerdictKind::Conformant);
    let other_receipt = receipt_of("a", "x", 1, VerdictKind::Held);
    let contradiction = step_of(review("a"), Owner::Saga, "closed-again", other_receipt);
    let standings = fold(&[submitted("a", "x", None), yes.clone(), contradiction, yes]);
    assert_eq!(standings.of(&content("x"), NOW), Standing::Unknown);

    let of_another_content = closed("a", "y", 1, VerdictKind::Conformant);
    let standings = fold(&[submitted("a", "x", None), of_another_content]);
    assert_eq!(standings.of(&content("x"), NOW), Standing::Unknown);
}

#[test]
fn a_receipt_on_the_key_of_another_review_is_not_folded() {
    let strayed =
        step_of(review("a"), Owner::Saga, "strayed", receipt_of("b", "x", 1, VerdictKind::Conformant));
    let standings = fold(&[submitted("a", "x", None), submitted("b", "x", None), strayed]);
    assert!(matches!(standings.of(&content("x"), NOW), Standing::Awaiting { evaluation: 1, .. }));
}

fn any_verdict() -> impl Strategy<Value = VerdictKind> {
    prop_oneof![
        Just(VerdictKind::Conformant),
        Just(VerdictKind::Conditional),
        Just(VerdictKind::Held),
        Just(VerdictKind::Rejected),
    ]
}

/// Steps of three reviews of two contents, the third of which may supersede the first.
fn any_log() -> impl Strategy<Value = Vec<Step>> {
    let one = (0_usize..3, 1_u8..4, any_verdict(), 0_u8..3, any::<bool>()).prop_map(
        |(which, evaluation, verdict, what, supersedes)| {
            let (of, about) = [("a", "x"), ("b", "y"), ("c", "x")][which];
            match what {
                0 => submitted(of, about, (of == "c" && supersedes).then_some("a")),
                1 => opened(of, evaluation),
                _ => closed(of, about, evaluation, verdict),
            }
        },
    );
    prop::collection::vec(one, 0..24)
}

proptest! {
    /// The order of steps and their repetition make no difference.
    #[test]
    fn order_and_repetition_make_no_difference(
        (log, shuffled) in any_log().prop_flat_map(|log| {
            let twice: Vec<Step> = log.iter().chain(log.iter().take(log.len() / 2)).cloned().collect();
            (Just(log), Just(twice).prop_shuffle())
        })
    ) {
        prop_assert_eq!(fold(&log), fold(&shuffled));
    }

    /// A yes stands on a receipt of exactly that content and verdict that is in the log and valid.
    #[test]
    fn never_a_yes_without_its_receipt(log in any_log(), seconds in 0_i64..120) {
        let now = NOW.plus_seconds(seconds);
        for about in ["x", "y"] {
            let Standing::Decided(decided) = fold(&log).of(&content(about), now) else { continue };
            prop_assert!(now <= decided.valid_until);
            let stands = log.iter().flat_map(|step| step.records()).any(|record| {
                matches!(&record.object, Object::DecisionReceipt(receipt)
                    if receipt.content_digest == content(about)
                        && receipt.review == decided.review
                        && receipt.evaluation == decided.evaluation
                        && receipt.verdict == decided.verdict)
            });
            prop_assert!(stands);
        }
    }

    /// Opening one more evaluation never leaves a yes of that review standing.
    #[test]
    fn opening_an_evaluation_takes_back_the_word(log in any_log()) {
        let mut standings = fold(&log);
        for of in ["a", "b", "c"] {
            standings.fold(&opened(of, 8));
        }
        for about in ["x", "y"] {
            prop_assert_eq!(word(standings.of(&content(about), NOW)), None);
        }
    }
}
