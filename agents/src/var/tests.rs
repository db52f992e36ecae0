//! Stories about people: what they are asked, who may answer, and what follows.

use std::collections::BTreeSet;

use ontology::policy::{ApprovalRule, Enforcement, Selector};
use ontology::records::decision::Basis;
use ontology::records::{
    Approval, ApprovalDecision, ApprovalNeed, ApprovalRequest, ApprovalSignal, ApprovalState, ExceptionAsked,
    ExceptionGranted, Opening, RecheckAsked, RecommendationKind, VerdictKind,
};
use ontology::{Digest, Name, Principal, ReasonCode, ReviewId};
use topics::{Owner, Topic};

use super::statement::statement;
use super::*;
use crate::forseti::tests::{Story, conformant, destructive, docket_of};
use crate::kit::samples::{self, name};
use crate::kit::{World, said};

fn names(texts: &[&str]) -> BTreeSet<Name> {
    texts.iter().map(|text| name(text)).collect()
}

fn unix(user: &str) -> Principal {
    Principal { issuer: name("unix"), subject: name(user) }
}

fn asking() -> World {
    let mut world = destructive(Enforcement::Approve).world();
    world.run();
    world
}

fn request(world: &World) -> ApprovalRequest {
    said!(world, ApprovalRequest).expect("a person is asked").as_ref().clone()
}

fn signal(world: &World, person: &str, decision: ApprovalDecision) -> ApprovalSignal {
    let request = request(world);
    ApprovalSignal {
        evaluation: request.evaluation,
        case_digest: request.case_digest,
        decision,
        principal: unix(person),
        person: name(person),
        known_as: BTreeSet::from([unix(person)]),
        roles: names(&["approver"]),
        pins: docket_of(world).pins,
        because: None,
        signature: None,
    }
}

fn hear(world: &mut World, signal: ApprovalSignal) {
    let cause = format!("signal/{}", Digest::of_value(&signal));
    world.observed(Owner::Var, &cause, vec![signal.into()]);
    world.run();
}

fn approve(world: &mut World, person: &str) {
    let signal = signal(world, person, ApprovalDecision::Approve);
    hear(world, signal);
}

fn approval(world: &World) -> Option<Approval> {
    said!(world, Approval).map(|approval| approval.as_ref().clone())
}

fn verdict(world: &World) -> Option<(VerdictKind, Basis)> {
    said!(world, Verdict).map(|verdict| (verdict.verdict, verdict.basis))
}

#[test]
fn s35_a_person_is_asked_about_exactly_what_was_judged_and_nothing_is_said_for_them() {
    let world = asking();
    let asked = request(&world);
    let change = said!(world, Change).expect("the change");
    let case = said!(world, Case).expect("the case");
    assert_eq!((asked.change_digest, asked.case_digest), (change.change_digest, case.case_digest));
    let digest = |topic| {
        let stored = world.last(topic).expect("it was said");
        let record = stored.step.records().iter().find(|record| record.object.topic() == topic);
        record.map(|record| record.digest)
    };
    assert_eq!(asked.snapshot_digest, digest(Topic::StateSnapshot));
    assert_eq!(asked.bundle_digest, digest(Topic::EvidenceBundle));
    assert!(asked.because.contains(&ReasonCode::ConstraintApproval), "{:?}", asked.because);
    assert_eq!(asked.needs, [ApprovalNeed { roles: names(&["approver"]), quorum: 1 }]);
    assert_eq!((verdict(&world), said!(world, DecisionReceipt)), (None, None));
}

#[test]
fn s35_nobody_is_asked_about_a_change_that_conforms_is_held_or_rejected() {
    for story in [conformant(), crate::forseti::tests::empty_estate(), destructive(Enforcement::Deny)] {
        let mut world = story.world();
        world.run();
        assert_eq!(said!(world, ApprovalRequest), None);
        assert_eq!(world.owed(Owner::Var), Owed::default());
    }
}

