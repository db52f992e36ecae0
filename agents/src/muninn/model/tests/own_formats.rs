//! Our own formats: bindings, objectives, tiers and topology.

use serde_json::{Value, json};

use super::*;

const SERVICE: &str =
    "arb: model/1\nobjects:\n  - { id: 'component:orders', type: workload, kind: service, tier: 1 }\n";

fn detail(compiled: &Compiled, id: &str) -> Value {
    serde_json::to_value(&compiled.object(id).detail).unwrap()
}

#[test]
fn u07_bindings_bind_terraform_and_kubernetes_and_give_tiers() {
    let bindings = "
- component: orders
  terraform: { workspace: 'orders-*', address: ['module.orders.**', 'aws_db_instance.orders'] }
  kubernetes: { cluster: prod-apne2, namespace: orders, selector: app=orders }
  paths: ['services/orders/**']
  tier: 2
- object: Resource:Orders-DB
  terraform: { tag: { Service: orders } }
- component: gone
  terraform: { address: module.gone }
  tier: 1
- object: svc-9
  tier: 3
";
    let model = "arb: model/1\nobjects:\n  - { id: 'component:orders', type: workload, tier: 1 }\n  \
        - { id: 'resource:default/orders-db', type: resource }\n  - { id: svc-9, type: workload }\n";
    let compiled = compiled(&[("bindings.yaml", bindings), ("model.yaml", model)]);

    assert_eq!(
        serde_json::to_value(&compiled.model.bindings).unwrap(),
        json!([
            { "object": "component:default/orders", "addresses": ["aws_db_instance.orders", "module.orders.**"],
              "workspaces": ["orders-*"], "tags": {}, "source": "bindings.yaml" },
            { "object": "component:default/orders", "addresses": ["orders/**"], "workspaces": ["prod-apne2"],
              "tags": { "app": "orders" }, "source": "bindings.yaml" },
            { "object": "resource:default/orders-db", "addresses": [], "workspaces": [], "tags": { "Service": "orders" },
              "source": "bindings.yaml" },
        ])
    );
    assert_eq!(detail(&compiled, "component:default/orders")["workload"]["tier"], 1);
    assert_eq!(detail(&compiled, "svc-9")["workload"]["tier"], 3);
    assert_eq!(
        compiled.warnings,
        [
            "bindings.yaml: binds component:default/gone, which no file describes; the binding is left out",
            "bindings.yaml: gives a tier to component:default/gone, which no file describes; it is left out",
            "bindings.yaml: gives component:default/orders another tier than another file; the more critical counts",
        ]
    );
}

