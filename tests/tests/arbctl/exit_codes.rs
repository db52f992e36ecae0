//! Exit codes (architecture.md) and `--fail-on` (U4), over the web shop's changes.

use super::desk::{Desk, example, in_the_shop};

/// A change of the shop, what it comes to, and its code.
const CHANGES: [(&str, &str, u8); 4] = [
    ("orders-scale-out.json", "conformant", 0),
    ("orders-db-new-key.json", "approval-required", 11),
    ("refunds-timeout.json", "held", 12),
    ("orders-queue-delete.json", "rejected", 13),
];

fn run(change: &str, more: &[&str]) -> super::desk::Ran {
    let arguments = in_the_shop(change);
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    arguments.extend(more);
    Desk::new().run(&arguments)
}

#[test]
fn u4_where_the_catalog_enforces_every_outcome_has_its_code() {
    for (change, outcome, code) in CHANGES {
        let ran = run(change, &["--output", "json"]);
        assert_eq!(ran.json()["outcome"], outcome, "{change}");
        assert_eq!(ran.code, code, "{change}");
    }
}

#[test]
fn u4_a_listed_outcome_fails_and_others_do_not() {
    let table: [(&[&str], [u8; 4]); 8] = [
        (&["none"], [0, 0, 0, 0]),
        (&["rejected"], [0, 0, 0, 13]),
        (&["held"], [0, 0, 12, 0]),
        (&["approval"], [0, 11, 0, 0]),
        (&["conditional"], [0, 0, 0, 0]),
        (&["all"], [0, 11, 12, 13]),
        (&["rejected", "held"], [0, 0, 12, 13]),
        (&["none", "approval"], [0, 11, 0, 0]),
    ];
    for (listed, codes) in table {
        let options: Vec<&str> = listed.iter().flat_map(|outcome| ["--fail-on", outcome]).collect();
        for ((change, outcome, _), code) in CHANGES.iter().zip(codes) {
            let ran = run(change, &options);
            assert_eq!(ran.code, code, "{change} ({outcome}) with {options:?}");
        }
    }
}

#[test]
fn u4_the_verdict_is_always_in_the_json() {
    let ran = run("orders-queue-delete.json", &["--fail-on", "none", "--output", "json"]).ok();
    assert_eq!(ran.json()["verdict"]["verdict"], "rejected");
}

#[test]
fn u4_an_observing_catalog_blocks_nothing() {
    let change = example("webshop/changes/orders-queue-delete.json");
    let desk = Desk::new();
    assert_eq!(desk.run(&["review", &change]).code, 0);
    assert_eq!(desk.run(&["review", &change, "--fail-on", "all"]).code, 12, "held, with nothing modelled");
}

#[test]
fn u4_the_settings_of_the_directory_go_before_the_catalog() {
    let desk = Desk::new();
    desk.put("data/arb.toml", "mode = \"enforce\"\n");
    let change = example("webshop/changes/products-reporting-db.json");
    let ran = desk.run(&["submit-change", &change, "--dir", &desk.text("data")]);
    assert_eq!(ran.code, 12, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("enforce mode, exit 12"), "{}", ran.out);
}

#[test]
fn a_wrong_option_is_a_usage_error_and_prints_no_data() {
    for arguments in
        [&["review"][..], &["frobnicate"], &["review", "a", "--fail-on", "sometimes"], &["trace"]]
    {
        let ran = Desk::new().run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.contains("Usage"), "{}", ran.err);
    }
}
