//! Single points, reachability, residency, windows, budgets: a table each.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::{catalog, constraint, cutoff, judged, lines, strings};
use crate::Money;
use crate::graph::sample::{document, id, link, model, name, object, placed, target};
use crate::model::{ChangeWindow, Detail, Model, Object};
use crate::policy::prices::TypePrice;
use crate::policy::{ConstraintKind, PriceBook, Selector};
use crate::records::document::{Action, Target};
use crate::time::DAY_S;

fn check(rule: ConstraintKind, model: Model, targets: &[Target], expect: &[&str], unknown: Option<&str>) {
    let evaluated = judged(&constraint(rule), model, &document(targets));
    assert_eq!(lines(&evaluated), expect);
    assert_eq!(evaluated.unknown.as_deref(), unknown);
}

fn update(address: &str) -> Target {
    target(address, "resource", Action::Update, json!({}), json!({}))
}

fn of_environment(mut object: Object, environment: &str) -> Object {
    if let Detail::Workload(placement) | Detail::Resource(placement) = &mut object.detail {
        placement.environment = Some(environment.to_owned());
    }
    object
}

#[test]
fn what_many_things_need_runs_more_than_once() {
    let shared = |database: Object| {
        let objects = [object("w:a"), object("w:b"), database];
        model(&objects, &[link("w:a", "r:db"), link("w:b", "r:db")])
    };
    let rule = |dependents_min| ConstraintKind::SinglePointOfDependency { dependents_min };
    let touched = [update("r:db")];
    let once = ["pre-existing r:db - 2 need it, and it runs once"];
    check(rule(2), shared(placed("r:db", &[], Some(1))), &touched, &once, None);
    check(rule(2), shared(placed("r:db", &["a"], None)), &touched, &once, None);
    check(rule(2), shared(placed("r:db", &[], Some(2))), &touched, &[], None);
    check(rule(2), shared(placed("r:db", &["a", "b"], None)), &touched, &[], None);
    check(rule(3), shared(placed("r:db", &[], Some(1))), &touched, &[], None);
    let unknown = Some("r:db: its replicas and zones are not known");
    check(rule(2), shared(object("r:db")), &touched, &[], None);
    let mut fewer = target("r:db", "resource", Action::Update, Json::Null, Json::Null);
    fewer.object = Some(placed("r:db", &[], Some(1)).detail);
    let introduced = ["introduced r:db - 2 need it, and it runs once"];
    check(rule(2), shared(placed("r:db", &[], Some(2))), &[fewer.clone()], &introduced, None);
    fewer.object = Some(object("r:db").detail);
    check(rule(2), shared(placed("r:db", &[], Some(2))), &[fewer], &[], unknown);
}

#[test]
fn what_is_never_reached_is_told_with_the_way_to_it() {
    let never = Selector { environments: strings(&["production"]), ..Selector::default() };
    let rule = || ConstraintKind::Reachability { never: never.clone() };
    let chain = |environment| {
        let objects = [
            of_environment(object("w:test"), "staging"),
            of_environment(object("w:proxy"), "staging"),
            of_environment(object("r:db"), environment),
        ];
        model(&objects, &[link("w:test", "w:proxy"), link("w:proxy", "r:db")])
    };
    let touched = [update("w:test")];
    check(
        rule(),
        chain("production"),
        &touched,
        &["pre-existing w:proxy - reaches r:db", "pre-existing w:test - reaches r:db by w:proxy"],
        None,
    );
    check(rule(), chain("staging"), &touched, &[], None);
    let alone = model(&[object("w:test")], &[]);
    check(rule(), alone, &touched, &[], None);
}

#[test]
fn what_is_touched_stays_where_it_may_be() {
    let rule = || ConstraintKind::Residency { regions: strings(&["eu-*", "europe-west1"]) };
    let bucket = |action, before: Json, after: Json| [target("b.x", "b", action, before, after)];
    let (inside, outside) = (json!({ "region": "eu-west-1" }), json!({ "region": "us-east-1" }));
    let nothing = Model::default;
    let introduced = ["introduced b.x - region us-east-1"];
    check(rule(), nothing(), &bucket(Action::Create, Json::Null, outside.clone()), &introduced, None);
    check(rule(), nothing(), &bucket(Action::Create, Json::Null, inside.clone()), &[], None);
    check(rule(), nothing(), &bucket(Action::Replace, inside, outside.clone()), &introduced, None);
    let before = ["pre-existing b.x - region us-east-1"];
    check(rule(), nothing(), &bucket(Action::Update, outside.clone(), outside.clone()), &before, None);
    check(rule(), nothing(), &bucket(Action::Delete, outside, Json::Null), &[], None);
    let placed = model(&[placed("w:a", &["us-east-1a"], None)], &[]);
    check(rule(), placed, &[update("w:a")], &["pre-existing w:a - runs in us-east-1a"], None);
    let mut later = bucket(Action::Create, Json::Null, json!({}));
    later[0].unknown = strings(&["region"]);
    check(rule(), nothing(), &later, &[], Some("b.x: where it runs is known only after apply"));
}

