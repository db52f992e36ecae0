//! What goes: stateful resources, security groups, log sinks, and what is no longer managed.

use std::collections::BTreeSet;

use super::finding::Finder;
use super::side::{each_at, is_nothing, sides, untold};
use crate::policy::constraint::Standing;
use crate::records::document::{Action, Target};
use crate::records::snapshot::{Found, Resolution};
use crate::value::{Attributes, Value};

/// Types whose deletion switches logs or audit off, sorted.
pub(super) const LOGGING_TYPES: &[&str] = &[
    "aws_cloudtrail",
    "aws_config_configuration_recorder",
    "aws_config_configuration_recorder_status",
    "aws_flow_log",
    "aws_guardduty_detector",
    "aws_s3_bucket_logging",
    "aws_wafv2_web_acl_logging_configuration",
    "azurerm_monitor_diagnostic_setting",
    "azurerm_network_watcher_flow_log",
    "google_logging_folder_sink",
    "google_logging_organization_sink",
    "google_logging_project_sink",
];

/// Types whose deletion lets everybody in, sorted.
pub(super) const SHIELD_TYPES: &[&str] =
    &["aws_s3_account_public_access_block", "aws_s3_bucket_public_access_block"];

/// Types that are security groups, or tie them to something; sorted.
const GROUP_TYPES: &[&str] = &[
    "aws_network_interface_sg_attachment",
    "aws_security_group",
    "azurerm_network_interface_security_group_association",
    "azurerm_network_security_group",
    "azurerm_subnet_network_security_group_association",
    "google_compute_firewall",
];

/// Attributes that list the security groups of a thing.
const GROUP_LISTS: &[&str] = &[
    "network_configuration.security_groups",
    "security_group_ids",
    "security_group_names",
    "security_groups",
    "vpc_config.security_group_ids",
    "vpc_security_group_ids",
];

/// Types that list the rules of a security group themselves.
const GROUP_TYPES_WITH_RULES: &[&str] = &["aws_default_security_group", "aws_security_group"];
/// Attributes of those types that list them.
const RULE_LISTS: &[&str] = &["egress", "ingress"];

/// Attributes that these rules read, by type.
pub(in crate::policy) fn attributes() -> Vec<(&'static str, Vec<String>)> {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let mut read = vec![("*", owned(GROUP_LISTS))];
    read.extend(GROUP_TYPES_WITH_RULES.iter().map(|kind| (*kind, owned(RULE_LISTS))));
    read
}

/// Something stateful is deleted or replaced.
pub(super) fn stateful_destroyed(finder: &mut Finder<'_>) {
    let subject = finder.subject;
    for target in finder.targets() {
        let known = match Resolution::of(subject.targets, &target.address) {
            Found::Is(id) => subject.base.node(id).and_then(|node| subject.base.object(node)),
            _ => None,
        };
        let kind = known.and_then(|object| object.detail.placement()?.kind.as_deref()).unwrap_or_default();
        if !subject.catalog.is_stateful(&target.kind) && !subject.catalog.is_stateful(kind) {
            continue;
        }
        finder.checked(target);
        if target.action.destroys() {
            let because = target.replace_paths.iter().next().cloned();
            let value = match &because {
                Some(_) => {
                    let paths: Vec<&str> = target.replace_paths.iter().map(String::as_str).collect();
                    format!("{}, forced by {}", target.action.as_str(), paths.join(", "))
                }
                None => target.action.as_str().to_owned(),
            };
            violates(finder, target, because, &value);
        }
    }
}

/// Something stays in the world and is no longer managed.
pub(super) fn forgotten(finder: &mut Finder<'_>) {
    for target in finder.targets() {
        finder.checked(target);
        if target.action == Action::Forget {
            violates(finder, target, None, "stays, and is no longer managed");
        }
    }
}

/// One of these types is deleted.
pub(super) fn destroyed(finder: &mut Finder<'_>, types: &[&str]) {
    for target in finder.targets() {
        if target.action == Action::Delete && types.binary_search(&target.kind.as_str()).is_ok() {
            finder.checked(target);
            violates(finder, target, None, "delete");
        }
    }
}

/// A security group is deleted, loses all its rules, or is taken from something without another in its place.
pub(super) fn security_group_removed(finder: &mut Finder<'_>) {
    destroyed(finder, GROUP_TYPES);
    for target in finder.targets() {
        let (Some(before), Some(after)) = sides(target) else { continue };
        let lists = GROUP_LISTS.iter().map(|path| (*path, false));
        let own = GROUP_TYPES_WITH_RULES.contains(&target.kind.as_str());
        let rules = RULE_LISTS.iter().filter(|_| own).map(|path| (*path, true));
        let mut looked = false;
        for (path, only_emptied) in lists.chain(rules) {
            let (were, are) = (members(before, path), members(after, path));
            if were.is_empty() {
                continue;
            }
            looked = true;
            if let Some(why) = untold(target, path).filter(|_| target.action.changes()) {
                finder.unknown(target, &format!("{path} is {why}"));
                continue;
            }
            let gone = were.iter().any(|member| !are.contains(member));
            let more = are.iter().any(|member| !were.contains(member));
            if gone && !more && (are.is_empty() || !only_emptied) {
                violates(
                    finder,
                    target,
                    Some(path.to_owned()),
                    &format!("{} → {}", shown(&were), shown(&are)),
                );
            }
        }
        if looked {
            finder.checked(target);
        }
    }
}

/// The members of every list at a path. What is withheld counts as one member that no other equals but itself.
fn members<'v>(side: &'v Attributes, path: &str) -> BTreeSet<&'v Value> {
    let mut members = BTreeSet::new();
    each_at(side, path, &mut |value| match value {
        Value::List(values) => members.extend(values),
        other if is_nothing(Some(other)) => {}
        other => {
            members.insert(other);
        }
    });
    members
}

fn shown(members: &BTreeSet<&Value>) -> String {
    Value::List(members.iter().map(|member| (*member).clone()).collect()).to_string()
}

fn violates(finder: &mut Finder<'_>, target: &Target, attribute: Option<String>, value: &str) {
    finder.violates(target, Standing::Introduced, attribute, value, BTreeSet::from([target.address.clone()]));
}
