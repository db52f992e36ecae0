//! One story for each recommendation, and for each rule that decides between them.

use ontology::model::{Detail, Link, Placement};
use ontology::policy::{ConditionCheck, Demand, Enforcement, PlanRule, RequiredEvidence, Selector};
use ontology::records::RecommendationKind::{ApprovalRequired, Conformant, Held, Rejected};
use ontology::records::decision::{Freshness, ReleaseState};
use ontology::records::document::Action;
use ontology::records::{EvidenceKey, VerdictKind};
use ontology::release::LinkType;
use ontology::time::DAY_S;
use ontology::{Digest, Effect, ReasonCode};

use super::*;
use crate::kit::samples::{DATABASE, SERVICE, WORKLOAD, id, link, noon, object, placed, sorted};

#[test]
fn a_small_change_of_a_modelled_estate_conforms() {
    let story = conformant();
    check(&story, Conformant, &[]);
    let mut world = story.world();
    world.run();
    let receipt = said!(world, GraphReceipt).expect("a graph receipt");
    assert!(receipt.authenticated && receipt.source_complete && !receipt.truncated);
    assert_eq!((receipt.freshness, receipt.release_state), (Freshness::Current, ReleaseState::Aligned));
    assert_eq!(said!(world, Verdict).expect("a verdict").verdict, VerdictKind::Conformant);
    let case = said!(world, Case).expect("a case");
    assert_eq!(case.selected.as_ref().map(|id| id.as_str()), Some("as-proposed"));
    assert_eq!(case.options[0].effects.len(), 2, "cost and recovery: {:?}", case.options[0].effects);
}

#[test]
fn u01_nothing_modelled_is_held_for_want_of_owner_and_objectives() {
    let reasons = [
        "target_resource_missing:aws_db_instance.orders",
        "service_mapping_missing",
        "objectives_missing",
        "graph_receipt_unverified",
        "missing_evidence:objectives",
        "missing_evidence:topology",
    ];
    check(&empty_estate(), Held, &reasons);
}

#[test]
fn u02_a_broken_hard_rule_rejects_even_where_evidence_is_missing() {
    let story = destructive(Enforcement::Deny).with(|story| story.model = Model::default());
    let recommendation = story.recommendation();
    assert_eq!(recommendation.kind, Rejected);
    assert!(has(&recommendation, ReasonCode::MissingEvidence, Effect::Held), "both are told");
    assert_eq!(recommendation.reasons[0].code, ReasonCode::ConstraintViolated, "the hardest first");
}

#[test]
fn u11_a_rule_does_what_its_enforcement_says() {
    let kind = |enforcement| destructive(enforcement).recommendation().kind;
    assert_eq!(kind(Enforcement::Deny), Rejected);
    assert_eq!(kind(Enforcement::Approve), ApprovalRequired);
    let warned = destructive(Enforcement::Warn).recommendation();
    assert!(has(&warned, ReasonCode::ConstraintWarned, Effect::Noted));
    let observed = destructive(Enforcement::Observe).recommendation();
    assert!(!observed.reasons.iter().any(|reason| reason.code == ReasonCode::ConstraintWarned));
}

#[test]
fn u11_a_rule_denies_from_its_date_on() {
    let story = |days| {
        destructive(Enforcement::Warn).with(|story| {
            story.catalog.constraints[0].deny_from = Some(noon().plus_seconds(days * DAY_S));
        })
    };
    assert_eq!(story(-1).recommendation().kind, Rejected);
    assert_eq!(story(1).recommendation().kind, ApprovalRequired, "irreversible, not denied");
}

#[test]
fn u10_what_was_so_before_does_not_count() {
    let story = conformant().with(|story| {
        story.catalog.constraints = vec![rule("encryption-off", PlanRule::EncryptionOff, Enforcement::Deny)];
        let target = &mut story.document.targets[0];
        for side in [&mut target.before, &mut target.after] {
            let off = ontology::Value::Boolean(false);
            side.as_mut().expect("an update has both").insert("storage_encrypted".to_owned(), off);
        }
    });
    let recommendation = story.recommendation();
    assert!(
        has(&recommendation, ReasonCode::ConstraintPreExisting, Effect::Noted),
        "{:#?}",
        recommendation.reasons
    );
    assert_eq!(recommendation.kind, Conformant);
}

#[test]
fn s36_what_cannot_be_undone_needs_a_person() {
    let story = destructive(Enforcement::Observe);
    let worse = "objective_worsened:objective:orders-availability";
    check(&story, ApprovalRequired, &["class_irreversible:aws_db_instance.orders", worse]);
}

#[test]
fn s36_a_promotion_and_the_baseline_need_a_person() {
    let promotion = conformant().with(|story| story.told = |change| change.change_kind = name("promotion"));
    check(&promotion, ApprovalRequired, &["class_promotion:promotion"]);
    let baseline = conformant().with(|story| {
        story.catalog.baseline_kinds = ["aws_db_instance".to_owned()].into();
    });
    check(&baseline, ApprovalRequired, &["class_baseline:aws_db_instance.orders"]);
}

