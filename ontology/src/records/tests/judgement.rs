use super::{at, digest, pins, reads_back, reasons};
use crate::graph::sample::{id, name};
use crate::policy::{Enforcement, Standing, Violation};
use crate::records::decision::{Basis, Freshness, OptionOutcome, Outcome, ReleaseState, VERDICT_KIND};
use crate::records::evidence::{
    CONFIDENCE_ASSUMED_BP, CONFIDENCE_MEASURED_BP, CostEffect, RecoveryEffect, Unavailable,
};
use crate::records::snapshot::{Found, Pair, Resolution};
use crate::records::{
    Case, ConstraintOutcome, Cost, EvaluationOpened, EvidenceBundle, EvidenceItem, EvidenceKey, GraphReceipt,
    ImpactEnvelope, ObjectiveEffect, Opening, OptionDraft, OptionSet, Recommendation, RecommendationKind,
    Recovery, ReviewSchedule, Scenario, StateSnapshot, Verdict, VerdictKind,
};
use crate::{Money, ObjectId};

fn unavailable() -> Option<Unavailable> {
    Some(Unavailable { cause: "no price book".to_owned(), cure: "add prices".to_owned() })
}

#[test]
fn how_an_evaluation_is_set_up_reads_back() {
    for opening in [Opening::Evidence, Opening::Recheck] {
        reads_back(&EvaluationOpened { evaluation: 2, opening, pins: pins() });
    }
    let reduction = OptionDraft { id: name("without-violations"), without: [id("a.b")].into() };
    let whole = OptionDraft { id: name("as-proposed"), without: Default::default() };
    reads_back(&OptionSet { evaluation: 1, options: vec![whole, reduction] });
    reads_back(&ReviewSchedule {
        evaluation: 1,
        cutoff: at(),
        deadline: at().plus_ms(5_000),
        concurrent_since: at(),
        activated: EvidenceKey::ALL.into(),
        required: [EvidenceKey::Change].into(),
    });
}

#[test]
fn an_option_leaves_out_what_it_names_and_no_action_everything() {
    let reduction = OptionDraft { id: name("without-violations"), without: [id("a.b")].into() };
    assert!(reduction.leaves_out(&id("a.b")) && !reduction.leaves_out(&id("c.d")));
    assert!(OptionDraft { id: name("no-action"), without: Default::default() }.leaves_out(&id("c.d")));
}

#[test]
fn what_was_observed_reads_back() {
    let pair = |text: &str| Pair { id: text.to_owned(), digest: digest(text) };
    let found = [
        Found::Is(id("r:a")),
        Found::PartOf(id("w:a")),
        Found::Conflict(vec![id("w:a"), id("w:b")]),
        Found::Unbound,
    ];
    let targets =
        (0..).zip(found).map(|(number, found)| Resolution { address: id(&format!("t.{number}")), found });
    reads_back(&StateSnapshot {
        evaluation: 1,
        cutoff: at(),
        release: digest("release"),
        generation: digest("model"),
        access_scope: name("all"),
        purpose: name("architecture-review"),
        targets: targets.collect(),
        targets_total: 4,
        objects: vec![pair("r:a")],
        links: vec![pair("depends_on:r:a:r:b")],
        objects_total: 1,
        links_total: 1,
        pairs_digest: digest("pairs"),
        left_out: 0,
        complete: false,
        truncated: true,
        conflicts: reasons(),
    });
    let cost = CostEffect {
        option: name("as-proposed"),
        monthly_delta: Money::new(-1, "USD"),
        confidence_bp: CONFIDENCE_MEASURED_BP,
    };
    reads_back(&Cost { evaluation: 1, effects: vec![cost], reasons: reasons(), unavailable: unavailable() });
    let effect = RecoveryEffect {
        option: name("as-proposed"),
        objective: id("ro:a"),
        object: id("w:a"),
        rto_s: Some(u64::MAX),
        rpo_s: None,
        rehearsed_at: Some(at()),
        met: false,
    };
    reads_back(&Recovery { evaluation: 1, effects: vec![effect], reasons: Vec::new(), unavailable: None });
    let item = |key| EvidenceItem { key, digest: digest("item") };
    reads_back(&EvidenceBundle {
        evaluation: 1,
        cutoff: at(),
        release: digest("release"),
        catalog: digest("catalog"),
        ontology: vec![item(EvidenceKey::Topology)],
        state: vec![item(EvidenceKey::Cost)],
        catalog_items: vec![item(EvidenceKey::Policy)],
        document: vec![item(EvidenceKey::Change)],
        present: [EvidenceKey::Topology].into(),
        missing: [EvidenceKey::Recovery].into(),
        sealed_by_deadline: true,
    });
}

