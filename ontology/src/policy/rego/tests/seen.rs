use serde_json::{Value as Json, json};

use super::super::{as_is, as_proposed, json_of};
use crate::graph::sample::{document, id, target};
use crate::records::document::{Action, ChangeDocument, Format};
use crate::value::{Value, Withheld};

fn shown(document: &ChangeDocument) -> Json {
    serde_json::from_str(&json_of(&as_proposed(document)[0].value)).unwrap()
}

fn withheld() -> Value {
    Value::Withheld(Withheld { kind: "text".to_owned(), changed: true, mac: None, key_id: None })
}

#[test]
fn u3_a_plan_has_the_shape_of_terraform_show_and_nothing_that_was_withheld() {
    let address = "module.a[\"x.y\"].module.b.aws_db_instance.main[0]";
    let mut database = target(
        address,
        "aws_db_instance",
        Action::Replace,
        json!({ "engine": "mysql" }),
        json!({ "engine": "postgres", "size": 2.5, "hosts": ["a"] }),
    );
    let after = database.after.as_mut().unwrap();
    after.insert("password".to_owned(), withheld());
    after.insert("endpoint".to_owned(), Value::Unknown);
    after.insert("list".to_owned(), Value::List(vec![Value::Integer(1), withheld()]));
    database.unknown = ["arn".to_owned(), "endpoint".to_owned()].into();
    database.replace_paths = ["engine".to_owned()].into();
    database.provider = Some("registry.terraform.io/hashicorp/aws".to_owned());
    let plan = ChangeDocument {
        tool: Some("terraform 1.9.1".to_owned()),
        outputs: ["url".to_owned()].into(),
        drift: [id(address)].into(),
        ..document(&[database])
    };
    let resource = json!({
        "address": address, "mode": "managed", "type": "aws_db_instance", "name": "main", "index": 0,
        "provider_name": "registry.terraform.io/hashicorp/aws",
    });
    let with = |more: Json| {
        let mut fields = resource.as_object().unwrap().clone();
        fields.extend(more.as_object().unwrap().clone());
        Json::Object(fields)
    };
    let values = json!({ "engine": "postgres", "size": 2.5, "hosts": ["a"], "list": [1, null] });
    let sensitive = json!({ "password": true, "list": [false, true] });
    let expect = json!({
        "format_version": "1.2",
        "terraform_version": "1.9.1",
        "errored": false,
        "complete": true,
        "resource_changes": [with(json!({
            "module_address": "module.a[\"x.y\"].module.b",
            "change": {
                "actions": ["delete", "create"],
                "before": { "engine": "mysql" },
                "after": values,
                "after_unknown": { "arn": true, "endpoint": true },
                "before_sensitive": {},
                "after_sensitive": sensitive,
                "replace_paths": [["engine"]],
            },
        }))],
        "planned_values": { "root_module": { "child_modules": [{
            "address": "module.a[\"x.y\"]",
            "child_modules": [{
                "address": "module.a[\"x.y\"].module.b",
                "resources": [with(json!({ "values": values, "sensitive_values": sensitive }))],
            }],
        }] } },
        "resource_drift": [{ "address": address }],
        "output_changes": { "url": { "actions": ["update"] } },
    });
    assert_eq!(shown(&plan), expect);
}

#[test]
fn as_it_is_nothing_changes_and_what_is_new_is_not_there() {
    let plan = document(&[
        target("aws_s3_bucket.new", "aws_s3_bucket", Action::Create, Json::Null, json!({ "bucket": "n" })),
        target("aws_s3_bucket.old", "aws_s3_bucket", Action::Delete, json!({ "bucket": "o" }), Json::Null),
    ]);
    let base: Json = serde_json::from_str(&json_of(&as_is(&plan)[0].value)).unwrap();
    let changes = base["resource_changes"].as_array().unwrap();
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0]["change"]["actions"], json!(["no-op"]));
    assert_eq!(changes[0]["change"]["after"], json!({ "bucket": "o" }));
    assert_eq!(shown(&plan)["resource_changes"][0]["change"]["before"], Json::Null);
}

#[test]
fn of_another_format_each_target_is_an_input() {
    let manifest = json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "web" } });
    let targets = [
        target("a/web", "Deployment", Action::Update, json!({ "apiVersion": "apps/v1" }), manifest.clone()),
        target("r:x", "resource", Action::Update, json!({ "size": 1 }), json!({ "size": 2 })),
    ];
    let change = ChangeDocument { format: Format::ArbChange, ..document(&targets) };
    let inputs = as_proposed(&change);
    let values: Vec<Json> =
        inputs.iter().map(|input| serde_json::from_str(&json_of(&input.value)).unwrap()).collect();
    let own = json!({
        "address": "r:x", "kind": "resource", "action": "update", "before": { "size": 1 }, "after": { "size": 2 },
    });
    assert_eq!(values, [manifest, own]);
}
