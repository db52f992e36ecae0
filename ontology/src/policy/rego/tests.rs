//! Tests of Rego modules: what is refused, what they see, what follows.

mod conftest;
mod refused;
mod seen;
mod standing;

use std::collections::BTreeMap;

use super::{Bundle, Fault, Modules, RegoRules};

fn texts(modules: &[(&str, &str)]) -> BTreeMap<String, String> {
    modules.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

fn prepared(text: &str) -> Result<Bundle, Fault> {
    Bundle::prepare(&texts(&[("x.rego", text)]))
}

/// `package rule` of each entry.
fn entries(bundle: &Bundle) -> Vec<String> {
    bundle.entries().iter().map(|entry| format!("{} {}", entry.package, entry.rule)).collect()
}

#[test]
fn rules_of_any_package_are_found_by_conftests_names() {
    let bundle = Bundle::prepare(&texts(&[
        (
            "a.rego",
            "package main\nimport rego.v1\ndeny contains \"a\"\nwarn_tags contains \"b\"\nhelper := 1\n",
        ),
        ("b.rego", "package acme.tags\nviolation[{\"msg\": \"c\"}] { true }\ndenying = true\n"),
        ("c.rego", "package main\nimport rego.v1\ndeny contains \"d\"\ntest_it if { true }\n"),
    ]));
    let bundle = bundle.unwrap();
    assert_eq!(entries(&bundle), ["acme.tags violation", "main deny", "main warn_tags"]);
    assert_eq!(bundle.entries()[2].rules, RegoRules::Warn);
    assert_eq!(bundle.packages().iter().map(String::as_str).collect::<Vec<_>>(), ["acme.tags", "main"]);
}

#[test]
fn a_bundle_is_prepared_once_and_its_clones_have_it() {
    let modules = Modules::new(texts(&[("x.rego", "package a\ndeny[msg] { msg := \"x\" }\n")]));
    let bundle: *const Bundle = modules.bundle().unwrap();
    let clone = modules.clone();
    assert!(std::ptr::eq(bundle, clone.bundle().unwrap()));
    assert_eq!(modules, clone);
}

#[test]
fn u12_tests_say_which_of_them_failed() {
    let text = "package a\nimport rego.v1\n\
        deny contains \"open\" if input.open\n\
        test_open if \"open\" in deny with input as {\"open\": true}\n\
        test_closed if count(deny) == 1 with input as {\"open\": false}\n\
        test_number := 3\n";
    let outcomes = prepared(text).unwrap().test();
    let said: Vec<(&str, Option<&str>)> =
        outcomes.iter().map(|it| (it.rule.as_str(), it.failure.as_deref())).collect();
    assert_eq!(
        said,
        [
            ("test_closed", Some("it is not true")),
            ("test_number", Some("it is 3, not true")),
            ("test_open", None)
        ]
    );
}
