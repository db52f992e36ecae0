//! U11: waivers, rollout rows, class tables.

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{catalog, constraint, cutoff, judged_by, lines};
use crate::graph::sample::{document, name, target};
use crate::graph::{Edits, Graph, View};
use crate::model::Model;
use crate::policy::catalog::Mode;
use crate::policy::classes::classify;
use crate::policy::rollout::{Level, Place, Row};
use crate::policy::waivers::{Waived, Waiver, waive};
use crate::policy::{Catalog, ConstraintKind, PlanRule, Subject};
use crate::records::document::{Action, Target};

fn weak(action: Action) -> [Target; 1] {
    let after = json!({ "storage_encrypted": false });
    [target("aws_db_instance.a", "aws_db_instance", action, Json::Null, after)]
}

fn waiver(target: &str, expires_s: i64) -> Waiver {
    Waiver {
        constraint: name("rule"),
        target: target.to_owned(),
        owner: name("team-shop"),
        reason: "the snapshot is encrypted".to_owned(),
        expires: cutoff().plus_seconds(expires_s),
    }
}

fn check(one: Waiver, expect: &[&str], says: impl Fn(&Waived<'_>) -> bool) {
    let rule = constraint(ConstraintKind::Plan(PlanRule::EncryptionOff));
    let catalog = Catalog { waivers: vec![one], ..catalog() };
    let document = document(&weak(Action::Create));
    let mut evaluated = judged_by(&rule, Model::default(), &document, &catalog).0;
    let graph = Graph::index(Model::default()).unwrap();
    let targets = crate::graph::sample::resolve(&graph, &document);
    let edits = Edits::of(&document, &targets, &crate::graph::sample::as_proposed(), &graph);
    let (overlay, _) = View::with(&graph, &edits);
    let subject = Subject {
        document: &document,
        targets: &targets,
        base: &View::base(&graph),
        overlay: &overlay,
        catalog: &catalog,
        cutoff: cutoff(),
    };
    let waived = waive(&name("rule"), &mut evaluated, &subject);
    assert_eq!(lines(&evaluated), expect);
    assert!(says(&waived), "{waived:?}");
}

#[test]
fn u11_a_waiver_covers_until_its_day_and_says_when_it_expired_or_is_not_needed() {
    let line = "aws_db_instance.a storage_encrypted false";
    let (waived, counts) = (format!("waived {line}"), format!("introduced {line}"));
    check(waiver("aws_db_instance.a", 1), &[&waived], |it| it.covering.len() == 1 && it.covering[0].1 == 1);
    check(waiver("aws_db_*", 1), &[&waived], |it| it.covering.len() == 1);
    check(waiver("aws_db_instance.a", 0), &[&counts], |it| it.expired.len() == 1 && it.covering.is_empty());
    check(waiver("elsewhere.a", 1), &[&counts], |it| *it == Waived::default());
    let mut other = waiver("aws_db_instance.a", 1);
    other.constraint = name("another");
    check(other, &[&counts], |it| *it == Waived::default());
}

#[test]
fn u11_the_first_row_that_matches_says_what_is_done_and_else_the_mode() {
    let row = |repository: Option<&str>, environment: Option<&str>, level| Row {
        repository: repository.map(str::to_owned),
        owner: None,
        class: None,
        environment: environment.map(str::to_owned),
        level,
    };
    let rollout = vec![
        row(Some("acme/sandbox-*"), None, Level::Off),
        row(Some("acme/*"), Some("production"), Level::Enforce),
        row(None, Some("production"), Level::Advise),
    ];
    let catalog = Catalog { rollout, mode: Mode::Observe, ..catalog() };
    let check = |repository: Option<&'static str>, environment: Option<&'static str>, expect| {
        let place = Place { repository, environment, ..Place::default() };
        assert_eq!(catalog.level(&place), expect, "{place:?}");
    };
    check(Some("acme/sandbox-1"), Some("production"), (Level::Off, Some(0)));
    check(Some("acme/shop"), Some("production"), (Level::Enforce, Some(1)));
    check(Some("other/shop"), Some("production"), (Level::Advise, Some(2)));
    check(None, Some("production"), (Level::Advise, Some(2)));
    check(Some("acme/shop"), None, (Level::Observe, None));
    check(None, None, (Level::Observe, None));
}

#[test]
fn s36_u11_a_class_is_told_with_the_row_that_matched() {
    let catalog = Catalog { baseline_kinds: ["constraints".to_owned()].into(), ..catalog() };
    let deleted = target("aws_s3_bucket.b", "aws_s3_bucket", Action::Delete, json!({}), Json::Null);
    let file = target("policy/constraints/x.yaml", "file", Action::Update, json!({}), json!({}));
    let check = |kind: &str, targets: &[&Target], expect: &[&str]| {
        let found = classify(&catalog, kind, targets);
        let lines: Vec<String> = found
            .iter()
            .map(|it| {
                let target = it.target.map_or("-", |target| target.address.as_str());
                format!("{} {target} {} {}", it.class.as_str(), it.row.0, it.row.1)
            })
            .collect();
        assert_eq!(lines, expect);
    };
    check("infrastructure", &[&deleted], &["irreversible aws_s3_bucket.b stateful_types aws_s3_*"]);
    check("promotion", &[], &["promotion - kind of the change promotion"]);
    check("baseline", &[], &["baseline - kind of the change baseline"]);
    check("infrastructure", &[&file], &["baseline policy/constraints/x.yaml baseline_kinds constraints"]);
    let kept = target("aws_s3_bucket.b", "aws_s3_bucket", Action::Update, json!({}), json!({}));
    check("infrastructure", &[&kept], &[]);
}

proptest! {
    #[test]
    fn a_row_more_at_the_end_never_alters_what_an_earlier_one_says(
        rows in proptest::collection::vec(("[ab*]{0,3}", proptest::bool::ANY), 0..5),
        repository in "[ab]{0,3}",
    ) {
        let rollout: Vec<Row> = rows
            .iter()
            .map(|(pattern, off)| Row {
                repository: Some(pattern.clone()),
                owner: None,
                class: None,
                environment: None,
                level: if *off { Level::Off } else { Level::Enforce },
            })
            .collect();
        let place = Place { repository: Some(&repository), ..Place::default() };
        let short = Catalog { rollout: rollout[..rollout.len() / 2].to_vec(), ..catalog() };
        let long = Catalog { rollout, ..catalog() };
        if short.level(&place).1.is_some() {
            prop_assert_eq!(short.level(&place), long.level(&place));
        }
    }
}
