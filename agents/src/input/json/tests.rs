use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::input::DEPTH_MAX;

fn refused(bytes: &[u8]) -> String {
    parse("plan.json", bytes).expect_err("it is broken").to_string()
}

#[test]
fn u6_broken_files_say_what_where_and_what_to_do() {
    let deep = "[".repeat(DEPTH_MAX + 1) + &"]".repeat(DEPTH_MAX + 1);
    let check = |bytes: &[u8], expect: &str| assert_eq!(refused(bytes), expect);
    check(b"", "plan.json: the file is empty");
    check(b"\xef\xbb\xbf \n", "plan.json: the file is empty");
    check(
        br#"{"a": {"b": [1, {"c": 1, "c": 2}]}}"#,
        "plan.json: $.a.b[1].c: the key stands here twice; keep one",
    );
    check(br#"{"a b": 1, "a b": 2}"#, r#"plan.json: $["a b"]: the key stands here twice; keep one"#);
    check(
        b"{\"a\": {\n \"b\": [1, 2",
        "plan.json: line 2, column 11: the file ends in the middle of $.a.b[2]",
    );
    check(br#"{"a": "xy"#, "plan.json: line 1, column 9: the file ends in the middle of $.a");
    check(br#"{"a": {"no value}"}, "b": 1"#, "plan.json: line 1, column 19: expected `:`, in $.a");
    check(br#"{"a": 1} x"#, "plan.json: line 1, column 10: trailing characters, in $");
    check(br#"{"a": 01}"#, "plan.json: line 1, column 8: invalid number, in $.a");
    check(br#"{"a": [1, 2,]}"#, "plan.json: line 1, column 13: trailing comma, in $.a[2]");
    check(b"{\"a\": \"\xc3\x28\"}", "plan.json: the file is not UTF-8 at byte 7; save it as UTF-8");
    check(b"{\"a\": \0}", "plan.json: the file is binary: byte 6 is NUL");
    check(b"\xff\xfe{\0", "plan.json: the file is UTF-16, as PowerShell's \">\" writes it; save it as UTF-8");
    check(b"\x1f\x8b\x08", "plan.json: the file is compressed with gzip; unpack it first");
    check(deep.as_bytes(), "plan.json: $[0][0][0][0][0][0][0][0]: nests deeper than 100 levels");
}

#[test]
fn a_file_over_the_bound_is_refused_before_it_is_read() {
    let bytes = vec![b'['; FILE_BYTES_MAX + 1];
    assert_eq!(refused(&bytes), "plan.json: the file has 67108865 bytes, at most 67108864 are read");
}

#[test]
fn a_file_of_tiny_values_is_refused_before_it_fills_the_memory() {
    let bytes = format!("[{}0]", "0,".repeat(VALUES_MAX));
    assert_eq!(refused(bytes.as_bytes()), "plan.json: $[3999999]: more than 4000000 values; split the file");
}

#[test]
fn what_is_forgotten_is_checked_and_not_kept() {
    let options = Options { forget: |at, key| at.is_empty() && key == "variables", reserved: Some("$arb_") };
    let read = |text: &str| parse_with("p", text.as_bytes(), options);
    assert_eq!(read(r#"{"variables": {"x": ["y"]}, "b": 1}"#), Ok(json!({"b": 1})));
    let twice = read(r#"{"variables": {"x": 1, "x": 2}}"#).expect_err("a key twice").to_string();
    assert_eq!(twice, "p: $.variables.x: the key stands here twice; keep one");
    let twice = read(r#"{"variables": 1, "variables": 2}"#).expect_err("a key twice").to_string();
    assert_eq!(twice, "p: $.variables: the key stands here twice; keep one");
    let reserved = read(r#"{"a": {"$arb_unknown": true}}"#).expect_err("reserved").to_string();
    assert_eq!(reserved, "p: $.a[\"$arb_unknown\"]: the key is reserved; rename it");
}

/// Numbers keep one form only while serde_json holds them as integers and doubles.
#[test]
fn numbers_have_one_form() {
    let read = parse("p", b"[1.10, 1e2, 18446744073709551615, -0.0]").map(|value| value.to_string());
    assert_eq!(read.as_deref(), Ok("[1.1,100.0,18446744073709551615,-0.0]"));
}

#[test]
fn a_place_knows_its_path() {
    let value = json!({"a": [{"b-c": 1, "d": null}]});
    let root = Place::root("f", &value);
    let list = root.required("a").expect("it is there");
    let first = list.items().expect("a list").next().expect("one member");
    assert_eq!(first.required("b-c").expect("it is there").path(), "$.a[0][\"b-c\"]");
    assert_eq!(
        first.required("d").err().map(|error| error.to_string()).as_deref(),
        Some("f: $.a[0].d: is missing")
    );
    assert_eq!(list.text().expect_err("a list").to_string(), "f: $.a: is a list, not a text");
    assert_eq!(
        first.only(&["d", "e"]).expect_err("b-c is not allowed").to_string(),
        "f: $.a[0][\"b-c\"]: there is no such key here (d, e)"
    );
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse("p", &bytes);
    }

    #[test]
    fn json_reads_as_serde_json_reads_it(text in r#"[\[\]{}":,0-9eE.a-c \\n-]{0,40}"#) {
        if let Ok(ours) = parse("p", text.as_bytes()) {
            prop_assert_eq!(serde_json::from_str::<Value>(&text).ok(), Some(ours));
        }
    }
}
