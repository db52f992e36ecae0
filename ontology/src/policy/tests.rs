//! Tests of constraints: tables a rule, stories of whole changes, properties.

mod attributes;
mod catalog;
mod exposure;
mod graph_rules;
mod manifests;
mod plan_rules;
mod prices;
mod properties;
mod published_plan;
mod typed;
mod waivers;

use std::collections::BTreeSet;

use crate::graph::sample::{as_proposed, name, resolve};
use crate::graph::{Edits, Graph, View};
use crate::model::Model;
use crate::policy::{
    Catalog, Constraint, ConstraintKind, Enforcement, Evaluated, PlanRule, Selector, Standing,
};
use crate::policy::{Subject, evaluate};
use crate::records::document::ChangeDocument;
use crate::{Reason, Timestamp};

fn constraint(rule: ConstraintKind) -> Constraint {
    Constraint {
        id: name("rule"),
        title: "A rule.".to_owned(),
        rule,
        enforcement: Enforcement::Warn,
        deny_from: None,
        precedence: 1,
        applies_to: Selector::default(),
        remedy: None,
        condition: None,
        approvers: Default::default(),
    }
}

fn catalog() -> Catalog {
    Catalog {
        stateful_types: ["aws_db_instance".to_owned(), "aws_s3_*".to_owned()].into(),
        ..Catalog::empty(name("test"))
    }
}

/// The time of every judgement in these tests: day 1,000.
fn cutoff() -> Timestamp {
    Timestamp::default().plus_seconds(86_400 * 1_000)
}

fn judged(constraint: &Constraint, model: Model, document: &ChangeDocument) -> Evaluated {
    judged_with_faults(constraint, model, document).0
}

fn judged_with_faults(
    constraint: &Constraint,
    model: Model,
    document: &ChangeDocument,
) -> (Evaluated, Vec<Reason>) {
    judged_by(constraint, model, document, &catalog())
}

fn judged_by(
    constraint: &Constraint,
    model: Model,
    document: &ChangeDocument,
    catalog: &Catalog,
) -> (Evaluated, Vec<Reason>) {
    let graph = Graph::index(model).unwrap();
    let targets = resolve(&graph, document);
    let edits = Edits::of(document, &targets, &as_proposed(), &graph);
    let base = View::base(&graph);
    let (overlay, faults) = View::with(&graph, &edits);
    let subject =
        Subject { document, targets: &targets, base: &base, overlay: &overlay, catalog, cutoff: cutoff() };
    (evaluate(constraint, &subject), faults)
}

/// What a rule over the plan finds without a model.
fn planned(rule: PlanRule, document: &ChangeDocument) -> Evaluated {
    judged(&constraint(ConstraintKind::Plan(rule)), Model::default(), document)
}

/// `standing subject attribute value` of each violation.
fn lines(evaluated: &Evaluated) -> Vec<String> {
    let line = |violation: &super::Violation| {
        let standing = match violation.standing {
            Standing::Introduced => "introduced",
            Standing::Worsened => "worsened",
            Standing::PreExisting => "pre-existing",
            Standing::Fixed => "fixed",
            Standing::Waived => "waived",
        };
        let attribute = violation.attribute.as_deref().unwrap_or("-");
        format!("{standing} {} {attribute} {}", violation.subject, violation.value)
    };
    evaluated.violations.iter().map(line).collect()
}

fn strings(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
