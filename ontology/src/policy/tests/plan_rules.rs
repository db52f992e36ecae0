use serde_json::{Value as Json, json};

use super::{constraint, judged, lines, planned, strings};
use crate::Value;
use crate::graph::sample::{document, id, shop, target};
use crate::model::Detail;
use crate::policy::{ConstraintKind, PlanRule, Selector};
use crate::records::document::{Action, ChangeDocument, Target};
use crate::value::Withheld;

pub(super) fn create(kind: &str, after: Json) -> Target {
    target("a.b", kind, Action::Create, Json::Null, after)
}

pub(super) fn update(kind: &str, before: Json, after: Json) -> Target {
    target("a.b", kind, Action::Update, before, after)
}

fn delete(kind: &str) -> Target {
    target("a.b", kind, Action::Delete, json!({}), Json::Null)
}

/// `standing attribute value` of what a rule finds in one target.
pub(super) fn check(rule: PlanRule, target: Target, expect: &[&str]) {
    let found = lines(&planned(rule, &document(std::slice::from_ref(&target))));
    let found: Vec<String> = found.iter().map(|line| line.replacen(" a.b", "", 1)).collect();
    assert_eq!(found, expect, "{rule:?} on {target:?}");
}

fn unknown(rule: PlanRule, mut target: Target, paths: &[&str], expect: Option<&str>) {
    target.unknown = strings(paths);
    assert_eq!(planned(rule, &document(&[target])).unknown.as_deref(), expect);
}

#[test]
fn u10_a_switch_is_introduced_worsened_pre_existing_or_fixed() {
    let rule = PlanRule::EncryptionOff;
    let encrypted = |on: bool| json!({ "storage_encrypted": on });
    let kind = "aws_db_instance";
    check(rule, create(kind, encrypted(false)), &["introduced storage_encrypted false"]);
    check(rule, create(kind, json!({})), &["introduced storage_encrypted not set"]);
    check(
        rule,
        create(kind, json!({ "storage_encrypted": null })),
        &["introduced storage_encrypted not set"],
    );
    check(rule, create(kind, encrypted(true)), &[]);
    check(rule, update(kind, encrypted(true), encrypted(false)), &["introduced storage_encrypted false"]);
    check(rule, update(kind, encrypted(false), encrypted(false)), &["pre-existing storage_encrypted false"]);
    check(rule, update(kind, encrypted(false), encrypted(true)), &["fixed storage_encrypted false"]);
    check(
        rule,
        target("a.b", kind, Action::NoOp, encrypted(false), encrypted(false)),
        &["pre-existing storage_encrypted false"],
    );
    check(
        rule,
        target("a.b", kind, Action::Delete, encrypted(false), Json::Null),
        &["fixed storage_encrypted false"],
    );
    let backups = |days: i64| json!({ "backup_retention_period": days });
    let rule = PlanRule::BackupsOff;
    check(rule, update(kind, backups(3), backups(1)), &["worsened backup_retention_period 1"]);
    check(rule, update(kind, backups(1), backups(3)), &["pre-existing backup_retention_period 3"]);
    check(rule, update(kind, backups(7), backups(1)), &["introduced backup_retention_period 1"]);
    check(rule, create(kind, json!({ "backup_retention_period": 0, "replicate_source_db": "main" })), &[]);
}

#[test]
fn what_is_read_instead_of_managed_is_no_concern() {
    let data = Target { data: true, ..create("aws_db_instance", json!({})) };
    check(PlanRule::EncryptionOff, data, &[]);
}

#[test]
fn switches_are_read_through_blocks() {
    let volumes =
        |on: &[Json]| json!({ "root_block_device": [{ "encrypted": true }], "ebs_block_device": on });
    let rule = PlanRule::EncryptionOff;
    check(rule, create("aws_instance", volumes(&[json!({ "encrypted": true })])), &[]);
    check(rule, create("aws_instance", json!({})), &[]);
    let one_off = volumes(&[json!({ "encrypted": true }), json!({ "encrypted": false })]);
    check(rule, create("aws_instance", one_off), &["introduced ebs_block_device.encrypted false"]);
    let domain = json!({ "encrypt_at_rest": [{ "enabled": false }] });
    check(rule, create("aws_opensearch_domain", domain), &["introduced encrypt_at_rest.enabled false"]);
}

