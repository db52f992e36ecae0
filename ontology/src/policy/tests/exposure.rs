use serde_json::{Value as Json, json};

use super::plan_rules::{check, create, update};
use crate::graph::sample::target;
use crate::policy::PlanRule;
use crate::records::document::Action;

#[test]
fn an_open_network_is_public() {
    let rule = PlanRule::PublicExposure;
    let ingress = |ports: &[i64]| {
        let rule = |port| json!({ "protocol": "tcp", "from_port": port, "to_port": port, "cidr_blocks": ["10.0.0.0/8", "0.0.0.0/0"] });
        json!({ "ingress": ports.iter().map(rule).collect::<Vec<_>>() })
    };
    check(
        rule,
        create("aws_security_group", ingress(&[22])),
        &["introduced ingress.cidr_blocks 0.0.0.0/0 to tcp 22 22"],
    );
    check(
        rule,
        update("aws_security_group", ingress(&[443]), ingress(&[443, 22])),
        &[
            "introduced ingress.cidr_blocks 0.0.0.0/0 to tcp 22 22",
            "pre-existing ingress.cidr_blocks 0.0.0.0/0 to tcp 443 443",
        ],
    );
    let one = |kind: &str, world: &str| json!({ "type": kind, "protocol": "-1", "cidr_blocks": [world] });
    check(
        rule,
        create("aws_security_group_rule", one("ingress", "0.0.0.0/0")),
        &["introduced cidr_blocks 0.0.0.0/0 to -1"],
    );
    check(rule, create("aws_security_group_rule", one("egress", "0.0.0.0/0")), &[]);
    check(rule, create("aws_security_group_rule", one("ingress", "10.0.0.0/8")), &[]);
    let firewall = |direction: &str| json!({ "direction": direction, "source_ranges": ["0.0.0.0/0"], "allow": [{ "protocol": "tcp", "ports": ["22"] }] });
    check(
        rule,
        create("google_compute_firewall", firewall("INGRESS")),
        &["introduced source_ranges 0.0.0.0/0 to tcp [\"22\"]"],
    );
    check(rule, create("google_compute_firewall", firewall("EGRESS")), &[]);
    let azure = json!({ "access": "Allow", "direction": "Inbound", "source_address_prefix": "*", "destination_port_range": "22" });
    check(
        rule,
        create("azurerm_network_security_rule", azure),
        &["introduced source_address_prefix * to 22"],
    );
}

#[test]
fn public_switches_members_and_policies_are_public() {
    let rule = PlanRule::PublicExposure;
    check(
        rule,
        create("aws_db_instance", json!({ "publicly_accessible": true })),
        &["introduced publicly_accessible true"],
    );
    check(
        rule,
        create("aws_s3_bucket_acl", json!({ "acl": "public-read" })),
        &["introduced acl \"public-read\""],
    );
    let blocks =
        ["block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets"];
    let blocks: serde_json::Map<String, Json> =
        blocks.iter().map(|name| ((*name).to_owned(), json!(true))).collect();
    let kind = "aws_s3_bucket_public_access_block";
    check(
        rule,
        target("a.b", kind, Action::Delete, Json::Object(blocks), Json::Null),
        &["introduced - delete"],
    );
    let member = json!({ "role": "roles/viewer", "member": "allUsers" });
    check(
        rule,
        create("google_storage_bucket_iam_member", member),
        &["introduced member allUsers as roles/viewer"],
    );
    let policy = |principal: Json, condition: bool| {
        let mut statement =
            json!({ "Effect": "Allow", "Principal": principal, "Action": "s3:GetObject", "Resource": "*" });
        if condition {
            statement["Condition"] = json!({ "IpAddress": {} });
        }
        json!({ "policy": json!({ "Statement": [statement] }).to_string() })
    };
    let expect = ["introduced policy everybody may s3:GetObject"];
    check(rule, create("aws_s3_bucket_policy", policy(json!("*"), false)), &expect);
    check(rule, create("aws_s3_bucket_policy", policy(json!({ "AWS": ["*"] }), false)), &expect);
    check(rule, create("aws_s3_bucket_policy", policy(json!("*"), true)), &[]);
    check(rule, create("aws_s3_bucket_policy", policy(json!({ "AWS": "arn:aws:iam::1:root" }), false)), &[]);
}

#[test]
fn a_policy_that_grants_everything_on_everything_is_found_as_text_or_as_a_map() {
    let rule = PlanRule::IamWildcard;
    let statement = |actions: Json, resources: Json| json!({ "Statement": { "Effect": "Allow", "Action": actions, "Resource": resources } });
    let expect = ["introduced policy allows * on *"];
    let all = statement(json!("*"), json!(["*"]));
    check(rule, create("aws_iam_policy", json!({ "policy": all.to_string() })), &expect);
    check(rule, create("aws_iam_role_policy", json!({ "policy": all })), &expect);
    let narrow = statement(json!(["s3:*"]), json!("*")).to_string();
    check(rule, create("aws_iam_policy", json!({ "policy": narrow })), &[]);
    let inline = json!({ "inline_policy": [{ "name": "x", "policy": all.to_string() }] });
    check(rule, create("aws_iam_role", inline), &["introduced inline_policy.policy allows * on *"]);
    let administrator = "arn:aws:iam::aws:policy/AdministratorAccess";
    check(
        rule,
        create("aws_iam_role_policy_attachment", json!({ "policy_arn": administrator })),
        &["introduced policy_arn arn:aws:iam::aws:policy/AdministratorAccess"],
    );
    check(
        rule,
        create("google_project_iam_member", json!({ "role": "roles/owner" })),
        &["introduced role roles/owner"],
    );
    check(
        rule,
        create("azurerm_role_assignment", json!({ "role_definition_name": "Owner" })),
        &["introduced role_definition_name Owner"],
    );
}
