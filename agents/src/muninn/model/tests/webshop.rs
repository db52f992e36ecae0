//! The shipped example compiles without a warning, is cross-checked where its README says so, and does not go stale.

use std::path::{Path, PathBuf};

use ontology::Timestamp;
use ontology::graph::LinkQuality;

use super::*;
use crate::mimir::catalog::{self, CatalogFile};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/webshop")
}

#[expect(clippy::disallowed_methods, reason = "the test reads the example as it is shipped")]
fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

/// Files below a folder: (path in it, bytes).
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                found.push((name, read(&path)));
            }
        }
    }
    found
}

fn webshop() -> (Compiled, Catalog) {
    let catalog: Vec<CatalogFile> = files(&example().join("catalog"))
        .into_iter()
        .map(|(path, bytes)| CatalogFile { path, bytes })
        .collect();
    let catalog = catalog::compile(&catalog).unwrap();
    let model: Vec<ModelFile> = files(&example().join("model"))
        .into_iter()
        .map(|(path, bytes)| ModelFile { path, bytes, asserted_at: None, observed_at: None })
        .collect();
    (compile(&model, &catalog).unwrap(), catalog)
}

#[test]
fn it_compiles_without_a_warning() {
    let (compiled, catalog) = webshop();
    let summary = check(&compiled);
    assert_eq!(summary.warnings, [""; 0]);
    assert_eq!(summary.objects["workload"], 12);
    assert_eq!(summary.objects["business_service"], 4);
    assert_eq!(summary.without_owner, []);
    assert_eq!(summary.denied, [""; 0]);
    let authorities: Vec<&str> = summary.authorities.iter().map(Name::as_str).collect();
    assert_eq!(authorities, ["cmdb", "engineering", "platform", "reliability"]);
    assert_eq!(catalog.constraints.len(), 10);
    assert_eq!(catalog.prices.currency, "USD");
}

#[test]
fn what_the_cmdb_does_not_know_stays_at_one_source_and_nothing_else_does() {
    let (compiled, _) = webshop();
    let unknown = ["search", "notifications"];
    for relation in check(&compiled).one_source {
        assert!(unknown.iter().any(|name| relation.contains(name)), "{relation}");
    }
}

#[test]
fn it_stays_current_for_years() {
    let (compiled, catalog) = webshop();
    let graph = Graph::index(compiled.model).unwrap();
    let later: Timestamp = "2035-01-01T00:00:00Z".parse().unwrap();
    for number in 0..u32::try_from(graph.model().links.len()).unwrap() {
        let faults = LinkQuality::of(&graph, number, later, catalog.review_after_s).faults;
        assert!(
            faults.iter().all(|fault| *fault == ontology::ReasonCode::LinkEvidenceUnverified),
            "{faults:?}"
        );
    }
}

#[test]
fn every_address_in_its_plans_is_what_its_readme_says() {
    let (compiled, _) = webshop();
    let graph = Graph::index(compiled.model).unwrap();
    let check = |address: &str, expect: &str| {
        let target: ontology::records::Target = serde_json::from_value(serde_json::json!({
            "address": address, "kind": "x", "action": "update"
        }))
        .unwrap();
        let found = graph.bindings().resolve(&graph, &target, None);
        assert_eq!(found.object().map_or("", ObjectId::as_str), expect, "{address}");
    };
    check("module.orders.aws_ecs_service.this", "component:default/orders");
    check("module.orders.aws_db_instance.main", "resource:default/orders-db");
    check("module.orders.aws_sqs_queue.events", "resource:default/orders-events");
    check("module.refunds.aws_ecs_service.this", "component:default/refunds");
    check("module.products.aws_db_instance.reporting", "component:default/products");
    check("module.loyalty.aws_ecs_service.this", "");
    for (name, bytes) in files(&example().join("changes")) {
        if name.ends_with(".json") {
            let plan: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
            assert_eq!(plan["format_version"], "1.2", "{name}");
            assert!(!plan["resource_changes"].as_array().unwrap().is_empty(), "{name}");
        }
    }
}