#[test]
fn objectives_become_objects_with_ids_of_their_own() {
    let objectives = "
arb: objectives/1
authority: sre
review_by: 2027-06-30
objectives:
  - object: component:orders
    service:
      - { metric: availability, target: 0.9995, window: 30d }
      - { metric: latency_p99, target: 0.8, window: 7d }
      - { metric: throughput, target: 120, unit: requests, window: 1d }
    recovery: { rto: 1h, rpo: 0 }
    cost: { monthly_max: 1200.00, monthly_now: 930.5, currency: USD }
    recovery_plans:
      - strategy: restore
        rehearsals:
          - { at: 2026-10-02, rto: 41m, rpo: 2m, succeeded: true }
          - { at: 2026-04-01T09:00:00+09:00, rto: 2h, rpo: 2m, succeeded: false }
windows:
  - { id: 'window:freeze', kind: freeze, from: 2026-12-20, to: 2027-01-03 }
processes:
  - { id: 'process:release', title: Release, status: running }
";
    let compiled = compiled(&[("slo.yaml", objectives), ("model.yaml", SERVICE)]);
    let check = |id: &str, expect: Value| assert_eq!(detail(&compiled, id), expect, "{id}");
    let service = |metric: &str, target: i64, unit: &str, window_s: u64| json!({ "service_objective": { "metric": metric, "target_micro": target, "unit": unit, "window_s": window_s } });
    check(
        "objective:component:default/orders/availability",
        service("availability", 999_500, "ratio", 2_592_000),
    );
    check(
        "objective:component:default/orders/latency_p99",
        service("latency_p99", 800_000, "seconds", 604_800),
    );
    check(
        "objective:component:default/orders/throughput",
        service("throughput", 120_000_000, "requests", 86_400),
    );
    check(
        "objective:component:default/orders/recovery",
        json!({ "recovery_objective": { "rto_s": 3_600, "rpo_s": 0 } }),
    );
    check(
        "objective:component:default/orders/cost",
        json!({ "cost_objective": {
            "monthly_max": { "micro": 1_200_000_000, "currency": "USD" },
            "monthly_now": { "micro": 930_500_000, "currency": "USD" }
        }}),
    );
    check(
        "recovery-plan:component:default/orders/restore",
        json!({ "recovery_plan": { "strategy": "restore", "rehearsals": [
            { "at": "2026-04-01T00:00:00Z", "rto_s": 7_200, "rpo_s": 120, "succeeded": false },
            { "at": "2026-10-02T00:00:00Z", "rto_s": 2_460, "rpo_s": 120, "succeeded": true },
        ]}}),
    );
    check(
        "window:freeze",
        json!({ "change_window": { "kind": "freeze", "from": "2026-12-20T00:00:00Z", "to": "2027-01-03T00:00:00Z" } }),
    );
    check("process:release", json!({ "process": { "status": "running" } }));
    let source = compiled.model.sources.iter().find(|source| source.id.as_str() == "slo.yaml").unwrap();
    assert_eq!(source.authority.as_str(), "sre");
    assert_eq!(source.review_by, Some("2027-06-30T00:00:00Z".parse().unwrap()));
    assert_eq!(compiled.warnings, [""; 0]);
}

#[test]
fn u07_tiers_fill_in_what_is_missing_and_say_that_it_is_assumed() {
    let tiers = "
arb: tiers/1
tiers:
  1:
    service: [{ metric: availability, target: 0.999, window: 30d }]
    recovery: { rto: 4h, rpo: 15m }
  2:
    recovery: { rto: 1d, rpo: 1h }
";
    let own =
        "arb: objectives/1\nobjectives:\n  - object: component:orders\n    recovery: { rto: 1h, rpo: 5m }\n";
    let compiled = compiled(&[("tiers.yaml", tiers), ("own.yaml", own), ("model.yaml", SERVICE)]);
    assert_eq!(
        detail(&compiled, "objective:component:default/orders/recovery"),
        json!({ "recovery_objective": { "rto_s": 3_600, "rpo_s": 300 } }),
        "its own objective stays"
    );
    assert_eq!(
        detail(&compiled, "objective:component:default/orders/availability")["service_objective"]["assumed"],
        true
    );
    assert_eq!(ids(&check(&compiled).assumed), ["objective:component:default/orders/availability"]);
    let link = compiled.link(
        LinkType::HasServiceObjective,
        "component:default/orders",
        "objective:component:default/orders/availability",
    );
    assert_eq!(names(&link.sources), ["tiers.yaml"]);
    assert_eq!(
        error(&[("a.yaml", tiers), ("b.yaml", tiers)]),
        "b.yaml: $.tiers.1: tier 1 has defaults in a.yaml already"
    );
}

