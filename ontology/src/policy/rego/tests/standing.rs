//! U10 for Rego: what the change introduces, what was there, what it mends.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::super::{MESSAGE_BYTES_MAX, MESSAGES_MAX, Modules, RegoRules};
use super::texts;
use crate::Timestamp;
use crate::graph::sample::{as_proposed, document, id, name, resolve, target};
use crate::graph::{Edits, Graph, View};
use crate::model::Model;
use crate::policy::{
    Catalog, Constraint, ConstraintKind, Enforcement, Evaluated, Selector, Standing, Subject, evaluate,
};
use crate::records::document::{Action, ChangeDocument, Target};
use crate::value::{Value, Withheld};

fn judged(text: &str, package: &str, rules: RegoRules, document: &ChangeDocument) -> Evaluated {
    judged_with(texts(&[("x.rego", text)]), package, rules, document)
}

pub(super) fn judged_with(
    modules: BTreeMap<String, String>,
    package: &str,
    rules: RegoRules,
    document: &ChangeDocument,
) -> Evaluated {
    let graph = Graph::index(Model::default()).unwrap();
    let targets = resolve(&graph, document);
    let edits = Edits::of(document, &targets, &as_proposed(), &graph);
    let (overlay, _) = View::with(&graph, &edits);
    let policies = Modules::new(modules);
    let catalog = Catalog { policies, ..Catalog::empty(name("test")) };
    let constraint = Constraint {
        id: name("rego:main"),
        title: "A policy.".to_owned(),
        rule: ConstraintKind::Rego { package: package.to_owned(), rules },
        enforcement: Enforcement::Deny,
        deny_from: None,
        precedence: 4,
        applies_to: Selector::default(),
        remedy: None,
        condition: None,
        approvers: std::collections::BTreeSet::new(),
    };
    let subject = Subject {
        document,
        targets: &targets,
        base: &View::base(&graph),
        overlay: &overlay,
        catalog: &catalog,
        cutoff: Timestamp::default(),
    };
    evaluate(&constraint, &subject)
}

pub(super) fn lines(evaluated: &Evaluated) -> Vec<String> {
    let line = |it: &crate::policy::Violation| format!("{:?} {}: {}", it.standing, it.subject, it.value);
    evaluated.violations.iter().map(line).collect()
}

const PUBLIC: &str = "package main
import rego.v1