#[test]
fn changes_are_made_in_an_open_window_and_never_in_a_freeze() {
    let window = |text: &str, kind: &str, from: i64, to: i64| {
        let at = |days: i64| cutoff().plus_seconds(days * DAY_S);
        let window = ChangeWindow { kind: name(kind), from: at(from), to: at(to) };
        Object { id: id(text), detail: Detail::ChangeWindow(window), ..object("w:any") }
    };
    let with = |windows: &[Object]| model(windows, &[]);
    let rule = || ConstraintKind::ChangeWindow;
    let touched = [target("x.y", "x", Action::Update, json!({}), json!({}))];
    let freeze = |from, to| window("window:freeze", "freeze", from, to);
    let open = |from, to| window("window:open", "open", from, to);
    check(rule(), with(&[]), &touched, &[], None);
    check(rule(), with(&[freeze(-2, 0)]), &touched, &[], None);
    check(rule(), with(&[open(0, 1)]), &touched, &[], None);
    let frozen = format!("introduced x.y - frozen by window:freeze until {}", cutoff().plus_seconds(DAY_S));
    check(rule(), with(&[freeze(0, 1)]), &touched, &[&frozen], None);
    check(rule(), with(&[freeze(0, 1), open(0, 1)]), &touched, &[&frozen], None);
    let later = format!(
        "introduced x.y - no window is open; window:open opens at {}",
        cutoff().plus_seconds(2 * DAY_S)
    );
    check(rule(), with(&[open(2, 3)]), &touched, &[&later], None);
    let none = ["introduced x.y - no window is open, and none is planned"];
    check(rule(), with(&[open(-3, -2)]), &touched, &none, None);
    let reads = [target("x.y", "x", Action::NoOp, json!({}), json!({}))];
    check(rule(), with(&[freeze(0, 1)]), &reads, &[], None);
}

#[test]
fn what_a_change_adds_to_the_monthly_cost_is_bounded() {
    let price = |units: i64| TypePrice {
        attribute: None,
        times: Some("count".to_owned()),
        monthly_micro: BTreeMap::from([("*".to_owned(), units * 1_000_000)]),
    };
    let prices =
        PriceBook { currency: "USD".to_owned(), types: BTreeMap::from([("x".to_owned(), price(100))]) };
    let counted = |address: &str, before: i64, after: i64| {
        target(address, "x", Action::Update, json!({ "count": before }), json!({ "count": after }))
    };
    let found = |targets: &[Target]| {
        let rule = ConstraintKind::BudgetDelta { monthly_max: Money::new(250_000_000, "USD") };
        let catalog = crate::policy::Catalog { prices: prices.clone(), ..catalog() };
        super::judged_by(&constraint(rule), Model::default(), &document(targets), &catalog).0
    };
    assert_eq!(lines(&found(&[counted("x.a", 1, 3)])), [] as [&str; 0]);
    let evaluated = found(&[counted("x.a", 1, 3), counted("x.b", 0, 1)]);
    assert_eq!(lines(&evaluated), ["introduced plan - adds 300.00 USD a month, at most 250.00 USD"]);
    assert_eq!(evaluated.violations[0].caused_by, []);
    let alone = found(&[counted("x.a", 0, 3), counted("x.b", 3, 0)]);
    assert_eq!(lines(&alone), [] as [&str; 0]);
    let unpriced = found(&[counted("x.a", 0, 4), target("y.a", "y", Action::Create, Json::Null, json!({}))]);
    assert_eq!(unpriced.violations[0].caused_by, [id("x.a")]);
    assert_eq!(unpriced.unknown.as_deref(), Some("y.a: it has no price in the budget's currency"));
}
