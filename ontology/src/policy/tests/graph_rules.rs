use serde_json::{Value as Json, json};

use super::{constraint, cutoff, judged, lines, strings};
use crate::graph::sample::{document, id, link, model, object, placed, shop, target};
use crate::model::{Detail, Model, Object, Rehearsal};
use crate::policy::{ConstraintKind, Evaluated, Selector, Violation};
use crate::records::document::{Action, ChangeDocument, LinkEdit, Target};
use crate::release::LinkType;

fn update(address: &str) -> Target {
    target(address, "aws_db_instance", Action::Update, json!({}), json!({}))
}

fn delete(address: &str) -> Target {
    target(address, "aws_db_instance", Action::Delete, json!({}), Json::Null)
}

fn found(rule: ConstraintKind, model: Model, targets: &[Target]) -> Evaluated {
    judged(&constraint(rule), model, &document(targets))
}

fn path(violation: &Violation) -> Vec<&str> {
    violation.path.iter().map(crate::ObjectId::as_str).collect()
}

fn without(mut model: Model, kind: LinkType, from: &str) -> Model {
    model.links.retain(|link| link.kind != kind || link.from != id(from));
    model
}

fn replaced(mut model: Model, with: Object) -> Model {
    let place = model.objects.iter_mut().find(|object| object.id == with.id).unwrap();
    *place = with;
    model
}

#[test]
fn what_is_touched_has_an_owner_of_its_own_or_through_what_it_is_a_part_of() {
    let rule = || ConstraintKind::OwnerPresent;
    let new = target("module.orders.aws_sqs_queue.q", "aws_sqs_queue", Action::Create, Json::Null, json!({}));
    assert_eq!(
        lines(&found(rule(), shop(), &[new.clone(), update("aws_db_instance.orders")])),
        [] as [&str; 0]
    );
    let unowned = without(shop(), LinkType::OwnedBy, "w:orders");
    let evaluated = found(rule(), unowned, &[new]);
    assert_eq!(
        lines(&evaluated),
        [
            "introduced module.orders.aws_sqs_queue.q - nobody owns it",
            "pre-existing w:orders - nobody owns it"
        ]
    );
    assert_eq!(evaluated.checked, 2);
    assert_eq!(path(&evaluated.violations[1]), ["module.orders.aws_sqs_queue.q", "w:orders"]);
    assert_eq!(evaluated.violations[0].caused_by, [id("module.orders.aws_sqs_queue.q")]);
    assert_eq!(evaluated.unknown, None);
}

#[test]
fn who_owns_what_nothing_claims_is_unknown() {
    let evaluated = found(ConstraintKind::OwnerPresent, shop(), &[update("aws_sqs_queue.elsewhere")]);
    assert_eq!(evaluated.violations, []);
    assert_eq!(evaluated.unknown.as_deref(), Some("aws_sqs_queue.elsewhere: nothing in the model claims it"));
}

#[test]
fn u10_an_owner_that_goes_is_missed_and_one_that_comes_is_not() {
    let edit = |add| ChangeDocument {
        links: vec![LinkEdit { add, kind: LinkType::OwnedBy, from: id("w:orders"), to: id("o:team-shop") }],
        ..document(&[])
    };
    let rule = constraint(ConstraintKind::OwnerPresent);
    assert_eq!(lines(&judged(&rule, shop(), &edit(false))), ["introduced w:orders - nobody owns it"]);
    let unowned = without(shop(), LinkType::OwnedBy, "w:orders");
    assert_eq!(lines(&judged(&rule, unowned, &edit(true))), ["fixed w:orders - nobody owns it"]);
    let team_gone = judged(&rule, shop(), &document(&[delete("o:team-shop")]));
    assert_eq!(
        lines(&team_gone),
        ["introduced w:checkout - nobody owns it", "introduced w:orders - nobody owns it"]
    );
    assert_eq!(path(&team_gone.violations[0]), ["o:team-shop", "w:checkout"]);
    assert_eq!(team_gone.violations[0].caused_by, [id("o:team-shop")]);
}

