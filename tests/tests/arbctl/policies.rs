//! The first rule of one's own: begun, tested, explained, put off, rolled out (U10, U11, U12).

use serde_json::json;

use super::desk::{Desk, example};

fn bucket(owner: &str) -> String {
    json!({
        "format_version": "1.2",
        "terraform_version": "1.9.0",
        "resource_changes": [{
            "address": "aws_s3_bucket.logs", "mode": "managed", "type": "aws_s3_bucket", "name": "logs",
            "change": {
                "actions": ["create"], "before": null,
                "after": { "bucket": "logs", "tags": { "owner": owner } },
                "after_unknown": {}, "before_sensitive": false, "after_sensitive": {},
            },
        }],
    })
    .to_string()
}

#[test]
fn u12_a_new_rule_has_tests_that_pass_until_somebody_breaks_it() {
    let desk = Desk::new();
    let catalog = desk.text("catalog");
    let ran = desk.run(&["policy", "new", "owner", "--catalog", &catalog]).ok();
    assert_eq!(ran.out.lines().count(), 3, "{}", ran.out);
    let again = desk.run(&["policy", "new", "owner", "--catalog", &catalog]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("it exists and is not overwritten"), "{}", again.err);
    let ran = desk.run(&["policy", "test", "--catalog", &catalog]).ok();
    assert_eq!(ran.out, "ok      owner_test.test_nobody\nok      owner_test.test_somebody\n");
    let module = std::fs::read_to_string(desk.path("catalog/policies/owner.rego")).unwrap();
    desk.put("catalog/policies/owner.rego", module.replace("\"nobody\"", "\"no one\""));
    let ran = desk.run(&["policy", "test", "--catalog", &catalog]);
    assert_eq!(ran.code, 15);
    assert!(ran.out.contains("FAILED  owner_test.test_nobody: it is not true"), "{}", ran.out);
    assert!(ran.err.contains("1 of 2 tests failed"), "{}", ran.err);
}

#[test]
fn u12_a_case_is_a_review_that_has_to_say_something() {
    let desk = Desk::new();
    let catalog = desk.text("catalog");
    desk.run(&["policy", "new", "owner", "--catalog", &catalog]).ok();
    desk.put("catalog/cases/plan.json", bucket("nobody"));
    desk.put(
        "catalog/cases/nobody.yaml",
        "arb: case/1\nplan: plan.json\nexpect: ['constraint_violated:rego:owner']\nnever: [plan_drift, policy_error]\n",
    );
    let ran = desk.run(&["policy", "test", "--catalog", &catalog]).ok();
    assert!(ran.out.contains("ok      cases/nobody.yaml"), "{}", ran.out);
    desk.put("catalog/cases/plan.json", bucket("team-shop"));
    let ran = desk.run(&["policy", "test", "--catalog", &catalog]);
    assert_eq!(ran.code, 15);
    let expect = "FAILED  cases/nobody.yaml: the review does not say constraint_violated:rego:owner";
    assert!(ran.out.contains(expect), "{}", ran.out);
    let empty = desk.put("empty/catalog.yaml", "arb: catalog/1\nname: a\n");
    let ran = desk.run(&["policy", "test", "--catalog", empty.trim_end_matches("/catalog.yaml")]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("there is no test"), "{}", ran.err);
}

#[test]
fn u12_a_rule_explains_which_target_matches_which_line() {
    let desk = Desk::new();
    let plan = desk.put("plan.json", bucket("nobody"));
    let module = desk.put(
        "x.rego",
        "package main\nimport rego.v1\n\ndeny contains msg if {\n\tsome r in input.resource_changes\n\
         \tr.change.after.tags.owner == \"nobody\"\n\tmsg := sprintf(\"%s is nobody's\", [r.address])\n}\n\n\
         deny contains \"two\" if count(input.resource_changes) == 2\n\nwarn contains \"one\" if count(input.resource_changes) == 1\n",
    );
    let ran = desk.run(&["policy", "explain", &module, &plan]).ok();
    assert_eq!(
        ran.out,
        "x.rego:4 deny  introduced  aws_s3_bucket.logs  aws_s3_bucket.logs is nobody's\n\
         x.rego:12 warn  introduced  plan  one\n"
    );
    let constraint =
        desk.put("region.yaml", "title: T\nrule: { residency: { regions: ['eu-*'] } }\nenforcement: deny\n");
    let ran = desk.run(&["policy", "explain", &constraint, &plan]).ok();
    assert_eq!(ran.out, "nothing of this plan matches\n");
    let broken = desk.put("broken.rego", "package a\nimport rego.v1\ndeny contains m if { m := nofun(1) }\n");
    let ran = desk.run(&["policy", "explain", &broken, &plan]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("broken.rego: line 3, column 27: there is no function nofun"), "{}", ran.err);
}

