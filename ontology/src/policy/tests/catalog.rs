use proptest::prelude::*;

use super::strings;
use crate::graph::sample::name;
use crate::model::Placement;
use crate::policy::catalog::wildcard;
use crate::policy::{Catalog, Enforcement, Selector};
use crate::time::DAY_S;

#[test]
fn a_wildcard_stands_for_any_run() {
    let check = |pattern: &str, text: &str, expect: bool| {
        assert_eq!(wildcard(pattern, text), expect, "{pattern} on {text}");
    };
    check("", "", true);
    check("", "a", false);
    check("*", "", true);
    check("aws_db_*", "aws_db_instance", true);
    check("aws_db_*", "aws_rds_cluster", false);
    check("*_instance", "aws_db_instance", true);
    check("a*a", "a", false);
    check("a*a", "aa", true);
    check("a*b*c", "aXbYc", true);
    check("a*b*c", "aXcYb", false);
    check("**", "anything", true);
    check("ü*", "über", true);
}

proptest! {
    #[test]
    fn a_wildcard_agrees_with_trying_every_split(pattern in "[ab*]{0,6}", text in "[ab]{0,6}") {
        fn slow(pattern: &str, text: &str) -> bool {
            match pattern.chars().next() {
                None => text.is_empty(),
                Some('*') => (0..=text.len()).any(|cut| slow(&pattern[1..], &text[cut..])),
                Some(letter) => text.starts_with(letter) && slow(&pattern[1..], &text[1..]),
            }
        }
        prop_assert_eq!(wildcard(&pattern, &text), slow(&pattern, &text));
    }
}

#[test]
fn a_selector_needs_a_match_in_each_list_that_says_anything() {
    let placement =
        Placement { environment: Some("production".to_owned()), tier: Some(1), ..Placement::default() };
    let everything = Selector::default();
    assert!(everything.is_everything() && everything.matches(None, "x"));
    let production = Selector { environments: strings(&["production"]), ..Selector::default() };
    assert!(production.matches(Some(&placement), "x") && !production.matches(None, "x"));
    let databases = Selector { tiers: [1].into(), kinds: strings(&["aws_db_*"]), ..production };
    assert!(databases.matches(Some(&placement), "aws_db_instance"));
    assert!(!databases.matches(Some(&placement), "aws_instance"));
    assert!(!databases.matches(Some(&Placement { tier: Some(2), ..placement }), "aws_db_instance"));
}

#[test]
fn u11_a_constraint_denies_from_its_date_on() {
    let from = super::cutoff();
    let mut rule = super::constraint(crate::policy::ConstraintKind::OwnerPresent);
    assert_eq!(rule.enforcement_at(from), Enforcement::Warn);
    rule.deny_from = Some(from);
    assert_eq!(rule.enforcement_at(from), Enforcement::Deny);
    assert_eq!(rule.enforcement_at(from.plus_micros(-1)), Enforcement::Warn);
}

#[test]
fn an_empty_catalog_has_the_shipped_bounds() {
    let catalog = Catalog::empty(name("acme"));
    assert_eq!(catalog.limits[0].depth_max, 3);
    assert_eq!(catalog.plan_age_max_s, (7 * DAY_S).unsigned_abs());
    assert!(!catalog.is_stateful("aws_db_instance"));
    assert!(super::catalog().is_stateful("aws_s3_bucket"));
    assert_ne!(catalog.digest(), super::catalog().digest());
}
