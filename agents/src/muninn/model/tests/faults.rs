//! What is wrong with a file, in words that say where and how to put it right (U6).

use super::*;

fn one(text: &str) -> String {
    error(&[("a.yaml", text)])
}

#[test]
fn u06_files_of_no_format_are_told_what_is_accepted() {
    let check = |path: &str, text: &str, expect: &str| {
        let found = error(&[(path, text)]);
        assert!(found.starts_with(&format!("{path}: {expect}: accepted are Backstage entities")), "{found}");
    };
    check("notes.txt", "x", "it is no file of a model");
    check("a.yaml", "# nothing\n---\n", "it is empty");
    check("a.yaml", "a: 1", "its format is not known");
    check("a.yaml", "[{ a: 1 }]", "its list holds neither entities nor bindings");
    check("a.yaml", "arb: model/2", "its \"arb\" names no format that is known");
    check("a.yaml", "arb: catalog/1", "it belongs in the catalog's directory");
    check("a.yaml", "arb: change/1", "it is a change, which is submitted");
    assert_eq!(one(""), "a.yaml: the file is empty");
    check("a.yaml", "just text", "its format is not known");
}

#[test]
fn readmes_and_hidden_files_are_skipped() {
    let skipped = [("README.md", "x"), ("a/README.ko.md", "x"), (".git/config", "x"), ("a/.keep", "\0")];
    assert_eq!(compiled(&skipped).model, ontology::model::Model::default());
}

#[test]
fn u06_our_own_formats_refuse_what_they_do_not_know() {
    let check = |text: &str, expect: &str| assert_eq!(one(text), format!("a.yaml: {expect}"), "{text}");
    check(
        "arb: model/1\nobject: []\n",
        "line 2, column 1: \"object\" is not a key that is known here (arb, authority, review_by, synthetic, incomplete, \
         complete_for, objects, links)",
    );
    check("arb: model/1\narb: model/1\n", "line 2, column 1: the key \"arb\" stands here twice");
    check(
        "arb: model/1\nobjects: [{ id: a, type: server }]\n",
        "line 2, column 26: expected one of business_service, workload, resource, ownership",
    );
    check(
        "arb: model/1\nlinks: [{ type: likes, from: a, to: b }]\n",
        "line 2, column 17: expected one of implemented_by, workload_runs_on, workload_depends_on, depends_on, contains, \
         owned_by, has_service_objective, has_recovery_objective, has_cost_objective, recovered_by",
    );
    check(
        "arb: model/1\nobjects: [{ id: a, type: workload }, { id: a, type: workload }]\n",
        "$.objects[1]: a is described twice",
    );
    check(
        "arb: model/1\nobjects: [{ id: '', type: workload }]\n",
        "$.objects[0]: id: read a name: it is empty",
    );
    check(
        "arb: model/1\nobjects: [{ id: a, type: workload, tier: 0 }]\n",
        "$.objects[0]: tier: expected a whole number from 1 (most critical) to 9",
    );
    check(
        "arb: model/1\nobjects: [{ id: a, type: workload, tier: 300 }]\n",
        "line 2, column 42: expected a whole number from 0",
    );
    check(
        "arb: model/1\nobjects: [{ id: a, type: ownership, tier: 1 }]\n",
        "$.objects[0]: an ownership has no environment, tier, zones or replicas",
    );
    check(
        "arb: model/1\nobjects: [{ id: a, type: workload, environment: 'a b' }]\n",
        "$.objects[0]: environment: expected a short name of letters, digits and . _ - / :",
    );
    check(
        "arb: model/1\nobjects: [{ id: a, type: workload, effective_from: 2026-01-01, effective_to: 2026-01-01 }]\n",
        "$.objects[0]: \"effective_from\" is before \"effective_to\"",
    );
    check(
        "arb: model/1\nlinks:\n- { type: owned_by, from: a, to: b }\n- { type: owned_by, from: a, to: c }\n",
        "$.links[1]: a has one relation owned_by at most, and another stands above",
    );
    check(
        "arb: model/1\nlinks:\n- { type: depends_on, from: a, to: b }\n- { type: depends_on, from: a, to: b }\n",
        "$.links[1]: the same relation stands above",
    );
    check(
        "arb: model/1\nobjects: [{ id: a, type: workload }, { id: b, type: workload }]\nlinks: [{ type: owned_by, from: a, to: b }]\n",
        "a owned_by b: b is of a type that this relation does not join",
    );
    check("arb: model/1\n---\narb: model/1\n", "document 2: one document is allowed in this format");
    check(
        "arb: model/1\n---\narb: tiers/1\n",
        "document 2: a file holds one format; move this document to a file of its own",
    );
}

