use std::collections::BTreeMap;

use proptest::prelude::*;

use super::arbitrary::models;
use crate::graph::sample::{id, link, model, object, shop};
use crate::graph::traverse::NODES_MAX;
use crate::graph::{Graph, Node, Traversal, View};
use crate::release::LinkType;

fn reached(graph: &Graph, start: &str, kinds: &[LinkType], depth_max: u32) -> BTreeMap<String, u32> {
    let view = View::base(graph);
    let traversal = Traversal::of(&view, &[graph.node(&id(start)).unwrap()], kinds, depth_max);
    let name = |node: Node| graph.object(node).unwrap().id.to_string();
    traversal.reached.iter().map(|(node, reached)| (name(*node), reached.depth)).collect()
}

fn expect(pairs: &[(&str, u32)]) -> BTreeMap<String, u32> {
    pairs.iter().map(|(name, depth)| ((*name).to_owned(), *depth)).collect()
}

#[test]
fn s09_a_traversal_goes_both_ways_up_to_its_depth() {
    let graph = Graph::index(shop()).unwrap();
    let topology = [LinkType::ImplementedBy, LinkType::WorkloadRunsOn, LinkType::WorkloadDependsOn];
    assert_eq!(reached(&graph, "r:orders-db", &topology, 0), expect(&[("r:orders-db", 0)]));
    assert_eq!(reached(&graph, "r:orders-db", &topology, 1), expect(&[("r:orders-db", 0), ("w:orders", 1)]));
    assert_eq!(
        reached(&graph, "r:orders-db", &topology, 2),
        expect(&[("r:orders-db", 0), ("s:shop", 2), ("w:checkout", 2), ("w:orders", 1)])
    );
}

#[test]
fn a_type_that_is_not_transitive_is_not_followed_twice_in_a_row_in_one_direction() {
    let objects = ["r:a", "r:b", "r:c", "r:d"].map(object);
    let graph =
        Graph::index(model(&objects, &[link("r:a", "r:b"), link("r:b", "r:c"), link("r:d", "r:b")])).unwrap();
    assert_eq!(
        reached(&graph, "r:a", &[LinkType::DependsOn], 5),
        expect(&[("r:a", 0), ("r:b", 1), ("r:d", 2)])
    );
}

#[test]
fn the_depth_is_no_truncation_and_the_bound_on_nodes_is() {
    let workloads: Vec<_> = (0..=NODES_MAX).map(|number| object(&format!("w:{number:05}"))).collect();
    let chain: Vec<_> =
        workloads.windows(2).map(|pair| link(pair[0].id.as_str(), pair[1].id.as_str())).collect();
    let graph = Graph::index(model(&workloads, &chain)).unwrap();
    let view = View::base(&graph);
    let of = |depth_max| Traversal::of(&view, &[Node(0)], &LinkType::ALL, depth_max);
    assert!(!of(3).truncated);
    assert_eq!(of(3).reached.len(), 4);
    assert!(of(u32::MAX).truncated);
    assert_eq!(of(u32::MAX).reached.len(), NODES_MAX);
}

proptest! {
    #[test]
    fn who_reaches_whom_is_symmetric(model in models(), depth_max in 0_u32..5) {
        let graph = Graph::index(model.clone()).unwrap();
        let view = View::base(&graph);
        let from = |node: u32| Traversal::of(&view, &[Node(node)], &LinkType::ALL, depth_max);
        let count = u32::try_from(model.objects.len()).unwrap();
        let all: Vec<Traversal> = (0..count).map(from).collect();
        for (a, traversal) in (0..count).zip(&all) {
            for (b, reached) in &traversal.reached {
                let back = all[b.0 as usize].reached.get(&Node(a));
                prop_assert_eq!(back.map(|back| back.depth), Some(reached.depth));
            }
        }
    }

    #[test]
    fn a_path_is_as_long_as_the_depth_says_and_follows_links(model in models(), depth_max in 0_u32..5) {
        let graph = Graph::index(model.clone()).unwrap();
        let view = View::base(&graph);
        if model.objects.is_empty() {
            return Ok(());
        }
        let traversal = Traversal::of(&view, &[Node(0)], &LinkType::ALL, depth_max);
        for (node, reached) in &traversal.reached {
            let path = traversal.path(&view, *node);
            prop_assert_eq!(path.len(), reached.depth as usize + 1);
            prop_assert_eq!(&path[0], &model.objects[0].id);
            prop_assert_eq!(path.last(), view.object(*node).map(|object| &object.id));
            for pair in path.windows(2) {
                let joins = |from: &crate::ObjectId, to: &crate::ObjectId| model.links.iter().any(|link| link.from == *from && link.to == *to);
                prop_assert!(joins(&pair[0], &pair[1]) || joins(&pair[1], &pair[0]));
            }
        }
        let inside = |node| traversal.reached.contains_key(&node);
        let expected: Vec<u32> = (0..u32::try_from(model.links.len()).unwrap())
            .filter(|link| inside(graph.ends(*link).0) && inside(graph.ends(*link).1))
            .collect();
        prop_assert_eq!(&traversal.links, &expected);
    }
}
