use crate::policy::attributes_read;
use crate::policy::catalog::wildcard;

fn reads(kind: &str, attribute: &str) -> bool {
    attributes_read().iter().any(|(pattern, names)| wildcard(pattern, kind) && names.contains(&attribute))
}

#[test]
fn u03_what_rules_and_the_first_screen_read_is_kept() {
    for (kind, attribute) in [
        ("aws_db_instance", "vpc_security_group_ids"),
        ("aws_db_instance", "storage_encrypted"),
        ("aws_db_instance", "deletion_protection"),
        ("aws_db_instance", "skip_final_snapshot"),
        ("aws_db_instance", "backup_retention_period"),
        ("aws_db_instance", "identifier"),
        ("aws_db_instance", "availability_zone"),
        ("aws_db_instance", "multi_az"),
        ("aws_security_group", "ingress"),
        ("aws_security_group_rule", "cidr_blocks"),
        ("aws_iam_policy", "policy"),
        ("aws_iam_role", "inline_policy.policy"),
        ("aws_ecs_service", "desired_count"),
        ("google_compute_firewall", "source_ranges"),
        ("google_project_iam_member", "member"),
        ("anything", "tags"),
    ] {
        assert!(reads(kind, attribute), "{kind}.{attribute}");
    }
}

#[test]
fn u03_nothing_under_which_secrets_stand_is_kept() {
    for (kind, attribute) in [
        ("aws_db_instance", "password"),
        ("aws_db_instance", "username"),
        ("aws_secretsmanager_secret_version", "secret_string"),
        ("aws_instance", "user_data"),
        ("aws_lambda_function", "environment"),
        ("google_container_cluster", "master_auth"),
        ("azurerm_storage_account", "primary_access_key"),
        ("anything", "connection_string"),
    ] {
        assert!(!reads(kind, attribute), "{kind}.{attribute}");
    }
}

#[test]
fn the_table_is_sorted_and_says_nothing_twice() {
    let table = attributes_read();
    assert!(table.windows(2).all(|pair| pair[0].0 < pair[1].0));
    for (kind, names) in table {
        assert!(!names.is_empty(), "{kind}");
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{kind}");
    }
}