#[test]
fn u06_objectives_tiers_and_bindings_say_what_they_expect() {
    let objective = |inner: &str| format!("arb: objectives/1\nobjectives:\n- object: a\n  {inner}\n");
    let check = |text: &str, expect: &str| assert_eq!(one(text), format!("a.yaml: {expect}"), "{text}");
    check(
        &objective("service: [{ metric: availability, target: 99.95, window: 30d }]"),
        "$.objectives[0]: service: the target of \"availability\" is a ratio from 0 to 1, like 0.9995",
    );
    check(
        &objective("service: [{ metric: queue_depth, target: 5, window: 30d }]"),
        "$.objectives[0]: service: \"queue_depth\" says its unit: ratio, seconds, requests",
    );
    check(
        &objective("service: [{ metric: availability, target: 0.9, window: 30 days }]"),
        "line 4, column 58: expected a length of time: whole numbers with w, d, h, m or s, like 14d, 36h or 1h30m; at \
         most 100 years",
    );
    check(
        &objective("service: [{ metric: availability, target: 0.9 }]"),
        "line 4, column 37: the key \"window\" is missing",
    );
    check(
        &objective("service: [{ metric: availability, target: 0.9, window: 0s }]"),
        "$.objectives[0]: service: the window of \"availability\" is longer than nothing, like 30d",
    );
    let twice = "{ metric: availability, target: 0.9, window: 1d }";
    check(
        &objective(&format!("service: [{twice}, {twice}]")),
        "$.objectives[0]: service: the metric \"availability\" stands here twice",
    );
    check(
        &objective("cost: { monthly_max: 10, currency: dollars }"),
        "line 4, column 38: expected the three letters of a currency (ISO 4217), like USD",
    );
    check(
        &objective("recovery: { rto: 1h, rpo: 5m }\n- object: a\n  recovery: { rto: 1h, rpo: 5m }"),
        "$.objectives[1]: objective:a/recovery stands here twice",
    );
    check(
        "arb: objectives/1\nobjectives: [{ service: [] }]\n",
        "line 2, column 16: the key \"object\" is missing",
    );
    check(
        "arb: objectives/1\nwindows: [{ id: w, kind: freeze, from: 2027-01-02, to: 2027-01-01 }]\n",
        "$.windows[0]: \"from\" is before \"to\"",
    );
    check(
        "arb: tiers/1\ntiers: { 0: {} }\n",
        "$.tiers.0: expected a whole number from 1 (most critical) to 9",
    );
    check("- component: a\n  object: b\n", "$[0]: it has either \"component\" or \"object\"");
    check("- component: a\n  terraform: {}\n", "$[0]: terraform: it has an address, a workspace or a tag");
    check(
        "- component: a\n  terraform: { address: [''] }\n",
        "$[0]: terraform: a pattern is a text of 1 to 1280 bytes",
    );
    check(
        "- component: a\n  terraform: { address: { a: b } }\n",
        "line 2, column 25: expected a text, or a list of texts, found map",
    );
    check(
        "- component: a\n  tier: 1\n- component: A\n  tier: 2\n",
        "$[1]: component:default/a has another tier above",
    );
    check(
        "- component: a\n  helm: {}\n",
        "line 2, column 3: \"helm\" is not a key that is known here (component, object, terraform, kubernetes, paths, tier)",
    );
}

#[test]
fn u06_entities_that_are_wrong_are_named() {
    let check = |text: &str, expect: &str| assert_eq!(one(text), format!("a.yaml: {expect}"), "{text}");
    let twice = documents(&[entity("Component", "a"), entity("Component", "A")]);
    check(&twice, "document 2: component:default/a is described twice");
    check(&entity("Component", "a/b"), "document 1: metadata.name: it holds no \":\" and no \"/\"");
    check(
        "apiVersion: backstage.io/v1alpha1\nkind: Component\n",
        "line 2, column 1: the key \"metadata\" is missing",
    );
    check(
        "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: { name: a }\nspec: { dependsOn: component:b }\n",
        "line 4, column 20: expected a list",
    );
    check(
        "- { apiVersion: backstage.io/v1alpha1, kind: Component, metadata: { name: a } }\n- { apiVersion: v1, kind: Pod, metadata: { name: a } }\n",
        "$[1]: apiVersion: it is not Backstage's",
    );
}

#[test]
fn contradictions_about_what_a_thing_is_name_both_files() {
    let as_type = |kind: &str| format!("arb: model/1\nobjects: [{{ id: a, type: {kind} }}]\n");
    assert_eq!(
        error(&[("b.yaml", &as_type("resource")), ("a.yaml", &as_type("workload"))]),
        "b.yaml: a is a resource here and a workload in a.yaml"
    );
    assert_eq!(error(&[("a.yaml", "[]"), ("a.yaml", "[]")]), "a.yaml: the file is given twice");
    let long = format!("{}/a.yaml", "x".repeat(300));
    assert_eq!(
        error(&[(&long, &as_type("resource"))]),
        format!(
            "{long}: its path cannot name a source: read a name: it has 307 bytes, at most 256 are allowed"
        )
    );
}

#[test]
fn a_circle_of_containment_is_shown_whole() {
    let text = "arb: model/1\nobjects: [{ id: a, type: resource }, { id: b, type: resource }, { id: c, type: resource }]\nlinks:\n\
        - { type: contains, from: a, to: b }\n- { type: contains, from: b, to: c }\n- { type: contains, from: c, to: a }\n";
    assert_eq!(one(text), "a.yaml: contains goes in a circle: a in c in b in a");
    let calls = text.replace("contains", "depends_on");
    assert_eq!(
        compiled(&[("a.yaml", &calls)]).model.links.len(),
        3,
        "needing each other is no fault of a file"
    );
}

#[test]
fn what_is_no_text_or_too_deep_is_refused_before_its_format_is_asked() {
    let check = |bytes: &[u8], expect: &str| {
        let file =
            ModelFile { path: "a.yaml".into(), bytes: bytes.into(), asserted_at: None, observed_at: None };
        assert_eq!(compile(&[file], &catalog()).unwrap_err().to_string(), format!("a.yaml: {expect}"));
    };
    check(b"arb: \xff", "the file is not UTF-8 at byte 5; save it as UTF-8");
    check(b"\x1f\x8b\x08\0\0", "the file is compressed with gzip; unpack it first");
    let deep = format!("a: {}", "[".repeat(10_000));
    check(deep.as_bytes(), "line 1, column 104: it nests too deeply; at most 100 levels are allowed");
    check(b"arb: model/1\nobjects: [{ id: a", "line 2, column 11: it is not YAML: unclosed bracket '{'");
}
