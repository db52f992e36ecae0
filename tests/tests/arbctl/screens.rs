//! Goldens of the screens: an estate where nothing is modelled, and one that is (U1).

use super::desk::{Desk, example, in_the_shop, settled};

fn screen(change: &str, more: &[&str]) -> String {
    let arguments = in_the_shop(change);
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    arguments.extend(more);
    settled(&ages(&Desk::new().run(&arguments).out)).replace("by root", "by USER")
}

/// How long ago a rehearsal was differs from day to day.
fn ages(text: &str) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    for at in 1..words.len().saturating_sub(2) {
        if words[at - 1] == "rehearsed" && words[at + 1] == "d" && words[at + 2] == "ago" {
            words[at] = "##";
        }
    }
    words.join(" ")
}

#[test]
fn u1_nothing_modelled() {
    let desk = Desk::new();
    let change = desk.timeless("products-reporting-db.json");
    let screen = settled(&desk.run(&["review", &change]).out).replace(&desk.text("plans"), "PLANS");
    insta::assert_snapshot!(screen.replace("by root", "by USER"));
}

#[test]
fn u1_modelled_conformant() {
    insta::assert_snapshot!(screen("orders-scale-out.json", &[]));
}

#[test]
fn u1_modelled_approval_required() {
    insta::assert_snapshot!(screen("orders-db-new-key.json", &[]));
}

#[test]
fn u1_modelled_rejected() {
    insta::assert_snapshot!(screen("orders-queue-delete.json", &["--agents"]));
}

#[test]
fn u1_modelled_held() {
    insta::assert_snapshot!(screen("refunds-timeout.json", &[]));
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let change = example("webshop/changes/products-reporting-db.json");
    let arguments = ["review", change.as_str()];
    let has_colour =
        |desk: Desk, is_terminal| desk.run_with(&arguments, "", is_terminal).out.contains('\u{1b}');
    assert!(has_colour(Desk::new(), true));
    assert!(!has_colour(Desk::new(), false));
    assert!(!has_colour(Desk::new().with("NO_COLOR", "1"), true));
    assert!(has_colour(Desk::new().with("NO_COLOR", ""), true), "an empty NO_COLOR says nothing");
    assert!(!has_colour(Desk::new().with("TERM", "dumb"), true));
}

#[test]
fn a_narrow_terminal_wraps_and_loses_no_code() {
    let desk = Desk::new().with("COLUMNS", "70");
    let change = desk.timeless("products-reporting-db.json");
    let wide = Desk::new().run(&["review", &change]).out;
    let narrow = desk.run(&["review", &change]).out;
    assert!(narrow.lines().count() > wide.lines().count());
    for code in ["encryption-off", "owner, topology", "nothing else is missing"] {
        assert!(narrow.contains(code), "{code} in:\n{narrow}");
    }
}