deny contains msg if {
    some change in input.resource_changes
    change.type == \"aws_s3_bucket\"
    change.change.after.acl == \"public-read\"
    msg := sprintf(\"%s is public\", [change.address])
}

deny contains {\"msg\": \"a bucket goes\", \"details\": {\"address\": change.address}} if {
    some change in input.resource_changes
    \"delete\" in change.change.actions
}
";

fn bucket(name: &str, action: Action, before: Json, after: Json) -> Target {
    target(&format!("aws_s3_bucket.{name}"), "aws_s3_bucket", action, before, after)
}

#[test]
fn u10_a_message_of_the_change_alone_is_introduced_and_one_of_both_was_there() {
    let (open, shut) = (json!({ "acl": "public-read" }), json!({ "acl": "private" }));
    let plan = document(&[
        bucket("goes", Action::Delete, shut.clone(), Json::Null),
        bucket("mends", Action::Update, open.clone(), shut.clone()),
        bucket("new", Action::Create, Json::Null, open.clone()),
        bucket("opens", Action::Update, shut, open.clone()),
        bucket("was", Action::NoOp, open.clone(), open),
    ]);
    let evaluated = judged(PUBLIC, "main", RegoRules::Deny, &plan);
    assert_eq!(
        lines(&evaluated),
        [
            "Introduced aws_s3_bucket.goes: a bucket goes",
            "Introduced aws_s3_bucket.new: aws_s3_bucket.new is public",
            "Introduced aws_s3_bucket.opens: aws_s3_bucket.opens is public",
            "PreExisting aws_s3_bucket.was: aws_s3_bucket.was is public",
            "Fixed aws_s3_bucket.mends: aws_s3_bucket.mends is public",
        ]
    );
    assert_eq!(evaluated.violations[0].caused_by, [id("aws_s3_bucket.goes")]);
    assert_eq!((evaluated.checked, evaluated.unknown, evaluated.errored), (6, None, false));
}

#[test]
fn a_message_belongs_to_the_longest_address_that_it_names_whole() {
    let text =
        "package main\nimport rego.v1\ndeny contains \"see module.a.x.b.\"\ndeny contains \"see x.bc\"\n";
    let plan =
        document(&["module.a.x.b", "x.b"].map(|it| target(it, "x", Action::Update, json!({}), json!({}))));
    assert_eq!(
        lines(&judged(text, "main", RegoRules::Deny, &plan)),
        ["PreExisting module.a.x.b: see module.a.x.b.", "PreExisting plan: see x.bc"]
    );
}

#[test]
fn a_rule_that_fails_has_not_passed() {
    let text = "package main\nimport rego.v1\ndeny contains msg if { msg := 1 / count(input.nothing_here) }\n\
        deny contains msg if { some r in input.resource_changes; msg := 1 / count(r.change.before) }\n";
    let plan = document(&[target("x.y", "x", Action::Update, json!({}), json!({}))]);
    let evaluated = judged(text, "main", RegoRules::Deny, &plan);
    assert!(evaluated.errored && evaluated.violations.is_empty());
    assert_eq!(evaluated.unknown.as_deref(), Some("x.rego:4:67: divide by zero"));
}

#[test]
fn u3_a_policy_that_reads_what_was_withheld_is_not_decided() {
    let text = "package main\nimport rego.v1\ndeny contains \"weak\" if {\n\
        some r in input.resource_changes\nr.type == \"x\"\nr.change.after.password == \"1234\" }\n";
    let mut plan = document(&[
        target("x.y", "x", Action::Update, json!({}), json!({})),
        target("z.y", "z", Action::Update, json!({}), json!({})),
    ]);
    let withheld = Withheld { kind: "text".to_owned(), changed: true, mac: None, key_id: None };
    for target in &mut plan.targets {
        target.after.as_mut().unwrap().insert("password".to_owned(), Value::Withheld(withheld.clone()));
    }
    assert_eq!(
        judged(text, "main", RegoRules::Deny, &plan).unknown.as_deref(),
        Some("x.y: password is read by the policy and is not in the document")
    );
}

#[test]
fn messages_are_bounded_in_length_and_number() {
    let text = "package main\nimport rego.v1\n\
        warn contains msg if { some r in input.resource_changes; msg := sprintf(\"%s\\n%s\", [r.address, r.change.after.long]) }\n";
    let long = "x".repeat(2_000);
    let targets: Vec<Target> = (0..100)
        .map(|n| target(&format!("x.n{n:03}"), "x", Action::Create, Json::Null, json!({ "long": long })))
        .collect();
    let evaluated = judged(text, "main", RegoRules::Warn, &document(&targets));
    assert_eq!(evaluated.violations.len(), MESSAGES_MAX + 1);
    assert!(evaluated.violations.iter().all(|it| it.value.len() <= MESSAGE_BYTES_MAX));
    assert!(lines(&evaluated).contains(&"Introduced plan: warn says 36 more".to_owned()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_change_that_does_nothing_introduces_nothing(
        acls in proptest::collection::vec(proptest::sample::select(vec!["private", "public-read"]), 0..6),
    ) {
        let targets: Vec<Target> = acls
            .iter()
            .enumerate()
            .map(|(n, acl)| {
                let side = json!({ "acl": acl });
                bucket(&format!("b{n}"), Action::NoOp, side.clone(), side)
            })
            .collect();
        let evaluated = judged(PUBLIC, "main", RegoRules::Deny, &document(&targets));
        let open = acls.iter().filter(|acl| **acl == "public-read").count();
        prop_assert!(evaluated.violations.iter().all(|it| it.standing == Standing::PreExisting));
        prop_assert_eq!(evaluated.violations.len(), open);
    }
}
