//! U1: something useful about this plan, with nothing modelled.

use super::desk::{Desk, example};

/// A database that is not encrypted.
const PLAN: &str = "products-reporting-db.json";

#[test]
fn u1_a_plan_alone_is_told_what_was_seen_apart_from_what_may_proceed() {
    let desk = Desk::new();
    let plan = desk.timeless(PLAN);
    let ran = desk.run(&["review", &plan]).ok();

    let (seen, rest) = ran.out.split_once("Not decidable yet").expect("both parts are there");
    assert!(seen.starts_with("HELD  nothing is modelled yet"), "{seen}");
    assert!(seen.contains("observe mode: blocks nothing, exit 0"), "{seen}");
    assert!(seen.contains("Seen in the plan alone"), "{seen}");
    assert!(seen.contains("storage_encrypted false") && seen.contains("encryption-off"), "{seen}");
    assert!(rest.contains("owner, topology") && rest.contains("objectives"), "{rest}");
    assert!(rest.contains(&format!("arbctl model init --from {plan}")), "{rest}");
    assert!(rest.contains("nothing else is missing"), "{rest}");
}

#[test]
fn u1_what_is_missing_says_what_it_takes_and_what_it_would_then_be() {
    let desk = Desk::new();
    let ran = desk.run(&["review", &desk.timeless(PLAN), "--output", "json"]).ok();
    let report = ran.json();
    let rows = report["undecided"].as_array().unwrap();
    assert!(!rows.is_empty());
    for row in rows {
        assert!(!row["takes"].as_str().unwrap().is_empty(), "{row}");
        assert_ne!(row["then"], "held", "what it takes takes it out of held: {row}");
    }
}

#[test]
fn s37_five_axes_are_shown_without_a_summary_each_with_its_records() {
    let desk = Desk::new();
    let ran = desk.run(&["review", &desk.timeless(PLAN), "--output", "json"]).ok();
    let axes = &ran.json()["axes"];
    for axis in ["evidence", "evaluation", "authority", "execution", "learning"] {
        let because = axes[axis]["because"].as_array().unwrap();
        assert!(!because.is_empty(), "{axis}: s38 every state has its records");
        for record in because {
            assert!(record["digest"].as_str().unwrap().starts_with("sha256:"), "{record}");
        }
    }
    assert_eq!(axes["execution"]["state"], "not requested");
    assert_eq!(axes["learning"]["state"], "ineligible");
}

#[test]
fn s30_a_review_on_memory_leaves_nothing_behind_and_says_so() {
    let desk = Desk::new();
    let plan = example("webshop/changes/products-reporting-db.json");
    let ran = desk.run(&["review", &plan]).ok();
    assert!(ran.err.contains("nothing of this review is kept"), "{}", ran.err);
    assert!(std::fs::read_dir(desk.path("")).unwrap().next().is_none(), "nothing was written");
    let noted = &desk.run(&["review", &plan, "--output", "json"]).json()["facts"]["noted"];
    assert!(noted.as_array().unwrap().iter().any(|reason| reason["code"] == "not_durable"), "{noted}");
}

#[test]
fn a_plan_may_come_on_standard_input() {
    let desk = Desk::new();
    let text = std::fs::read_to_string(desk.timeless(PLAN)).unwrap();
    let ran = desk.run_with(&["review", "-"], &text, false).ok();
    assert!(ran.out.contains("encryption-off"), "{}", ran.out);
}

#[test]
fn without_an_argument_there_is_help_with_examples() {
    let ran = Desk::new().run(&[]).ok();
    assert!(ran.out.contains("Usage: arbctl") && ran.out.contains("arbctl review plan.json"), "{}", ran.out);
    assert!(ran.err.is_empty());
}

#[test]
fn the_report_is_one_document_that_is_valid_against_its_schema() {
    let schemas = runtime::schemas::all();
    let (_, schema) = schemas.iter().find(|(name, _)| name == "report.json").unwrap();
    let schema = jsonschema::validator_for(schema).unwrap();
    for change in ["products-reporting-db.json", "orders-scale-out.json", "inventory-third-replica.yaml"] {
        let change = example(&format!("webshop/changes/{change}"));
        for model in [&["--output", "json"][..], &["--output", "json", "--model", &example("webshop/model")]]
        {
            let report = Desk::new().run(&[&["review", change.as_str()], model].concat()).ok().json();
            let errors: Vec<String> = schema.iter_errors(&report).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{change}: {errors:?}");
        }
    }
}

#[test]
fn names_of_agents_are_shown_only_when_asked_for() {
    let desk = Desk::new();
    let plan = desk.timeless(PLAN);
    let plain = desk.run(&["review", &plan]).out;
    let named = desk.run(&["review", &plan, "--agents"]).out;
    assert!(!plain.contains("muninn"), "{plain}");
    assert!(named.contains("owner, topology (muninn)"), "{named}");
}