#[test]
fn what_was_on_is_kept_on() {
    let logs = |types: Json| json!({ "enabled_cluster_log_types": types });
    let rule = PlanRule::LoggingOff;
    let kind = "aws_eks_cluster";
    check(
        rule,
        update(kind, logs(json!(["audit"])), logs(json!([]))),
        &["introduced enabled_cluster_log_types []"],
    );
    check(rule, update(kind, logs(json!([])), logs(json!([]))), &[]);
    check(rule, create(kind, logs(json!([]))), &[]);
    check(rule, delete("aws_cloudtrail"), &["introduced - delete"]);
    check(
        rule,
        create("aws_cloudtrail", json!({ "enable_logging": false })),
        &["introduced enable_logging false"],
    );
    let protected = |on: bool| json!({ "enable_deletion_protection": on });
    let off = update("aws_lb", protected(true), protected(false));
    check(PlanRule::DeletionProtectionOff, off, &["introduced enable_deletion_protection false"]);
}

#[test]
fn what_is_known_only_after_apply_is_unknown_where_the_rule_must_read_it() {
    let why = Some("a.b: storage_encrypted is known only after apply");
    unknown(PlanRule::EncryptionOff, create("aws_db_instance", json!({})), &["storage_encrypted"], why);
    unknown(
        PlanRule::EncryptionOff,
        create("aws_db_instance", json!({ "storage_encrypted": true })),
        &["port"],
        None,
    );
    unknown(PlanRule::EncryptionOff, create("aws_instance", json!({})), &["root_block_device"], None);
    let groups = update("aws_instance", json!({ "vpc_security_group_ids": ["sg-1"] }), json!({}));
    let why = Some("a.b: vpc_security_group_ids is known only after apply");
    unknown(PlanRule::SecurityGroupRemoved, groups, &["vpc_security_group_ids"], why);
    let rule = create("aws_security_group_rule", json!({ "type": "ingress" }));
    unknown(
        PlanRule::PublicExposure,
        rule,
        &["cidr_blocks"],
        Some("a.b: cidr_blocks is known only after apply"),
    );
    unknown(PlanRule::PublicExposure, create("aws_security_group", json!({})), &["ingress"], None);
    let policy = create("aws_iam_policy", json!({}));
    unknown(PlanRule::IamWildcard, policy, &["policy"], Some("a.b: policy is known only after apply"));
}

#[test]
fn u03_a_withheld_value_is_compared_by_whether_it_changed_and_never_shown() {
    let withheld =
        |changed| Value::Withheld(Withheld { kind: "boolean".to_owned(), changed, mac: None, key_id: None });
    let with = |changed| {
        let mut target = update("aws_db_instance", json!({ "storage_encrypted": true }), json!({}));
        for side in [&mut target.before, &mut target.after].into_iter().flatten() {
            side.insert("storage_encrypted".to_owned(), withheld(changed));
        }
        planned(PlanRule::EncryptionOff, &document(&[target]))
    };
    assert_eq!(with(false).unknown, None);
    assert_eq!(with(false).violations, []);
    assert_eq!(with(true).unknown.as_deref(), Some("a.b: storage_encrypted is withheld and changed"));
    assert_eq!(with(true).violations, []);
}

#[test]
fn a_stateful_resource_that_goes_is_named_with_what_forces_it() {
    let rule = PlanRule::StatefulDestroyed;
    check(rule, delete("aws_db_instance"), &["introduced - delete"]);
    check(rule, delete("aws_s3_bucket"), &["introduced - delete"]);
    check(rule, delete("aws_instance"), &[]);
    let mut replace = target("a.b", "aws_db_instance", Action::Replace, json!({}), json!({}));
    replace.replace_paths = strings(&["engine_version"]);
    check(rule, replace, &["introduced engine_version replace, forced by engine_version"]);
    check(rule, target("a.b", "aws_db_instance", Action::Forget, json!({}), Json::Null), &[]);
}

