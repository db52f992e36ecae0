//! Access policies: who may do what on what.

use super::finding::Finder;
use super::side::{Weakness, compare, first_at, text_at, texts_at, untold};
use crate::records::document::{Action, Target};
use crate::value::{Attributes, Value};

/// Where a type's policy document stands, sorted by type. `aws_iam_*` documents say what a principal may do; the
/// others say who may use the thing.
const DOCUMENTS: &[(&str, &str)] = &[
    ("aws_ecr_repository_policy", "policy"),
    ("aws_elasticsearch_domain", "access_policies"),
    ("aws_elasticsearch_domain_policy", "access_policies"),
    ("aws_glacier_vault", "access_policy"),
    ("aws_iam_group_policy", "policy"),
    ("aws_iam_policy", "policy"),
    ("aws_iam_role", "assume_role_policy"),
    ("aws_iam_role_policy", "policy"),
    ("aws_iam_user_policy", "policy"),
    ("aws_kms_key", "policy"),
    ("aws_kms_key_policy", "policy"),
    ("aws_opensearch_domain", "access_policies"),
    ("aws_opensearch_domain_policy", "access_policies"),
    ("aws_s3_bucket", "policy"),
    ("aws_s3_bucket_policy", "policy"),
    ("aws_secretsmanager_secret_policy", "policy"),
    ("aws_sns_topic", "policy"),
    ("aws_sns_topic_policy", "policy"),
    ("aws_sqs_queue", "policy"),
    ("aws_sqs_queue_policy", "policy"),
];

/// Attributes that name a ready-made policy or role, by type, and which of them grant everything.
const READY_MADE: &[(&str, &str, &[&str])] = &[
    ("aws_iam_group_policy_attachment", "policy_arn", ADMINISTRATOR),
    ("aws_iam_policy_attachment", "policy_arn", ADMINISTRATOR),
    ("aws_iam_role", "managed_policy_arns", ADMINISTRATOR),
    ("aws_iam_role_policy_attachment", "policy_arn", ADMINISTRATOR),
    ("aws_iam_user_policy_attachment", "policy_arn", ADMINISTRATOR),
    ("azurerm_role_assignment", "role_definition_name", &["Owner"]),
    ("google_folder_iam_binding", "role", OWNER),
    ("google_folder_iam_member", "role", OWNER),
    ("google_organization_iam_binding", "role", OWNER),
    ("google_organization_iam_member", "role", OWNER),
    ("google_project_iam_binding", "role", OWNER),
    ("google_project_iam_member", "role", OWNER),
];

const ADMINISTRATOR: &[&str] = &["arn:aws:iam::aws:policy/AdministratorAccess"];
const OWNER: &[&str] = &["roles/owner"];

/// Attributes that rules read of policies, by type.
pub(in crate::policy) fn attributes() -> Vec<(&'static str, Vec<String>)> {
    let documents = DOCUMENTS.iter().map(|(kind, path)| (*kind, vec![(*path).to_owned()]));
    let ready_made = READY_MADE.iter().map(|(kind, path, _)| (*kind, vec![(*path).to_owned()]));
    let inline = [("aws_iam_role", vec!["inline_policy.policy".to_owned()])];
    let custom = [("azurerm_role_definition", vec!["permissions.actions".to_owned()])];
    documents.chain(ready_made).chain(inline).chain(custom).collect()
}

/// Where a type's document says who may use the thing; for a role, who may take it on.
pub(super) fn document_path(kind: &str) -> Option<&'static str> {
    let index = DOCUMENTS.binary_search_by(|(document, _)| (*document).cmp(kind)).ok()?;
    let (kind, path) = DOCUMENTS[index];
    let says_who = !kind.starts_with("aws_iam_") || kind == "aws_iam_role";
    says_who.then_some(path)
}

