//! Which parts of manifests rules and people read (U3). Values of Secrets and ConfigMaps, environment variables,
//! commands, arguments and headers of probes are on no list.

use crate::policy::manifest_kinds::MANIFEST_KINDS;

/// Of every object. Objects of kinds with a group in their name are custom resources: of them nothing else is kept.
const IDENTITY: &[&str] = &["apiVersion", "metadata.labels", "metadata.name", "metadata.namespace"];
/// Types with a dot: kinds that are named with their group. No type of a Terraform provider has one.
const CUSTOM: &str = "*.*";

/// Of a controller of pods, beside the pods.
const CONTROLLER: &[&str] = &[
    "spec.minReadySeconds",
    "spec.podManagementPolicy",
    "spec.replicas",
    "spec.schedule",
    "spec.selector",
    "spec.serviceName",
    "spec.strategy",
    "spec.suspend",
    "spec.template.metadata.labels",
    "spec.updateStrategy",
    "spec.volumeClaimTemplates.metadata.name",
    "spec.volumeClaimTemplates.spec",
];

/// Of the specification of pods.
const POD: &[&str] = &[
    "affinity",
    "hostIPC",
    "hostNetwork",
    "hostPID",
    "nodeSelector",
    "priorityClassName",
    "restartPolicy",
    "securityContext",
    "serviceAccountName",
    "terminationGracePeriodSeconds",
    "tolerations",
    "topologySpreadConstraints",
    "volumes.configMap.name",
    "volumes.emptyDir",
    "volumes.hostPath",
    "volumes.name",
    "volumes.persistentVolumeClaim",
];

/// The lists of containers in a specification of pods.
pub(super) const CONTAINER_LISTS: &[&str] = &["containers", "ephemeralContainers", "initContainers"];

/// Of a container.
const CONTAINER: &[&str] =
    &["image", "imagePullPolicy", "name", "ports", "resources", "securityContext", "volumeMounts"];

/// Probes of a container.
pub(super) const PROBES: &[&str] = &["livenessProbe", "readinessProbe", "startupProbe"];
/// Of a probe: how it looks and how often, and never with which headers or command.
const PROBE: &[&str] = &[
    "failureThreshold",
    "grpc",
    "httpGet.path",
    "httpGet.port",
    "httpGet.scheme",
    "initialDelaySeconds",
    "periodSeconds",
    "successThreshold",
    "tcpSocket",
    "timeoutSeconds",
];

/// Of other kinds, sorted.
const OTHERS: &[(&str, &[&str])] = &[
    ("ClusterRole", &["aggregationRule", "rules"]),
    ("ClusterRoleBinding", &["roleRef", "subjects"]),
    ("CustomResourceDefinition", &["spec.group", "spec.names", "spec.scope"]),
    ("Gateway", &["spec.gatewayClassName", "spec.listeners.hostname", "spec.listeners.port"]),
    ("HTTPRoute", &["spec.hostnames", "spec.parentRefs"]),
    ("HorizontalPodAutoscaler", &["spec.maxReplicas", "spec.minReplicas", "spec.scaleTargetRef"]),
    ("Ingress", &["spec.defaultBackend", "spec.ingressClassName", "spec.rules", "spec.tls.hosts"]),
    ("LimitRange", &["spec.limits"]),
    ("NetworkPolicy", &["spec"]),
    (
        "PersistentVolume",
        &[
            "spec.accessModes",
            "spec.capacity",
            "spec.hostPath",
            "spec.persistentVolumeReclaimPolicy",
            "spec.storageClassName",
        ],
    ),
    (
        "PersistentVolumeClaim",
        &["spec.accessModes", "spec.resources", "spec.storageClassName", "spec.volumeName"],
    ),
    ("PodDisruptionBudget", &["spec.maxUnavailable", "spec.minAvailable", "spec.selector"]),
    ("ResourceQuota", &["spec.hard"]),
    ("Role", &["rules"]),
    ("RoleBinding", &["roleRef", "subjects"]),
    (
        "Service",
        &[
            "spec.clusterIP",
            "spec.externalIPs",
            "spec.externalName",
            "spec.loadBalancerSourceRanges",
            "spec.ports",
            "spec.selector",
            "spec.type",
        ],
    ),
    ("StorageClass", &["allowVolumeExpansion", "provisioner", "reclaimPolicy", "volumeBindingMode"]),
];

/// Attributes that rules read of manifests, by kind.
pub(in crate::policy) fn attributes() -> Vec<(&'static str, Vec<String>)> {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
    let mut read = vec![(CUSTOM, owned(IDENTITY))];
    for kind in MANIFEST_KINDS {
        let mut names = owned(IDENTITY);
        if let Some(pods) = kind.pods {
            names.extend(owned(CONTROLLER));
            names.extend(pod(pods));
        }
        read.push((kind.name, names));
    }
    read.extend(OTHERS.iter().map(|(kind, names)| (*kind, owned(names))));
    for kind in ["Gateway", "Ingress", "Service"] {
        let annotations = super::exposure::ANNOTATIONS.iter().map(|(name, _)| *name);
        read.push((kind, annotations.map(|name| format!("metadata.annotations.{name}")).collect()));
    }
    read
}

/// The paths in the specification of pods that stands at `pods`.
fn pod(pods: &str) -> impl Iterator<Item = String> {
    let mut names: Vec<String> = POD.iter().map(|name| (*name).to_owned()).collect();
    for list in CONTAINER_LISTS {
        names.extend(CONTAINER.iter().map(|name| format!("{list}.{name}")));
        let probes =
            PROBES.iter().flat_map(|probe| PROBE.iter().map(move |name| format!("{list}.{probe}.{name}")));
        names.extend(probes);
    }
    names.into_iter().map(move |name| format!("{pods}.{name}"))
}