#[test]
fn what_the_model_calls_stateful_is_stateful_whatever_the_plan_calls_it() {
    let mut model = shop();
    for object in &mut model.objects {
        if let Detail::Resource(placement) = &mut object.detail {
            placement.kind = Some("aws_db_instance".to_owned());
        }
    }
    let gone = target("r:orders-db", "resource", Action::Delete, Json::Null, Json::Null);
    let rule = constraint(ConstraintKind::Plan(PlanRule::StatefulDestroyed));
    assert_eq!(lines(&judged(&rule, model, &document(&[gone]))), ["introduced r:orders-db - delete"]);
}

#[test]
fn a_security_group_is_removed_when_nothing_takes_its_place() {
    let rule = PlanRule::SecurityGroupRemoved;
    let groups = |ids: &[&str]| json!({ "vpc_security_group_ids": ids });
    let from = |before: &[&str], after: &[&str]| update("aws_instance", groups(before), groups(after));
    check(rule, from(&["a"], &[]), &["introduced vpc_security_group_ids [\"a\"] → []"]);
    check(rule, from(&["a", "b"], &["b"]), &["introduced vpc_security_group_ids [\"a\",\"b\"] → [\"b\"]"]);
    check(rule, from(&["a"], &["b"]), &[]);
    check(rule, from(&[], &["b"]), &[]);
    check(rule, delete("aws_security_group"), &["introduced - delete"]);
    let rules = |ports: &[i64]| json!({ "ingress": ports.iter().map(|port| json!({ "from_port": port })).collect::<Vec<_>>() });
    check(rule, update("aws_security_group", rules(&[80, 443]), rules(&[443])), &[]);
    check(
        rule,
        update("aws_security_group", rules(&[443]), rules(&[])),
        &["introduced ingress [{\"from_port\":443}] → []"],
    );
}

/// What is found where these targets, at a, b, c …, have these attributes.
fn identities(targets: &[(Action, Json, Json)]) -> Vec<String> {
    let named = targets.iter().zip(["a", "b", "c"]).map(|((action, before, after), address)| {
        target(address, "aws_db_instance", *action, before.clone(), after.clone())
    });
    lines(&planned(PlanRule::DuplicateIdentity, &document(&named.collect::<Vec<_>>())))
}

#[test]
fn two_targets_may_not_claim_one_identity() {
    let x = || json!({ "identifier": "x" });
    let at = |zone: &str| json!({ "identifier": "x", "availability_zone": zone });
    let new = |after: Json| (Action::Create, Json::Null, after);
    assert_eq!(identities(&[new(x()), new(x())]), ["introduced b identifier \"x\", as a"]);
    assert_eq!(identities(&[new(x()), (Action::NoOp, x(), x())]), ["introduced a identifier \"x\", as b"]);
    assert_eq!(
        identities(&[(Action::NoOp, x(), x()), (Action::NoOp, x(), x())]),
        ["pre-existing b identifier \"x\", as a"]
    );
    assert_eq!(
        identities(&[new(at("us-east-1a")), new(at("us-east-1b"))]),
        ["introduced b identifier \"x\" in us-east-1, as a"]
    );
    assert_eq!(identities(&[new(at("us-east-1a")), new(at("eu-west-1a"))]), [] as [&str; 0]);
    assert_eq!(identities(&[new(json!({})), new(json!({}))]), [] as [&str; 0]);
    assert_eq!(identities(&[(Action::Delete, x(), Json::Null), new(x())]), [] as [&str; 0]);
    assert_eq!(
        identities(&[(Action::NoOp, x(), x()), (Action::Update, json!({ "identifier": "y" }), x())]),
        ["introduced b identifier \"x\", as a"]
    );
}

