use std::collections::BTreeMap;

use ontology::model::Model;
use ontology::policy::Catalog;
use ontology::records::change::{AttachmentKind, CostEstimate};
use ontology::records::document::{Action, Target};
use ontology::records::evidence::{CONFIDENCE_ASSUMED_BP, Unavailable};
use ontology::records::{Attachment, Cost};
use ontology::{Digest, Effect, Money, ReasonCode};
use topics::{Agent, Answer, Object, Owner, Question, Topic};

use super::Njord;
use crate::kit::samples::{self, id, name, target};
use crate::kit::{World, said};

const USD: i64 = 1_000_000;

/// The world in which Njord owes its question, with one option without these addresses.
fn asked(
    targets: Vec<Target>,
    claims: Vec<Attachment>,
    without: &[&str],
    model: Model,
    mut catalog: Catalog,
) -> World {
    catalog.required = vec![ontology::policy::RequiredEvidence {
        when: ontology::policy::Selector::default(),
        keys: [ontology::records::EvidenceKey::Cost].into(),
    }];
    let document = samples::document(targets);
    let mut change = samples::change(&document);
    change.attachments = claims;
    let mut world = World::open(change, document, model, catalog).with_deciders();
    world.run();
    world.derived(Owner::Forseti, Topic::PolicySet, vec![samples::options(1, without).into()]);
    world
}

fn counted(targets: Vec<Target>, claims: Vec<Attachment>, without: &[&str]) -> Cost {
    let mut world = asked(targets, claims, without, samples::model(), samples::catalog());
    world.run();
    said!(world, Cost).expect("an observation").as_ref().clone()
}

fn effects(cost: &Cost) -> Vec<(&str, i64, &str)> {
    let effect = |effect: &ontology::records::evidence::CostEffect| {
        assert_eq!(effect.confidence_bp, CONFIDENCE_ASSUMED_BP);
        effect.monthly_delta.micro.0
    };
    let row = |it| (effect(it), it);
    let rows = cost.effects.iter().map(row);
    rows.map(|(micro, it)| (it.option.as_str(), micro, it.monthly_delta.currency.as_str())).collect()
}

fn reasons(cost: &Cost) -> Vec<(ReasonCode, &str, Effect)> {
    let row = |reason: &ontology::Reason| (reason.code, reason.effect);
    let subjects =
        cost.reasons.iter().map(|reason| (row(reason), reason.subject.as_deref().unwrap_or_default()));
    subjects.map(|((code, effect), subject)| (code, subject, effect)).collect()
}

fn claim(text: &str, micro: i64, by_address: &[(&str, i64)]) -> Attachment {
    let amounts = by_address.iter().map(|(address, micro)| (id(address), Money::new(*micro, "USD")));
    let estimate = CostEstimate {
        monthly_delta: Money::new(micro, "USD"),
        by_address: amounts.collect::<BTreeMap<_, _>>(),
    };
    Attachment {
        name: name(text),
        digest: Digest::of(text.as_bytes()),
        made_at: Some(samples::noon()),
        claim: AttachmentKind::CostEstimate(estimate),
    }
}

#[test]
fn each_action_costs_its_price_after_less_its_price_before() {
    let check = |action, expect| {
        let cost = counted(vec![target("a", "aws_db_instance", action)], vec![], &[]);
        assert_eq!(effects(&cost), [("as-proposed", expect, "USD"), ("no-action", 0, "USD")], "{action:?}");
        assert_eq!(cost.reasons, []);
    };
    check(Action::Create, 400 * USD);
    check(Action::Update, 300 * USD);
    check(Action::Replace, 300 * USD);
    check(Action::Delete, -100 * USD);
    check(Action::Forget, 0);
}

#[test]
fn an_option_costs_what_it_carries_out() {
    let targets =
        vec![target("a", "aws_db_instance", Action::Create), target("b", "aws_db_instance", Action::Delete)];
    let cost = counted(targets, vec![], &["b"]);
    let expect = [
        ("as-proposed", 300 * USD, "USD"),
        ("no-action", 0, "USD"),
        ("without-destruction", 400 * USD, "USD"),
    ];
    assert_eq!(effects(&cost), expect);
}

#[test]
fn a_type_without_a_price_is_a_reason_and_leaves_its_options_uncounted() {
    let targets =
        vec![target("a", "aws_db_instance", Action::Create), target("b", "aws_msk", Action::Delete)];
    let cost = counted(targets, vec![], &["b"]);
    assert_eq!(effects(&cost), [("no-action", 0, "USD"), ("without-destruction", 400 * USD, "USD")]);
    assert_eq!(reasons(&cost), [(ReasonCode::CostUnpriced, "aws_msk", Effect::Held)]);
}

#[test]
fn an_update_without_attributes_before_is_unpriced_not_free() {
    let mut update = target("a", "aws_db_instance", Action::Update);
    update.before = None;
    let cost = counted(vec![update], vec![], &[]);
    assert_eq!(effects(&cost), [("no-action", 0, "USD")]);
    assert_eq!(reasons(&cost), [(ReasonCode::CostUnpriced, "aws_db_instance", Effect::Held)]);
}

#[test]
fn a_claim_counts_where_the_price_book_cannot_and_stays_unverified() {
    let targets =
        vec![target("a", "aws_db_instance", Action::Create), target("b", "aws_msk", Action::Delete)];
    let claims = vec![claim("infracost.json", 250 * USD, &[("a", 400 * USD), ("b", -150 * USD)])];
    let cost = counted(targets, claims, &["b"]);
    let expect = [
        ("as-proposed", 250 * USD, "USD"),
        ("no-action", 0, "USD"),
        ("without-destruction", 400 * USD, "USD"),
    ];
    assert_eq!(effects(&cost), expect);
    assert_eq!(reasons(&cost), [(ReasonCode::EvidenceUnverified, "infracost.json", Effect::Approval)]);
}

