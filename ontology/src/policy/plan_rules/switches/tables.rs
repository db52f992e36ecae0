//! Which attribute of which resource type must be how. Attributes are named as the providers' documentation does.

use super::Demand::{AtLeast, AtLeastIfSaid, Kept, Not, NotOff, NotOn, On};
use super::Table;

/// Days of backups below which they are short: what a weekend and a holiday take to notice a loss.
const BACKUP_DAYS_MIN: i64 = 7;

/// Encryption at rest.
pub(in crate::policy) const ENCRYPTION: Table = &[
    ("aws_dax_cluster", &[("server_side_encryption.enabled", On)]),
    ("aws_db_instance", &[("storage_encrypted", On)]),
    ("aws_docdb_cluster", &[("storage_encrypted", On)]),
    ("aws_ebs_volume", &[("encrypted", On)]),
    ("aws_efs_file_system", &[("encrypted", On)]),
    ("aws_elasticache_replication_group", &[("at_rest_encryption_enabled", On)]),
    ("aws_elasticsearch_domain", &[("encrypt_at_rest.enabled", On)]),
    ("aws_instance", &[("ebs_block_device.encrypted", NotOff), ("root_block_device.encrypted", NotOff)]),
    ("aws_kinesis_stream", &[("encryption_type", Not(&["NONE"]))]),
    ("aws_launch_template", &[("block_device_mappings.ebs.encrypted", NotOff)]),
    ("aws_neptune_cluster", &[("storage_encrypted", On)]),
    ("aws_opensearch_domain", &[("encrypt_at_rest.enabled", On)]),
    ("aws_rds_cluster", &[("storage_encrypted", On)]),
    ("aws_redshift_cluster", &[("encrypted", On)]),
    ("azurerm_kusto_cluster", &[("disk_encryption_enabled", NotOff)]),
    ("azurerm_mssql_database", &[("transparent_data_encryption_enabled", NotOff)]),
];

/// Protection from deletion, and the snapshot that is taken before one.
pub(in crate::policy) const DELETION_PROTECTION: Table = &[
    ("aws_alb", &[("enable_deletion_protection", Kept)]),
    ("aws_cognito_user_pool", &[("deletion_protection", Not(&["INACTIVE"]))]),
    ("aws_db_instance", &[("deletion_protection", On), ("skip_final_snapshot", NotOn)]),
    ("aws_docdb_cluster", &[("deletion_protection", On), ("skip_final_snapshot", NotOn)]),
    ("aws_dynamodb_table", &[("deletion_protection_enabled", On)]),
    ("aws_instance", &[("disable_api_termination", Kept)]),
    ("aws_lb", &[("enable_deletion_protection", Kept)]),
    ("aws_neptune_cluster", &[("deletion_protection", On), ("skip_final_snapshot", NotOn)]),
    ("aws_rds_cluster", &[("deletion_protection", On), ("skip_final_snapshot", NotOn)]),
    ("aws_redshift_cluster", &[("skip_final_snapshot", NotOn)]),
    ("aws_s3_bucket", &[("force_destroy", NotOn)]),
    ("azurerm_key_vault", &[("purge_protection_enabled", On)]),
    ("google_bigquery_table", &[("deletion_protection", NotOff)]),
    ("google_bigtable_instance", &[("deletion_protection", NotOff)]),
    ("google_container_cluster", &[("deletion_protection", NotOff)]),
    (
        "google_sql_database_instance",
        &[("deletion_protection", NotOff), ("settings.deletion_protection_enabled", Kept)],
    ),
    ("google_storage_bucket", &[("force_destroy", NotOn)]),
];

/// Backups and kept versions.
pub(in crate::policy) const BACKUPS: Table = &[
    ("aws_db_instance", &[("backup_retention_period", AtLeast(BACKUP_DAYS_MIN))]),
    ("aws_docdb_cluster", &[("backup_retention_period", AtLeast(BACKUP_DAYS_MIN))]),
    ("aws_dynamodb_table", &[("point_in_time_recovery.enabled", On)]),
    ("aws_efs_backup_policy", &[("backup_policy.status", Not(&["DISABLED", "DISABLING"]))]),
    ("aws_elasticache_replication_group", &[("snapshot_retention_limit", Kept)]),
    ("aws_neptune_cluster", &[("backup_retention_period", AtLeast(BACKUP_DAYS_MIN))]),
    ("aws_rds_cluster", &[("backup_retention_period", AtLeast(BACKUP_DAYS_MIN))]),
    ("aws_redshift_cluster", &[("automated_snapshot_retention_period", AtLeastIfSaid(1))]),
    ("aws_s3_bucket", &[("versioning.enabled", Kept)]),
    ("aws_s3_bucket_versioning", &[("versioning_configuration.status", Not(&["Suspended", "Disabled"]))]),
    ("azurerm_mysql_flexible_server", &[("backup_retention_days", AtLeastIfSaid(BACKUP_DAYS_MIN))]),
    ("azurerm_postgresql_flexible_server", &[("backup_retention_days", AtLeastIfSaid(BACKUP_DAYS_MIN))]),
    ("google_sql_database_instance", &[("settings.backup_configuration.enabled", On)]),
    ("google_storage_bucket", &[("versioning.enabled", Kept)]),
];

