use std::collections::BTreeMap;

use serde::Deserialize;

use super::quantity::{Decimal, Moment, Seconds};
use super::*;

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Sample {
    name: String,
    #[serde(default)]
    count: Option<u32>,
    #[serde(default)]
    on: Option<bool>,
    #[serde(default)]
    age: Option<Seconds>,
    #[serde(default)]
    from: Option<Moment>,
    #[serde(default)]
    price: Option<Decimal>,
    #[serde(default)]
    level: Option<Level>,
    #[serde(default)]
    more: Vec<String>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Level {
    Warn,
    Deny,
}

fn error(bytes: &[u8]) -> String {
    parse::<Sample>("a.yaml", bytes).unwrap_err().to_string()
}

#[test]
fn a_document_is_read_with_or_without_a_byte_order_mark() {
    let expect = Sample {
        name: "007".into(),
        count: Some(3),
        on: Some(true),
        age: Some(Seconds(86_400)),
        from: Some("2027-03-01".parse().unwrap()),
        price: Some(Decimal { micro: 999_500 }),
        level: Some(Level::Deny),
        more: vec!["a".into()],
    };
    let text =
        "name: 007\ncount: 3\non: true\nage: 1d\nfrom: 2027-03-01\nprice: 0.9995\nlevel: deny\nmore: [a]\n";
    assert_eq!(parse::<Sample>("a.yaml", text.as_bytes()).unwrap(), expect);
    assert_eq!(parse::<Sample>("a.yaml", format!("\u{feff}{text}").as_bytes()).unwrap(), expect);
}

#[test]
fn documents_are_read_one_after_the_other_and_empty_ones_skipped() {
    let all: Vec<Sample> = parse_all("a.yaml", b"---\n# nothing\n---\nname: a\n---\nname: b\n---\n").unwrap();
    assert_eq!(all.iter().map(|sample| sample.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(parse_all::<Sample>("a.yaml", b"# nothing\n").unwrap(), []);
}

#[test]
fn u06_errors_say_where_and_what_and_quote_no_value() {
    let check =
        |text: &str, expect: &str| assert_eq!(error(text.as_bytes()), format!("a.yaml: {expect}"), "{text}");
    check("", "the file is empty");
    check("name: hunter2\nname: b\n", "line 2, column 1: the key \"name\" stands here twice");
    check(
        "name: hunter2\nnmae: b\n",
        "line 2, column 1: \"nmae\" is not a key that is known here (name, count, on, age, from, price, level, more)",
    );
    check("name: hunter2\ncount: hunter2\n", "line 2, column 8: expected a whole number from 0");
    check("name: hunter2\non: yes\n", "line 2, column 5: expected true or false");
    check(
        "name: hunter2\nage: hunter2\n",
        "line 2, column 6: expected a length of time: whole numbers with w, d, h, m or s, like 14d, 36h or 1h30m; \
         at most 100 years",
    );
    check(
        "name: hunter2\nfrom: hunter2\n",
        "line 2, column 7: expected a date like 2027-03-01, or a time with its offset like 2027-03-01T09:00:00Z",
    );
    check(
        "name: hunter2\nprice: hunter2\n",
        "line 2, column 8: expected a decimal number with at most six digits after the point, like 99.95",
    );
    check("name: hunter2\nlevel: hunter2\n", "line 2, column 8: expected one of warn, deny");
    check("name: hunter2\nmore: hunter2\n", "line 2, column 7: expected a list");
    check("name: [hunter2]\n", "line 1, column 7: expected a text");
    check("- hunter2\n", "line 1, column 1: expected a mapping");
    check("hunter2\n", "line 1, column 1: expected a mapping");
    check("count: 3\n", "line 1, column 1: the key \"name\" is missing");
    check("name: a\n---\nname: hunter2\n", "line 3, column 1: a second document starts here; one is allowed");
    check("name: \"hunter2\n", "line 1, column 7: it is not YAML: unclosed quote");
    check("name: {a: [hunter2\n", "line 1, column 7: expected a text");
    check("name: *hunter2\n", "line 1, column 7: the alias names no anchor above it");
    check("name: !hunter2 a\n", "line 1, column 16: tags other than YAML's own are not allowed");
    check(
        "name: a\n\tcount: hunter2\n",
        "line 1, column 7: it is not YAML: while scanning a plain scalar, found a tab",
    );
}

#[test]
fn what_is_no_text_is_refused() {
    let check = |bytes: &[u8], expect: &str| assert_eq!(error(bytes), format!("a.yaml: {expect}"));
    check(b"name: \xff\xff", "the file is not UTF-8 at byte 6; save it as UTF-8");
    check(b"\xff\xfen\0a\0", "the file is UTF-16, as PowerShell's \">\" writes it; save it as UTF-8");
    check(b"name: a\0b", "the file is binary: byte 7 is NUL");
    check(b"\x7fELF\x02\x01\x01\0\0", "the file is binary: byte 7 is NUL");
}

#[test]
fn nesting_and_aliases_are_bounded() {
    type Any = BTreeMap<String, serde_json::Value>;
    let check = |text: &str, expect: &str| {
        assert_eq!(parse::<Any>("a.yaml", text.as_bytes()).unwrap_err().message, expect);
    };
    let nested = |depth: usize| format!("a: {}{}\n", "[".repeat(depth), "]".repeat(depth));
    assert!(parse::<Any>("a.yaml", nested(DEPTH_MAX - 1).as_bytes()).is_ok());
    check(&nested(DEPTH_MAX + 1), "it nests too deeply; at most 100 levels are allowed");
    check(&nested(100_000), "it nests too deeply; at most 100 levels are allowed");
    let blocks: String = (0..200).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    check(&blocks, "it nests too deeply; at most 100 levels are allowed");

    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let repeated = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb += &format!("a{level}: &a{level} [{repeated}]\n");
    }
    check(&bomb, "its aliases repeat too much; at most 100000 repeated parts are allowed");
}