pub(super) fn iam_wildcard(finder: &mut Finder<'_>) {
    for target in finder.targets() {
        let ready_made = READY_MADE.binary_search_by(|(kind, ..)| (*kind).cmp(&target.kind)).ok();
        let document = match target.kind.as_str() {
            "aws_iam_role" => Some("inline_policy.policy"),
            kind if kind.starts_with("aws_iam_") => DOCUMENTS
                .binary_search_by(|(document, _)| (*document).cmp(kind))
                .ok()
                .map(|index| DOCUMENTS[index].1),
            _ => None,
        };
        let custom = target.kind == "azurerm_role_definition";
        if ready_made.is_none() && document.is_none() && !custom {
            continue;
        }
        finder.checked(target);
        if let Some(why) = document.and_then(|path| unreadable(target, path)) {
            finder.unknown(target, &why);
        }
        let found = compare(target, |side, _| {
            let mut found = Vec::new();
            if let Some((_, path, names)) = ready_made.map(|index| READY_MADE[index]) {
                let granted = texts_at(side, path).into_iter().filter(|name| names.contains(name));
                found.extend(granted.map(|name| Weakness::one_of_many(path, name)));
            }
            found.extend(document.map(|path| everything(side, path)).unwrap_or_default());
            if custom && texts_at(side, "permissions.actions").contains(&"*") {
                found.push(Weakness::new("permissions.actions", "*"));
            }
            found
        });
        for (standing, weakness) in found {
            finder.found(target, standing, weakness);
        }
    }
}

/// Why the document cannot be read after the change, if it cannot. An inline policy that nobody wrote is none.
fn unreadable(target: &Target, path: &str) -> Option<String> {
    let changes = matches!(target.action, Action::Create | Action::Update | Action::Replace);
    let by_default = target.action == Action::Create && path == "inline_policy.policy";
    let why = untold(target, path).filter(|_| changes && !by_default)?;
    Some(format!("{path} is {why}"))
}

/// The statements that grant everything on everything.
fn everything(side: &Attributes, path: &str) -> Vec<Weakness> {
    let is_all = |statement: &Attributes| {
        let any = |name: &str, all: &[&str]| texts_at(statement, name).iter().any(|text| all.contains(text));
        allows(statement) && any("Action", &["*", "*:*"]) && any("Resource", &["*"])
    };
    let all = statements(side, path).into_iter().any(|statement| is_all(&statement));
    if all { vec![Weakness::new(path, "allows * on *")] } else { Vec::new() }
}

/// The statements that let everybody in without a condition.
pub(super) fn public(side: &Attributes, path: &str) -> Vec<Weakness> {
    let is_public = |statement: &Attributes| {
        let everybody =
            ["Principal", "Principal.AWS"].iter().any(|name| texts_at(statement, name).contains(&"*"));
        allows(statement) && everybody && !statement.contains_key("Condition")
    };
    let public = statements(side, path).into_iter().filter(is_public);
    let actions = |statement: &Attributes| texts_at(statement, "Action").join(", ");
    public.map(|it| Weakness::one_of_many(path, format!("everybody may {}", actions(&it)))).collect()
}

fn allows(statement: &Attributes) -> bool {
    text_at(statement, "Effect") == "Allow"
}

/// The statements of every policy document at a path: a map, or the JSON text that providers take.
fn statements(side: &Attributes, path: &str) -> Vec<Attributes> {
    let mut statements = Vec::new();
    let mut read = |document: &Attributes| match document.get("Statement") {
        Some(Value::List(several)) => statements.extend(several.iter().filter_map(Value::as_map).cloned()),
        Some(Value::Map(one)) => statements.push(one.clone()),
        _ => {}
    };
    if let Some(document) = first_at(side, path).and_then(Value::as_map) {
        read(document);
    }
    for text in texts_at(side, path) {
        let parsed = serde_json::from_str(text).map(Value::from_json);
        if let Ok(Value::Map(document)) = parsed {
            read(&document);
        }
    }
    statements
}