#[test]
fn nothing_is_deleted_that_something_needs() {
    let rule = || ConstraintKind::NoDeleteWithDependents;
    let evaluated = found(rule(), shop(), &[delete("aws_db_instance.orders")]);
    assert_eq!(lines(&evaluated), ["introduced w:orders - needs r:orders-db, which is deleted"]);
    assert_eq!(path(&evaluated.violations[0]), ["aws_db_instance.orders", "r:orders-db", "w:orders"]);
    assert_eq!(evaluated.violations[0].caused_by, [id("aws_db_instance.orders")]);

    let together = [delete("aws_db_instance.orders"), delete("w:orders")];
    assert_eq!(
        lines(&found(rule(), shop(), &together)),
        [
            "introduced s:shop - needs w:orders, which is deleted",
            "introduced w:checkout - needs w:orders, which is deleted"
        ]
    );
    assert_eq!(found(rule(), shop(), &[delete("module.orders.aws_sqs_queue.q")]).violations, []);
    let forgotten =
        target("aws_db_instance.orders", "aws_db_instance", Action::Forget, json!({}), Json::Null);
    assert_eq!(found(rule(), shop(), &[forgotten]).violations, []);
}

#[test]
fn nothing_is_deleted_that_a_target_of_the_plan_needs() {
    let mut needing = update("module.orders.aws_lambda_function.f");
    needing.needs = [id("module.orders.aws_sqs_queue.q")].into();
    let targets = [delete("module.orders.aws_sqs_queue.q"), needing.clone()];
    let evaluated = found(ConstraintKind::NoDeleteWithDependents, shop(), &targets);
    assert_eq!(
        lines(&evaluated),
        [
            "introduced module.orders.aws_lambda_function.f - needs module.orders.aws_sqs_queue.q, which is deleted"
        ]
    );
    needing.action = Action::Delete;
    let both = [delete("module.orders.aws_sqs_queue.q"), needing];
    assert_eq!(found(ConstraintKind::NoDeleteWithDependents, shop(), &both).violations, []);
}

fn described(id: &str, action: Action, zones: &[&str], replicas: Option<u32>) -> Target {
    let mut target = target(id, "workload", action, Json::Null, Json::Null);
    target.object = Some(placed(id, zones, replicas).detail);
    target
}

#[test]
fn u10_what_runs_runs_in_enough_zones() {
    let rule = || ConstraintKind::RedundancyPerZone { zones_min: 2 };
    let orders = |zones: &[&str]| replaced(shop(), placed("w:orders", zones, None));
    let to = |zones: &[&str], replicas| [described("w:orders", Action::Update, zones, replicas)];
    let check = |model: Model, targets: &[Target], expect: &[&str]| {
        assert_eq!(lines(&found(rule(), model, targets)), expect);
    };
    check(orders(&["a", "b"]), &to(&["a"], None), &["introduced w:orders - zones [a], at least 2"]);
    check(orders(&["a", "b"]), &to(&["a", "c"], Some(2)), &[]);
    check(
        orders(&["a", "b"]),
        &to(&["a", "b"], Some(1)),
        &["introduced w:orders - zones [a, b], replicas 1, at least 2"],
    );
    check(orders(&["a"]), &to(&["b"], None), &["pre-existing w:orders - zones [b], at least 2"]);
    check(orders(&["a"]), &to(&["b"], Some(0)), &["worsened w:orders - zones [b], replicas 0, at least 2"]);
    check(orders(&["a"]), &to(&["a", "b"], None), &["fixed w:orders - zones [a], at least 2"]);
    let unsaid = found(rule(), orders(&["a", "b"]), &to(&[], None));
    assert_eq!(unsaid.violations, []);
    assert_eq!(unsaid.unknown.as_deref(), Some("w:orders: its zones are not known"));
    let never_said = found(rule(), shop(), &[update("aws_db_instance.orders")]);
    assert_eq!((never_said.violations.len(), never_said.unknown), (0, None));
}

#[test]
fn a_database_in_one_zone_is_not_redundant_and_an_instance_is_a_part_of_something_that_may_be() {
    let rule = || ConstraintKind::RedundancyPerZone { zones_min: 2 };
    let new = |kind: &str, after: Json| {
        target(&format!("module.orders.{kind}.new"), kind, Action::Create, Json::Null, after)
    };
    let single = new("aws_db_instance", json!({ "multi_az": false }));
    let evaluated = found(rule(), shop(), &[single]);
    assert_eq!(
        lines(&evaluated),
        ["introduced module.orders.aws_db_instance.new - zones [unnamed-zone-1], at least 2"]
    );
    let double = new("aws_db_instance", json!({ "multi_az": true }));
    assert_eq!(found(rule(), shop(), &[double]).violations, []);
    let instance = new("aws_instance", json!({ "availability_zone": "a" }));
    assert_eq!(found(rule(), shop(), &[instance]).violations, []);
}

