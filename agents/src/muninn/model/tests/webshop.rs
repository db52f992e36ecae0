//! The shipped example compiles without a warning, is cross-checked where its README says so, and does not go stale.

use std::path::{Path, PathBuf};

use ontology::Timestamp;
use ontology::graph::LinkQuality;

use super::*;
use crate::huginn::intake::{self, Context};
use crate::huginn::redact::RedactionKey;
use crate::kit::{World, said, samples};
use crate::mimir::catalog::{self, CatalogFile};
use ontology::Effect;
use ontology::records::Change;
use ontology::records::decision::RecommendationKind;

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

/// What the review of one of its changes recommends, with the reasons that are more than noted.
fn review(file: &str, webshop: &(Compiled, Catalog)) -> (RecommendationKind, Vec<String>) {
    let (compiled, catalog) = webshop;
    let bytes = read(&example().join("changes").join(file));
    let key = RedactionKey::new(samples::name("test"), b"a key of thirty-two bytes or more").unwrap();
    let intake = intake::read(file, &bytes, &Context { catalog, key: Some(&key) }).unwrap();
    let change = Change {
        planned_at: intake.planned_at,
        change_kind: intake.change_kind.clone(),
        summary: intake::summary(&intake.document),
        ..samples::change(&intake.document)
    };
    let document = (*intake.document).clone();
    let mut world = World::open(change, document, compiled.model.clone(), catalog.clone())
        .with::<crate::Muninn>()
        .with::<crate::Mimir>()
        .with::<crate::Forseti>()
        .with::<crate::Coordinator>()
        .with::<crate::Njord>()
        .with::<crate::Vidar>();
    world.run();
    let recommendation = said!(world, Recommendation).expect("a recommendation");
    let more = recommendation.reasons.iter().filter(|reason| reason.effect != Effect::Noted);
    (recommendation.kind, more.map(ToString::to_string).collect())
}

#[test]
fn its_changes_end_as_its_readme_says() {
    use RecommendationKind::{ApprovalRequired, Conditional, Conformant, Held, Rejected};
    let webshop = webshop();
    let readme = String::from_utf8(read(&example().join("README.md"))).unwrap();
    let mut seen = Vec::new();
    let mut check = |file: &str, expect: RecommendationKind, word: &str, because: &[&str]| {
        let (kind, reasons) = review(file, &webshop);
        assert_eq!(kind, expect, "{file}: {reasons:#?}");
        for code in because {
            assert!(
                reasons.iter().any(|reason| reason.starts_with(code)),
                "{file}: no {code} in {reasons:#?}"
            );
        }
        let said =
            readme.split("\n- ").find(|item| item.starts_with(&format!("`{file}`"))).unwrap_or_default();
        assert!(said.contains(&format!("**{word}**")), "the README says of {file}: {said}");
        seen.push(file.to_owned());
    };
    check("orders-scale-out.json", Conformant, "Conformant", &[]);
    check("inventory-third-replica.yaml", Conformant, "Conformant", &[]);
    check("inventory-db-unprotect.yaml", Conditional, "Conditional", &["constraint_condition"]);
    check(
        "orders-queue-delete.json",
        Rejected,
        "Rejected",
        &["constraint_violated:no-delete-with-dependents"],
    );
    check("products-reporting-db.json", Rejected, "Rejected", &["constraint_violated:encryption-off"]);
    check(
        "orders-db-new-key.json",
        ApprovalRequired,
        "Approval required",
        &["class_irreversible:module.orders"],
    );
    check("refunds-timeout.json", Held, "Held", &["rehearsal_missing:component:default/refunds"]);
    check("loyalty-scale-out.json", Held, "Held", &["target_resource_missing:module.loyalty"]);
    let mut shipped: Vec<String> =
        files(&example().join("changes")).into_iter().map(|(name, _)| name).collect();
    shipped.sort();
    seen.sort();
    assert_eq!(seen, shipped, "every change is told of");
}

#[test]
fn a_file_cut_anywhere_is_read_or_refused_by_name() {
    /// A stride that divides nothing in these files, so that cuts fall everywhere.
    const STRIDE: usize = 37;
    for (path, bytes) in files(&example().join("model")) {
        for end in (0..bytes.len()).step_by(STRIDE) {
            let cut = ModelFile {
                path: path.clone(),
                bytes: bytes[..end].to_vec(),
                asserted_at: None,
                observed_at: None,
            };
            if let Err(error) = compile(&[cut], &super::catalog()) {
                assert_eq!(error.file, path);
            }
        }
    }
}
