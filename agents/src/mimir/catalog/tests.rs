//! What catalog files become, and what is said of those that are wrong.

mod policies;

use ontology::Name;
use ontology::policy::catalog::Mode;
use ontology::policy::{ConstraintKind, Enforcement, PlanRule};
use ontology::records::EvidenceKey;
use ontology::value::Attributes;
use proptest::prelude::*;

use super::*;

const MINIMAL: &str = "arb: catalog/1\nname: acme\n";

fn files(files: &[(&str, &str)]) -> Vec<CatalogFile> {
    files
        .iter()
        .map(|(path, text)| CatalogFile { path: (*path).into(), bytes: text.as_bytes().into() })
        .collect()
}

fn error(more: &[(&str, &str)]) -> String {
    compile(&files(more)).unwrap_err().to_string()
}

#[test]
fn what_a_catalog_leaves_out_is_the_shipped_default() {
    let catalog =
        compile(&files(&[("catalog.yaml", MINIMAL), ("README.md", "x"), (".hidden", "x")])).unwrap();
    let shipped = starter();
    let expect = Catalog {
        required: shipped.required.clone(),
        stateful_types: shipped.stateful_types.clone(),
        baseline_kinds: shipped.baseline_kinds.clone(),
        ..Catalog::empty(Name::new("acme").unwrap())
    };
    assert_eq!(catalog, expect);
}

#[test]
fn everything_that_is_written_is_taken() {
    let text = "
arb: catalog/1
name: acme
mode: enforce
budget: 2500ms
limits:
  - when: { environments: [production], tiers: [1], kinds: ['aws_*'] }
    affected_max: 3
    depth_max: 2
  - { affected_max: 20, depth_max: 4 }
required:
  - evidence: [topology]
  - when: { tiers: [1] }
    evidence: [cost, recovery, concurrent-changes]
stateful_types: [acme_store]
baseline_kinds: [rules]
plan_age_max: 36h
rehearsal_age_max: 90d
receipt_valid: 1w
review_after: 30d
weights: { service: 50, recovery: 30, cost: 20 }
authorities: { 'cmdb/*': cmdb }
kept_attributes: { acme_store: [size, mode] }
";
    let catalog = compile(&files(&[("catalog.yaml", text)])).unwrap();
    assert_eq!((catalog.mode, catalog.budget_ms, catalog.starter), (Mode::Enforce, 2_500, false));
    assert_eq!(catalog.limits.len(), 2);
    assert_eq!((catalog.limits[0].affected_max, catalog.limits[1].depth_max), (3, 4));
    let keys: Vec<EvidenceKey> = catalog.required[1].keys.iter().copied().collect();
    assert_eq!(keys, [EvidenceKey::ConcurrentChanges, EvidenceKey::Cost, EvidenceKey::Recovery]);
    assert!(catalog.is_stateful("acme_store") && !catalog.is_stateful("aws_db_instance"));
    let seconds = (
        catalog.plan_age_max_s,
        catalog.rehearsal_age_max_s,
        catalog.receipt_valid_s,
        catalog.review_after_s,
    );
    assert_eq!(seconds, (129_600, 7_776_000, 604_800, 2_592_000));
    assert_eq!(catalog.weights_bp.values().copied().collect::<Vec<_>>(), [2_000, 3_000, 5_000]);
    assert_eq!(catalog.authorities["cmdb/*"].as_str(), "cmdb");
    assert_eq!(catalog.kept_attributes["acme_store"].len(), 2);
}

#[test]
fn u11_a_constraint_is_named_by_its_file_or_itself() {
    let catalog = compile(&files(&[
        ("catalog.yaml", MINIMAL),
        ("constraints/owner-present.yaml", "title: Owned\nrule: owner-present\nenforcement: warn\ndeny_from: 2027-03-01\n"),
        ("constraints/z.yaml", "id: a-zones\ntitle: Zones\nrule: { redundancy-per-zone: { zones_min: 2 } }\nenforcement: approve\nprecedence: 5\napplies_to: { tiers: [1] }\nremedy: Add one.\n"),
        ("constraints/rehearsed.yaml", "title: R\nrule: { recovery-rehearsed: { age_max: 30d } }\nenforcement: deny\n"),
        ("constraints/rehearsed-too.yaml", "title: R\nrule: { recovery-rehearsed: {} }\nenforcement: observe\n"),
        ("constraints/public.yaml", "title: P\nrule: { plan: public-exposure }\nenforcement: deny\n"),
    ]))
    .unwrap();
    let ids: Vec<&str> = catalog.constraints.iter().map(|constraint| constraint.id.as_str()).collect();
    assert_eq!(ids, ["a-zones", "owner-present", "public", "rehearsed", "rehearsed-too"]);
    let [zones, owner, public, rehearsed, too] = &catalog.constraints[..] else { panic!("five") };
    assert_eq!((&zones.rule, zones.precedence), (&ConstraintKind::RedundancyPerZone { zones_min: 2 }, 5));
    assert_eq!(zones.remedy.as_deref(), Some("Add one."));
    let march = "2027-03-01T00:00:00Z".parse().unwrap();
    assert_eq!(owner.enforcement_at(march), Enforcement::Deny);
    assert_eq!(owner.enforcement_at(march.plus_seconds(-1)), Enforcement::Warn);
    assert_eq!((&public.rule, public.precedence), (&ConstraintKind::Plan(PlanRule::PublicExposure), 1));
    assert_eq!(rehearsed.rule, ConstraintKind::RecoveryRehearsed { age_max_s: 2_592_000 });
    assert_eq!(too.rule, ConstraintKind::RecoveryRehearsed { age_max_s: catalog.rehearsal_age_max_s });
}

