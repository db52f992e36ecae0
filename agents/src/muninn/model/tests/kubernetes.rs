//! Manifests in the model's directory, and bindings that select their objects.

use ontology::model::Placement;

use super::*;

fn deployment(name: &str, more: &str) -> String {
    format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{ name: {name}, namespace: shop, labels: {{ app: {name} }} }}\n\
         spec:\n  replicas: 4\n  template:\n    metadata: {{ labels: {{ app: {name}, pod: yes-{name} }} }}\n    spec:\n      \
         containers: [{{ name: app, env: [{{ name: PASSWORD, value: canary }}] }}]\n{more}"
    )
}

fn service(name: &str, selector: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Service\nmetadata: {{ name: {name}, namespace: shop }}\nspec: {{ selector: {{ {selector} }} }}\n"
    )
}

fn placement<'c>(compiled: &'c Compiled, id: &str) -> &'c Placement {
    compiled.object(id).detail.placement().expect("it is placed")
}

#[test]
fn what_runs_and_what_leads_to_it_in_whatever_files() {
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: { name: a }\nstringData: { key: canary }\n";
    let ingress = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: web, namespace: shop }\nspec:\n  \
        rules: [{ http: { paths: [{ backend: { service: { name: web } } }] } }]\n";
    let compiled = compiled(&[
        ("k8s/apps.yaml", &documents(&[deployment("web", ""), deployment("worker", ""), secret.to_owned()])),
        ("k8s/services.yaml", &documents(&[service("web", "app: web"), ingress.to_owned()])),
    ]);
    assert_eq!(
        compiled.links(),
        [
            "shop/Deployment/web workload_runs_on shop/Service/web",
            "shop/Ingress/web depends_on shop/Service/web",
        ]
    );
    assert_eq!(placement(&compiled, "shop/Deployment/web").replicas, Some(4));
    assert_eq!(compiled.warnings, ["entities of kinds that are not read: Secret 1"]);
    let bytes = ontology::cbor::to_vec(&compiled.model).unwrap();
    assert!(!bytes.windows(6).any(|window| window == b"canary"), "U3");
}

#[test]
fn zones_are_those_that_the_copies_are_certain_to_be_in() {
    let check = |more: &str, expect: &[&str]| {
        let compiled = compiled(&[("a.yaml", &deployment("web", more))]);
        let zones: Vec<&str> =
            placement(&compiled, "shop/Deployment/web").zones.iter().map(String::as_str).collect();
        assert_eq!(zones, expect, "{more}");
    };
    let spread = |more: &str| {
        format!(
            "      topologySpreadConstraints: [{{ topologyKey: topology.kubernetes.io/zone, maxSkew: 1{more} }}]\n"
        )
    };
    let within = |zones: &str| {
        format!(
            "      affinity: {{ nodeAffinity: {{ requiredDuringSchedulingIgnoredDuringExecution: {{ nodeSelectorTerms: \
             [{{ matchExpressions: [{{ key: topology.kubernetes.io/zone, operator: In, values: [{zones}] }}] }}] }} }} }}\n"
        )
    };
    check("", &[]);
    check(&spread(""), &["unnamed-zone-1", "unnamed-zone-2"]);
    check(&spread(", minDomains: 3"), &["unnamed-zone-1", "unnamed-zone-2", "unnamed-zone-3"]);
    check(&spread(", whenUnsatisfiable: ScheduleAnyway"), &[]);
    check(&spread("").replace("topology.kubernetes.io/zone", "kubernetes.io/hostname"), &[]);
    check(&within("a"), &["a"]);
    check(&within("a, b"), &[]);
    check(&format!("{}{}", spread(""), within("a, b, c")), &["a", "b", "c"]);
    check("      nodeSelector: { topology.kubernetes.io/zone: a }\n", &["a"]);
}

#[test]
fn an_autoscaler_says_how_many_copies_there_are_at_least() {
    let scaler = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: a, namespace: shop }\n\
        spec: { minReplicas: 7, scaleTargetRef: { kind: Deployment, name: web } }\n";
    let compiled = compiled(&[("a.yaml", &documents(&[deployment("web", ""), scaler.to_owned()]))]);
    assert_eq!(placement(&compiled, "shop/Deployment/web").replicas, Some(7));
}

