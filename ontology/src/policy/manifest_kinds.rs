//! Kinds of objects that every Kubernetes cluster knows. Objects of other kinds are named with their group.

/// One kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ManifestKind {
    /// As manifests write it.
    pub name: &'static str,
    /// The API groups it has, or had; the core group is the empty text.
    pub groups: &'static [&'static str],
    /// Objects of it live in a namespace.
    pub namespaced: bool,
    /// Where the specification of its pods stands, as a dotted path, for kinds that run some.
    pub pods: Option<&'static str>,
}

const CORE: &[&str] = &[""];
const APPS: &[&str] = &["apps", "extensions"];
const BATCH: &[&str] = &["batch"];
const NETWORKING: &[&str] = &["networking.k8s.io", "extensions"];
const GATEWAY: &[&str] = &["gateway.networking.k8s.io"];
const RBAC: &[&str] = &["rbac.authorization.k8s.io"];
const ADMISSION: &[&str] = &["admissionregistration.k8s.io"];
const STORAGE: &[&str] = &["storage.k8s.io"];

const fn namespaced(name: &'static str, groups: &'static [&'static str]) -> ManifestKind {
    ManifestKind { name, groups, namespaced: true, pods: None }
}

const fn cluster_wide(name: &'static str, groups: &'static [&'static str]) -> ManifestKind {
    ManifestKind { name, groups, namespaced: false, pods: None }
}

const fn running(name: &'static str, groups: &'static [&'static str], pods: &'static str) -> ManifestKind {
    ManifestKind { name, groups, namespaced: true, pods: Some(pods) }
}

/// Where a controller keeps its pods' specification.
const TEMPLATE: &str = "spec.template.spec";

/// The kinds, sorted by name.
pub const MANIFEST_KINDS: &[ManifestKind] = &[
    cluster_wide("APIService", &["apiregistration.k8s.io"]),
    cluster_wide("CSIDriver", STORAGE),
    cluster_wide("CertificateSigningRequest", &["certificates.k8s.io"]),
    cluster_wide("ClusterRole", RBAC),
    cluster_wide("ClusterRoleBinding", RBAC),
    namespaced("ConfigMap", CORE),
    running("CronJob", BATCH, "spec.jobTemplate.spec.template.spec"),
    cluster_wide("CustomResourceDefinition", &["apiextensions.k8s.io"]),
    running("DaemonSet", APPS, TEMPLATE),
    running("Deployment", APPS, TEMPLATE),
    namespaced("EndpointSlice", &["discovery.k8s.io"]),
    namespaced("Endpoints", CORE),
    namespaced("GRPCRoute", GATEWAY),
    namespaced("Gateway", GATEWAY),
    cluster_wide("GatewayClass", GATEWAY),
    namespaced("HTTPRoute", GATEWAY),
    namespaced("HorizontalPodAutoscaler", &["autoscaling"]),
    namespaced("Ingress", NETWORKING),
    cluster_wide("IngressClass", NETWORKING),
    running("Job", BATCH, TEMPLATE),
    namespaced("Lease", &["coordination.k8s.io"]),
    namespaced("LimitRange", CORE),
    cluster_wide("MutatingWebhookConfiguration", ADMISSION),
    cluster_wide("Namespace", CORE),
    namespaced("NetworkPolicy", NETWORKING),
    cluster_wide("Node", CORE),
    cluster_wide("PersistentVolume", CORE),
    namespaced("PersistentVolumeClaim", CORE),
    running("Pod", CORE, "spec"),
    namespaced("PodDisruptionBudget", &["policy"]),
    cluster_wide("PodSecurityPolicy", &["policy", "extensions"]),
    cluster_wide("PriorityClass", &["scheduling.k8s.io"]),
    running("ReplicaSet", APPS, TEMPLATE),
    running("ReplicationController", CORE, TEMPLATE),
    namespaced("ResourceQuota", CORE),
    namespaced("Role", RBAC),
    namespaced("RoleBinding", RBAC),
    cluster_wide("RuntimeClass", &["node.k8s.io"]),
    namespaced("Secret", CORE),
    namespaced("Service", CORE),
    namespaced("ServiceAccount", CORE),
    running("StatefulSet", APPS, TEMPLATE),
    cluster_wide("StorageClass", STORAGE),
    cluster_wide("ValidatingAdmissionPolicy", ADMISSION),
    cluster_wide("ValidatingAdmissionPolicyBinding", ADMISSION),
    cluster_wide("ValidatingWebhookConfiguration", ADMISSION),
];

/// The kind of this name, whatever its group.
#[must_use]
pub fn manifest_kind(name: &str) -> Option<&'static ManifestKind> {
    MANIFEST_KINDS.binary_search_by(|kind| kind.name.cmp(name)).ok().map(|index| &MANIFEST_KINDS[index])
}

/// Where the pods of a target of this type are specified, for kinds that run some.
#[must_use]
pub fn pods_of(kind: &str) -> Option<&'static str> {
    manifest_kind(kind)?.pods
}