/// Logs and audit trails.
pub(in crate::policy) const LOGGING: Table = &[
    ("aws_alb", &[("access_logs.enabled", Kept)]),
    ("aws_api_gateway_stage", &[("access_log_settings", Kept)]),
    ("aws_apigatewayv2_stage", &[("access_log_settings", Kept)]),
    ("aws_cloudfront_distribution", &[("logging_config", Kept)]),
    (
        "aws_cloudtrail",
        &[
            ("enable_log_file_validation", Kept),
            ("enable_logging", NotOff),
            ("include_global_service_events", NotOff),
            ("is_multi_region_trail", Kept),
        ],
    ),
    ("aws_config_configuration_recorder_status", &[("is_enabled", NotOff)]),
    ("aws_db_instance", &[("enabled_cloudwatch_logs_exports", Kept)]),
    ("aws_docdb_cluster", &[("enabled_cloudwatch_logs_exports", Kept)]),
    ("aws_eks_cluster", &[("enabled_cluster_log_types", Kept)]),
    ("aws_guardduty_detector", &[("enable", NotOff)]),
    ("aws_lb", &[("access_logs.enabled", Kept)]),
    ("aws_neptune_cluster", &[("enable_cloudwatch_logs_exports", Kept)]),
    ("aws_rds_cluster", &[("enabled_cloudwatch_logs_exports", Kept)]),
    ("aws_redshift_cluster", &[("logging.enable", Kept)]),
    ("aws_s3_bucket", &[("logging", Kept)]),
    ("azurerm_mssql_server_extended_auditing_policy", &[("enabled", NotOff)]),
    ("google_compute_subnetwork", &[("log_config", Kept)]),
    ("google_container_cluster", &[("logging_service", Not(&["none"]))]),
    ("google_storage_bucket", &[("logging", Kept)]),
];

/// Switches that make something reachable from everywhere.
pub(in crate::policy) const EXPOSURE: Table = &[
    ("aws_alb", &[("internal", Kept)]),
    ("aws_db_instance", &[("publicly_accessible", NotOn)]),
    ("aws_dms_replication_instance", &[("publicly_accessible", NotOn)]),
    ("aws_instance", &[("associate_public_ip_address", NotOn)]),
    ("aws_lambda_function_url", &[("authorization_type", Not(&["NONE"]))]),
    ("aws_lb", &[("internal", Kept)]),
    ("aws_rds_cluster_instance", &[("publicly_accessible", NotOn)]),
    ("aws_redshift_cluster", &[("publicly_accessible", NotOn)]),
    ("aws_s3_account_public_access_block", PUBLIC_ACCESS_BLOCK),
    ("aws_s3_bucket", &[("acl", Not(PUBLIC_ACLS))]),
    ("aws_s3_bucket_acl", &[("acl", Not(PUBLIC_ACLS))]),
    ("aws_s3_bucket_public_access_block", PUBLIC_ACCESS_BLOCK),
    ("azurerm_mssql_server", &[("public_network_access_enabled", NotOn)]),
    ("azurerm_mysql_flexible_server", &[("public_network_access_enabled", NotOn)]),
    ("azurerm_postgresql_flexible_server", &[("public_network_access_enabled", NotOn)]),
    (
        "azurerm_storage_account",
        &[("allow_blob_public_access", NotOn), ("allow_nested_items_to_be_public", NotOn)],
    ),
    ("azurerm_storage_container", &[("container_access_type", Not(&["blob", "container"]))]),
];

const PUBLIC_ACLS: &[&str] = &["authenticated-read", "public-read", "public-read-write"];

const PUBLIC_ACCESS_BLOCK: &[(&str, super::Demand)] = &[
    ("block_public_acls", On),
    ("block_public_policy", On),
    ("ignore_public_acls", On),
    ("restrict_public_buckets", On),
];