#[test]
fn prices_are_exact() {
    let prices = "
arb: prices/1
currency: USD
types:
  aws_db_instance:
    attribute: instance_class
    monthly: { db.m7g.large: '149.995', '*': 90 }
  aws_ecs_service:
    times: desired_count
    monthly: '36.04'
  aws_sqs_queue:
    monthly: 4
";
    let catalog = compile(&files(&[("catalog.yaml", MINIMAL), ("prices.yaml", prices)])).unwrap();
    let check = |kind: &str, attributes: serde_json::Value, expect: Option<i64>| {
        let attributes: Attributes = serde_json::from_value(attributes).unwrap();
        assert_eq!(catalog.prices.monthly(kind, &attributes).map(|money| money.micro.0), expect, "{kind}");
    };
    check("aws_db_instance", serde_json::json!({ "instance_class": "db.m7g.large" }), Some(149_995_000));
    check("aws_db_instance", serde_json::json!({ "instance_class": "db.other" }), Some(90_000_000));
    check("aws_ecs_service", serde_json::json!({ "desired_count": 3 }), Some(108_120_000));
    check("aws_sqs_queue", serde_json::json!({}), Some(4_000_000));
    check("aws_vpc", serde_json::json!({}), None);
}

#[test]
fn u01_the_starter_warns_by_plan_rules_alone() {
    let starter = starter();
    assert!(starter.starter);
    assert_eq!((starter.name.as_str(), starter.mode), ("starter", Mode::Observe));
    let mut rules = Vec::new();
    for constraint in &starter.constraints {
        let ConstraintKind::Plan(rule) = constraint.rule else { panic!("{} needs a model", constraint.id) };
        assert_eq!(serde_json::json!(rule), constraint.id.as_str());
        assert_eq!(constraint.enforcement, Enforcement::Warn);
        assert!(constraint.remedy.is_some() && constraint.applies_to.is_everything());
        rules.push(rule);
    }
    rules.sort_unstable();
    assert_eq!(rules, PlanRule::ALL);
    let keys: Vec<&str> = starter.required[0].keys.iter().map(|key| key.as_str()).collect();
    assert_eq!(keys, ["change", "topology", "objectives", "policy", "concurrent-changes"]);
    assert!(starter.prices.types.is_empty(), "prices are an organisation's own");
    for kind in [
        "aws_db_instance",
        "aws_fsx_lustre_file_system",
        "google_sql_database_instance",
        "azurerm_mssql_database",
    ] {
        assert!(starter.is_stateful(kind), "{kind}");
    }
    assert!(!starter.is_stateful("aws_ecs_service"));
}