#[test]
fn a_claim_of_a_total_alone_tells_nothing_about_a_smaller_option() {
    let targets = vec![target("a", "aws_msk", Action::Create), target("b", "aws_msk", Action::Delete)];
    let cost = counted(targets, vec![claim("infracost.json", 250 * USD, &[])], &["b"]);
    assert_eq!(effects(&cost), [("as-proposed", 250 * USD, "USD"), ("no-action", 0, "USD")]);
    assert!(reasons(&cost).contains(&(ReasonCode::CostUnpriced, "without-destruction", Effect::Noted)));
}

#[test]
fn u8_a_claim_that_the_price_book_makes_needless_is_noted() {
    let claims = vec![claim("infracost.json", 9_999 * USD, &[])];
    let cost = counted(vec![target("a", "aws_db_instance", Action::Create)], claims, &[]);
    assert_eq!(effects(&cost)[0], ("as-proposed", 400 * USD, "USD"));
    assert_eq!(reasons(&cost), [(ReasonCode::EvidenceUnverified, "infracost.json", Effect::Noted)]);
}

#[test]
fn the_newest_claim_counts_and_one_from_after_the_cutoff_does_not() {
    let mut older = claim("older.json", USD, &[]);
    older.made_at = Some(samples::noon().plus_seconds(-60));
    let mut future = claim("future.json", 3 * USD, &[]);
    future.made_at = Some(samples::noon().plus_seconds(60));
    let claims = vec![older, future, claim("newer.json", 2 * USD, &[])];
    let cost = counted(vec![target("a", "aws_msk", Action::Create)], claims, &[]);
    assert_eq!(effects(&cost)[0], ("as-proposed", 2 * USD, "USD"));
    assert!(reasons(&cost).contains(&(ReasonCode::EvidenceAfterCutoff, "future.json", Effect::Held)));
}

#[test]
fn currencies_are_never_mixed() {
    let mut mixed = claim("mixed.json", 2 * USD, &[("a", 2 * USD)]);
    if let AttachmentKind::CostEstimate(estimate) = &mut mixed.claim {
        estimate.monthly_delta.currency = "EUR".to_owned();
    }
    let cost = counted(vec![target("a", "aws_msk", Action::Create)], vec![mixed], &[]);
    assert_eq!(effects(&cost), [("no-action", 0, "USD")]);
    let unpriced = |subject| (ReasonCode::CostUnpriced, subject, Effect::Held);
    assert_eq!(reasons(&cost), [unpriced("aws_msk"), unpriced("mixed.json")]);

    let mut catalog = samples::catalog();
    catalog.prices.currency = "EUR".to_owned();
    let database = vec![target(samples::DATABASE_ADDRESS, "aws_db_instance", Action::Update)];
    let mut world = asked(database, vec![], &[], samples::model(), catalog);
    world.run();
    let cost = said!(world, Cost).expect("an observation");
    assert_eq!(reasons(&cost), [unpriced(samples::COST)], "the objective is in dollars");
}

#[test]
fn a_sum_that_cannot_be_counted_is_held_at_the_end_and_said() {
    let mut catalog = samples::catalog();
    let price = catalog.prices.types.get_mut("aws_db_instance").expect("it has a price");
    price.monthly_micro.insert("db.large".to_owned(), i64::MAX);
    let targets =
        vec![target("a", "aws_db_instance", Action::Create), target("b", "aws_db_instance", Action::Create)];
    let mut world = asked(targets, vec![], &[], samples::model(), catalog);
    world.run();
    let cost = said!(world, Cost).expect("an observation");
    assert_eq!(effects(&cost)[0].1, i64::MAX);
    assert_eq!(reasons(&cost), [(ReasonCode::CostUnpriced, "as-proposed", Effect::Held)]);
}

#[test]
fn s15_no_answer_is_recorded_with_cause_and_cure() {
    let mut world = asked(
        vec![target("a", "aws_db_instance", Action::Create)],
        vec![],
        &[],
        samples::model(),
        samples::catalog(),
    );
    world.silence("cost");
    world.run();
    let question: Question = world.owed(Owner::Njord).questions.pop().expect("it is owed");
    let check = |answer: &Answer, library: &topics::Library| {
        let objects = Njord::observe(&question, answer, library);
        let Object::Cost(cost) = &objects[0] else { panic!("{objects:?} is no cost") };
        assert!(cost.unavailable.is_some());
        let again = Answer::recorded_in(&objects[0]).expect("it holds its answer");
        assert_eq!(Njord::observe(&question, &again, library), objects);
    };
    let unavailable = Unavailable { cause: "no answer".to_owned(), cure: "ask again".to_owned() };
    check(&Answer::Unavailable(unavailable), &world.library);
    check(&Answer::Library, &topics::Library::default());
}

#[test]
fn s18_the_question_is_owed_once_and_as_of_the_cutoff() {
    let mut world = asked(
        vec![target("a", "aws_db_instance", Action::Create)],
        vec![],
        &[],
        samples::model(),
        samples::catalog(),
    );
    world.silence("cost");
    world.run();
    let owed = world.owed(Owner::Njord);
    assert_eq!(owed.questions.len(), 1);
    assert_eq!(owed.questions[0].cause.to_string(), "cost/1");
    assert_eq!(owed.questions[0].as_of, samples::noon().plus_ms(1));
    world.hear_all();
    world.run();
    assert_eq!(world.owed(Owner::Njord).questions, []);
    assert!(world.owed(Owner::Njord).open);
    world.receipt(1);
    assert!(!world.owed(Owner::Njord).open);
}
