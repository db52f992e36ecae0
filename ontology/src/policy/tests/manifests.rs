//! Tables of what the rules find in Kubernetes manifests.

use serde_json::{Value as Json, json};

use super::plan_rules::{check, create, update};
use super::{lines, planned};
use crate::graph::sample::{document, target};
use crate::policy::manifest_kinds::MANIFEST_KINDS;
use crate::policy::{PlanRule, manifest_kind, pods_of};
use crate::records::document::{Action, Target};

fn pods(specification: Json) -> Json {
    json!({ "spec": { "replicas": 3, "template": { "spec": specification } } })
}

fn container(more: Json) -> Json {
    let mut container = json!({ "name": "app", "image": "app:1" });
    container.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    pods(json!({ "containers": [container] }))
}

/// An object under its address, with the labels that selectors see.
fn object(action: Action, address: &str, labels: &[(&str, &str)], side: Json) -> Target {
    let kind = address.split('/').rev().nth(1).unwrap();
    let (before, after) = match action {
        Action::Create => (Json::Null, side),
        Action::Delete => (side, Json::Null),
        _ => (side.clone(), side),
    };
    let mut target = target(address, kind, action, before, after);
    target.tags = labels.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    target
}

fn found(rule: PlanRule, targets: &[Target]) -> Vec<String> {
    lines(&planned(rule, &document(targets)))
}

#[test]
fn kinds_are_sorted_and_found() {
    assert!(MANIFEST_KINDS.windows(2).all(|pair| pair[0].name < pair[1].name));
    assert!(manifest_kind("Deployment").is_some_and(|kind| kind.namespaced && kind.groups.contains(&"apps")));
    assert!(manifest_kind("Namespace").is_some_and(|kind| !kind.namespaced));
    assert_eq!(pods_of("CronJob"), Some("spec.jobTemplate.spec.template.spec"));
    assert_eq!((pods_of("Service"), manifest_kind("Rollout")), (None, None));
}

#[test]
fn a_load_balancer_or_an_ingress_is_public() {
    let rule = PlanRule::PublicExposure;
    let service = |kind: &str, more: Json| {
        let mut spec = json!({ "type": kind, "ports": [{ "port": 80 }, { "port": 443 }] });
        spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "spec": spec })
    };
    let open = "introduced spec.type LoadBalancer on 80, 443";
    check(rule, create("Service", service("LoadBalancer", json!({}))), &[open]);
    check(rule, create("Service", service("ClusterIP", json!({}))), &[]);
    check(
        rule,
        create("Service", service("LoadBalancer", json!({ "loadBalancerSourceRanges": ["10.0.0.0/8"] }))),
        &[],
    );
    check(
        rule,
        create("Service", service("LoadBalancer", json!({ "loadBalancerSourceRanges": ["0.0.0.0/0"] }))),
        &[open],
    );
    check(
        rule,
        update("Service", service("ClusterIP", json!({})), service("LoadBalancer", json!({}))),
        &[open],
    );
    check(
        rule,
        update("Service", service("LoadBalancer", json!({})), service("ClusterIP", json!({}))),
        &["fixed spec.type LoadBalancer on 80, 443"],
    );
    let mut internal = service("LoadBalancer", json!({}));
    let annotation = "service.beta.kubernetes.io/aws-load-balancer-internal";
    internal["metadata"] = json!({ "annotations": { annotation: "true" } });
    check(rule, create("Service", internal), &[]);

    let ingress = |class: &str, rules: Json| json!({ "spec": { "ingressClassName": class, "rules": rules } });
    let hosts = json!([{ "host": "shop.example.com" }, {}]);
    check(
        rule,
        create("Ingress", ingress("nginx", hosts.clone())),
        &["introduced spec.rules.host any host", "introduced spec.rules.host shop.example.com"],
    );
    check(rule, create("Ingress", ingress("nginx-internal", hosts)), &[]);
    let cidr = json!({ "spec": { "ingress": [{ "from": [{ "ipBlock": { "cidr": "0.0.0.0/0" } }] }] } });
    check(rule, create("NetworkPolicy", cidr), &["introduced spec.ingress.from.ipBlock.cidr 0.0.0.0/0"]);
    let anybody = json!({ "roleRef": { "name": "view" }, "subjects": [{ "name": "system:anonymous" }, { "name": "ci" }] });
    check(rule, create("RoleBinding", anybody), &["introduced subjects.name system:anonymous as view"]);
}