#[test]
fn u06_wrong_files_are_told_what_and_where() {
    let check = |text: &str, expect: &str| {
        assert_eq!(error(&[("catalog.yaml", text)]), format!("catalog.yaml: {expect}"))
    };
    assert_eq!(
        error(&[("constraints/a.yaml", "")]),
        "catalog.yaml: it is missing; a catalog begins with \"arb: catalog/1\" and its name in this file"
    );
    check("arb: catalog/2\nname: a\n", "$.arb: expected catalog/1");
    check("arb: catalog/1\nname: a\nname: b\n", "line 3, column 1: the key \"name\" stands here twice");
    check("arb: catalog/1\nname: a\nmode: block\n", "line 3, column 7: expected one of observe, enforce");
    check(
        "arb: catalog/1\nname: a\nbudget: 1h\n",
        "line 3, column 9: expected a length of time: whole numbers with ms, s or m, like 5s or 1500ms",
    );
    check("arb: catalog/1\nname: a\nbudget: 0s\n", "$.budget: expected 1ms to 10m");
    check(
        "arb: catalog/1\nname: a\nlimits: []\n",
        "$.limits: the last entry has no \"when\", so that it applies to everything else",
    );
    check(
        "arb: catalog/1\nname: a\nlimits: [{ affected_max: 1, depth_max: 1 }, { affected_max: 1, depth_max: 1 }]\n",
        "$.limits: entry 1 applies to everything, and those after it never do",
    );
    check(
        "arb: catalog/1\nname: a\nlimits: [{ affected_max: 1, depth_max: 99 }]\n",
        "$.limits: entry 1: depth_max is 1 to 10",
    );
    check("arb: catalog/1\nname: a\nweights: { service: 50 }\n", "$.weights: the percentages add up to 100");
    check(
        "arb: catalog/1\nname: a\nweights: { speed: 100 }\n",
        "$.weights: expected percentages of service, recovery, cost",
    );
    check(
        "arb: catalog/1\nname: a\nrequired: [{ evidence: [vibes] }]\n",
        "line 3, column 25: expected one of change, topology, objectives, policy, concurrent-changes, cost, recovery",
    );
    assert_eq!(
        error(&[("catalog.yaml", MINIMAL), ("waiver/a.yaml", "x")]),
        "waiver/a.yaml: it is no file of a catalog: accepted are catalog.yaml, people.yaml, prices.yaml, constraints/*.yaml, \
         waivers.yaml, waivers/*.yaml, rollout.yaml and *.rego; README*.md, *_test.rego, cases and names that begin with a \
         dot are skipped"
    );
    assert_eq!(
        error(&[("catalog.yaml", MINIMAL), ("catalog.yaml", MINIMAL)]),
        "catalog.yaml: the file is given twice"
    );
}

#[test]
fn u06_wrong_constraints_and_prices_are_told_what_and_where() {
    let constraint = |text: &str, expect: &str| {
        let path = "constraints/a.yaml";
        assert_eq!(error(&[("catalog.yaml", MINIMAL), (path, text)]), format!("{path}: {expect}"), "{text}");
    };
    constraint("title: A\nrule: owner-present\n", "line 2, column 1: the key \"enforcement\" is missing");
    constraint(
        "title: A\nrule: owner\nenforcement: warn\n",
        "line 2, column 7: expected one of owner-present, no-delete-with-dependents, redundancy-per-zone, \
         recovery-rehearsed, single-point-of-dependency, reachability, residency, change-window, budget-delta, plan, rego",
    );
    constraint(
        "title: A\nrule: { plan: magic }\nenforcement: warn\n",
        "line 2, column 15: expected one of stateful-destroyed, public-exposure, security-group-removed, encryption-off, \
         deletion-protection-off, iam-wildcard, duplicate-identity, drift, incomplete-plan, secret-unmarked, backups-off, \
         forgotten, logging-off, privileged-workload, safeguard-removed, single-replica",
    );
    constraint(
        "title: A\nrule: owner-present\nenforcement: block\n",
        "line 3, column 14: expected one of observe, warn, condition, approve, deny",
    );
    constraint(
        "title: A\nrule: { redundancy-per-zone: { zones_min: 0 } }\nenforcement: warn\n",
        "$.rule: zones_min is 1 or more",
    );
    constraint(
        "title: ' '\nrule: owner-present\nenforcement: warn\n",
        "$.title: expected a sentence of 1 to 512 bytes",
    );
    constraint(
        "id: a b\ntitle: A\nrule: owner-present\nenforcement: warn\n",
        "$.id: expected letters, digits and - _ .",
    );
    constraint(
        "title: A\nrule: owner-present\nenforcement: warn\nprecedence: 7\n",
        "$.precedence: expected 1 (safety, security, identity) to 6 (cost)",
    );
    constraint(
        "title: A\nrule: owner-present\nenforcement: condition\n",
        "$.condition: the enforcement \"condition\" needs one",
    );
    constraint(
        "title: A\nrule: owner-present\nenforcement: warn\ncondition: merge_window\n",
        "$.condition: only the enforcement \"condition\" has one",
    );
    constraint(
        "title: A\nrule: owner-present\nenforcement: condition\ncondition: magic\n",
        "line 4, column 12: expected one of check_run, label, merge_window",
    );
    let ok = "id: same\ntitle: A\nrule: owner-present\nenforcement: warn\n";
    assert_eq!(
        error(&[("catalog.yaml", MINIMAL), ("constraints/a.yaml", ok), ("constraints/b.yaml", ok)]),
        "constraints: two constraints have the id same"
    );

    let prices = |types: &str, expect: &str| {
        let text = format!("arb: prices/1\ncurrency: USD\ntypes: {{ {types} }}\n");
        assert_eq!(
            error(&[("catalog.yaml", MINIMAL), ("prices.yaml", &text)]),
            format!("prices.yaml: {expect}")
        );
    };
    prices("a: { monthly: {} }", "$.types.a.monthly: it has no price");
    prices("a: { monthly: '-1' }", "$.types.a.monthly: a price is 0 or more");
    prices(
        "a: { monthly: { x: 1 } }",
        "$.types.a.monthly: without an \"attribute\" that decides there is one price",
    );
    prices(
        "a: { monthly: 12.5 }",
        "line 3, column 15: expected a quoted price like \"12.50\", or a mapping of them, found floating",
    );
}

