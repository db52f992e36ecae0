//! `cargo bench -p runtime --bench rego`: a prepared Rego bundle on one option of a review, both sides of it (U10).

use std::collections::BTreeMap;
use std::path::PathBuf;

use agents::huginn::intake::{self, Context};
use ontology::graph::{Edits, Graph, View};
use ontology::model::Model;
use ontology::policy::rego::{Bundle, Modules, RegoRules};
use ontology::policy::{Catalog, Constraint, ConstraintKind, Enforcement, Selector, Subject, evaluate};
use ontology::records::ChangeDocument;
use ontology::records::evaluation::{AS_PROPOSED, OptionDraft};
use ontology::records::snapshot::Resolution;
use ontology::{Name, Timestamp};

fn main() {
    divan::main();
}

/// Two rules over what a plan changes, as a first policy has them.
const POLICY: &str = "package main
import rego.v1

deny contains msg if {
    some change in input.resource_changes
    change.type == \"aws_db_instance\"
    change.change.after.storage_encrypted == false
    msg := sprintf(\"%s is not encrypted\", [change.address])
}

deny contains msg if {
    some change in input.resource_changes
    \"delete\" in change.change.actions
    msg := sprintf(\"%s is deleted\", [change.address])
}
";

fn texts() -> BTreeMap<String, String> {
    BTreeMap::from([("policy.rego".to_owned(), POLICY.to_owned())])
}

fn name(text: &str) -> Name {
    Name::new(text).expect("a literal")
}

fn document() -> ChangeDocument {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/webshop/changes"));
    let plan = std::fs::read(path.join("orders-scale-out.json")).expect("the example is in the tree");
    let context = Context { catalog: agents::mimir::starter(), key: None };
    let read = intake::read("plan.json", &plan, &context).expect("the example is a plan");
    ChangeDocument::clone(&read.document)
}

#[divan::bench]
fn prepare(bencher: divan::Bencher<'_, '_>) {
    bencher.with_inputs(texts).bench_refs(|texts| Bundle::prepare(texts).expect("it is Rego"));
}

#[divan::bench]
fn one_bundle_and_option(bencher: divan::Bencher<'_, '_>) {
    let document = document();
    let graph = Graph::index(Model::default()).expect("nothing is a model");
    let catalog = Catalog { policies: Modules::new(texts()), ..Catalog::empty(name("bench")) };
    catalog.policies.bundle().expect("it is Rego");
    let resolve = |target: &ontology::records::document::Target| Resolution {
        address: target.address.clone(),
        found: graph.bindings().resolve(&graph, target, None),
    };
    let targets: Vec<Resolution> = document.targets.iter().map(resolve).collect();
    let option = OptionDraft { id: name(AS_PROPOSED), without: std::collections::BTreeSet::new() };
    let edits = Edits::of(&document, &targets, &option, &graph);
    let (base, (overlay, _)) = (View::base(&graph), View::with(&graph, &edits));
    let subject = Subject {
        document: &document,
        targets: &targets,
        base: &base,
        overlay: &overlay,
        catalog: &catalog,
        cutoff: Timestamp::from_micros(1 << 50),
    };
    let constraint = Constraint {
        id: name("rego:main"),
        title: String::new(),
        rule: ConstraintKind::Rego { package: "main".to_owned(), rules: RegoRules::Deny },
        enforcement: Enforcement::Deny,
        deny_from: None,
        precedence: 4,
        applies_to: Selector::default(),
        remedy: None,
        condition: None,
        approvers: std::collections::BTreeSet::new(),
    };
    bencher.bench_local(|| evaluate(&constraint, &subject));
}