#[test]
fn a_pod_that_may_do_what_its_node_may_is_privileged() {
    let rule = PlanRule::PrivilegedWorkload;
    let at = "spec.template.spec";
    check(
        rule,
        create("DaemonSet", container(json!({ "securityContext": { "privileged": true } }))),
        &[&format!("introduced {at}.containers.securityContext.privileged app is privileged")],
    );
    let adds = |names: Json| container(json!({ "securityContext": { "capabilities": { "add": names } } }));
    check(
        rule,
        update(
            "Deployment",
            adds(json!(["NET_BIND_SERVICE"])),
            adds(json!(["NET_BIND_SERVICE", "CAP_SYS_ADMIN"])),
        ),
        &[&format!("introduced {at}.containers.securityContext.capabilities.add app may CAP_SYS_ADMIN")],
    );
    let mounts = |path: &str| pods(json!({ "volumes": [{ "name": "v", "hostPath": { "path": path } }] }));
    check(
        rule,
        update("Deployment", mounts("/var/log"), mounts("/var/run/docker.sock")),
        &[
            &format!("introduced {at}.volumes.hostPath /var/run/docker.sock"),
            &format!("fixed {at}.volumes.hostPath /var/log"),
        ],
    );
    check(
        rule,
        create("Deployment", pods(json!({ "hostPID": true, "hostNetwork": false }))),
        &[&format!("introduced {at}.hostPID true")],
    );
    let job =
        json!({ "spec": { "jobTemplate": { "spec": { "template": { "spec": { "hostIPC": true } } } } } });
    check(rule, create("CronJob", job), &["introduced spec.jobTemplate.spec.template.spec.hostIPC true"]);
    check(rule, create("Deployment", container(json!({ "securityContext": { "privileged": false } }))), &[]);
    check(rule, create("Service", json!({ "spec": { "hostNetwork": true } })), &[]);
}

#[test]
fn what_keeps_a_pod_well_is_missed_when_it_goes() {
    let rule = PlanRule::SafeguardRemoved;
    let probed = container(
        json!({ "livenessProbe": { "periodSeconds": 5 }, "resources": { "limits": { "memory": "1Gi" } } }),
    );
    let at = "spec.template.spec.containers";
    check(
        rule,
        update("Deployment", probed.clone(), container(json!({}))),
        &[
            &format!("introduced {at}.livenessProbe taken from app"),
            &format!("introduced {at}.resources.limits.memory taken from app"),
        ],
    );
    check(rule, update("Deployment", container(json!({})), probed.clone()), &[]);
    check(rule, create("Deployment", container(json!({}))), &[]);
    let other = pods(json!({ "containers": [{ "name": "other" }] }));
    check(rule, update("Deployment", probed, other), &[]);
}

#[test]
fn a_budget_that_nothing_needs_any_more_is_not_missed() {
    let rule = PlanRule::SafeguardRemoved;
    let budget = |name: &str| {
        let side = json!({ "spec": { "minAvailable": 1, "selector": { "matchLabels": { "app": name } } } });
        object(Action::Delete, &format!("shop/PodDisruptionBudget/{name}"), &[], side)
    };
    let web = |action| object(action, "shop/Deployment/web", &[("app", "web")], container(json!({})));
    let missed = ["introduced shop/PodDisruptionBudget/web - delete"];
    assert_eq!(found(rule, &[budget("web")]), missed, "nobody knows what it was for");
    assert_eq!(found(rule, &[budget("web"), web(Action::NoOp)]), missed);
    assert!(found(rule, &[budget("web"), web(Action::Delete)]).is_empty());
    let elsewhere = object(Action::Delete, "other/Deployment/web", &[("app", "web")], container(json!({})));
    assert_eq!(found(rule, &[budget("web"), elsewhere]), missed);
}