proptest! {
    #[test]
    fn files_in_any_order_make_the_same_catalog(order in Just((0..13_usize).collect::<Vec<_>>()).prop_shuffle()) {
        let text = |rule: PlanRule| format!("title: T\nrule: {{ plan: {} }}\nenforcement: warn\n", serde_json::json!(rule).as_str().unwrap());
        let named: Vec<(String, String)> = order.iter().map(|index| (format!("constraints/{index}.yaml"), text(PlanRule::ALL[*index]))).collect();
        let mut all: Vec<CatalogFile> = named.iter().map(|(path, text)| CatalogFile { path: path.clone(), bytes: text.as_bytes().into() }).collect();
        all.push(CatalogFile { path: "catalog.yaml".into(), bytes: MINIMAL.into() });
        let digest = compile(&all).unwrap().digest();
        all.sort_by(|a, b| a.path.cmp(&b.path));
        prop_assert_eq!(digest, compile(&all).unwrap().digest());
    }
}

/// An SSH key's 51 bytes, in base64.
const KEY: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIJ5f4b7yDnQoQbRkZ0wKkUWZl3e0hD3ivj3Hk0q7p1XB";

#[test]
fn u13_people_are_known_by_every_identity_they_have() {
    let people = format!(
        "arb: people/1\npeople:\n  - {{ id: mina, unix: [mina], github: 42, ssh: [\"ssh-ed25519 {KEY} mina@desk\"] }}\n  \
         - {{ id: kim, tokens: [ci], oidc: [{{ issuer: idp, subject: kim }}] }}\nroles:\n  approver: [mina]\n  owner: [mina, kim]\n"
    );
    let catalog =
        compile(&files(&[("catalog.yaml", MINIMAL), ("people.yaml", &people)])).expect("it is a catalog");
    let name = |text: &str| Name::new(text).expect("short");
    let known = |issuer: &str, subject: &str| {
        let principal = ontology::Principal { issuer: name(issuer), subject: name(subject) };
        catalog.people.person(&principal).map(|(person, _)| person.to_string())
    };
    for (issuer, subject) in [("unix", "mina"), ("github", "42"), ("ssh", &format!("ssh-ed25519 {KEY}"))] {
        assert_eq!(known(issuer, subject).as_deref(), Some("mina"), "{issuer} {subject}");
    }
    assert_eq!(known("token", "ci").as_deref(), Some("kim"));
    assert_eq!(known("idp", "kim").as_deref(), Some("kim"));
    assert_eq!(known("unix", "kim"), None);
    assert_eq!(catalog.people.roles_of(&name("kim")), [name("owner")].into());
}

#[test]
fn u06_wrong_people_and_approvals_are_told_what_and_where() {
    let people = |text: &str, expect: &str| {
        let found = error(&[("catalog.yaml", MINIMAL), ("people.yaml", &format!("arb: people/1\n{text}"))]);
        assert_eq!(found, format!("people.yaml: {expect}"), "{text}");
    };
    people("people: [{ id: a, unix: [x] }, { id: b, unix: [x] }]\n", "$.people[1]: x (unix) is a already");
    people("people: [{ id: a }, { id: a }]\n", "$.people[1].id: a is listed twice");
    people("people: []\nroles: { approver: [zoe] }\n", "$.roles.approver: zoe is nobody under $.people");
    people(
        "people: [{ id: a, ssh: [ssh-rsa AAAA] }]\n",
        "$.people[0].ssh: expected \"ssh-ed25519 AAAA…\", as `ssh-keygen -t ed25519` writes it to a .pub file",
    );
    people(
        "people: [{ id: a, ssh: [ssh-ed25519 AAAA] }]\n",
        "$.people[0].ssh: the key itself is not 51 bytes of base64",
    );
    let approvals = |text: &str, expect: &str| {
        let catalog = format!("arb: catalog/1\nname: a\napprovals:\n{text}");
        assert_eq!(error(&[("catalog.yaml", &catalog)]), format!("catalog.yaml: $.approvals: {expect}"));
    };
    approvals("  - { roles: [] }\n", "rule 0 names no role");
    approvals("  - { roles: [a], quorum: 0 }\n", "rule 0 has the quorum 0, from 1 to 16 are allowed");
    approvals("  - { roles: [a], expires_in: 0s }\n", "rule 0 expires in 0s, from 1s to 90d are allowed");
    approvals(
        "  - { roles: [a], when: { tiers: [1] } }\n",
        "the last rule has no \"when\": it applies where no other does",
    );
}