#[test]
fn u13_an_approval_closes_the_review_and_the_receipt_names_who_gave_it() {
    let mut world = asking();
    approve(&mut world, "kim");
    assert_eq!(
        approval(&world).map(|it| (it.state, it.people)),
        Some((ApprovalState::Approved, names(&["kim"])))
    );
    assert_eq!(verdict(&world), Some((VerdictKind::Conformant, Basis::HumanApproval)));
    let receipt = said!(world, DecisionReceipt).expect("a receipt");
    assert_eq!((receipt.basis, &receipt.approved_by), (Basis::HumanApproval, &names(&["kim"])));
    assert_eq!(receipt.recommendation, RecommendationKind::ApprovalRequired);
    assert_eq!(world.owed(Owner::Var), Owed::default());
}

#[test]
fn one_no_ends_the_request_for_good() {
    let mut world = asking();
    let no = signal(&world, "kim", ApprovalDecision::Reject);
    hear(&mut world, no);
    approve(&mut world, "mina");
    assert_eq!(approval(&world).map(|it| it.state), Some(ApprovalState::Rejected));
    assert_eq!(verdict(&world), Some((VerdictKind::Rejected, Basis::Denied)));
    assert_eq!(world.all(Topic::Approval).len(), 1);
    assert_eq!(world.all(Topic::Verdict).len(), 1);
}

#[test]
fn who_asked_or_has_no_role_or_answers_another_case_does_not_count() {
    let check = |edit: fn(&mut ApprovalSignal), why: &str| {
        let mut world = asking();
        let mut answer = signal(&world, "kim", ApprovalDecision::Approve);
        edit(&mut answer);
        let requesters = BTreeSet::from([samples::requester()]);
        let refused = may_answer(&request(&world), &requesters, &answer).expect_err(why);
        assert!(refused.contains(why), "{refused}");
        hear(&mut world, answer);
        assert_eq!(approval(&world), None, "{why}");
    };
    check(|it| it.principal = samples::requester(), "asked for this");
    check(|it| it.known_as.extend([samples::requester()]), "asked for this");
    check(|it| it.roles = names(&["reader"]), "none of the roles approver");
    check(|it| it.case_digest = Digest::of(b"another"), "another case");
}

#[test]
fn who_asked_later_may_not_approve_either() {
    let mut world = asking();
    let added = ontology::records::RequesterAdded { requester: unix("kim") };
    world.observed(Owner::Huginn, "requester/kim", vec![added.into()]);
    approve(&mut world, "kim");
    assert_eq!(approval(&world), None);
    approve(&mut world, "mina");
    assert_eq!(approval(&world).map(|it| it.people), Some(names(&["mina"])));
}

fn two_of_platform_and_one_owner() -> World {
    let rule = |roles: &[&str], quorum, kinds: &[&str]| ApprovalRule {
        when: Selector { kinds: kinds.iter().map(ToString::to_string).collect(), ..Selector::default() },
        roles: names(roles),
        quorum,
        expires_s: 3_600,
    };
    let mut story = destructive(Enforcement::Approve);
    story.document = samples::document(vec![
        samples::target(samples::DATABASE_ADDRESS, "aws_db_instance", ontology::records::Action::Delete),
        samples::target(
            "module.orders.aws_sqs_queue.jobs",
            "aws_sqs_queue",
            ontology::records::Action::Create,
        ),
    ]);
    story.catalog.approvals = vec![rule(&["owner"], 1, &["aws_sqs_*"]), rule(&["platform"], 2, &[])];
    // Nobody has to know what a queue costs here.
    let monthly_micro = [("*".to_owned(), 0)].into();
    let price = ontology::policy::prices::TypePrice { attribute: None, times: None, monthly_micro };
    story.catalog.prices.types.insert("aws_sqs_queue".to_owned(), price);
    let mut world = story.world();
    world.run();
    assert!(said!(world, ApprovalRequest).is_some(), "{:?}", said!(world, Recommendation));
    world
}

#[test]
fn every_rule_that_applies_asks_for_its_own_people() {
    let mut world = two_of_platform_and_one_owner();
    let asked = request(&world);
    let needs = [
        ApprovalNeed { roles: names(&["owner"]), quorum: 1 },
        ApprovalNeed { roles: names(&["platform"]), quorum: 2 },
    ];
    assert_eq!(asked.needs, needs);
    let say = |world: &mut World, person: &str, roles: &[&str]| {
        let mut answer = signal(world, person, ApprovalDecision::Approve);
        answer.roles = names(roles);
        hear(world, answer);
    };
    say(&mut world, "ann", &["owner", "platform"]);
    say(&mut world, "bob", &["platform"]);
    assert_eq!(approval(&world), None, "one of two fills two places");
    say(&mut world, "cai", &["platform"]);
    assert_eq!(approval(&world).map(|it| it.people), Some(names(&["ann", "bob", "cai"])));
}

