//! What observations say against a change, and what people read of it.

use ontology::policy::{ConstraintKind, Enforcement, RequiredEvidence, Selector};
use ontology::records::RecommendationKind::{ApprovalRequired, Conformant, Held, Rejected};
use ontology::records::estate::{ConcurrentChange, ConcurrentChanges};
use ontology::records::evidence::Unavailable;
use ontology::release::LinkType;
use ontology::{ObjectId, ReviewId};

use super::super::{Judgement, judge};
use super::*;
use crate::kit::samples::id;

/// The judgement if Muninn had observed this of other changes, in time.
fn with_concurrent(story: &Story, edit: impl FnOnce(&mut ConcurrentChanges)) -> Judgement {
    let mut world = story.world();
    world.run();
    let mut docket = docket_of(&world);
    let filed = docket.concurrent.as_mut().expect("an observation");
    let mut found = (*filed.object).clone();
    edit(&mut found);
    filed.object = Arc::new(found);
    judge(&Inputs::of(&docket, &world.library).expect("the library is whole"))
}

fn other(targets: &[&str]) -> ConcurrentChange {
    let targets: BTreeSet<ObjectId> = targets.iter().map(|target| id(target)).collect();
    ConcurrentChange { review: ReviewId::derive("test", "other"), targets }
}

#[test]
fn an_open_change_of_the_same_target_holds() {
    let judgement =
        with_concurrent(&conformant(), |found| found.open = vec![other(&["aws_db_instance.orders"])]);
    assert!(has(&judgement.recommendation, ReasonCode::ConcurrentChange, Effect::Held));
    assert_eq!(judgement.recommendation.kind, Held);
}

#[test]
fn a_smaller_change_without_the_shared_target_is_free_of_the_other() {
    let story = destructive(Enforcement::Observe);
    let judgement = with_concurrent(&story, |found| found.open = vec![other(&["aws_db_instance.orders"])]);
    assert_eq!(judgement.recommendation.kind, Held);
    assert_eq!(judgement.recommendation.alternatives, [name("without-destruction")]);
}

#[test]
fn u08_a_source_that_does_not_answer_holds_where_it_is_required() {
    let silent = |found: &mut ConcurrentChanges| {
        found.unavailable = Some(Unavailable { cause: "no log".to_owned(), cure: "start it".to_owned() });
    };
    let required = with_concurrent(&conformant(), silent).recommendation;
    assert!(has(&required, ReasonCode::EvidenceUnavailable, Effect::Held));
    let optional = conformant().with(|story| {
        story.catalog.required =
            vec![RequiredEvidence { when: Selector::default(), keys: keys(&[EvidenceKey::Change]) }];
    });
    let optional = with_concurrent(&optional, silent).recommendation;
    assert!(has(&optional, ReasonCode::EvidenceUnavailable, Effect::Noted));
    assert_eq!(optional.kind, Conformant);
}

#[test]
fn s15_an_observation_that_is_not_in_the_bundle_is_not_used() {
    let mut world = conformant().with(|story| spend_now(&mut story.model, 700)).world();
    world.run();
    let mut docket = docket_of(&world);
    docket.cost.as_mut().expect("a cost").digest = ontology::Digest::of(b"another");
    let judgement = judge(&Inputs::of(&docket, &world.library).expect("the library is whole"));
    assert!(has(&judgement.recommendation, ReasonCode::LateStage, Effect::Noted));
    assert!(!has(&judgement.recommendation, ReasonCode::ObjectiveWorsened, Effect::Approval));
}

#[test]
fn two_options_that_differ_too_little_need_a_person() {
    let story = |large: i64| {
        destructive(Enforcement::Observe).with(|story| {
            story.catalog.stateful_types.clear();
            story.catalog.required[0].keys.remove(&EvidenceKey::Recovery);
            story.document.targets[0].address = id("module.orders.aws_db_instance.old");
            story.document.targets.sort_by(|a, b| a.address.cmp(&b.address));
            let price = story.catalog.prices.types.get_mut("aws_db_instance").expect("a price");
            price.monthly_micro.insert("db.large".to_owned(), large * 1_000_000);
            for object in &mut story.model.objects {
                if let Detail::CostObjective(objective) = &mut object.detail {
                    objective.monthly_max = Money::new(9_000_000_000, "USD");
                }
            }
        })
    };
    check(&story(1_600), ApprovalRequired, &["close_call"]);
    check(&story(500), Conformant, &[]);
}

#[test]
fn u02_a_hard_rule_over_the_graph_rejects_by_its_own_inputs() {
    let story = |owned: bool| {
        conformant().with(|story| {
            story.catalog.constraints = vec![ontology::policy::Constraint {
                rule: ConstraintKind::NoDeleteWithDependents,
                ..rule("no-delete", ontology::policy::PlanRule::Drift, Enforcement::Deny)
            }];
            story.document = samples::document(vec![samples::target(
                samples::DATABASE_ADDRESS,
                "aws_db_instance",
                Action::Delete,
            )]);
            if !owned {
                story.model.links.retain(|link| link.kind != LinkType::WorkloadRunsOn);
            }
        })
    };
    assert_eq!(story(true).recommendation().kind, Rejected, "the workload needs it");
    assert_ne!(story(false).recommendation().kind, Rejected, "nothing needs it");
}

/// The reasons as people read them.
fn told(story: &Story) -> String {
    let recommendation = story.recommendation();
    let reasons = recommendation.reasons.iter().map(|reason| format!("{:?} {reason}", reason.effect));
    let head = format!(
        "{} with {} of {} keys",
        recommendation.kind.as_str(),
        recommendation.keys_present,
        recommendation.keys_required
    );
    [head].into_iter().chain(reasons).collect::<Vec<String>>().join("\n")
}

#[test]
fn people_read_the_reasons_of_an_empty_estate() {
    insta::assert_snapshot!(told(&empty_estate()));
}

#[test]
fn people_read_the_reasons_of_a_destructive_change() {
    insta::assert_snapshot!(told(&destructive(Enforcement::Deny)));
}
