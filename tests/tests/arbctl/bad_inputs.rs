//! Every wrong input is told what, where and how to mend it, with a code (U6), and leaves nothing half-written.

use super::desk::{Desk, example};

/// A file that is no change, and what has to be said of it.
struct Bad {
    name: &'static str,
    bytes: Vec<u8>,
    says: &'static [&'static str],
}

fn bad(name: &'static str, bytes: impl Into<Vec<u8>>, says: &'static [&'static str]) -> Bad {
    Bad { name, bytes: bytes.into(), says }
}

fn plan(middle: &str) -> String {
    format!(r#"{{"format_version":"1.2","terraform_version":"1.11.4",{middle}}}"#)
}

fn change(action: &str) -> String {
    let change = format!(r#"{{"actions":["{action}"],"before":null,"after":{{}}}}"#);
    plan(&format!(
        r#""resource_changes":[{{"address":"a.b","mode":"managed","type":"a","name":"b","change":{change}}}]"#
    ))
}

fn table() -> Vec<Bad> {
    let whole = std::fs::read_to_string(example("webshop/changes/orders-scale-out.json")).unwrap();
    let truncated = whole[..whole.len() / 2].to_owned();
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let mut not_utf8 = plan(r#""resource_changes":[]"#).into_bytes();
    not_utf8.insert(3, 0xff);
    let mut zip = b"PK\x03\x04".to_vec();
    zip.extend([0, 0xff, 0, 0xfe]);
    vec![
        bad("truncated.json", truncated, &["the file ends in the middle of"]),
        bad("empty.json", "", &["empty"]),
        bad("tfplan", zip, &["terraform show -json"]),
        bad("latin1.json", not_utf8, &["not UTF-8 at byte 3"]),
        bad(
            "twice.json",
            plan(r#""resource_changes":[],"resource_changes":[]"#),
            &["resource_changes", "twice"],
        ),
        bad("deep.json", deep, &["deep"]),
        bad(
            "future.json",
            r#"{"format_version":"2.0","resource_changes":[]}"#,
            &["$.format_version", "2.0", "0.1 to 1.x"],
        ),
        bad(
            "action.json",
            change("destroy"),
            &["$.resource_changes[0].change.actions", "\"destroy\" is not", "create"],
        ),
        bad(
            "main.tf",
            "resource \"aws_s3_bucket\" \"b\" {\n  bucket = \"x\"\n}\n",
            &["terraform show -json"],
        ),
        bad(
            "terraform.tfstate",
            r#"{"version":4,"terraform_version":"1.11.4","serial":3,"lineage":"x","resources":[]}"#,
            &["state"],
        ),
        bad("list.json", "[1,2,3]", &["not a change"]),
        bad("other.json", r#"{"hello":"world"}"#, &["not a change", "accepted are"]),
        bad(
            "infracost.json",
            r#"{"version":"0.2","currency":"USD","projects":[]}"#,
            &["infracost", "evidence"],
        ),
        bad("unknown.yaml", "arb: change/1\nkind: infrastructure\ntargets: []\nwohin: x\n", &["wohin"]),
    ]
}

#[test]
fn u6_a_file_that_is_no_change_is_told_what_where_and_how_to_mend_it() {
    let desk = Desk::new();
    for Bad { name, bytes, says } in table() {
        let file = desk.put(name, bytes);
        let ran = desk.run(&["review", &file]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{name}: {}", ran.err);
        assert!(ran.err.starts_with("error[bad-input]: "), "{name}: {}", ran.err);
        assert_eq!(ran.err.trim_end().lines().count(), 1, "{name}: one line: {}", ran.err);
        assert!(ran.err.contains(name), "{name}: names the file: {}", ran.err);
        for words in says {
            assert!(ran.err.contains(words), "{name}: {words:?} in: {}", ran.err);
        }
    }
}

#[test]
fn u6_what_is_refused_leaves_no_review_behind() {
    let desk = Desk::new();
    let dir = desk.text("data");
    for Bad { name, bytes, .. } in table() {
        let file = desk.put(name, bytes);
        assert_eq!(desk.run(&["submit-change", &file, "--dir", &dir]).code, 2, "{name}");
    }
    assert_eq!(desk.run(&["list", "--dir", &dir, "--output", "json"]).ok().json(), serde_json::json!([]));
    // And the directory works as if nothing had happened.
    let good = example("webshop/changes/orders-scale-out.json");
    desk.run(&["submit-change", &good, "--dir", &dir]).ok();
}

#[test]
fn u6_paths_that_are_no_files_are_named() {
    let desk = Desk::new();
    let missing = desk.text("missing.json");
    let directory = desk.text("");
    for (path, says) in [(&missing, "there is no such file"), (&directory, "it is a directory")] {
        let ran = desk.run(&["review", path]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert!(ran.err.starts_with("error[bad-input]: ") && ran.err.contains(says), "{}", ran.err);
    }
    let good = example("webshop/changes/orders-scale-out.json");
    for option in ["--evidence", "--model", "--catalog"] {
        let ran = desk.run(&["review", &good, option, &missing]);
        assert_eq!(ran.code, 2, "{option}");
        assert!(ran.err.contains("missing.json"), "{option}: {}", ran.err);
    }
}

#[test]
fn u6_a_file_over_the_bound_is_refused_before_it_is_read() {
    let desk = Desk::new();
    let path = desk.put("huge.json", "{}");
    // Sparse: it has the length and takes no room.
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(65 << 20).unwrap();
    let ran = desk.run(&["review", &path]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("65 MiB") && ran.err.contains("at most 64 MiB"), "{}", ran.err);
}

#[test]
fn a_plan_that_failed_says_so_and_is_held() {
    let desk = Desk::new();
    let file = desk.put("errored.json", plan(r#""errored":true,"resource_changes":[]"#));
    let report = desk.run(&["review", &file, "--output", "json"]).ok().json();
    assert_eq!(report["outcome"], "held");
    let codes: Vec<&str> =
        report["reasons"].as_array().unwrap().iter().map(|it| it["code"].as_str().unwrap()).collect();
    assert!(codes.contains(&"plan_errored"), "{codes:?}");
}

#[test]
fn s32_an_address_of_three_hundred_characters_of_four_bytes_is_taken_in_and_fits_the_screen() {
    let desk = Desk::new();
    let address = "🦀".repeat(300);
    let text = format!(
        "arb: change/1\nkind: infrastructure\ntargets:\n  - address: {address:?}\n    type: crab\n    action: delete\n"
    );
    let file = desk.put("long.yaml", text);
    let report = desk.run(&["review", &file, "--output", "json"]).ok().json();
    assert_eq!(report["reach"]["affected"][0].as_str(), Some(address.as_str()));
    let screen = desk.run(&["review", &file]).ok().out;
    assert!(screen.starts_with("HELD"), "{screen}");
}

#[test]
fn names_cannot_move_the_cursor_or_turn_the_text_around() {
    let desk = Desk::new();
    let text = "arb: change/1\nkind: infrastructure\ntargets:\n  - address: \"a\\u202Eb\\u2066\\u200Bc\"\n    type: x\n    action: delete\n";
    let file = desk.put("bidi.yaml", text);
    for more in [&[][..], &["-v"]] {
        let ran = desk.run(&[&["review", file.as_str()], more].concat());
        let both = format!("{}{}", ran.out, ran.err);
        assert!(!both.contains(['\u{202e}', '\u{2066}', '\u{200b}', '\u{1b}']), "{both:?}");
        assert!(both.contains("u{202e}"), "it is shown, escaped: {both}");
    }
    let ran = desk.run(&["review", "no\u{1b}[31mfile"]);
    assert!(!ran.err.contains('\u{1b}') && ran.err.contains("u{1b}"), "{}", ran.err);
}
