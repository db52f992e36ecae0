//! Backstage entities.

use super::*;

#[test]
fn u07_entities_become_services_workloads_resources_and_owners() {
    let text = documents(&[
        "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: Orders\n  title: Orders API\n  \
         tags: [java, tier-1]\n  labels: { environment: production }\n  annotations:\n    arb/zones: \"a, b\"\n    \
         arb/replicas: \"3\"\nspec:\n  type: service\n  lifecycle: production\n  owner: Team-Orders\n  system: shop\n  \
         dependsOn: [\"component:stock\", \"Resource:default/orders-db\"]\n"
            .to_owned(),
        component("stock", "  owner: user:jane\n  dependencyOf: [component:till]"),
        component("till", "  owner: group:other/team-orders"),
        entity("System", "shop"),
        entity("Resource", "orders-db"),
        entity("Group", "team-orders"),
        entity("User", "jane"),
    ]);
    let compiled = compiled(&[("shop/catalog-info.yaml", &text)]);

    let orders = compiled.object("component:default/orders");
    assert_eq!(orders.title.as_deref(), Some("Orders API"));
    assert_eq!(
        serde_json::to_value(&orders.detail).unwrap(),
        serde_json::json!({ "workload": {
            "kind": "service", "environment": "production", "tier": 1, "zones": ["a", "b"], "replicas": 3
        }})
    );
    assert_eq!(
        compiled.links(),
        [
            "system:default/shop implemented_by component:default/orders",
            "component:default/orders workload_runs_on resource:default/orders-db",
            "component:default/orders workload_depends_on component:default/stock",
            "component:default/till workload_depends_on component:default/stock",
            "component:default/orders owned_by group:default/team-orders",
            "component:default/stock owned_by user:default/jane",
        ]
    );
    assert_eq!(
        compiled.warnings,
        [
            "shop/catalog-info.yaml: component:default/till owned_by group:other/team-orders: no file describes \
          group:other/team-orders; the relation is left out"
        ]
    );
}

#[test]
fn a_consumer_of_an_api_depends_on_its_provider() {
    let compiled = compiled(&[
        ("a/catalog-info.yaml", &component("web", "  consumesApis: [orders-api, default/orders-api, gone]")),
        (
            "b/catalog-info.yaml",
            &component("orders", "  providesApis: [orders-api]\n  consumesApis: [orders-api]"),
        ),
        ("c/catalog-info.yaml", &entity("API", "orders-api")),
    ]);
    assert_eq!(compiled.links(), ["component:default/web workload_depends_on component:default/orders"]);
    assert_eq!(names(&compiled.model.links[0].sources), ["a/catalog-info.yaml"]);
    assert_eq!(
        compiled.warnings,
        [
            "a/catalog-info.yaml: component:default/web consumes api:default/gone, which no component provides",
            "entities of kinds that are not read: API 1",
        ]
    );
}

