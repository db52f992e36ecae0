//! Beginning a model from a plan, and checking models and catalogs (U7).

use super::desk::{Desk, example};

#[test]
fn u7_a_model_begun_from_a_plan_takes_it_out_of_nothing_is_modelled() {
    let desk = Desk::new();
    let plan = example("webshop/changes/loyalty-scale-out.json");
    let to = desk.text("model");
    let ran = desk.run(&["model", "init", "--from", &plan, "--to", &to]).ok();
    for line in ran.out.lines() {
        assert!(std::path::Path::new(line).is_file(), "{line}");
    }
    desk.run(&["model", "check", "--model", &to]).ok();
    let report = desk.run(&["review", &plan, "--model", &to, "--output", "json"]).ok().json();
    assert_ne!(report["headline"], "nothing is modelled yet");
}

#[test]
fn u7_init_overwrites_nothing_and_writes_nothing_beside_what_is_there() {
    let desk = Desk::new();
    let plan = example("webshop/changes/loyalty-scale-out.json");
    let mine = desk.put("model/objectives.yaml", "mine\n");
    let ran = desk.run(&["model", "init", "--from", &plan, "--to", &desk.text("model")]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("error[bad-input]: ") && ran.err.contains("not overwritten"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(mine).unwrap(), "mine\n");
    assert_eq!(std::fs::read_dir(desk.path("model")).unwrap().count(), 1, "all stubs, or none");
}

#[test]
fn checks_sum_up_what_is_there() {
    let desk = Desk::new();
    let ran = desk.run(&[
        "model",
        "check",
        "--model",
        &example("webshop/model"),
        "--catalog",
        &example("webshop/catalog"),
    ]);
    let text = ran.ok().out;
    assert!(text.contains("business_service") && text.contains("authorities"), "{text}");
    let json =
        desk.run(&["model", "check", "--model", &example("webshop/model"), "--output", "json"]).ok().json();
    assert!(json["bindings"].as_u64().unwrap() > 0 && json["digest"].is_string(), "{json}");

    let text = desk.run(&["policy", "check", "--catalog", &example("webshop/catalog")]).ok().out;
    assert!(text.starts_with("catalog webshop ") && text.contains("enforce, 10 constraints"), "{text}");
    let starter = desk.run(&["policy", "check"]).ok().out;
    assert!(starter.starts_with("catalog starter ") && starter.contains("warn"), "{starter}");
}

#[test]
fn u6_a_fault_in_a_model_or_catalog_names_file_and_place() {
    let desk = Desk::new();
    desk.put("model/objectives.yaml", "arb: objectives/1\nobjectives:\n  - object: a\n    servise: []\n");
    let ran = desk.run(&["model", "check", "--model", &desk.text("model")]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(
        ran.err.starts_with("error[bad-input]: objectives.yaml: ") && ran.err.contains("servise"),
        "{}",
        ran.err
    );

    desk.put("catalog/catalog.yaml", "arb: catalog/1\nname: x\nmodus: observe\n");
    let ran = desk.run(&["policy", "check", "--catalog", &desk.text("catalog")]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.starts_with("error[bad-input]: catalog.yaml: ") && ran.err.contains("modus"),
        "{}",
        ran.err
    );

    let ran = desk.run(&["model", "check", "--model", &desk.text("nowhere")]);
    assert!(ran.err.contains("there is no such directory"), "{}", ran.err);
}