#[test]
fn every_key_of_evidence_is_written_as_it_is_called() {
    for key in EvidenceKey::ALL {
        assert_eq!(serde_json::json!(key), key.as_str());
    }
}

fn violation() -> Violation {
    Violation {
        standing: Standing::Worsened,
        subject: id("w:a"),
        path: vec![id("a.b"), id("w:a")],
        attribute: Some("ingress.cidr_blocks".to_owned()),
        value: "0.0.0.0/0".to_owned(),
        caused_by: vec![id("a.b")],
    }
}

fn case() -> Case {
    let effect =
        ObjectiveEffect { objective: id("ro:a"), utility_bp: -10_000, confidence_bp: CONFIDENCE_ASSUMED_BP };
    let option = OptionOutcome {
        id: name("as-proposed"),
        effects: vec![effect],
        violates: [name("rule")].into(),
        score: i64::MIN,
        would_be: RecommendationKind::Rejected,
        targets: 1,
    };
    let constraint = |outcome| ConstraintOutcome {
        constraint: name("rule"),
        enforcement: Enforcement::Deny,
        outcome,
        checked: 1,
        violations: vec![violation()],
        violations_total: 1,
        unknown: Some("an input is missing".to_owned()),
    };
    let outcomes = [Outcome::Passed, Outcome::Violated, Outcome::PreExisting, Outcome::Unknown];
    Case {
        evaluation: 1,
        case_digest: digest("case"),
        options: vec![option],
        protected_objectives: vec![id("ro:a")],
        constraints: outcomes.map(constraint).into(),
        selected: Some(name("no-action")),
        margin_bp: Some(10_000),
    }
}

#[test]
fn the_join_reads_back() {
    reads_back(&GraphReceipt {
        evaluation: 1,
        freshness: Freshness::Stale,
        release_state: ReleaseState::Mixed,
        graph_revision: Some(digest("pairs")),
        authenticated: true,
        source_complete: false,
        source_generation: None,
        truncated: false,
        reasons: reasons(),
    });
    reads_back(&Scenario {
        evaluation: 1,
        branch_id: "arb-rv-0".to_owned(),
        base_digest: digest("base"),
        bundle_digest: None,
        scenario_digest: digest("scenario"),
        operations: 3,
        reasons: reasons(),
    });
    reads_back(&case());
    reads_back(&Case { selected: None, margin_bp: None, ..case() });
    reads_back(&ImpactEnvelope {
        evaluation: 1,
        case_digest: digest("case"),
        direct_total: 1,
        affected: vec![id("w:a"), ObjectId::new("주".repeat(300)).unwrap()],
        affected_total: 2,
        affected_digest: digest("affected"),
        affected_max: 10,
        depth_max: 3,
        complete: true,
        expires_at: at(),
    });
    reads_back(&Recommendation {
        evaluation: 1,
        kind: RecommendationKind::Conditional,
        case_digest: digest("case"),
        reasons: reasons(),
        keys_present: 5,
        keys_required: 6,
        conditions: Vec::new(),
        alternatives: vec![name("without-destruction")],
    });
    for (verdict, basis) in [
        (VerdictKind::Conformant, Basis::StandingAuthorization),
        (VerdictKind::Conditional, Basis::HumanApproval),
        (VerdictKind::Held, Basis::Observation),
        (VerdictKind::Rejected, Basis::Denied),
    ] {
        reads_back(&Verdict {
            evaluation: 1,
            kind: name(VERDICT_KIND),
            verdict,
            basis,
            change_digest: digest("change"),
            bundle_digest: Some(digest("bundle")),
            case_digest: digest("case"),
        });
    }
}
