use serde_json::Value as Json;

use super::{lines, planned};
use crate::Value;
use crate::graph::sample::{document, target};
use crate::policy::PlanRule;
use crate::records::document::{Action, ChangeDocument, Target};
use crate::value::Withheld;

const PLAN: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/cases/terraform/infracost-terraform-0.14.json");
const DB_1: &str = "module.db.module.db_1.module.db_instance.aws_db_instance.this[0]";
const DB_2: &str = "module.db.module.db_2.module.db_instance.aws_db_instance.this[0]";
const ROLE_1: &str = "module.db.module.db_1.module.db_instance.aws_iam_role.enhanced_monitoring[0]";
const ROLE_2: &str = "module.db.module.db_2.module.db_instance.aws_iam_role.enhanced_monitoring[0]";

/// The published plan, with its passwords withheld and nothing else.
fn published() -> ChangeDocument {
    #[expect(clippy::disallowed_methods, reason = "the plan is an input of the test, not of what it tests")]
    let text = std::fs::read_to_string(PLAN).expect("the published plans lie beside the repository");
    let plan: Json = serde_json::from_str(&text).unwrap();
    let targets: Vec<Target> = plan["resource_changes"].as_array().unwrap().iter().map(read).collect();
    ChangeDocument { sensitivity_unmarked: true, ..document(&targets) }
}

fn read(change: &Json) -> Target {
    let actions: Vec<&str> =
        change["change"]["actions"].as_array().unwrap().iter().filter_map(Json::as_str).collect();
    let action = match actions.as_slice() {
        ["no-op"] => Action::NoOp,
        ["create"] => Action::Create,
        ["update"] => Action::Update,
        other => panic!("the plan has no {other:?}"),
    };
    let mut target = target(
        change["address"].as_str().unwrap(),
        change["type"].as_str().unwrap(),
        action,
        change["change"]["before"].clone(),
        change["change"]["after"].clone(),
    );
    let unknown = change["change"]["after_unknown"].as_object().into_iter().flatten();
    target.unknown =
        unknown.filter(|(_, mark)| **mark == Json::Bool(true)).map(|(name, _)| name.clone()).collect();
    for side in [&mut target.before, &mut target.after].into_iter().flatten() {
        if let Some(password) = side.get_mut("password") {
            let kind = "text".to_owned();
            *password = Value::Withheld(Withheld {
                kind,
                changed: action == Action::Create,
                mac: None,
                key_id: None,
            });
        }
    }
    target
}

#[test]
fn u01_the_plan_alone_says_what_the_first_screen_shows() {
    let plan = published();
    let check = |rule: PlanRule, expect: &[String]| {
        let mut found = planned(rule, &plan);
        found.violations.retain(|violation| violation.standing.counts());
        assert_eq!(lines(&found), expect, "{rule:?}");
    };
    check(
        PlanRule::SecurityGroupRemoved,
        &[format!("introduced {DB_1} vpc_security_group_ids [\"sg-5277e14a\"] → []")],
    );
    check(
        PlanRule::DuplicateIdentity,
        &[
            format!("introduced {DB_2} identifier \"demodb\" in us-east-1, as {DB_1}"),
            format!("introduced {ROLE_2} name \"MyRDSMonitoringRole\", as {ROLE_1}"),
        ],
    );
    check(PlanRule::EncryptionOff, &[format!("introduced {DB_2} storage_encrypted false")]);
    check(
        PlanRule::DeletionProtectionOff,
        &[
            format!("introduced {DB_2} deletion_protection false"),
            format!("introduced {DB_2} skip_final_snapshot true"),
        ],
    );
    check(PlanRule::SecretUnmarked, &[format!("introduced {DB_2} password (withheld)")]);
    for rule in PlanRule::ALL {
        let named = [
            PlanRule::SecurityGroupRemoved,
            PlanRule::DuplicateIdentity,
            PlanRule::EncryptionOff,
            PlanRule::DeletionProtectionOff,
            PlanRule::SecretUnmarked,
        ];
        if !named.contains(&rule) {
            check(rule, &[]);
        }
    }
}

#[test]
fn u10_the_other_database_was_as_weak_before() {
    let plan = published();
    let check = |rule: PlanRule, expect: &[&str]| {
        let mut found = planned(rule, &plan);
        found.violations.retain(|violation| violation.subject.as_str() == DB_1);
        let expect: Vec<String> = expect.iter().map(|what| format!("pre-existing {DB_1} {what}")).collect();
        assert_eq!(lines(&found), expect, "{rule:?}");
    };
    check(PlanRule::EncryptionOff, &["storage_encrypted false"]);
    check(PlanRule::DeletionProtectionOff, &["deletion_protection false", "skip_final_snapshot true"]);
    check(PlanRule::BackupsOff, &["backup_retention_period 0"]);
    check(PlanRule::SecretUnmarked, &["password (withheld)"]);
}

#[test]
fn what_the_plan_leaves_open_is_unknown_and_not_passed() {
    let backups = planned(PlanRule::BackupsOff, &published());
    assert_eq!(backups.unknown, Some(format!("{DB_2}: backup_retention_period is known only after apply")));
    assert_eq!(planned(PlanRule::EncryptionOff, &published()).unknown, None);
}
