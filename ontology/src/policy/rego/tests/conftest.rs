//! Published policies of conftest, as they are.

use std::collections::BTreeMap;

use super::super::Bundle;
use super::entries;
use crate::graph::sample::{document, target};
use crate::policy::rego::{RegoRules, as_proposed};
use crate::records::document::{Action, ChangeDocument, Format};

macro_rules! case {
    ($path:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/cases/", $path))
    };
}

fn published() -> BTreeMap<String, String> {
    let files = [
        ("deny.rego", case!("rego/conftest-k8s-deny.rego")),
        ("kubernetes.rego", case!("rego/conftest-k8s-kubernetes.rego")),
        ("labels.rego", case!("rego/conftest-k8s-labels.rego")),
        ("violation.rego", case!("rego/conftest-k8s-violation.rego")),
        ("warn.rego", case!("rego/conftest-k8s-warn.rego")),
    ];
    files.map(|(path, text)| (path.to_owned(), text.to_owned())).into()
}

/// The manifest as a target that is created.
fn deployment() -> ChangeDocument {
    let text = case!("kubernetes/conftest-deployment.yaml");
    let manifest = regorus::Value::from_yaml_str(text).unwrap().to_json_str().unwrap();
    let after = serde_json::from_str(&manifest).unwrap();
    let target = target("Deployment/hello", "Deployment", Action::Create, serde_json::Value::Null, after);
    ChangeDocument { format: Format::ArbChange, ..document(&[target]) }
}

#[test]
fn published_policies_run_unchanged() {
    let bundle = Bundle::prepare(&published()).unwrap();
    assert_eq!(entries(&bundle), ["main deny", "main violation", "main warn"]);
    let change = deployment();
    let inputs = as_proposed(&change);
    let said = |rule: &str| {
        let entry = bundle.entries().iter().find(|entry| entry.rule == rule).unwrap();
        entry.say(&inputs[0].value).unwrap().to_string()
    };
    assert!(said("deny").contains("Containers must not run as root in Deployment hello-kubernetes"));
    assert!(said("deny").contains("hello-kubernetes must include Kubernetes recommended labels"));
    assert!(said("violation").contains("Found deployment hello-kubernetes but deployments are not allowed"));
    assert_eq!(said("warn"), "[]");
}

#[test]
fn u10_published_policies_make_violations_of_the_object_they_looked_at() {
    let texts = published();
    assert_eq!(texts.len(), 5);
    let evaluated = super::standing::judged_with(texts.clone(), "main", RegoRules::Deny, &deployment());
    let lines = super::standing::lines(&evaluated);
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(lines.iter().all(|line| line.starts_with("Introduced Deployment/hello: ")), "{lines:?}");
    assert_eq!(super::standing::judged_with(texts, "main", RegoRules::Warn, &deployment()).violations, []);
}
