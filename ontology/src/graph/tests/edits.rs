use serde_json::{Value, json};

use crate::graph::sample::{as_proposed, document, id, name, object, placed, resolve, shop, target};
use crate::graph::{Edits, Graph};
use crate::model::{Model, Placement};
use crate::records::document::{Action, ChangeDocument, LinkEdit, Target};
use crate::records::evaluation::{NO_ACTION, OptionDraft};
use crate::release::LinkType;

fn of(model: Model, document: &ChangeDocument, option: &OptionDraft) -> Edits {
    let graph = Graph::index(model).unwrap();
    Edits::of(document, &resolve(&graph, document), option, &graph)
}

fn proposed(target: Target) -> Edits {
    of(shop(), &document(&[target]), &as_proposed())
}

#[test]
fn a_created_target_becomes_a_resource_that_its_workload_runs_on() {
    let after = json!({ "availability_zone": "eu-1a" });
    let edits = proposed(target(
        "module.orders.aws_db_instance.replica",
        "aws_db_instance",
        Action::Create,
        Value::Null,
        after,
    ));
    let created = id("module.orders.aws_db_instance.replica");
    let placement = edits.put[&created].detail.placement().unwrap();
    assert_eq!(placement.kind.as_deref(), Some("aws_db_instance"));
    assert!(placement.zones.iter().eq(["eu-1a"]));
    assert_eq!(edits.linked, [(LinkType::WorkloadRunsOn, id("w:orders"), created)].into());
}

#[test]
fn what_is_deleted_or_forgotten_is_removed_when_it_is_the_object_and_not_when_it_is_a_part() {
    for action in [Action::Delete, Action::Forget] {
        let gone =
            |address: &str| proposed(target(address, "aws_db_instance", action, json!({}), Value::Null));
        assert_eq!(gone("aws_db_instance.orders").removed, [id("r:orders-db")].into());
        assert_eq!(gone("module.orders.aws_sqs_queue.q"), Edits::default());
        assert_eq!(gone("aws_sqs_queue.unbound"), Edits::default());
    }
}

/// The placement of `r:orders-db`, in zones `zones`, after an update.
fn updated(zones: &[&str], before: Value, after: Value) -> Option<Placement> {
    let mut model = shop();
    for object in &mut model.objects {
        if object.id == id("r:orders-db") {
            *object = placed("r:orders-db", zones, Some(3));
        }
    }
    let update = target("aws_db_instance.orders", "aws_db_instance", Action::Update, before, after);
    let edits = of(model, &document(&[update]), &as_proposed());
    edits.put.get(&id("r:orders-db")).map(|object| object.detail.placement().unwrap().clone())
}

#[test]
fn an_update_alters_zones_and_replicas_where_its_attributes_alter() {
    let zones =
        |placement: Option<Placement>| placement.map(|it| it.zones.into_iter().collect::<Vec<_>>().join(","));
    let one = |name: &str| json!({ "availability_zone": name });
    assert_eq!(zones(updated(&["a", "b"], one("a"), one("a"))), None);
    assert_eq!(zones(updated(&["a", "b"], one("a"), one("c"))).as_deref(), Some("c"));
    let many = json!({ "availability_zones": ["x", "y"] });
    assert_eq!(zones(updated(&["a"], json!({}), many)).as_deref(), Some("x,y"));
    let multi = |value: bool| json!({ "multi_az": value });
    assert_eq!(zones(updated(&["a"], multi(false), multi(true))).as_deref(), Some("a,unnamed-zone-1"));
    assert_eq!(zones(updated(&["a", "b"], multi(false), multi(true))), None);
    assert_eq!(zones(updated(&["a", "b"], multi(true), multi(false))).as_deref(), Some("a"));
    let count = |count: i64| json!({ "desired_count": count });
    assert_eq!(updated(&[], count(3), count(1)).unwrap().replicas, Some(1));
    assert_eq!(updated(&[], count(3), count(3)), None);
}

#[test]
fn a_zone_known_only_after_apply_is_unknown() {
    let mut model = shop();
    model
        .objects
        .iter_mut()
        .filter(|it| it.id == id("r:orders-db"))
        .for_each(|it| *it = placed("r:orders-db", &["a"], None));
    let mut update =
        target("aws_db_instance.orders", "aws_db_instance", Action::Replace, json!({}), json!({}));
    update.unknown = ["availability_zone".to_owned()].into();
    let edits = of(model, &document(&[update]), &as_proposed());
    assert!(edits.put[&id("r:orders-db")].detail.placement().unwrap().zones.is_empty());
}

#[test]
fn what_an_option_leaves_out_does_nothing() {
    let delete = target("aws_db_instance.orders", "aws_db_instance", Action::Delete, json!({}), Value::Null);
    let mut document = document(&[delete]);
    document.links =
        vec![LinkEdit { add: false, kind: LinkType::OwnedBy, from: id("w:orders"), to: id("o:team-shop") }];
    let without =
        OptionDraft { id: name("without-destruction"), without: [id("aws_db_instance.orders")].into() };
    let edits = of(shop(), &document, &without);
    assert!(edits.removed.is_empty());
    assert_eq!(edits.unlinked.len(), 1);
    let nothing = OptionDraft { id: name(NO_ACTION), without: Default::default() };
    assert_eq!(of(shop(), &document, &nothing), Edits::default());
}

#[test]
fn our_own_format_is_put_as_it_is_with_its_relations() {
    let described = placed("r:cache", &["a", "b"], None);
    let mut create = target("r:cache", "resource", Action::Create, Value::Null, Value::Null);
    create.object = Some(described.detail.clone());
    let mut document = document(&[create]);
    document.links =
        vec![LinkEdit { add: true, kind: LinkType::WorkloadRunsOn, from: id("w:orders"), to: id("r:cache") }];
    let edits = of(shop(), &document, &as_proposed());
    assert_eq!(edits.put, [(id("r:cache"), described)].into());
    assert_eq!(edits.linked, [(LinkType::WorkloadRunsOn, id("w:orders"), id("r:cache"))].into());

    let mut update = target("w:orders", "workload", Action::Update, Value::Null, Value::Null);
    update.object = Some(placed("w:orders", &["a"], Some(2)).detail);
    let edits = proposed(update);
    assert_eq!(edits.put[&id("w:orders")], placed("w:orders", &["a"], Some(2)));

    let delete = target("w:orders", "workload", Action::Delete, Value::Null, Value::Null);
    assert_eq!(proposed(delete).removed, [object("w:orders").id].into());
}