#[test]
fn s38_what_is_reached_is_looked_at_with_the_path_to_it_and_what_is_not_is_not() {
    let far = ["w:a", "w:b", "w:c", "w:d", "w:e"].map(|id| placed(id, &["one"], None));
    let chain = [link("w:b", "w:a"), link("w:c", "w:b"), link("w:d", "w:c"), link("w:e", "w:d")];
    let evaluated = found(
        ConstraintKind::RedundancyPerZone { zones_min: 2 },
        model(&far, &chain),
        &[described("w:a", Action::Update, &["one"], None)],
    );
    assert_eq!(evaluated.checked, 4);
    assert_eq!(path(&evaluated.violations[3]), ["w:a", "w:b", "w:c", "w:d"]);
}

fn rehearsed(days_ago: i64, rto_s: u64, succeeded: bool) -> Model {
    let mut model = shop();
    let plan = model.objects.iter_mut().find(|object| object.id == id("p:orders")).unwrap();
    let Detail::RecoveryPlan(plan) = &mut plan.detail else { panic!("p:orders is a plan") };
    let at = cutoff().plus_seconds(-86_400 * days_ago);
    plan.rehearsals = vec![Rehearsal { at, rto_s, rpo_s: 60, succeeded }];
    model
}

#[test]
fn a_recovery_objective_is_met_by_a_rehearsal_that_is_not_too_old() {
    let rule = || ConstraintKind::RecoveryRehearsed { age_max_s: 86_400 * 180 };
    let check = |model: Model, expect: &[&str]| {
        assert_eq!(lines(&found(rule(), model, &[update("aws_db_instance.orders")])), expect);
    };
    check(rehearsed(10, 1_800, true), &[]);
    check(rehearsed(180, 3_600, true), &[]);
    check(shop(), &["pre-existing w:orders - never rehearsed with success"]);
    check(rehearsed(10, 1_800, false), &["pre-existing w:orders - never rehearsed with success"]);
    check(rehearsed(-1, 1_800, true), &["pre-existing w:orders - never rehearsed with success"]);
    check(
        rehearsed(10, 7_200, true),
        &["pre-existing w:orders - rehearsed with RTO 7200 s and RPO 60 s, at most 3600 s and 3600 s"],
    );
    check(rehearsed(181, 1_800, true), &["pre-existing w:orders - last rehearsed at 1972-03-30T00:00:00Z"]);
    check(without(shop(), LinkType::RecoveredBy, "w:orders"), &["pre-existing w:orders - no recovery plan"]);
    check(without(shop(), LinkType::HasRecoveryObjective, "w:orders"), &[]);
}

#[test]
fn u10_a_recovery_plan_that_goes_is_missed() {
    let rule = ConstraintKind::RecoveryRehearsed { age_max_s: 86_400 * 180 };
    let evaluated = found(rule, rehearsed(10, 1_800, true), &[delete("p:orders")]);
    assert_eq!(lines(&evaluated), ["introduced w:orders - no recovery plan"]);
    assert_eq!(path(&evaluated.violations[0]), ["p:orders", "w:orders"]);
    assert_eq!(evaluated.violations[0].caused_by, [id("p:orders")]);
}

#[test]
fn a_constraint_looks_at_what_it_selects_only() {
    let mut rule = constraint(ConstraintKind::OwnerPresent);
    let unowned = || without(shop(), LinkType::OwnedBy, "w:orders");
    let change = document(&[update("module.orders.aws_sqs_queue.q")]);
    for (kinds, checked) in [(["workload"], 1), (["resource"], 0), (["work*"], 1)] {
        rule.applies_to = Selector { kinds: strings(&kinds), ..Selector::default() };
        assert_eq!(judged(&rule, unowned(), &change).checked, checked, "{kinds:?}");
    }
    rule.applies_to = Selector { tiers: [1].into(), ..Selector::default() };
    let untold = judged(&rule, unowned(), &change);
    assert_eq!(lines(&untold), ["pre-existing w:orders - nobody owns it"]);
}

#[test]
fn an_object_of_a_type_that_is_placed_nowhere_is_not_judged_itself() {
    let owner = object("o:team-shop");
    let mut change = target("o:team-shop", "group", Action::Update, Json::Null, Json::Null);
    change.object = Some(owner.detail);
    let evaluated = found(ConstraintKind::OwnerPresent, shop(), &[change]);
    assert_eq!((evaluated.violations.len(), evaluated.checked), (0, 2));
}
