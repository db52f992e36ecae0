//! Stubs from a plan (U7).

use ontology::records::ChangeDocument;
use serde_json::json;

use super::*;

fn document(workspace: Option<&str>, targets: &[(&str, &str)]) -> ChangeDocument {
    let targets: Vec<_> = targets
        .iter()
        .map(|(address, kind)| json!({ "address": address, "kind": kind, "action": "update" }))
        .collect();
    serde_json::from_value(json!({
        "format": "terraform-plan", "format_version": "1.2", "workspace": workspace, "targets": targets, "withheld": 0
    }))
    .unwrap()
}

fn stubs(document: &ChangeDocument, codeowners: Option<&str>) -> (Compiled, Vec<(String, String)>) {
    let files = init(document, codeowners);
    let borrowed: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    (compiled(&borrowed), files)
}

#[test]
fn u07_what_is_written_compiles_and_binds_every_target() {
    let document = document(
        None,
        &[
            ("aws_s3_bucket.logs", "aws_s3_bucket"),
            ("module.orders.aws_db_instance.this[0]", "aws_db_instance"),
            ("module.orders.aws_ecs_service.api", "aws_ecs_service"),
            ("module.orders_v2[\"a.b\"].module.db.aws_db_instance.this", "aws_db_instance"),
        ],
    );
    let codeowners = "# owners\n* @acme/platform\n/services/orders/ @acme/Team_Orders @jane # them\n/infra mail@example.com\n";
    let (compiled, files) = stubs(&document, Some(codeowners));
    assert_eq!(
        files.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(),
        ["bindings.yaml", "catalog-info.yaml", "objectives.yaml", "tiers.yaml"]
    );

    let graph = Graph::index(compiled.model.clone()).unwrap();
    let found: Vec<String> = document
        .targets
        .iter()
        .map(|target| {
            graph
                .bindings()
                .resolve(&graph, target, None)
                .object()
                .map(ToString::to_string)
                .unwrap_or_default()
        })
        .collect();
    assert_eq!(
        found,
        [
            "resource:default/root-logs",
            "resource:default/orders-this-0",
            "component:default/orders",
            "resource:default/orders-v2-a-b-db-this",
        ]
    );
    assert!(
        compiled
            .find_link(LinkType::OwnedBy, "component:default/orders", "group:default/team-orders")
            .is_some()
    );
    assert!(
        compiled.find_link(LinkType::OwnedBy, "component:default/root", "group:default/platform").is_some()
    );
    assert!(
        compiled
            .find_link(LinkType::WorkloadRunsOn, "component:default/orders", "resource:default/orders-this-0")
            .is_some()
    );
    assert_eq!(compiled.warnings, [""; 0]);
    let gaps = check(&compiled);
    assert_eq!(
        ids(&gaps.without_objective),
        ["component:default/orders", "component:default/orders-v2", "component:default/root"]
    );
}

#[test]
fn without_codeowners_the_owners_are_blanks_that_show_as_gaps() {
    let document = document(Some("shop-prod"), &[("aws_ecs_service.api", "aws_ecs_service")]);
    let (compiled, files) = stubs(&document, None);
    assert_eq!(
        compiled.warnings,
        ["catalog-info.yaml: component:default/shop-prod owned_by group:default/fill-in: no file describes \
          group:default/fill-in; the relation is left out"]
    );
    assert_eq!(ids(&check(&compiled).without_owner), ["component:default/shop-prod"]);
    insta::assert_snapshot!(files[0].1, @r##"
    # Which addresses of plans and objects of clusters are which component. "*" stands for the rest of one segment, "**" for any rest.
    # A resource that is bound by its exact address is that thing; anything else is a part of its component.
    # A tier (1 is the most critical) takes its objectives from tiers.yaml.

    - component: component:default/shop-prod
      # tier: 2
      terraform:
        workspace: "shop-prod"
        address:
          - "aws_ecs_service.api"
    "##);
    insta::assert_snapshot!(files[1].1, @r##"
    # What there is, and who owns it. Fill in the owners that are "fill-in", the systems, and what depends on what.
    # These are ordinary Backstage entities: where you have them already, delete this file and use those.
    ---
    apiVersion: backstage.io/v1alpha1
    kind: Component
    metadata:
      name: shop-prod
      # annotations: { arb/environment: production, arb/zones: "a,b", arb/replicas: "2" }
    spec:
      type: service
      lifecycle: production
      # system: fill-in
      owner: group:default/fill-in
      dependsOn: [] # and component:NAME for each component that it calls
    "##);
    insta::assert_snapshot!(files[2].1, @r##"
    # What must be kept. Take the "#" away where it is true, and correct the numbers.
    arb: objectives/1
    # authority: who stands behind this file, like sre
    # review_by: 2027-12-31
    objectives:
    #  - object: component:default/shop-prod
    #    service:
    #      - { metric: availability, target: 0.999, unit: ratio, window: 30d }
    #    recovery: { rto: 4h, rpo: 15m }
    #    cost: { monthly_max: 1000.00, monthly_now: 800.00, currency: USD }
    #    recovery_plans:
    #      - strategy: restore
    #        rehearsals:
    #          - { at: 2026-10-01, rto: 1h, rpo: 5m, succeeded: true }
    "##);
}

#[test]
fn a_blank_that_is_taken_away_leaves_what_compiles() {
    let (_, files) =
        stubs(&document(None, &[("module.orders.aws_ecs_service.api", "aws_ecs_service")]), None);
    let filled: Vec<(String, String)> = files
        .into_iter()
        .map(|(path, text)| {
            (path, text.replace("\n#  ", "\n  ").replace("  # ", "  ").replace("\n# rev", "\nrev"))
        })
        .collect();
    let filled: Vec<(&str, &str)> =
        filled.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let filled = compiled(&filled);
    let placement = filled.object("component:default/orders").detail.placement().unwrap();
    assert_eq!((placement.tier, placement.replicas), (Some(2), Some(2)));
    assert_eq!(ids(&check(&filled).assumed), [""; 0], "it has objectives of its own");
    assert_eq!(check(&filled).links[&LinkType::HasCostObjective], 1);
}

#[test]
fn an_empty_plan_makes_files_that_compile() {
    let (compiled, _) = stubs(&document(None, &[]), None);
    assert_eq!(compiled.model.objects, []);
}

#[test]
fn strange_addresses_make_usable_names() {
    let targets = [
        ("module.Ünïcode.aws_s3_bucket.a", "aws_s3_bucket"),
        ("module.a_b.aws_s3_bucket.x", "aws_s3_bucket"),
        ("module.a-b.aws_s3_bucket.x", "aws_s3_bucket"),
        ("module.日本.aws_s3_bucket.\"q\\\"", "aws_s3_bucket"),
    ];
    let (compiled, _) = stubs(&document(None, &targets), None);
    let components: Vec<&str> = compiled
        .model
        .objects
        .iter()
        .map(|it| it.id.as_str())
        .filter(|id| id.starts_with("component"))
        .collect();
    assert_eq!(
        components,
        [
            "component:default/a-b",
            "component:default/a-b-2",
            "component:default/n-code",
            "component:default/unnamed"
        ]
    );
}
