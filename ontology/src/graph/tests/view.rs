use std::collections::BTreeSet;

use proptest::prelude::*;

use super::arbitrary::models;
use crate::graph::sample::{id, link, object, placed, shop};
use crate::graph::{Edits, Graph, View};
use crate::model::{Link, Model, Object};
use crate::release::LinkType;
use crate::{Digest, ObjectId, ReasonCode};

type Key = (LinkType, ObjectId, ObjectId);

fn key(link: &Link) -> Key {
    (link.kind, link.from.clone(), link.to.clone())
}

/// Everything a view shows, by ids.
fn shown(view: &View<'_>, ids: &[ObjectId]) -> (Vec<Object>, BTreeSet<Key>, BTreeSet<Key>) {
    let mut objects = Vec::new();
    let (mut out, mut into) = (BTreeSet::new(), BTreeSet::new());
    for id in ids {
        let Some(node) = view.node(id) else { continue };
        objects.push(view.object(node).unwrap().clone());
        let other = |node| view.object(node).unwrap().id.clone();
        for kind in LinkType::ALL {
            out.extend(view.out(node, kind).into_iter().map(|edge| (kind, id.clone(), other(edge.node))));
            into.extend(view.into(node, kind).into_iter().map(|edge| (kind, other(edge.node), id.clone())));
        }
    }
    (objects, out, into)
}

/// The edits that lead from one model to another.
fn difference(before: &Model, after: &Model) -> Edits {
    let ids = |model: &Model| -> BTreeSet<ObjectId> {
        model.objects.iter().map(|object| object.id.clone()).collect()
    };
    let keys = |model: &Model| -> BTreeSet<Key> { model.links.iter().map(key).collect() };
    let removed: BTreeSet<ObjectId> = ids(before).difference(&ids(after)).cloned().collect();
    let mut unlinked: BTreeSet<Key> = keys(before).difference(&keys(after)).cloned().collect();
    unlinked.retain(|(_, from, to)| !removed.contains(from) && !removed.contains(to));
    Edits {
        put: after
            .objects
            .iter()
            .filter(|object| !before.objects.contains(object))
            .map(|object| (object.id.clone(), object.clone()))
            .collect(),
        removed,
        linked: keys(after).difference(&keys(before)).cloned().collect(),
        unlinked,
    }
}

proptest! {
    #[test]
    fn an_overlay_shows_what_indexing_the_edited_model_shows(before in models(), after in models()) {
        let (graph, edited) = (Graph::index(before.clone()).unwrap(), Graph::index(after.clone()).unwrap());
        let (view, broken) = View::with(&graph, &difference(&before, &after));
        prop_assert_eq!(broken, Vec::new());
        let ids: BTreeSet<ObjectId> = before.objects.iter().chain(&after.objects).map(|it| it.id.clone()).collect();
        let ids: Vec<ObjectId> = ids.into_iter().collect();
        prop_assert_eq!(shown(&view, &ids), shown(&View::base(&edited), &ids));
    }

    #[test]
    fn rows_are_sorted_by_node(before in models(), after in models()) {
        let graph = Graph::index(before.clone()).unwrap();
        let (view, _) = View::with(&graph, &difference(&before, &after));
        for object in &after.objects {
            let node = view.node(&object.id).unwrap();
            for kind in LinkType::ALL {
                prop_assert!(view.out(node, kind).is_sorted());
                prop_assert!(view.edges(node, kind, false).is_sorted());
            }
        }
    }
}

fn broken(edits: &Edits) -> Vec<String> {
    let graph = Graph::index(shop()).unwrap();
    let (_, reasons) = View::with(&graph, edits);
    assert!(reasons.iter().all(|reason| reason.code == ReasonCode::ScenarioInvalid));
    reasons.iter().map(ToString::to_string).collect()
}

#[test]
fn a_scenario_that_breaks_the_ontology_says_where() {
    let linked = |link: Link| Edits { linked: [key(&link)].into(), ..Edits::default() };
    assert_eq!(
        broken(&linked(link("w:orders", "r:absent"))),
        ["scenario_invalid:workload_runs_on:w:orders:r:absent (leads to r:absent, which is no object)"]
    );
    assert_eq!(
        broken(&linked(Link { kind: LinkType::DependsOn, ..link("w:orders", "r:orders-db") })),
        ["scenario_invalid:depends_on:w:orders:r:orders-db (may not start at a Workload)"]
    );
    let mut second_owner = linked(link("w:orders", "o:other"));
    second_owner.put.insert(id("o:other"), object("o:other"));
    assert_eq!(broken(&second_owner), ["scenario_invalid:w:orders (has 2 links owned_by from it)"]);
    let gone = Edits { removed: [id("r:gone")].into(), ..Edits::default() };
    assert_eq!(broken(&gone), ["scenario_invalid:r:gone (is removed and was not there)"]);
    let another_type = Object { id: id("r:orders-db"), ..object("o:x") };
    let altered = Edits { put: [(id("r:orders-db"), another_type)].into(), ..Edits::default() };
    assert_eq!(
        broken(&altered),
        ["scenario_invalid:workload_runs_on:w:orders:r:orders-db (may not end at a Ownership)"]
    );
    assert_eq!(broken(&Edits::default()), [] as [&str; 0]);
}

#[test]
fn s32_a_view_leaves_its_base_alone_and_is_named_by_base_and_edits() {
    let graph = Graph::index(shop()).unwrap();
    let edits = Edits { put: [(id("r:new"), placed("r:new", &["a"], None))].into(), ..Edits::default() };
    let (view, _) = View::with(&graph, &edits);
    assert!(view.node(&id("r:new")).is_some() && graph.node(&id("r:new")).is_none());
    assert_eq!(view.operations(), 1);
    let base = graph.digest();
    assert_eq!(view.digest(base), View::with(&graph, &edits).0.digest(base));
    assert_ne!(view.digest(base), view.digest(Digest::of(b"another base")));
    assert_ne!(view.digest(base), View::with(&graph, &Edits::default()).0.digest(base));
    assert_eq!(View::base(&graph).digest(base), View::with(&graph, &Edits::default()).0.digest(base));
}
