use ontology::policy::catalog::Mode;

use super::exit::{Code, FailOn};
use super::render::{Cell, Paper, Table, safe};
use super::{Failure, submit, wait};
use crate::call::{Answers, Call, CallError, ErrorCode, File, Reply, Submit};
use crate::log::wall_clock;
use crate::report::{Outcome, Report};

#[test]
fn every_failure_has_the_exit_code_of_the_architecture() {
    let check = |code: ErrorCode, number: u8| {
        let failure = Failure::from(CallError::new(code, "x"));
        assert_eq!(failure.exit().number(), number, "{}", failure.code());
        assert!(agents::reasons::page(failure.code(), agents::reasons::Language::English).is_some());
    };
    check(ErrorCode::BadInput, 2);
    check(ErrorCode::NotFound, 2);
    check(ErrorCode::Conflict, 2);
    check(ErrorCode::LogUnavailable, 69);
    check(ErrorCode::Internal, 70);
    check(ErrorCode::Locked, 75);
    check(ErrorCode::Retry, 75);
    assert_eq!(Failure::Differs(String::new()).exit().number(), 15);
    assert_eq!(Failure::BrokenPipe.exit().number(), 0);
}

#[test]
fn u4_fail_on_maps_every_outcome() {
    use FailOn::{All, Approval, Conditional, Held, None, Rejected};
    // Codes of: conformant, approved, conditional, approval required, held, rejected, undecided.
    let check = |chosen: &[FailOn], mode: Mode, codes: [u8; 7]| {
        let found = Outcome::ALL.map(|outcome| FailOn::code(chosen, mode, outcome).number());
        assert_eq!(found, codes, "{chosen:?} in {mode:?}");
    };
    check(&[], Mode::Observe, [0, 0, 0, 0, 0, 0, 14]);
    check(&[], Mode::Enforce, [0, 0, 10, 11, 12, 13, 14]);
    check(&[None], Mode::Enforce, [0, 0, 0, 0, 0, 0, 14]);
    check(&[All], Mode::Observe, [0, 0, 10, 11, 12, 13, 14]);
    check(&[Rejected], Mode::Observe, [0, 0, 0, 0, 0, 13, 14]);
    check(&[Held], Mode::Observe, [0, 0, 0, 0, 12, 0, 14]);
    check(&[Approval], Mode::Enforce, [0, 0, 0, 11, 0, 0, 14]);
    check(&[Conditional], Mode::Enforce, [0, 0, 10, 0, 0, 0, 14]);
    check(&[None, Rejected], Mode::Observe, [0, 0, 0, 0, 0, 13, 14]);
}

#[test]
fn text_is_made_safe_for_a_terminal() {
    let check = |text: &str, expected: &str| assert_eq!(safe::line(text), expected);
    check("module.a[\"b\"]", "module.a[\"b\"]");
    check("주문 → café 🦀", "주문 → café 🦀");
    check("a\nb\tc", "a\\u{a}b\\u{9}c");
    check("\u{1b}[31mred", "\\u{1b}[31mred");
    check("\u{9b}31m", "\\u{9b}31m");
    check("a\u{202e}b\u{2069}c\u{200b}d\u{feff}", "a\\u{202e}b\\u{2069}c\\u{200b}d\\u{feff}");
}

fn table(text: &str, width: usize, whole: bool) -> String {
    let mut table = Table::new(1);
    table.row([Cell::text("warn"), Cell::text(text), Cell::text("code")]);
    table.render(&Paper { colour: false, width }, 2, whole)
}

#[test]
fn a_table_wraps_its_text_and_keeps_its_codes() {
    assert_eq!(table("short", 60, false), "  warn  short  code\n");
    let wrapped = table("one two three four five six seven eight nine", 44, false);
    assert_eq!(wrapped, "  warn  one two three four five six     code\n        seven eight nine\n");
    let long = table(&"x".repeat(80), 60, false);
    assert!(long.contains('…') && long.lines().all(|line| line.chars().count() <= 60), "{long}");
    assert!(table(&"x".repeat(80), 60, true).contains(&"x".repeat(80)), "whole words can be copied");
}

#[test]
fn wide_characters_take_two_columns() {
    let mut table = Table::new(1);
    table.row([Cell::text("주문"), Cell::text("a")]);
    table.row([Cell::text("cart"), Cell::text("b")]);
    assert_eq!(table.render(&Paper { colour: false, width: 60 }, 0, false), "주문  a\ncart  b\n");
}

#[test]
fn a_path_is_quoted_as_a_shell_takes_it() {
    let check = |path: &str, expected: &str| assert_eq!(submit::quoted(path), expected);
    check("infra/plan.json", "infra/plan.json");
    check("my plan.json", "'my plan.json'");
    check("it's.json", r"'it'\''s.json'");
    check("$(rm -rf x)", "'$(rm -rf x)'");
}

/// A node that never comes to an end with one review.
struct NeverDone(Report);

impl Answers for NeverDone {
    fn call(&self, _: Call) -> Result<Reply, CallError> {
        Ok(Reply::Review(Box::new(self.0.clone())))
    }
}

fn a_report() -> Report {
    let text =
        "arb: change/1\nkind: infrastructure\ntargets:\n  - address: a\n    type: x\n    action: delete\n";
    let change = File { path: "change.yaml".to_owned(), text: text.to_owned() };
    let submit = Submit {
        change: change.into(),
        evidence: Vec::new(),
        source: None,
        idempotency_key: None,
        change_kind: None,
        release: None,
        process_ref: None,
        model: None,
        catalog: None,
        sent_at: wall_clock(),
    };
    let node = super::connect::in_memory().expect("a node in memory");
    let Ok(Reply::Submitted(submitted)) = node.call(Call::Submit(Box::new(submit))) else {
        panic!("taken in")
    };
    wait::for_outcome(&*node, &submitted.review.to_string()).expect("a report")
}

#[test]
fn what_is_not_decided_in_time_is_undecided() {
    let mut report = a_report();
    assert!(!report.under_way);
    report.under_way = true;
    for evaluation in &mut report.evaluations {
        evaluation.pins.budget_ms = 0;
    }
    let returned =
        wait::for_outcome(&NeverDone(report), "rv-1").expect("it gives up, and says what there is");
    assert!(returned.under_way);
    assert_eq!(Code::Outcome(Outcome::Undecided).number(), 14);
}

#[test]
fn a_report_survives_its_json() {
    let report = a_report();
    let text = serde_json::to_string(&report).expect("a report is JSON");
    assert_eq!(serde_json::from_str::<Report>(&text).expect("JSON is a report"), report);
}