#[test]
fn u10_a_baseline_turns_what_is_violated_today_into_waivers() {
    let desk = Desk::new();
    let (model, catalog) = (desk.text("model"), desk.text("catalog"));
    desk.put(
        "model/objectives.yaml",
        std::fs::read_to_string(example("webshop/model/objectives.yaml")).unwrap(),
    );
    desk.put("catalog/catalog.yaml", "arb: catalog/1\nname: a\n");
    desk.put(
        "catalog/constraints/zones.yaml",
        "title: T\nrule: { redundancy-per-zone: { zones_min: 9 } }\nenforcement: deny\n",
    );
    let model_of_shop = example("webshop/model");
    let write = |owner: &str, model: &str| {
        desk.run(&[
            "baseline",
            "write",
            "--owner",
            owner,
            "--until",
            "2030-01-01",
            "--model",
            model,
            "--catalog",
            &catalog,
        ])
    };
    let ran = write("team-nobody", &model_of_shop);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("nothing in the model is owned by team-nobody"), "{}", ran.err);
    let ran = desk.run(&[
        "baseline",
        "write",
        "--owner",
        "a",
        "--until",
        "soon",
        "--model",
        &model,
        "--catalog",
        &catalog,
    ]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--until"), "{}", ran.err);
    let ran = write("orders", &model_of_shop).ok();
    assert!(ran.out.ends_with("waivers/orders.yaml\n"), "{}", ran.out);
    let text = std::fs::read_to_string(desk.path("catalog/waivers/orders.yaml")).unwrap();
    assert!(text.contains("constraint: \"zones\"") && text.contains("2030-01-01"), "{text}");
    desk.run(&["policy", "check", "--catalog", &catalog]).ok();
    let again = write("orders", &model_of_shop);
    assert_eq!(again.code, 2);
}

#[test]
fn u11_rollout_and_classes_say_which_row_matched() {
    let desk = Desk::new();
    let catalog = desk.text("catalog");
    desk.put("catalog/catalog.yaml", "arb: catalog/1\nname: a\nstateful_types: ['aws_s3_*']\n");
    desk.put(
        "catalog/rollout.yaml",
        "arb: rollout/1\nrows:\n  - { match: { repository: 'acme/*', environment: production }, level: enforce }\n  - { match: { owner: team-shop }, level: advise }\n",
    );
    let ran = desk.run(&[
        "rollout",
        "status",
        "--catalog",
        &catalog,
        "--repository",
        "acme/shop",
        "--environment",
        "production",
    ]);
    let out = ran.ok().out;
    assert!(out.contains("enforce") && out.contains("such a change: enforce, by row 1"), "{out}");
    let out = desk.run(&["rollout", "status", "--catalog", &catalog, "--owner", "else"]).ok().out;
    assert!(out.contains("such a change: observe, by the catalog's mode"), "{out}");
    let out = desk.run(&["rollout", "status", "--catalog", &catalog, "--output", "json"]).ok().json();
    assert_eq!(out["level"], "observe");

    let plan = bucket("a").replace("\"create\"", "\"delete\"").replace("\"before\":null", "\"before\":{}");
    let plan = desk.put(
        "plan.json",
        plan.replace("\"after\":{\"bucket\":\"logs\",\"tags\":{\"owner\":\"a\"}}", "\"after\":null"),
    );
    let classes = |more: &[&str]| {
        desk.run(&[&["explain-class", &plan, "--catalog", &catalog, "--output", "json"], more].concat())
            .ok()
            .json()
    };
    assert_eq!(
        classes(&[])["classes"],
        json!([{ "class": "irreversible", "target": "aws_s3_bucket.logs", "table": "stateful_types", "row": "aws_s3_*" }])
    );
    assert_eq!(classes(&["--kind", "promotion"])["classes"][1]["class"], "promotion");
    let out = desk.run(&["explain-class", &plan, "--catalog", &catalog]).ok().out;
    assert!(out.contains("stateful_types: aws_s3_*"), "{out}");
}