#[test]
fn u07_a_component_is_the_one_workload_that_its_selector_means() {
    let bindings = "- component: web\n  kubernetes: { cluster: prod, namespace: shop, selector: app=web }\n";
    let compiled = compiled(&[
        ("backstage/a.yaml", &component("web", "")),
        ("bindings.yaml", bindings),
        (
            "k8s/apps.yaml",
            &documents(&[deployment("web", ""), deployment("worker", ""), service("web", "app: web")]),
        ),
    ]);
    let web = compiled.object("component:default/web");
    assert_eq!(names(&web.sources), ["backstage/a.yaml", "k8s/apps.yaml"], "two sources describe one thing");
    assert_eq!(placement(&compiled, "component:default/web").replicas, Some(4));
    assert!(compiled.links().contains(&"component:default/web workload_runs_on shop/Service/web".to_owned()));
    assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
}

#[test]
fn u07_several_workloads_of_a_component_are_things_that_it_depends_on() {
    let bindings = "- component: shop\n  kubernetes: { namespace: shop }\n";
    let compiled = compiled(&[
        ("backstage/a.yaml", &component("shop", "")),
        ("bindings.yaml", bindings),
        ("k8s/apps.yaml", &documents(&[deployment("web", ""), deployment("worker", "")])),
    ]);
    assert_eq!(
        compiled.links(),
        [
            "component:default/shop workload_depends_on shop/Deployment/web",
            "component:default/shop workload_depends_on shop/Deployment/worker",
        ]
    );
}

#[test]
fn u07_a_selector_becomes_patterns_of_addresses_and_labels() {
    let check = |selector: &str, addresses: &[&str], tags: &[(&str, &str)]| {
        let text = format!("- component: web\n  kubernetes: {selector}\n");
        let compiled = compiled(&[("a.yaml", &component("web", "")), ("bindings.yaml", &text)]);
        let binding = &compiled.model.bindings[0];
        assert_eq!(binding.addresses, addresses, "{selector}");
        let found: Vec<(&str, &str)> =
            binding.tags.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(found, tags, "{selector}");
    };
    check("{ namespace: shop }", &["shop/**"], &[]);
    check(
        "{ namespace: shop, selector: 'app=web,tier==front' }",
        &["shop/**"],
        &[("app", "web"), ("tier", "front")],
    );
    check("{ labels: { app: web } }", &["*/**"], &[("app", "web")]);
    check("{ namespace: shop, kind: Deployment, name: web }", &["shop/Deployment/web"], &[]);
    check(
        "{ namespace: shop, kind: [Deployment, Service], name: web }",
        &["shop/Deployment/web", "shop/Service/web"],
        &[],
    );
    check("{ kind: ClusterRole, name: web }", &["ClusterRole/web"], &[]);
    check("{ name: web }", &["*/**/web"], &[]);
    check("{ kind: Rollout.argoproj.io }", &["*/Rollout.argoproj.io/**", "Rollout.argoproj.io/**"], &[]);
}

#[test]
fn u06_a_selector_that_means_nothing_is_refused() {
    let check = |selector: &str, expect: &str| {
        let text = format!("- component: web\n  kubernetes: {selector}\n");
        let found = error(&[("bindings.yaml", &text)]);
        assert!(found.contains(expect), "{found}");
    };
    check("{ cluster: prod }", "$[0]: kubernetes: it has a namespace, a kind, a name or a selector");
    check("{ selector: app }", "kubernetes: selector: expected KEY=VALUE");
    check("{ selector: 'app!=web' }", "kubernetes: selector: expected KEY=VALUE");
    check("{ selector: app=web, labels: { app: other } }", "gives one label two values");
    check("{ kind: ClusterRole, namespace: shop }", "kind: ClusterRole has no namespace");
    check("{ kind: Rollout }", "write it with its group, Rollout.GROUP");
    check(
        "{ pods: web }",
        "\"pods\" is not a key that is known here (cluster, namespace, kind, name, selector, labels)",
    );
    check("{ namespace: '' }", "a namespace, kind or name is not empty");
}
