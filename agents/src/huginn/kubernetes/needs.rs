//! Which objects of a change need which, by the names that they hold.

use std::collections::BTreeSet;

use ontology::ObjectId;
use ontology::policy::pods_of;
use serde_json::Value;

use crate::input::manifest::Manifest;

/// The addresses among `known` that an object names: its namespace, what its pods use and mount, whom a binding or an
/// autoscaler means, where an Ingress leads.
pub(super) fn of(manifest: &Manifest, known: &BTreeSet<ObjectId>) -> BTreeSet<ObjectId> {
    let mut named = Named { namespace: manifest.namespace.as_deref(), found: Vec::new() };
    if let Some(namespace) = &manifest.namespace {
        named.found.push(format!("Namespace/{namespace}"));
    }
    let value = &manifest.value;
    if let Some(path) = pods_of(&manifest.kind) {
        named.pods(at(value, path));
    }
    match manifest.kind.as_str() {
        "StatefulSet" => named.add("Service", at(value, "spec.serviceName")),
        "HorizontalPodAutoscaler" => {
            let scaled = at(value, "spec.scaleTargetRef");
            named.add(at(scaled, "kind").as_str().unwrap_or_default(), at(scaled, "name"));
        }
        "ClusterRoleBinding" | "RoleBinding" => {
            let role = at(value, "roleRef");
            match at(role, "kind").as_str() {
                Some("ClusterRole") => named.add_cluster_wide("ClusterRole", at(role, "name")),
                _ => named.add("Role", at(role, "name")),
            }
        }
        "Ingress" => named.backends(at(value, "spec")),
        _ => {}
    }
    let ids = named.found.into_iter().filter_map(|address| ObjectId::new(address).ok());
    ids.filter(|id| known.contains(id)).collect()
}

struct Named<'a> {
    namespace: Option<&'a str>,
    found: Vec<String>,
}

impl Named<'_> {
    /// An object of the same namespace.
    fn add(&mut self, kind: &str, name: &Value) {
        if let (Some(namespace), Some(name)) = (self.namespace, name.as_str()) {
            self.found.push(format!("{namespace}/{kind}/{name}"));
        }
    }

    fn add_cluster_wide(&mut self, kind: &str, name: &Value) {
        if let Some(name) = name.as_str() {
            self.found.push(format!("{kind}/{name}"));
        }
    }

    fn pods(&mut self, pods: &Value) {
        self.add("ServiceAccount", at(pods, "serviceAccountName"));
        for volume in list(pods, "volumes") {
            self.add("ConfigMap", at(volume, "configMap.name"));
            self.add("Secret", at(volume, "secret.secretName"));
            self.add("PersistentVolumeClaim", at(volume, "persistentVolumeClaim.claimName"));
        }
        let containers = ["containers", "initContainers"].into_iter().flat_map(|key| list(pods, key));
        for container in containers {
            for source in list(container, "envFrom") {
                self.add("ConfigMap", at(source, "configMapRef.name"));
                self.add("Secret", at(source, "secretRef.name"));
            }
            for variable in list(container, "env") {
                self.add("ConfigMap", at(variable, "valueFrom.configMapKeyRef.name"));
                self.add("Secret", at(variable, "valueFrom.secretKeyRef.name"));
            }
        }
    }

    fn backends(&mut self, spec: &Value) {
        self.add("Service", at(spec, "defaultBackend.service.name"));
        for rule in list(spec, "rules") {
            for path in list(at(rule, "http"), "paths") {
                self.add("Service", at(path, "backend.service.name"));
            }
        }
        for tls in list(spec, "tls") {
            self.add("Secret", at(tls, "secretName"));
        }
    }
}

/// The value at a dotted path; null where there is none.
fn at<'v>(value: &'v Value, path: &str) -> &'v Value {
    path.split('.').try_fold(value, |value, key| value.get(key)).unwrap_or(&Value::Null)
}

fn list<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> + use<'v> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}
