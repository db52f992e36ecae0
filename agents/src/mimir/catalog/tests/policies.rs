//! Rego, waivers, rollout, cases: what files become, and what is said of those that are wrong (U6, U11, U12).

use ontology::policy::rego::RegoRules;
use ontology::policy::rollout::Level;
use ontology::policy::{ConstraintKind, Enforcement};
use proptest::prelude::*;

use super::{MINIMAL, compile, error, files};
use crate::mimir::catalog::{Catalog, CatalogFile, case, moment};

const REGO: &str = "package main\nimport rego.v1\ndeny contains \"a\"\nwarn contains \"b\"\n";

fn with(more: &[(&str, &str)]) -> Catalog {
    compile(&files(&[&[("catalog.yaml", MINIMAL)], more].concat())).unwrap()
}

fn refused(more: &[(&str, &str)], expect: &str) {
    assert_eq!(error(&[&[("catalog.yaml", MINIMAL)], more].concat()), expect);
}

#[test]
fn rules_of_a_package_become_constraints_that_deny_or_warn() {
    let catalog = with(&[("policies/a.rego", REGO), ("policies/a_test.rego", "not rego")]);
    let found: Vec<(&str, Enforcement)> =
        catalog.constraints.iter().map(|it| (it.id.as_str(), it.enforcement)).collect();
    assert_eq!(found, [("rego:main", Enforcement::Deny), ("rego:main:warn", Enforcement::Warn)]);
    assert_eq!(catalog.policies.texts().len(), 1);
}

#[test]
fn a_constraint_says_otherwise_for_its_package() {
    let own = "title: Ours\nrule: { rego: { package: main } }\nenforcement: approve\ndeny_from: 2027-01-01\n\
        approvers: [security]\n";
    let catalog = with(&[("a.rego", REGO), ("constraints/ours.yaml", own)]);
    let ids: Vec<&str> = catalog.constraints.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["ours", "rego:main:warn"]);
    let ours = &catalog.constraints[0];
    assert_eq!(ours.rule, ConstraintKind::Rego { package: "main".into(), rules: RegoRules::Deny });
    assert_eq!((ours.enforcement, ours.approvers.len()), (Enforcement::Approve, 1));
    let before = moment("2026-12-31").unwrap();
    assert_eq!(ours.enforcement_at(before), Enforcement::Approve);
    assert_eq!(ours.enforcement_at(moment("2027-01-01").unwrap()), Enforcement::Deny);
    let absent = "title: Ours\nrule: { rego: { package: other, rules: warn } }\nenforcement: warn\n";
    refused(
        &[("a.rego", REGO), ("constraints/ours.yaml", absent)],
        "constraints/ours.yaml: $.rule: it asks for warn rules of package other: no module has one, or another \
         constraint has them",
    );
}

#[test]
fn u6_a_module_that_does_not_compile_is_told_with_line_and_column() {
    refused(
        &[(
            "policies/x.rego",
            "package a\nimport rego.v1\ndeny contains m if { m := rand.intn(\"x\", 2) }\n",
        )],
        "policies/x.rego: line 3, column 27: rand.intn is refused: it answers differently each time",
    );
    refused(&[("x.rego", "deny = 1\n")], "x.rego: expected \"package NAME\", of words with dots, first");
    let bytes = CatalogFile { path: "x.rego".into(), bytes: vec![0xff, 0xfe] };
    let catalog = CatalogFile { path: "catalog.yaml".into(), bytes: MINIMAL.into() };
    assert_eq!(compile(&[catalog, bytes]).unwrap_err().to_string(), "x.rego: not UTF-8 at byte 0");
}

