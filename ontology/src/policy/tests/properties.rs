use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{constraint, cutoff, judged, planned};
use crate::graph::Graph;
use crate::graph::View;
use crate::graph::sample::{document, id, placed, resolve, shop, target};
use crate::model::Model;
use crate::policy::{ConstraintKind, PlanRule, Standing, Subject, evaluate};
use crate::records::document::{Action, ChangeDocument, Target};

const TYPES: &[&str] = &[
    "aws_db_instance",
    "aws_security_group",
    "aws_security_group_rule",
    "aws_s3_bucket_policy",
    "aws_iam_policy",
    "aws_instance",
    "google_compute_firewall",
];

/// Attributes that rules read, weak or not.
fn attributes() -> impl Strategy<Value = Json> {
    let statement =
        |effect: &str| json!({ "Effect": effect, "Action": "*", "Resource": "*", "Principal": "*" });
    let policies = [statement("Allow"), statement("Deny")].map(|it| json!({ "Statement": [it] }).to_string());
    (
        proptest::option::of(any::<bool>()),
        proptest::option::of(any::<bool>()),
        proptest::option::of(0_i64..10),
        proptest::sample::subsequence(vec!["sg-1", "sg-2"], 0..=2),
        proptest::sample::subsequence(vec!["0.0.0.0/0", "10.0.0.0/8"], 0..=2),
        proptest::sample::select(policies.to_vec()),
        proptest::sample::select(vec!["x", "y", "z"]),
    )
        .prop_map(|(encrypted, multi, days, groups, ranges, policy, name)| {
            json!({
                "storage_encrypted": encrypted, "publicly_accessible": multi, "multi_az": multi,
                "backup_retention_period": days, "vpc_security_group_ids": groups,
                "ingress": [{ "cidr_blocks": ranges, "from_port": days }], "cidr_blocks": ranges,
                "type": "ingress", "source_ranges": ranges, "policy": policy, "identifier": name,
            })
        })
}

fn targets() -> impl Strategy<Value = Vec<Target>> {
    let actions = vec![Action::Create, Action::Update, Action::Delete, Action::Replace, Action::NoOp];
    let one = (
        proptest::sample::select(TYPES),
        proptest::sample::select(actions),
        attributes(),
        attributes(),
        proptest::sample::select(vec![
            "aws_db_instance.orders",
            "module.orders.x.y",
            "module.checkout.x.y",
            "elsewhere.x",
        ]),
    );
    proptest::collection::vec(one, 0..5).prop_map(|targets| {
        let mut named: Vec<Target> = Vec::new();
        for (kind, action, before, after, address) in targets {
            let (before, after) = match action {
                Action::Create => (Json::Null, after),
                Action::Delete => (before, Json::Null),
                Action::NoOp => (before.clone(), before),
                _ => (before, after),
            };
            if named.iter().all(|other| other.address != id(address)) {
                named.push(target(address, kind, action, before, after));
            }
        }
        named
    })
}

fn rules() -> Vec<ConstraintKind> {
    let graph = [
        ConstraintKind::OwnerPresent,
        ConstraintKind::NoDeleteWithDependents,
        ConstraintKind::RedundancyPerZone { zones_min: 2 },
        ConstraintKind::RecoveryRehearsed { age_max_s: 1 },
        ConstraintKind::SinglePointOfDependency { dependents_min: 1 },
        ConstraintKind::Residency { regions: [String::from("eu-*")].into() },
    ];
    graph.into_iter().chain(PlanRule::ALL.map(ConstraintKind::Plan)).collect()
}

/// The same estate, and nothing is done to it.
fn as_it_is(targets: &[Target]) -> ChangeDocument {
    let still = targets.iter().filter(|target| target.action != Action::Create).map(|target| {
        let before = target.before.clone();
        Target { action: Action::NoOp, after: before.clone(), before, ..target.clone() }
    });
    document(&still.collect::<Vec<_>>())
}

