use proptest::prelude::*;

use super::arbitrary::models;
use crate::graph::sample::{id, link, model, name, object, shop, source};
use crate::graph::{Graph, Node};
use crate::model::{Link, Model, OBJECTS_MAX};
use crate::release::LinkType;
use crate::{Digest, ObjectId};

fn refused(model: Model, because: &str) {
    let error = Graph::index(model).expect_err(because).to_string();
    assert!(error.contains(because), "{error:?} does not say {because:?}");
}

#[test]
fn a_model_that_breaks_a_rule_is_refused_in_words_that_name_the_culprit() {
    let three = ["r:a", "r:b", "w:a"].map(object);
    let with = |links: &[Link]| model(&three, links);
    refused(with(&[link("r:a", "r:z")]), "leads to r:z, which is no object");
    refused(with(&[link("r:a", "r:a")]), "leads from an object to itself");
    refused(with(&[Link { kind: LinkType::DependsOn, ..link("w:a", "r:a") }]), "may not start at a Workload");
    refused(
        with(&[Link { kind: LinkType::WorkloadDependsOn, ..link("w:a", "r:a") }]),
        "may not end at a Resource",
    );
    refused(
        with(&[link("r:a", "r:b"), link("r:a", "r:b")]),
        "link depends_on:r:a:r:b is out of order or twice",
    );
    refused(model(&[object("r:a"), object("r:a")], &[]), "object r:a is out of order or twice");
    refused(
        Model { sources: vec![source("b", "x"), source("a", "x")], ..Model::default() },
        "source a is out of order or twice",
    );
    refused(
        with(&[Link { sources: vec![name("nowhere")], ..link("r:a", "r:b") }]),
        "there is no source nowhere",
    );
    let mut unbound = shop();
    unbound.bindings[0].object = id("r:gone");
    refused(unbound, "the binding of r:gone names no object");
    let objects = (0..=OBJECTS_MAX).map(|number| object(&format!("r:{number:06}"))).collect();
    refused(Model { objects, ..Model::default() }, "at most 50000 are allowed");
}

#[test]
fn cardinality_holds_on_both_sides() {
    let objects = ["o:a", "o:b", "r:a", "r:b", "r:c"].map(object);
    let contains = |from: &str, to: &str| Link { kind: LinkType::Contains, ..link(from, to) };
    refused(model(&objects, &[link("r:a", "o:a"), link("r:a", "o:b")]), "is one too many of its type there");
    refused(model(&objects, &[contains("r:a", "r:c"), contains("r:b", "r:c")]), "is one too many");
    let allowed = [contains("r:a", "r:b"), contains("r:a", "r:c"), link("r:a", "o:a"), link("r:b", "o:a")];
    Graph::index(model(&objects, &allowed)).unwrap();
}

#[test]
fn a_cycle_is_a_graph_like_any_other() {
    let objects = ["w:a", "w:b"].map(object);
    Graph::index(model(&objects, &[link("w:a", "w:b"), link("w:b", "w:a")])).unwrap();
}

#[test]
fn digests_are_those_of_the_canonical_form() {
    let graph = Graph::index(shop()).unwrap();
    assert_eq!(graph.digest(), shop().digest());
    for (number, object) in (0..).zip(&graph.model().objects) {
        assert_eq!(graph.object_digest(Node(number)), Digest::of_value(object));
    }
    for (number, link) in (0..).zip(&graph.model().links) {
        assert_eq!(graph.link_digest(number), Digest::of_value(link));
    }
}

proptest! {
    #[test]
    fn the_index_agrees_with_a_scan(model in models()) {
        let graph = Graph::index(model.clone()).unwrap();
        for object in &model.objects {
            let node = graph.node(&object.id).unwrap();
            prop_assert_eq!(graph.object(node), Some(object));
            for kind in LinkType::ALL {
                let scan = |end: fn(&Link) -> &ObjectId| -> Vec<&Link> {
                    model.links.iter().filter(|link| link.kind == kind && *end(link) == object.id).collect()
                };
                let out: Vec<&Link> = graph.links_from(node, kind).iter().map(|link| graph.link(*link)).collect();
                prop_assert_eq!(out, scan(|link| &link.from));
                let into: Vec<&Link> = graph.links_to(node, kind).iter().map(|link| graph.link(*link)).collect();
                prop_assert_eq!(into, scan(|link| &link.to));
            }
        }
        prop_assert_eq!(graph.node(&id("r:absent")), None);
        prop_assert_eq!(graph.links_from(Node(999), LinkType::OwnedBy), &[] as &[u32]);
    }
}