#[test]
fn every_typed_rule_has_its_form() {
    let check = |rule: &str, expect: &str| {
        let text = format!("title: T\nrule: {rule}\nenforcement: deny\n");
        let catalog = with(&[("constraints/t.yaml", &text)]);
        let rule = serde_json::to_string(&catalog.constraints[0].rule).unwrap();
        assert_eq!(rule, expect);
    };
    check(
        "{ single-point-of-dependency: { dependents_min: 3 } }",
        r#"{"single-point-of-dependency":{"dependents_min":3}}"#,
    );
    check(
        "{ reachability: { never: { environments: [production] } } }",
        r#"{"reachability":{"never":{"environments":["production"]}}}"#,
    );
    check("{ residency: { regions: ['eu-*'] } }", r#"{"residency":{"regions":["eu-*"]}}"#);
    check("change-window", r#""change-window""#);
    check(
        "{ budget-delta: { monthly_max: 500.5, currency: EUR } }",
        r#"{"budget-delta":{"monthly_max":{"micro":500500000,"currency":"EUR"}}}"#,
    );
    let wrong = |rule: &str, expect: &str| {
        let text = format!("title: T\nrule: {rule}\nenforcement: deny\n");
        refused(&[("constraints/t.yaml", &text)], &format!("constraints/t.yaml: $.rule: {expect}"));
    };
    wrong("{ single-point-of-dependency: { dependents_min: 0 } }", "dependents_min is 1 or more");
    wrong("{ residency: { regions: [] } }", "regions names one or more");
    wrong(
        "{ reachability: { never: {} } }",
        "never names environments, tiers or kinds; without one it would forbid everything",
    );
    wrong("{ budget-delta: { monthly_max: -1, currency: EUR } }", "monthly_max is 0 or more");
}

const OWNED: &str = "title: T\nrule: owner-present\nenforcement: deny\n";

fn waiver(target: &str, more: &str) -> String {
    format!(
        "arb: waivers/1\nwaivers:\n  - {{ constraint: t, target: {target}, owner: o, reason: r, expires: 2027-01-01{more} }}\n"
    )
}

#[test]
fn u11_a_waiver_names_constraint_target_owner_reason_and_day() {
    let text = waiver("'w:orders'", "");
    let catalog = with(&[("constraints/t.yaml", OWNED), ("waivers.yaml", &text)]);
    assert_eq!(catalog.waivers[0].target, "w:orders");
    assert_eq!(catalog.waivers[0].expires, moment("2027-01-01").unwrap());
    let check = |text: &str, expect: &str| {
        refused(&[("constraints/t.yaml", OWNED), ("waivers/a.yaml", text)], expect);
    };
    check(
        &waiver("'*'", ""),
        "waivers/a.yaml: $.waivers[0].target: expected an address or id; one for everything switches the rule off",
    );
    check(
        &text.replace("constraint: t,", "constraint: elsewhere,"),
        "waivers: there is no constraint elsewhere to waive for w:orders",
    );
    check("arb: waivers/2\nwaivers: []\n", "waivers/a.yaml: $.arb: expected waivers/1");
    let without = text.replace(", expires: 2027-01-01", "");
    assert!(error(&[("catalog.yaml", MINIMAL), ("waivers.yaml", &without)]).contains("expires"));
    let twice = [("constraints/t.yaml", OWNED), ("waivers.yaml", &text), ("waivers/a.yaml", &text)];
    refused(&twice, "waivers: w:orders of t is waived twice");
}

#[test]
fn u11_rollout_rows_are_read_in_order_and_the_general_one_is_last() {
    let text = "arb: rollout/1\nrows:\n  - { match: { repository: 'acme/*', environment: production }, level: enforce }\n  - { level: advise }\n";
    let catalog = with(&[("rollout.yaml", text)]);
    let levels: Vec<Level> = catalog.rollout.iter().map(|row| row.level).collect();
    assert_eq!(levels, [Level::Enforce, Level::Advise]);
    let first = "arb: rollout/1\nrows:\n  - { level: advise }\n  - { level: off }\n";
    refused(
        &[("rollout.yaml", first)],
        "rollout.yaml: $.rows: row 1 matches everything, and those after it never do",
    );
    refused(&[("rollout.yaml", "arb: rollout/0\nrows: []\n")], "rollout.yaml: $.arb: expected rollout/1");
}

#[test]
fn u12_a_case_expects_codes_that_exist() {
    let read = |text: &str| case(&CatalogFile { path: "cases/a.yaml".into(), bytes: text.as_bytes().into() });
    let good = read("arb: case/1\nplan: plan.json\nexpect: ['constraint_violated:rego:main']\n").unwrap();
    assert_eq!((good.plan.as_str(), good.model), ("plan.json", None));
    let check = |text: &str, expect: &str| assert_eq!(read(text).unwrap_err().to_string(), expect);
    check("arb: case/2\nplan: p\nexpect: [x]\n", "cases/a.yaml: $.arb: expected case/1");
    check("arb: case/1\nplan: p\n", "cases/a.yaml: $.expect: it expects nothing, so nothing could fail");
    check(
        "arb: case/1\nplan: p\nnever: [constraint_vilated]\n",
        "cases/a.yaml: $.never: there is no code \"constraint_vilated\"; arbctl explain lists them",
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_in_any_file_is_read_or_refused(
        path in proptest::sample::select(vec!["waivers.yaml", "rollout.yaml", "x.rego", "cases/x.yaml"]),
        text in "(arb: (waivers|rollout|case)/1\n)?[ -~\n]{0,120}",
    ) {
        let _ = compile(&files(&[("catalog.yaml", MINIMAL), (path, &text)]));
        let _ = case(&CatalogFile { path: path.into(), bytes: text.into_bytes() });
    }
}