fn unsafe_shop() -> Model {
    let mut model = shop();
    for object in &mut model.objects {
        if object.id == id("w:orders") {
            *object = placed("w:orders", &["a"], None);
        }
    }
    model
}

proptest! {
    #[test]
    fn u10_what_is_compared_with_itself_introduces_nothing(targets in targets()) {
        let document = as_it_is(&targets);
        for rule in rules() {
            let evaluated = judged(&constraint(rule), unsafe_shop(), &document);
            prop_assert!(evaluated.violations.iter().all(|violation| !violation.standing.counts()), "{evaluated:?}");
        }
    }

    #[test]
    fn u10_undoing_a_violation_fixes_it_and_introduces_nothing(before in attributes(), kind in proptest::sample::select(TYPES)) {
        let weak = document(&[target("a.b", kind, Action::NoOp, before.clone(), before.clone())]);
        let gone = document(&[target("a.b", kind, Action::Delete, before, Json::Null)]);
        for rule in [PlanRule::EncryptionOff, PlanRule::BackupsOff, PlanRule::IamWildcard, PlanRule::PublicExposure] {
            let (weak, gone) = (planned(rule, &weak), planned(rule, &gone));
            prop_assert_eq!(weak.violations.len(), gone.violations.len());
            prop_assert!(weak.violations.iter().all(|violation| violation.standing == Standing::PreExisting));
            prop_assert!(gone.violations.iter().all(|violation| violation.standing == Standing::Fixed));
        }
    }

    #[test]
    fn what_a_reduction_leaves_out_is_no_longer_violated(targets in targets()) {
        let whole = document(&targets);
        for rule in rules() {
            let rule = constraint(rule);
            for violation in judged(&rule, unsafe_shop(), &whole).violations {
                if violation.caused_by.is_empty() {
                    continue;
                }
                let rest: Vec<Target> =
                    targets.iter().filter(|target| !violation.caused_by.contains(&target.address)).cloned().collect();
                let left = judged(&rule, unsafe_shop(), &document(&rest));
                let same = |other: &&crate::policy::Violation| {
                    other.standing.counts() && other.subject == violation.subject && other.attribute == violation.attribute
                };
                prop_assert_eq!(left.violations.iter().find(same), None);
            }
        }
    }

    #[test]
    fn s18_the_same_inputs_give_the_same_answer_in_order_with_paths_that_end_at_their_subject(targets in targets()) {
        let document = document(&targets);
        for rule in rules() {
            let rule = constraint(rule);
            let evaluated = judged(&rule, unsafe_shop(), &document);
            prop_assert_eq!(&evaluated, &judged(&rule, unsafe_shop(), &document));
            prop_assert!(evaluated.violations.is_sorted());
            for violation in &evaluated.violations {
                prop_assert_eq!(violation.path.last(), Some(&violation.subject));
                prop_assert!(violation.caused_by.is_sorted());
                prop_assert_eq!(violation.caused_by.is_empty() && rule.rule != ConstraintKind::Plan(PlanRule::IncompletePlan), !violation.standing.counts());
            }
        }
    }
}

#[test]
fn u10_base_against_base_introduces_nothing_even_for_a_change_that_would() {
    let graph = Graph::index(unsafe_shop()).unwrap();
    let base = View::base(&graph);
    let change = document(&[target(
        "aws_db_instance.orders",
        "aws_db_instance",
        Action::Update,
        json!({}),
        json!({}),
    )]);
    let targets = resolve(&graph, &change);
    let catalog = super::catalog();
    let subject = Subject {
        document: &change,
        targets: &targets,
        base: &base,
        overlay: &base,
        catalog: &catalog,
        cutoff: cutoff(),
    };
    let redundancy = constraint(ConstraintKind::RedundancyPerZone { zones_min: 2 });
    let evaluated = evaluate(&redundancy, &subject);
    assert_eq!(evaluated.violations.len(), 1);
    assert_eq!(evaluated.violations[0].standing, Standing::PreExisting);
}
