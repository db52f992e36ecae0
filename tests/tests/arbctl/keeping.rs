//! Keeping reviews: submitting, asking again, adding to them, looking at them (U5).

use super::desk::{Desk, Ran, example};

const CHANGE: &str = "webshop/changes/orders-scale-out.json";

fn submit(desk: &Desk, more: &[&str]) -> Ran {
    let (change, dir) = (example(CHANGE), desk.text("data"));
    desk.run(&[&["submit-change", &change, "--dir", &dir, "--output", "json"], more].concat())
}

fn model() -> [String; 4] {
    ["--model".into(), example("webshop/model"), "--catalog".into(), example("webshop/catalog")]
}

#[test]
fn u5_the_same_again_is_the_stored_answer() {
    let desk = Desk::new();
    let first = submit(&desk, &[]).ok();
    let again = submit(&desk, &[]).ok();
    assert_eq!(first.json(), again.json(), "the same document");
    assert!(!first.err.contains("stored review") && again.err.contains("stored review"), "{}", again.err);
}

#[test]
fn u5_what_was_fixed_opens_the_next_revision_and_says_what_changed() {
    let desk = Desk::new();
    let first = submit(&desk, &[]).ok().json();
    let model = model();
    let second = submit(&desk, &model.each_ref().map(String::as_str)).ok().json();
    assert_eq!((&first["revision"], &second["revision"]), (&1.into(), &2.into()));
    assert_eq!((&first["outcome"], &second["outcome"]), (&"held".into(), &"conformant".into()));
    let superseded = &second["supersedes"];
    assert_eq!(superseded["review"], first["review"]);
    assert_eq!(superseded["outcome"], "held");
    let since: Vec<&str> =
        superseded["since"].as_array().unwrap().iter().map(|it| it["what"].as_str().unwrap()).collect();
    assert_eq!(since, ["model", "catalog"]);
}

#[test]
fn a_review_is_found_again_by_the_beginning_of_its_id() {
    let desk = Desk::new();
    let report = submit(&desk, &[]).ok().json();
    let dir = desk.text("data");
    let short = report["short"].as_str().unwrap();
    for name in [short, &short[..6], report["review"].as_str().unwrap()] {
        let mut status = desk.run(&["status", name, "--dir", &dir, "--output", "json"]).ok().json();
        // These name the submitted file, which only the submitting command knows.
        for named in ["next", "undecided"] {
            status[named] = report[named].clone();
        }
        assert_eq!(status, report, "{name}");
    }
    let list = desk.run(&["list", "--dir", &dir]).ok().out;
    assert!(list.contains(short) && list.contains("held"), "{list}");
}

#[test]
fn what_is_not_there_is_not_found() {
    let desk = Desk::new();
    let dir = desk.text("data");
    submit(&desk, &[]).ok();
    for arguments in
        [["status", "rv-zzzz"], ["trace", "rv-zzzz"], ["recheck", "rv-zzzz"], ["redrive", "rv-zzzz"]]
    {
        let ran = desk.run(&[&arguments[..], &["--dir", &dir]].concat());
        assert_eq!(ran.code, 2, "{arguments:?}");
        assert!(ran.err.starts_with("error[not-found]: "), "{}", ran.err);
        assert!(ran.out.is_empty());
    }
}

#[test]
fn s18_recheck_opens_the_next_evaluation_and_leaves_the_first() {
    let desk = Desk::new();
    let report = submit(&desk, &[]).ok().json();
    let (dir, short) = (desk.text("data"), report["short"].as_str().unwrap().to_owned());
    let again = desk.run(&["recheck", &short, "--dir", &dir, "--output", "json"]).ok().json();
    assert_eq!(again["shown"], 2);
    assert_eq!(again["evaluations"][0], report["evaluations"][0]);
    assert_eq!(again["evaluations"][1]["opening"], "recheck");
    assert_eq!(again["under_way"], false);
}