#[test]
fn the_same_person_counts_once_and_what_they_said_first_stands() {
    let mut story = destructive(Enforcement::Approve);
    story.catalog.approvals = vec![ApprovalRule { quorum: 2, ..ApprovalRule::shipped() }];
    let mut world = story.world();
    world.run();
    approve(&mut world, "kim");
    let mut other = signal(&world, "kim", ApprovalDecision::Approve);
    other.principal = Principal { issuer: name("ssh"), subject: name("ssh-ed25519 KEY") };
    hear(&mut world, other);
    let no = signal(&world, "kim", ApprovalDecision::Reject);
    hear(&mut world, no);
    assert_eq!(approval(&world), None);
    approve(&mut world, "mina");
    assert_eq!(approval(&world).map(|it| it.people), Some(names(&["kim", "mina"])));
}

#[test]
fn expiry_is_neither_a_yes_nor_a_no_and_late_answers_have_no_effect() {
    let mut world = asking();
    world.reach_deadline(Owner::Var);
    assert_eq!(approval(&world).map(|it| it.state), Some(ApprovalState::Expired));
    assert_eq!(verdict(&world), Some((VerdictKind::Held, Basis::Observation)));
    approve(&mut world, "kim");
    assert_eq!(world.all(Topic::Approval).len(), 1);
    assert_eq!(world.all(Topic::DecisionReceipt).len(), 1);
    let listed = world.all(Topic::AuditEntry).len();
    assert_eq!(listed, 2, "a closing entry lists the late answer");
}

#[test]
fn asking_for_another_evaluation_voids_the_request_and_asks_anew() {
    let mut world = asking();
    let first = request(&world);
    let pins = docket_of(&world).pins;
    let asked = RecheckAsked { requester: samples::requester(), seen: 1, pins };
    world.observed(Owner::Huginn, "recheck/1", vec![asked.into()]);
    world.run();
    let states: Vec<_> = world.all(Topic::Approval);
    assert_eq!(states.len(), 1);
    let second = request(&world);
    assert_eq!((first.evaluation, second.evaluation), (1, 2));
    let late = ApprovalSignal {
        evaluation: 1,
        case_digest: first.case_digest,
        ..signal(&world, "kim", ApprovalDecision::Approve)
    };
    hear(&mut world, late);
    assert_eq!(world.all(Topic::Approval).len(), 1, "an answer to the first is none to the second");
    approve(&mut world, "mina");
    assert_eq!(approval(&world).map(|it| (it.evaluation, it.state)), Some((2, ApprovalState::Approved)));
}

#[test]
fn a_recheck_that_was_answered_already_voids_nothing() {
    let mut world = asking();
    let pins = docket_of(&world).pins;
    let asked = RecheckAsked { requester: samples::requester(), seen: 0, pins };
    world.observed(Owner::Huginn, "recheck/0", vec![asked.into()]);
    world.run();
    assert_eq!(approval(&world), None);
}

#[test]
fn u13_an_approval_can_be_taken_back_and_the_review_is_judged_anew() {
    let mut world = asking();
    approve(&mut world, "kim");
    let back = signal(&world, "kim", ApprovalDecision::Revoke);
    hear(&mut world, back);
    let opened = said!(world, EvaluationOpened).expect("it is judged anew");
    assert_eq!((opened.evaluation, opened.opening), (2, Opening::Revoked));
    assert_eq!(request(&world).evaluation, 2);
    assert_eq!(world.all(Topic::DecisionReceipt).len(), 1, "the new evaluation has none");
}

fn held_for_a_rehearsal() -> Story {
    conformant().with(|story| {
        for object in &mut story.model.objects {
            if let ontology::model::Detail::RecoveryPlan(plan) = &mut object.detail {
                plan.rehearsals.clear();
            }
        }
    })
}