#[test]
fn drift_counts_where_the_change_would_overwrite_it() {
    let touched = update("aws_instance", json!({}), json!({}));
    let mut untouched = target("c.d", "aws_instance", Action::NoOp, json!({}), json!({}));
    untouched.address = id("c.d");
    let drifted = ChangeDocument { drift: [id("a.b"), id("c.d")].into(), ..document(&[touched, untouched]) };
    assert_eq!(
        lines(&planned(PlanRule::Drift, &drifted)),
        [
            "introduced a.b - differs from the recorded state",
            "pre-existing c.d - differs from the recorded state"
        ]
    );
}

#[test]
fn a_plan_that_failed_or_leaves_things_out_says_so_itself() {
    let plan = |errored, incomplete| ChangeDocument { errored, incomplete, ..document(&[]) };
    let found = |plan: &ChangeDocument| planned(PlanRule::IncompletePlan, plan).violations.len();
    assert_eq!((found(&plan(false, false)), found(&plan(true, false)), found(&plan(true, true))), (0, 1, 2));
}

#[test]
fn u03_a_secret_without_a_marker_is_named_and_not_shown() {
    let mut with_secret = create("aws_db_instance", json!({ "manage_master_user_password": true }));
    let withheld = Withheld { kind: "text".to_owned(), changed: true, mac: None, key_id: None };
    with_secret.after.as_mut().unwrap().insert("password".to_owned(), Value::Withheld(withheld.clone()));
    with_secret.after.as_mut().unwrap().insert("arn".to_owned(), Value::Withheld(withheld));
    let unmarked = ChangeDocument { sensitivity_unmarked: true, ..document(&[with_secret.clone()]) };
    assert_eq!(lines(&planned(PlanRule::SecretUnmarked, &unmarked)), ["introduced a.b password (withheld)"]);
    check(PlanRule::SecretUnmarked, with_secret, &[]);
}

#[test]
fn what_is_forgotten_stays_and_is_named() {
    let forgotten = target("a.b", "aws_instance", Action::Forget, json!({}), Json::Null);
    check(PlanRule::Forgotten, forgotten, &["introduced - stays, and is no longer managed"]);
}

#[test]
fn a_rule_applies_to_what_it_selects_and_says_where_that_cannot_be_told() {
    let mut rule = constraint(ConstraintKind::Plan(PlanRule::EncryptionOff));
    let mut model = shop();
    for object in &mut model.objects {
        if let Detail::Workload(placement) = &mut object.detail {
            placement.environment = Some("production".to_owned());
        }
    }
    let at = |address: &str| {
        document(&[target(address, "aws_db_instance", Action::Create, Json::Null, json!({}))])
    };
    let bound = "module.orders.aws_db_instance.new";
    rule.applies_to = Selector { environments: strings(&["production"]), ..Selector::default() };
    assert_eq!(judged(&rule, model.clone(), &at(bound)).violations.len(), 1);
    let unbound = judged(&rule, model.clone(), &at("aws_db_instance.elsewhere"));
    assert_eq!(unbound.violations, []);
    assert_eq!(
        unbound.unknown.as_deref(),
        Some("aws_db_instance.elsewhere: its environment or tier is not modelled")
    );
    rule.applies_to = Selector { environments: strings(&["staging"]), ..Selector::default() };
    let elsewhere = judged(&rule, model.clone(), &at(bound));
    assert_eq!((elsewhere.checked, elsewhere.violations.len(), elsewhere.unknown), (0, 0, None));
    rule.applies_to = Selector { kinds: strings(&["aws_rds_*"]), ..Selector::default() };
    assert_eq!(judged(&rule, model, &at(bound)).checked, 0);
}

#[test]
fn a_violation_names_its_cause_only_where_it_counts() {
    let encrypted = |on: bool| json!({ "storage_encrypted": on });
    let found = |target: Target| planned(PlanRule::EncryptionOff, &document(&[target])).violations.remove(0);
    assert_eq!(found(create("aws_db_instance", encrypted(false))).caused_by, [id("a.b")]);
    assert_eq!(found(update("aws_db_instance", encrypted(false), encrypted(false))).caused_by, []);
}