#[test]
fn u08_one_source_on_a_judged_path_needs_a_person() {
    let story = conformant().with(|story| one_source(&mut story.model.links, LinkType::OwnedBy));
    let subject = format!("link_evidence_unverified:owned_by:{SERVICE}:group:payments");
    check(&story, ApprovalRequired, &[&subject]);
}

#[test]
fn u08_one_source_off_every_judged_path_is_noted() {
    let story = conformant().with(|story| {
        // The workload calls another: no objective, owner or rule is behind it.
        story.model.objects.push(object("workload:mailer", Detail::Workload(placed("service"))));
        let mut call = link(LinkType::WorkloadDependsOn, WORKLOAD, "workload:mailer");
        call.sources.pop();
        story.model.links.push(call);
        story.model = sorted(story.model.clone());
    });
    let recommendation = story.recommendation();
    assert_eq!(recommendation.kind, Conformant, "{:#?}", recommendation.reasons);
    assert!(has(&recommendation, ReasonCode::LinkEvidenceUnverified, Effect::Noted));
}

fn one_source(links: &mut [Link], kind: LinkType) {
    for link in links.iter_mut().filter(|link| link.kind == kind) {
        link.sources.pop();
    }
}

#[test]
fn s12_faulty_relations_hold() {
    let held = |edit: fn(&mut Model), code: ReasonCode| {
        let recommendation = conformant().with(|story| edit(&mut story.model)).recommendation();
        assert!(has(&recommendation, code, Effect::Held), "{code}: {:#?}", recommendation.reasons);
        assert_eq!(recommendation.kind, Held);
    };
    held(|model| model.sources[0].review_by = Some(noon().plus_seconds(-1)), ReasonCode::LinkEvidenceStale);
    held(|model| model.sources[0].review_by = Some(noon().plus_seconds(-1)), ReasonCode::GraphStale);
    held(|model| model.sources[0].synthetic = true, ReasonCode::LinkEvidenceSynthetic);
    held(|model| model.sources[0].incomplete = true, ReasonCode::LinkEvidenceIncomplete);
    held(
        |model| model.sources[0].observed_at = Some(noon().plus_seconds(DAY_S)),
        ReasonCode::LinkEvidenceAfterCutoff,
    );
    held(
        |model| {
            let denied = model.links.iter_mut().find(|link| link.kind == LinkType::ImplementedBy);
            denied.expect("there is one").denied_by = vec![name("terraform.tfstate")];
        },
        ReasonCode::LinkEvidenceConflicting,
    );
}

#[test]
fn s08_another_release_than_the_requested_one_holds() {
    let story =
        conformant().with(|story| story.told = |change| change.requested_release = Digest::of(b"newer"));
    let recommendation = story.recommendation();
    assert!(has(&recommendation, ReasonCode::GraphReleaseMixed, Effect::Held));
    assert_eq!(recommendation.kind, Held);
}

#[test]
fn ten_changed_targets_are_within_the_limit_and_eleven_need_a_person() {
    let story = |targets: usize| {
        let mut story = empty_estate();
        story.catalog.required = vec![RequiredEvidence {
            when: Selector::default(),
            keys: keys(&[EvidenceKey::Change, EvidenceKey::Policy, EvidenceKey::ConcurrentChanges]),
        }];
        let address = |n: usize| format!("module.web.aws_instance.host[{n}]");
        let created = (0..targets).map(|n| samples::target(&address(n), "aws_instance", Action::Create));
        story.document = samples::document(created.collect());
        story
    };
    let capped = |story: &Story| {
        let recommendation = story.recommendation();
        let cap = recommendation.reasons.iter().find(|reason| reason.code == ReasonCode::AffectedCapExceeded);
        cap.and_then(|reason| reason.detail.clone())
    };
    assert_eq!(capped(&story(10)), None);
    assert_eq!(capped(&story(11)).as_deref(), Some("11 changed targets, limit 10"));
}

#[test]
fn what_depends_on_the_changed_object_is_affected() {
    let story = conformant().with(|story| {
        for n in 0..9 {
            let workload = format!("workload:reader-{n}");
            story.model.objects.push(object(&workload, Detail::Workload(Placement::default())));
            story.model.links.push(link(LinkType::WorkloadRunsOn, &workload, DATABASE));
        }
        story.model = sorted(story.model.clone());
    });
    let mut world = story.world();
    world.run();
    let envelope = said!(world, ImpactEnvelope).expect("an envelope");
    assert_eq!((envelope.direct_total, envelope.affected_total, envelope.affected_max), (1, 12, 10));
    assert!(envelope.affected.contains(&id(SERVICE)));
    let recommendation = said!(world, Recommendation).expect("a recommendation");
    assert!(has(&recommendation, ReasonCode::AffectedCapExceeded, Effect::Approval));
}