fn ask_exception(world: &mut World, code: ReasonCode, days: i64) {
    let pins = docket_of(world).pins;
    let asked = ExceptionAsked {
        evaluation: 1,
        requester: unix("ada"),
        code,
        subject: None,
        until: samples::noon().plus_seconds(days * 86_400),
        because: "the rehearsal is on Thursday".to_owned(),
        pins,
    };
    world.observed(Owner::Var, "exception/1", vec![asked.into()]);
    world.run();
}

#[test]
fn u9_an_exception_turns_what_holds_into_what_a_person_decides_and_one_answer_grants_both() {
    let mut world = held_for_a_rehearsal().world();
    world.run();
    assert_eq!(verdict(&world), Some((VerdictKind::Held, Basis::Observation)));
    ask_exception(&mut world, ReasonCode::RehearsalMissing, 14);
    let opened = said!(world, EvaluationOpened).expect("the next evaluation");
    assert_eq!(opened.opening, Opening::Exception);
    let judged = said!(world, Recommendation).expect("it was judged");
    assert_eq!(judged.kind, RecommendationKind::ApprovalRequired, "{:?}", judged.reasons);
    assert!(judged.reasons.iter().any(|reason| reason.code == ReasonCode::ClassException));
    approve(&mut world, "ada");
    assert_eq!(approval(&world), None, "who asks for an exception does not grant it");
    approve(&mut world, "kim");
    let receipt = said!(world, DecisionReceipt).expect("a receipt");
    let until = samples::noon().plus_seconds(14 * 86_400);
    let granted = ExceptionGranted { code: ReasonCode::RehearsalMissing, subject: None, until };
    assert_eq!((receipt.evaluation, &receipt.exceptions), (2, &vec![granted]));
}

#[test]
fn u9_an_exception_for_something_else_or_one_that_is_over_covers_nothing() {
    for (code, days) in [(ReasonCode::CostUnpriced, 14), (ReasonCode::RehearsalMissing, -1)] {
        let mut world = held_for_a_rehearsal().world();
        world.run();
        ask_exception(&mut world, code, days);
        let judged = said!(world, Recommendation).expect("it was judged");
        assert_eq!((judged.evaluation, judged.kind), (2, RecommendationKind::Held), "{code} {days}");
    }
}

#[test]
fn u2_no_exception_covers_a_violated_constraint() {
    let mut world = destructive(Enforcement::Deny).world();
    world.run();
    ask_exception(&mut world, ReasonCode::ConstraintViolated, 14);
    assert_eq!(verdict(&world), Some((VerdictKind::Rejected, Basis::Denied)));
}

#[test]
fn two_answers_that_differ_in_anything_have_two_statements() {
    let asked = request(&asking());
    let review = ReviewId::derive("test", "1");
    let yes = |because| statement(review, &asked, ApprovalDecision::Approve, because);
    let mut seen = BTreeSet::from([
        yes(None),
        yes(Some("none")),
        yes(Some("a\ndecision: reject")),
        statement(review, &asked, ApprovalDecision::Reject, None),
        statement(ReviewId::derive("test", "2"), &asked, ApprovalDecision::Approve, None),
    ]);
    let edits: [fn(&mut ApprovalRequest); 5] = [
        |it| it.evaluation = 2,
        |it| it.change_digest = Digest::of(b"x"),
        |it| it.snapshot_digest = None,
        |it| it.bundle_digest = None,
        |it| it.case_digest = Digest::of(b"x"),
    ];
    for edit in edits {
        let mut other = asked.clone();
        edit(&mut other);
        seen.insert(statement(review, &other, ApprovalDecision::Approve, None));
    }
    assert_eq!(seen.len(), 10);
    assert!(seen.iter().all(|text| text.lines().count() == 10), "{seen:?}");
}

#[test]
fn u11_a_constraint_that_asks_may_name_who_answers() {
    let story = destructive(Enforcement::Approve).with(|story| {
        story.catalog.constraints[0].approvers = names(&["data"]);
    });
    let mut world = story.world();
    world.run();
    let needs = [
        ApprovalNeed { roles: names(&["approver"]), quorum: 1 },
        ApprovalNeed { roles: names(&["data"]), quorum: 1 },
    ];
    assert_eq!(request(&world).needs, needs);
}