#[test]
fn the_array_of_the_catalog_api_says_the_same_in_relations() {
    let array = r#"[
        {"apiVersion": "backstage.io/v1alpha1", "kind": "Component",
         "metadata": {"namespace": "default", "name": "orders", "uid": "4d1c", "etag": "x", "title": "\ud83d\udce6 Orders"},
         "spec": {"type": "service", "owner": "team-a"},
         "relations": [
            {"type": "ownedBy", "targetRef": "group:default/team-a", "target": {"kind": "group", "namespace": "default", "name": "team-a"}},
            {"type": "dependsOn", "targetRef": "resource:default/db"},
            {"type": "partOf", "target": {"kind": "system", "namespace": "default", "name": "shop"}}
         ]},
        {"apiVersion": "backstage.io/v1alpha1", "kind": "System", "metadata": {"name": "shop"},
         "relations": [{"type": "hasPart", "targetRef": "component:default/orders"}, {"type": "ownedBy", "targetRef": "group:default/team-a"}]},
        {"apiVersion": "backstage.io/v1alpha1", "kind": "Resource", "metadata": {"name": "db"}, "spec": {"type": "database"},
         "relations": [{"type": "dependencyOf", "targetRef": "component:default/orders"}]},
        {"apiVersion": "backstage.io/v1alpha1", "kind": "Group", "metadata": {"name": "team-a"}, "spec": {"type": "team"},
         "relations": [{"type": "ownerOf", "targetRef": "component:default/orders"}]},
        {"apiVersion": "backstage.io/v1alpha1", "kind": "Domain", "metadata": {"name": "all"}},
        {"apiVersion": "scaffolder.backstage.io/v1beta3", "kind": "Template", "metadata": {"name": "t"}, "spec": {"steps": []}}
    ]"#;
    let compiled = compiled(&[("entities.json", array)]);
    assert_eq!(compiled.object("component:default/orders").title.as_deref(), Some("📦 Orders"));
    assert_eq!(
        compiled.links(),
        [
            "system:default/shop implemented_by component:default/orders",
            "component:default/orders workload_runs_on resource:default/db",
            "component:default/orders owned_by group:default/team-a",
            "system:default/shop owned_by group:default/team-a",
        ]
    );
    assert_eq!(compiled.warnings, ["entities of kinds that are not read: Domain 1, Template 1"]);
    assert_eq!(super::compiled(&[("entities.json", "[]")]).model.objects, []);
}

#[test]
fn what_cannot_be_related_or_read_is_left_out_with_a_warning() {
    let check = |spec: &str, expect: &str| {
        let text = documents(&[component("a", spec), entity("Resource", "db"), entity("System", "shop")]);
        assert_eq!(compiled(&[("x.yaml", &text)]).warnings, [expect], "{spec}");
    };
    check(
        "  dependsOn: [db]",
        "x.yaml: component:default/a: spec.dependsOn: it has no kind; write component:NAME or resource:NAME; the relation is left out",
    );
    check(
        "  dependsOn: ['component:']",
        "x.yaml: component:default/a: spec.dependsOn: it is not [kind:][namespace/]name; the relation is left out",
    );
    check(
        "  dependsOn: ['system:shop']",
        "x.yaml: component:default/a: spec.dependsOn: a component depends on components and resources, a resource on \
         resources; the relation is left out",
    );
    check(
        "  dependsOn: ['component:a']",
        "x.yaml: component:default/a workload_depends_on component:default/a: it leads to itself; the relation is left out",
    );
    check(
        "  system: gone",
        "x.yaml: system:default/gone implemented_by component:default/a: no file describes system:default/gone; the relation is left out",
    );
}

#[test]
fn u03_what_rules_do_not_use_is_not_kept_and_never_quoted() {
    const CANARY: &str = "hunter2-canary";
    let text = format!(
        "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: a\n  description: {CANARY}\n  labels:\n    \
         db-password: {CANARY}\n    tier: {CANARY} x\n  annotations:\n    example.com/token: {CANARY}\n    \
         backstage.io/kubernetes-id: {CANARY}\n    arb/environment: '{CANARY} x'\n    arb/zones: '{CANARY} x'\n    \
         arb/replicas: {CANARY}\n  links: [{{ url: 'https://u:{CANARY}@x' }}]\n  tags: [{CANARY}, tier-{CANARY}]\nspec:\n  \
         type: '{CANARY} x'\n  owner: ''\n  lifecycle: {CANARY}\n  secret: {CANARY}\n"
    );
    let compiled = compiled(&[("x.yaml", &text)]);
    let bytes = ontology::cbor::to_vec(&compiled.model).unwrap();
    assert!(!bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes()));
    assert_eq!(compiled.warnings.len(), 6, "{:?}", compiled.warnings);
    assert!(compiled.warnings.iter().all(|warning| !warning.contains(CANARY)), "{:?}", compiled.warnings);
}
