//! What manifests make reachable from everywhere.

use super::{maps, weaknesses};
use crate::policy::plan_rules::finding::Finder;
use crate::policy::plan_rules::side::{Weakness, each_at, first_at, text_at, texts_at};
use crate::value::{Attributes, Value};

/// Annotations that keep a load balancer or gateway within the own network, and the values that do; sorted.
pub(super) const ANNOTATIONS: &[(&str, &[&str])] = &[
    ("alb.ingress.kubernetes.io/scheme", &["internal"]),
    ("cloud.google.com/load-balancer-type", &["Internal"]),
    ("kubernetes.io/ingress.class", &["alb-internal", "gce-internal", "nginx-internal"]),
    ("networking.gke.io/load-balancer-type", &["Internal"]),
    ("service.beta.kubernetes.io/aws-load-balancer-internal", &["true", "0.0.0.0/0"]),
    ("service.beta.kubernetes.io/aws-load-balancer-scheme", &["internal"]),
    ("service.beta.kubernetes.io/azure-load-balancer-internal", &["true"]),
    ("service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type", &["private"]),
];
/// Ranges that stand for everybody.
const EVERYWHERE: &[&str] = &["0.0.0.0/0", "::/0"];
/// Subjects that everybody is, without a credential.
const ANYBODY: &[&str] = &["system:anonymous", "system:unauthenticated"];
/// Words in the name of a class that keep it within the own network.
const INTERNAL: &[&str] = &["internal", "private"];

pub(in crate::policy::plan_rules) fn public_exposure(finder: &mut Finder<'_>) {
    weaknesses(
        finder,
        |kind| {
            matches!(
                kind,
                "ClusterRoleBinding" | "Gateway" | "Ingress" | "NetworkPolicy" | "RoleBinding" | "Service"
            )
        },
        |target, side, _| match target.kind.as_str() {
            "Service" => load_balancer(side),
            "Ingress" => entries(side, "spec.ingressClassName", "spec.rules", "host"),
            "Gateway" => entries(side, "spec.gatewayClassName", "spec.listeners", "hostname"),
            "NetworkPolicy" => open_policy(side),
            _ => anybody(side),
        },
    );
}

/// Whether the object itself says that it stays within the own network.
fn is_internal(side: &Attributes) -> bool {
    let annotations = first_at(side, "metadata.annotations").and_then(Value::as_map);
    annotations.is_some_and(|annotations| {
        ANNOTATIONS.iter().any(|(name, values)| {
            let said = annotations
                .get(*name)
                .map(|value| value.as_text().map_or_else(|| value.to_string(), str::to_owned));
            said.is_some_and(|said| values.iter().any(|value| value.eq_ignore_ascii_case(&said)))
        })
    })
}

fn load_balancer(side: &Attributes) -> Vec<Weakness> {
    let ranges = texts_at(side, "spec.loadBalancerSourceRanges");
    let is_open = ranges.is_empty() || ranges.iter().any(|range| EVERYWHERE.contains(range));
    if text_at(side, "spec.type") != "LoadBalancer" || !is_open || is_internal(side) {
        return Vec::new();
    }
    let mut ports = Vec::new();
    each_at(side, "spec.ports.port", &mut |port| ports.push(port.to_string()));
    vec![Weakness::new("spec.type", format!("LoadBalancer on {}", ports.join(", ")))]
}

/// The names under which an Ingress or a Gateway answers.
fn entries(side: &Attributes, class: &str, list: &str, name: &str) -> Vec<Weakness> {
    let class = text_at(side, class).to_ascii_lowercase();
    if is_internal(side) || INTERNAL.iter().any(|word| class.contains(word)) {
        return Vec::new();
    }
    let listed = maps(first_at(side, list)).map(|entry| match text_at(entry, name) {
        "" => "any host",
        host => host,
    });
    let mut hosts: Vec<&str> = listed.collect();
    if hosts.is_empty() && first_at(side, "spec.defaultBackend").is_some() {
        hosts.push("any host");
    }
    hosts.sort_unstable();
    hosts.dedup();
    hosts.into_iter().map(|host| Weakness::one_of_many(format!("{list}.{name}"), host)).collect()
}

/// A policy that lets everybody in by address.
fn open_policy(side: &Attributes) -> Vec<Weakness> {
    let ranges = texts_at(side, "spec.ingress.from.ipBlock.cidr");
    let open = ranges.into_iter().filter(|range| EVERYWHERE.contains(range));
    open.map(|range| Weakness::one_of_many("spec.ingress.from.ipBlock.cidr", range)).collect()
}

/// A role that is given to everybody.
fn anybody(side: &Attributes) -> Vec<Weakness> {
    let role = text_at(side, "roleRef.name");
    let named = texts_at(side, "subjects.name").into_iter().filter(|name| ANYBODY.contains(name));
    named.map(|name| Weakness::one_of_many("subjects.name", format!("{name} as {role}"))).collect()
}