#[test]
fn evidence_is_a_claim_that_opens_the_next_evaluation() {
    let desk = Desk::new();
    let report = submit(&desk, &[]).ok().json();
    let (dir, short) = (desk.text("data"), report["short"].as_str().unwrap().to_owned());
    let claim = desk.put(
        "infracost.json",
        r#"{"version":"0.2","currency":"USD","diffTotalMonthlyCost":"36","projects":[]}"#,
    );
    let again = desk.run(&["evidence", &short, &claim, "--dir", &dir, "--output", "json"]).ok().json();
    assert_eq!(again["shown"], 2);
    assert_eq!(again["change"]["attachments"], serde_json::json!(["infracost.json"]));
}

#[test]
fn s20_a_trace_shows_every_stage_and_a_file_of_events_shows_the_same() {
    let desk = Desk::new();
    let report = submit(&desk, &[]).ok().json();
    let (dir, short) = (desk.text("data"), report["short"].as_str().unwrap().to_owned());
    let shown = desk.run(&["trace", &short, "--dir", &dir]).ok().out;
    assert!(shown.starts_with("trace closed: evaluation 1"), "{shown}");
    for stage in
        ["change", "state-snapshot", "evidence-bundle", "verdict", "decision-receipt", "review-projection"]
    {
        assert!(shown.contains(stage), "{stage} in:\n{shown}");
    }
    let events = desk.run(&["trace", &short, "--dir", &dir, "--output", "events"]).ok().out;
    let file = desk.put("events.jsonl", &events);
    assert_eq!(desk.run(&["trace", "--file", &file]).ok().out, shown);

    let cut: String =
        events.lines().filter(|line| !line.contains("\"verdict\"")).map(|line| format!("{line}\n")).collect();
    let file = desk.put("cut.jsonl", cut);
    let held = desk.run(&["trace", "--file", &file]).ok().out;
    assert!(held.starts_with("trace held") && held.contains("missing_stage:verdict"), "{held}");
}

#[test]
fn replay_decides_everything_again_to_the_same_bytes() {
    let desk = Desk::new();
    submit(&desk, &[]).ok();
    let model = model();
    submit(&desk, &model.each_ref().map(String::as_str)).ok();
    let report = desk
        .run(&["replay", "--all", "--strict", "--dir", &desk.text("data"), "--output", "json"])
        .ok()
        .json();
    assert_eq!(report["reviews"], 2);
    assert_eq!(report["differences"], serde_json::json!([]));
    assert!(report["equal"].as_u64().unwrap() > 20, "{report}");
}

#[test]
fn u17_the_directory_is_the_option_else_a_variable_else_below_the_home() {
    let change = example(CHANGE);
    let named = Desk::new();
    let dir = named.text("here");
    named.run(&["submit-change", &change, "--dir", &dir]).ok();
    assert!(named.path("here/arb.redb").exists());

    let by_arb = Desk::new();
    let data = by_arb.text("by-arb-data");
    let by_arb = by_arb.with("ARB_DATA", &data).with("XDG_STATE_HOME", "/nowhere");
    by_arb.run(&["submit-change", &change]).ok();
    assert!(by_arb.path("by-arb-data/arb.redb").exists());

    let by_state = Desk::new();
    let state = by_state.text("state");
    let by_state = by_state.with("XDG_STATE_HOME", &state);
    by_state.run(&["submit-change", &change]).ok();
    assert!(by_state.path("state/arb/arb.redb").exists());

    let by_home = Desk::new();
    by_home.run(&["submit-change", &change]).ok();
    assert!(by_home.path(".local/state/arb/arb.redb").exists());
}

#[test]
fn doctor_and_status_say_what_is_missing_and_what_to_do() {
    let desk = Desk::new();
    submit(&desk, &[]).ok();
    let dir = desk.text("data");
    let doctor = desk.run(&["doctor", "--dir", &dir]).ok().out;
    assert!(doctor.contains("do    nothing is modelled") && doctor.contains("arbctl model init"), "{doctor}");
    let status = desk.run(&["status", "--dir", &dir, "--output", "json"]).ok().json();
    assert_eq!(status["durable"], true);
}

#[test]
fn without_waiting_the_id_is_all_there_is() {
    let desk = Desk::new();
    let (change, dir) = (example(CHANGE), desk.text("data"));
    let ran = desk.run(&["submit-change", &change, "--dir", &dir, "--no-wait"]).ok();
    assert!(ran.out.starts_with("rv-") && ran.out.contains("arbctl status rv-"), "{}", ran.out);
}