#[test]
fn one_copy_is_no_redundancy() {
    let rule = PlanRule::SingleReplica;
    let copies = |count: Json| json!({ "spec": { "replicas": count } });
    check(rule, create("Deployment", copies(json!(1))), &["introduced spec.replicas 1"]);
    check(
        rule,
        create("StatefulSet", json!({ "spec": {} })),
        &["introduced spec.replicas not set, which is 1"],
    );
    check(rule, create("Deployment", copies(json!(2))), &[]);
    check(rule, create("DaemonSet", json!({ "spec": {} })), &[]);
    check(rule, update("Deployment", copies(json!(3)), copies(json!(1))), &["introduced spec.replicas 1"]);
    check(rule, update("Deployment", copies(json!(1)), copies(json!(0))), &["worsened spec.replicas 0"]);
    check(rule, update("Deployment", copies(json!(1)), copies(json!(3))), &["fixed spec.replicas 1"]);
}

#[test]
fn an_autoscaler_says_how_many_copies_there_are() {
    let rule = PlanRule::SingleReplica;
    let web = |action| object(action, "shop/Deployment/web", &[], json!({ "spec": {} }));
    let scaler = |action, min: u32| {
        let side = json!({ "spec": { "minReplicas": min, "scaleTargetRef": { "kind": "Deployment", "name": "web" } } });
        object(action, "shop/HorizontalPodAutoscaler/web", &[], side)
    };
    assert!(found(rule, &[web(Action::Create), scaler(Action::Create, 2)]).is_empty());
    assert_eq!(
        found(rule, &[web(Action::Create), scaler(Action::Create, 1)]),
        ["introduced shop/Deployment/web spec.minReplicas 1"]
    );
    assert_eq!(
        found(rule, &[web(Action::NoOp), scaler(Action::Create, 3)]),
        ["fixed shop/Deployment/web spec.replicas not set, which is 1"]
    );
    assert_eq!(
        found(rule, &[web(Action::NoOp), scaler(Action::Delete, 3)]),
        ["introduced shop/Deployment/web spec.replicas not set, which is 1"]
    );
}

#[test]
fn roles_that_allow_everything_and_policies_that_shield_nothing() {
    let rule = PlanRule::IamWildcard;
    let role = |verbs: Json, resources: Json| json!({ "rules": [{ "apiGroups": [""], "verbs": verbs, "resources": resources }] });
    check(rule, create("ClusterRole", role(json!(["*"]), json!(["*"]))), &["introduced rules allows * on *"]);
    check(rule, create("Role", role(json!(["get", "list"]), json!(["*"]))), &[]);
    check(rule, create("Role", role(json!(["*"]), json!(["pods"]))), &[]);
    check(
        rule,
        create("ClusterRoleBinding", json!({ "roleRef": { "name": "cluster-admin" } })),
        &["introduced roleRef.name cluster-admin"],
    );

    let rule = PlanRule::SecurityGroupRemoved;
    let policy = |ingress: Json| json!({ "spec": { "podSelector": {}, "ingress": ingress } });
    let shut = policy(json!([{ "from": [{ "podSelector": {} }] }]));
    check(
        rule,
        update("NetworkPolicy", shut.clone(), policy(json!([{}]))),
        &["introduced spec.ingress lets everybody in on every port"],
    );
    check(rule, update("NetworkPolicy", shut.clone(), policy(json!([]))), &[]);
    let gone = object(Action::Delete, "shop/NetworkPolicy/deny", &[], shut);
    assert_eq!(found(rule, &[gone]), ["introduced shop/NetworkPolicy/deny - delete"]);
}