#[test]
fn a_topology_describes_things_in_the_ontologys_words() {
    let text = "
arb: model/1
authority: cmdb
synthetic: true
incomplete: true
objects:
  - { id: 'system:shop', type: business_service, title: Shop, effective_from: 2026-01-01, effective_to: 2030-01-01 }
  - { id: vm-1, type: resource, kind: vm, environment: production, zones: [b, a], replicas: 2, tier: 3 }
  - { id: rack-1, type: resource }
  - { id: 'group:ops', type: ownership, kind: group }
links:
  - { type: contains, from: rack-1, to: vm-1 }
  - { type: owned_by, from: vm-1, to: 'Group:default/OPS' }
";
    let compiled = compiled(&[("cmdb.yaml", text)]);
    let source = &compiled.model.sources[0];
    assert!(source.synthetic && source.incomplete);
    assert_eq!(compiled.links(), ["rack-1 contains vm-1", "vm-1 owned_by group:default/ops"]);
    assert_eq!(
        detail(&compiled, "vm-1"),
        json!({ "resource": { "kind": "vm", "environment": "production", "tier": 3, "zones": ["a", "b"], "replicas": 2 } })
    );
    assert_eq!(
        compiled.object("system:default/shop").effective_to,
        Some("2030-01-01T00:00:00Z".parse().unwrap())
    );
}

#[test]
fn an_id_of_three_hundred_characters_is_an_id() {
    let long = "층".repeat(300);
    let text = format!("arb: model/1\nobjects:\n  - {{ id: {long}, type: workload }}\n");
    let own = format!(
        "arb: objectives/1\nobjectives:\n  - {{ object: {long}, recovery: {{ rto: 1h, rpo: 5m }} }}\n"
    );
    let compiled = compiled(&[("a.yaml", &text), ("b.yaml", &own)]);
    assert_eq!(compiled.links(), [format!("{long} has_recovery_objective objective:{long}/recovery")]);

    let longest = "x".repeat(1_280);
    let text = format!("arb: model/1\nobjects:\n  - {{ id: {longest}, type: workload }}\n");
    assert_eq!(super::compiled(&[("a.yaml", &text)]).model.objects.len(), 1);
    let own = format!(
        "arb: objectives/1\nobjectives:\n  - {{ object: {longest}, recovery: {{ rto: 1h, rpo: 5m }} }}\n"
    );
    assert_eq!(
        error(&[("b.yaml", &own)]),
        "b.yaml: $.objectives[0]: read a name: it has 1299 bytes, at most 1280 are allowed"
    );
}

#[test]
fn u03_what_no_rule_reads_is_not_kept() {
    const CANARY: &str = "hunter2-canary";
    let bindings = format!("- object: a\n  terraform: {{ address: x }}\n  paths: [{CANARY}]\n");
    let things = format!("# {CANARY}\narb: model/1\nobjects: [{{ id: a, type: workload }}]\n");
    let compiled = compiled(&[("bindings.yaml", &bindings), ("things.yaml", &things), ("README.md", CANARY)]);
    assert_eq!(compiled.model.bindings.len(), 1);
    let bytes = ontology::cbor::to_vec(&compiled.model).unwrap();
    assert!(!bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes()));

    let check = |text: String| {
        let message = error(&[("a.yaml", &text)]);
        assert!(!message.contains(CANARY), "{message}");
    };
    check(format!("arb: {CANARY}"));
    check(format!("arb: model/1\nreview_by: {CANARY}\n"));
    check(format!("arb: model/1\nsynthetic: {CANARY}\n"));
    check(format!("arb: model/1\nobjects: {CANARY}\n"));
    check(format!("arb: model/1\nobjects: [{{ id: a, type: {CANARY} }}]\n"));
    check(format!("arb: model/1\nobjects: [{{ id: a, type: workload, kind: '{CANARY} x' }}]\n"));
    check(format!(
        "arb: objectives/1\nwindows: [{{ id: a, kind: {CANARY}, from: 2027-01-01, to: 2027-01-02 }}]\n"
    ));
    check(format!(
        "arb: objectives/1\nobjectives: [{{ object: a, cost: {{ monthly_max: {CANARY}, currency: USD }} }}]\n"
    ));
    check(format!("arb: tiers/1\ntiers: {{ {CANARY}: {{}} }}\n"));
    check(format!("- component: a\n  tier: {CANARY}\n"));
    check(format!("- component: a\n  terraform: {CANARY}\n"));
    check(format!("apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: {CANARY}\n"));
    check(format!("apiVersion: {CANARY}\nkind: x\n"));
}
