//! Goldens of the screens: an estate where nothing is modelled, and one that is (U1).

use super::desk::{Desk, example, in_the_shop, settled};

fn screen(change: &str, more: &[&str]) -> String {
    let arguments = in_the_shop(change);
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    arguments.extend(more);
    settled(&Desk::new().run(&arguments).out)
}

#[test]
fn u1_nothing_modelled() {
    let desk = Desk::new();
    let change = desk.timeless("products-reporting-db.json");
    let screen = settled(&desk.run(&["review", &change]).out).replace(&desk.text("plans"), "PLANS");
    insta::assert_snapshot!(screen);
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
fn u1_modelled_conditional() {
    insta::assert_snapshot!(screen("inventory-db-unprotect.yaml", &[]));
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