#[test]
fn plans_that_say_so_themselves_hold() {
    let held = |edit: fn(&mut Story), code: ReasonCode| {
        let recommendation = conformant().with(edit).recommendation();
        assert!(has(&recommendation, code, Effect::Held), "{code}: {:#?}", recommendation.reasons);
        assert_eq!(recommendation.kind, Held);
    };
    held(|story| story.document.errored = true, ReasonCode::PlanErrored);
    held(|story| story.document.incomplete = true, ReasonCode::PlanIncomplete);
    held(
        |story| story.told = |change| change.planned_at = Some(noon().plus_seconds(-8 * DAY_S)),
        ReasonCode::PlanStale,
    );
    held(
        |story| story.told = |change| change.planned_at = Some(noon().plus_seconds(120)),
        ReasonCode::EvidenceAfterCutoff,
    );
}

#[test]
fn u08_a_plan_without_a_change_conforms_whatever_is_modelled() {
    let story = empty_estate().with(|story| {
        story.document =
            samples::document(vec![samples::target("aws_instance.web", "aws_instance", Action::NoOp)]);
    });
    check(&story, Conformant, &[]);
}

#[test]
fn what_is_only_noted_stops_nothing() {
    let story = conformant().with(|story| {
        story.document.sensitivity_unmarked = true;
        story.document.withheld_unkeyed = true;
        story.document.drift = [id("aws_db_instance.orders")].into();
        story.catalog.starter = true;
        story.told = |change| change.process_ref = Some(samples::id("process:missing"));
    });
    let recommendation = story.recommendation();
    for code in [
        ReasonCode::SensitivityUnmarked,
        ReasonCode::WithheldUnkeyed,
        ReasonCode::PlanDrift,
        ReasonCode::StarterCatalog,
        ReasonCode::RequesterUnverified,
        ReasonCode::ProcessLineageUnavailable,
    ] {
        assert!(has(&recommendation, code, Effect::Noted), "{code}");
    }
    assert_eq!(recommendation.kind, Conformant);
}

#[test]
fn s31_only_a_process_of_the_model_is_a_lineage() {
    let with = |detail: Detail| {
        let story = conformant().with(|story| {
            story.model.objects.push(object("process:42", detail));
            story.model = sorted(story.model.clone());
            story.told = |change| change.process_ref = Some(samples::id("process:42"));
        });
        has(&story.recommendation(), ReasonCode::ProcessLineageUnavailable, Effect::Noted)
    };
    assert!(!with(Detail::Process(ontology::model::Process { status: name("running") })));
    assert!(with(Detail::Workload(Placement::default())), "of the wrong type");
}

#[test]
fn an_assumed_objective_needs_a_person() {
    let story = conformant().with(|story| {
        for object in &mut story.model.objects {
            if let Detail::RecoveryObjective(objective) = &mut object.detail {
                objective.assumed = true;
            }
        }
    });
    check(&story, ApprovalRequired, &["objective_assumed:objective:orders-recovery"]);
}

#[test]
fn a_change_that_breaks_the_budget_needs_a_person() {
    let story = conformant().with(|story| spend_now(&mut story.model, 700));
    let recommendation = story.recommendation();
    assert!(has(&recommendation, ReasonCode::ObjectiveWorsened, Effect::Approval));
    assert_eq!(recommendation.kind, ApprovalRequired);
}

/// A change whose violation asks for a check.
fn asks_for_a_check() -> Story {
    destructive(Enforcement::Condition).with(|story| {
        let check = ConditionCheck::CheckRun { name: name("restore-test"), app_id: Some(7) };
        story.catalog.constraints[0].condition = Some(Demand { check, within_s: 3_600 });
        story.catalog.stateful_types.clear();
        story.catalog.constraints[0].rule = ConstraintKind::Plan(PlanRule::DeletionProtectionOff);
        story.document = samples::database_change();
        let protected = |on| ("deletion_protection".to_owned(), ontology::Value::Boolean(on));
        for target in &mut story.document.targets {
            target.before.iter_mut().for_each(|side| side.extend([protected(true)]));
            target.after.iter_mut().for_each(|side| side.extend([protected(false)]));
        }
    })
}

#[test]
fn s35_what_only_asks_for_something_is_conditional_and_says_what_and_until_when() {
    let mut world = asks_for_a_check().world();
    world.run();
    let judged = said!(world, Recommendation).expect("it was judged");
    assert_eq!(judged.kind, RecommendationKind::Conditional, "{:?}", judged.reasons);
    let condition = ontology::records::Condition {
        key: name("stateful-destroyed"),
        check: ConditionCheck::CheckRun { name: name("restore-test"), app_id: Some(7) },
        expires_at: docket_of(&world).opened_at.plus_seconds(3_600),
    };
    assert_eq!(judged.conditions, std::slice::from_ref(&condition));
    let receipt = said!(world, DecisionReceipt).expect("a receipt");
    assert_eq!(receipt.verdict, ontology::records::VerdictKind::Conditional);
    assert_eq!(receipt.conditions, [condition]);
}

#[test]
fn s12_a_condition_never_makes_a_harder_reason_milder() {
    let held = asks_for_a_check().with(|story| story.document.errored = true).recommendation();
    assert_eq!(held.kind, RecommendationKind::Held);
    assert_eq!(held.conditions.len(), 1, "it is said all the same");
}
