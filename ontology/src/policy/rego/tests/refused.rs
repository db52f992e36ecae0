use proptest::prelude::*;

use super::super::scan::scan;
use super::super::{Bundle, MODULE_BYTES_MAX, MODULES_MAX, NESTING_MAX};
use super::{prepared, texts};

fn check(text: &str, expect: &str) {
    assert_eq!(prepared(text).unwrap_err().to_string(), expect, "{text}");
}

#[test]
fn u6_what_cannot_be_prepared_is_told_with_line_and_column() {
    check("package a\n\ndeny[msg] {\n  msg := \n}\n", "x.rego:3:11: expecting }");
    check("deny = true\n", "x.rego:0:0: expected \"package NAME\", of words with dots, first");
    check("", "x.rego:0:0: expected \"package NAME\", of words with dots, first");
    check(
        "package a\nimport rego.v1\ndeny contains msg if { msg := uper(\"a\") }\n",
        "x.rego:3:31: there is no function uper",
    );
    check(
        "package a\nimport rego.v1\nimport data.lib\ndeny contains msg if { msg := lib.f(\"a\") }\n",
        "x.rego:4:31: there is no function lib.f",
    );
}

#[test]
fn what_answers_differently_each_time_or_without_bound_is_refused() {
    let calls = |call: &str| format!("package a\nimport rego.v1\ndeny contains msg if {{ msg := {call} }}\n");
    check(
        &calls("rand.intn(\"a\", 9)"),
        "x.rego:3:31: rand.intn is refused: it answers differently each time",
    );
    check(
        &calls("numbers.range(1, 1000000000)"),
        "x.rego:3:31: numbers.range is refused: its answer is as long as its arguments say",
    );
    for absent in [
        "time.now_ns()",
        "http.send({})",
        "opa.runtime()",
        "uuid.rfc4122(\"a\")",
        "net.lookup_ip_addr(\"a\")",
    ] {
        let name = absent.split('(').next().unwrap();
        check(&calls(absent), &format!("x.rego:3:31: there is no function {name}"));
    }
}

#[test]
fn a_function_that_calls_itself_is_refused_by_whatever_way_round() {
    check(
        "package a\nimport rego.v1\nf(x) := g(x)\ng(x) := f(x)\ndeny contains \"a\" if f(1)\n",
        "x.rego:3:1: f calls itself, which Rego forbids; write it without",
    );
    let across = Bundle::prepare(&texts(&[
        ("a.rego", "package a\nimport rego.v1\nimport data.lib.b as other\nf(x) := other.g(x)\n"),
        ("b.rego", "package lib.b\nimport rego.v1\ng(x) := data.a.f(x)\n"),
    ]));
    assert_eq!(
        across.unwrap_err().to_string(),
        "a.rego:4:1: f calls itself, which Rego forbids; write it without"
    );
    let namesakes = Bundle::prepare(&texts(&[
        ("a.rego", "package a\nimport rego.v1\nimport data.lib\nis_x(r) if lib.is_x(r)\n"),
        ("b.rego", "package lib\nimport rego.v1\nis_x(r) if { r == 1 }\n"),
    ]));
    assert!(namesakes.is_ok());
}

#[test]
fn modules_are_bounded_in_number_length_and_depth() {
    let deep = |levels| format!("package a\nx := {}1{}\n", "[".repeat(levels), "]".repeat(levels));
    assert!(prepared(&deep(5)).is_ok());
    check(
        &deep(NESTING_MAX + 1),
        "x.rego:2:16: brackets nest deeper than 10; name a part, or read it from a file",
    );
    check(&deep(4_000), "x.rego:2:16: brackets nest deeper than 10; name a part, or read it from a file");
    let long = format!("package a\n#{}\n", "x".repeat(MODULE_BYTES_MAX));
    check(&long, "x.rego:0:0: 65548 bytes, at most 65536 are allowed in a module");
    let many = (0..=MODULES_MAX).map(|n| (format!("{n:03}.rego"), "package a\n".to_owned())).collect();
    assert_eq!(
        Bundle::prepare(&many).unwrap_err().to_string(),
        "064.rego:0:0: 65 modules, at most 64 are allowed"
    );
}

#[test]
fn brackets_and_calls_in_texts_and_comments_count_for_nothing() {
    let text = "package a\n# rand.intn(1) [[[[[[[[[[[[[\nx := \"rand.intn(1) [[[[[[[[[[[[ \\\" [\"\ny := `f(\n[[[[[[[[[[[[`\nz := 1\n";
    let scanned = scan(text, NESTING_MAX);
    assert_eq!((scanned.too_deep, scanned.calls.len()), (None, 0));
    assert!(prepared(text).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_scanned_and_places_lie_in_it(text in "[a-z_.(){}\\[\\]\"`#\\\\ \n]{0,200}") {
        let lines = text.split('\n').count();
        for token in super::super::scan::tokens(&text) {
            prop_assert!(usize::try_from(token.place.0).unwrap() <= lines);
            prop_assert!(token.place.1 >= 1);
        }
        scan(&text, NESTING_MAX);
    }
}
