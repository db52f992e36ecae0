//! Two targets that claim one identity: the second create will be refused, or one overwrites the other.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::Finder;
use super::side::{first_at, text_at};
use crate::policy::constraint::Standing;
use crate::records::document::{Action, Target};
use crate::value::{Attributes, Value};

/// Whether an identity is unique in a region or everywhere (of an account, or of the world).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    Region,
    Everywhere,
}

/// The attributes that together are a type's identity, sorted by type.
const IDENTITIES: &[(&str, &[&str], Scope)] = &[
    ("aws_cloudwatch_log_group", &["name"], Scope::Region),
    ("aws_db_instance", &["identifier"], Scope::Region),
    ("aws_docdb_cluster", &["cluster_identifier"], Scope::Region),
    ("aws_dynamodb_table", &["name"], Scope::Region),
    ("aws_ecr_repository", &["name"], Scope::Region),
    ("aws_ecs_cluster", &["name"], Scope::Region),
    ("aws_ecs_service", &["cluster", "name"], Scope::Region),
    ("aws_eks_cluster", &["name"], Scope::Region),
    ("aws_elasticache_cluster", &["cluster_id"], Scope::Region),
    ("aws_elasticache_replication_group", &["replication_group_id"], Scope::Region),
    ("aws_iam_group", &["name"], Scope::Everywhere),
    ("aws_iam_policy", &["name", "path"], Scope::Everywhere),
    ("aws_iam_role", &["name"], Scope::Everywhere),
    ("aws_iam_user", &["name"], Scope::Everywhere),
    ("aws_kms_alias", &["name"], Scope::Region),
    ("aws_lambda_function", &["function_name"], Scope::Region),
    ("aws_lb", &["name"], Scope::Region),
    ("aws_neptune_cluster", &["cluster_identifier"], Scope::Region),
    ("aws_rds_cluster", &["cluster_identifier"], Scope::Region),
    ("aws_redshift_cluster", &["cluster_identifier"], Scope::Region),
    ("aws_route53_record", &["zone_id", "name", "type", "set_identifier"], Scope::Everywhere),
    ("aws_s3_bucket", &["bucket"], Scope::Everywhere),
    ("aws_sns_topic", &["name"], Scope::Region),
    ("aws_sqs_queue", &["name"], Scope::Region),
    ("azurerm_key_vault", &["name"], Scope::Everywhere),
    ("azurerm_resource_group", &["name", "subscription_id"], Scope::Everywhere),
    ("azurerm_storage_account", &["name"], Scope::Everywhere),
    ("google_container_cluster", &["name", "location", "project"], Scope::Everywhere),
    ("google_sql_database_instance", &["name", "project"], Scope::Everywhere),
    ("google_storage_bucket", &["name"], Scope::Everywhere),
];

/// Attributes that tell a target's region.
const REGIONS: &[&str] = &["arn", "availability_zone", "region"];

/// Attributes that this rule reads, by type.
pub(in crate::policy) fn attributes() -> Vec<(&'static str, Vec<String>)> {
    let read = |(kind, names, _): &(&'static str, &'static [&'static str], Scope)| {
        (*kind, names.iter().chain(REGIONS).map(|name| (*name).to_owned()).collect())
    };
    IDENTITIES.iter().map(read).collect()
}

/// One target that claims an identity after the change.
struct Claim<'s> {
    target: &'s Target,
    region: Option<String>,
    /// It held it before.
    held: bool,
}

pub(super) fn duplicate_identity(finder: &mut Finder<'_>) {
    let mut claims: BTreeMap<(&str, Vec<&str>), Vec<Claim<'_>>> = BTreeMap::new();
    for target in finder.targets() {
        let Ok(index) = IDENTITIES.binary_search_by(|(kind, ..)| (*kind).cmp(&target.kind)) else { continue };
        let (kind, names, scope) = IDENTITIES[index];
        finder.checked(target);
        let Some(after) = after(target) else { continue };
        let Some(identity) = identity(after, names) else { continue };
        let before = target.before.as_ref().filter(|_| target.action != Action::Create);
        let held = before.and_then(|before| self::identity(before, names)).as_ref() == Some(&identity);
        let region = if scope == Scope::Region { region(after) } else { None };
        claims.entry((kind, identity)).or_default().push(Claim { target, region, held });
    }
    for ((kind, identity), mut claims) in claims {
        claims.sort_by_key(|claim| !claim.held);
        for (index, claim) in claims.iter().enumerate() {
            let Some(rival) = claims[..index].iter().find(|rival| may_collide(rival, claim)) else {
                continue;
            };
            let standing = if claim.held { Standing::PreExisting } else { Standing::Introduced };
            let names =
                IDENTITIES.iter().find(|(other, ..)| *other == kind).map_or(&[] as &[&str], |it| it.1);
            let region = claim.region.as_ref().or(rival.region.as_ref());
            let place = region.map(|region| format!(" in {region}")).unwrap_or_default();
            let value = format!("{:?}{place}, as {}", identity.join(" "), rival.target.address);
            let attribute = names.first().map(|name| (*name).to_owned());
            finder.violates(
                claim.target,
                standing,
                attribute,
                &value,
                BTreeSet::from([claim.target.address.clone()]),
            );
        }
    }
}

/// Two regions that are both known and differ keep two claims apart.
fn may_collide(a: &Claim<'_>, b: &Claim<'_>) -> bool {
    match (&a.region, &b.region) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    }
}

fn after(target: &Target) -> Option<&Attributes> {
    match target.action {
        Action::Delete => None,
        Action::NoOp | Action::Read | Action::Forget => target.after.as_ref().or(target.before.as_ref()),
        Action::Create | Action::Update | Action::Replace => target.after.as_ref(),
    }
}

/// The identity, if its first part is known; parts that are not set are empty.
fn identity<'v>(side: &'v Attributes, names: &[&str]) -> Option<Vec<&'v str>> {
    let told =
        names.iter().all(|name| !matches!(first_at(side, name), Some(Value::Unknown | Value::Withheld(_))));
    let parts: Vec<&str> = names.iter().map(|name| text_at(side, name)).collect();
    let named = names
        .iter()
        .zip(&parts)
        .any(|(name, part)| !part.is_empty() && !matches!(*name, "cluster" | "zone_id"));
    (told && named).then_some(parts)
}

/// The region, as the target says, or as its zone or ARN does.
fn region(side: &Attributes) -> Option<String> {
    let said = text_at(side, "region");
    let zone = text_at(side, "availability_zone").trim_end_matches(|c: char| c.is_ascii_lowercase());
    let arn = text_at(side, "arn").split(':').nth(3).unwrap_or_default();
    [said, zone, arn].into_iter().find(|text| !text.is_empty()).map(str::to_owned)
}
