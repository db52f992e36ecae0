//! Kubernetes manifests as a model: what runs, in how many copies and zones, and what leads to it. Of a manifest its
//! identity, labels and numbers are read; values of Secrets, ConfigMaps and environments never leave the reader (U3).

mod spread;

use std::collections::{BTreeMap, BTreeSet};

use ontology::ObjectId;
use ontology::model::{Detail, Placement};
use ontology::policy::{Catalog, manifest_kind, pods_of};
use ontology::release::LinkType;
use serde_json::Value;

use super::header::Header;
use super::stated::{Facts, Seen, Stated, StatedObject};
use super::{ModelFile, placement};
use crate::huginn::redact::keep_tags;
use crate::input::InputError;
use crate::input::manifest::{self, Manifest};

/// Kinds that are resources of the model.
const RESOURCES: [&str; 4] = ["Gateway", "Ingress", "PersistentVolumeClaim", "Service"];
/// Labels and annotations that say where a thing is.
const ENVIRONMENT: [&str; 2] = ["arb/environment", "environment"];
/// Labels and annotations that say how critical it is.
const TIER: &str = "arb/tier";

/// Reads a file of manifests.
pub(super) fn read(file: &ModelFile, catalog: &Catalog) -> Result<Stated, InputError> {
    let manifests = manifest::read(&file.path, &file.bytes)?;
    let mut facts = Facts::default();
    let scalers: BTreeMap<(String, String), u32> = manifests.iter().filter_map(scaled).collect();
    for manifest in &manifests {
        let place = || {
            InputError::at(
                &file.path,
                manifest.place.clone(),
                format!("{} is described twice", manifest.address),
            )
        };
        // What a controller made is described by the controller.
        let is_owned =
            at(&manifest.value, "metadata.ownerReferences").as_array().is_some_and(|list| !list.is_empty());
        let runs = pods_of(&manifest.kind).is_some();
        if is_owned || !(runs || RESOURCES.contains(&manifest.kind.as_str())) {
            let kind = manifest_kind(&manifest.kind).map_or("other", |kind| kind.name);
            *facts.ignored.entry(kind).or_default() += 1;
            continue;
        }
        let mut placed = placed(manifest, &file.path, &mut facts);
        if runs {
            let key = (
                format!("{}/{}", manifest.namespace.as_deref().unwrap_or_default(), manifest.kind),
                manifest.name.clone(),
            );
            placed.replicas = scalers.get(&key).copied().or_else(|| spread::replicas(manifest));
            placed.zones = spread::zones(manifest, placed.replicas);
        }
        let detail = if runs { Detail::Workload(placed) } else { Detail::Resource(placed) };
        if facts.objects.insert(manifest.address.clone(), StatedObject::new(detail)).is_some() {
            return Err(place());
        }
        let tags = keep_tags(manifest.labels());
        facts.seen.push(Seen { address: manifest.address.clone(), kind: manifest.kind.clone(), tags });
        relate(manifest, &mut facts);
    }
    Ok(Stated { source: Header::default().source(file, catalog)?, complete_for: BTreeSet::new(), facts })
}

/// The least number of copies that an autoscaler keeps, and of what: namespace and kind, and name.
fn scaled(manifest: &Manifest) -> Option<((String, String), u32)> {
    if manifest.kind != "HorizontalPodAutoscaler" {
        return None;
    }
    let meant = at(&manifest.value, "spec.scaleTargetRef");
    let (kind, name) = (at(meant, "kind").as_str()?, at(meant, "name").as_str()?);
    let least = at(&manifest.value, "spec.minReplicas").as_u64().unwrap_or(1);
    let namespace = manifest.namespace.as_deref().unwrap_or_default();
    Some(((format!("{namespace}/{kind}"), name.to_owned()), u32::try_from(least).ok()?))
}

fn placed(manifest: &Manifest, path: &str, facts: &mut Facts) -> Placement {
    let marks: BTreeMap<&str, &str> =
        ["labels", "annotations"].into_iter().flat_map(|part| manifest.texts(&["metadata", part])).collect();
    let mut usable = |key: &str, value: Option<Result<String, &'static str>>| match value? {
        Ok(value) => Some(value),
        Err(message) => {
            facts.warnings.push(format!("{path}: {}: {key}: {message}; it is left out", manifest.address));
            None
        }
    };
    let environment = ENVIRONMENT.iter().find_map(|key| marks.get(key)).map(|text| placement::word(text));
    let tier = marks.get(TIER).map(|text| placement::tier(text).map(|tier| tier.to_string()));
    Placement {
        kind: placement::word(&manifest.kind).ok(),
        environment: usable("environment", environment),
        tier: usable("tier", tier).and_then(|tier| tier.parse().ok()),
        zones: BTreeSet::new(),
        replicas: None,
    }
}

fn relate(manifest: &Manifest, facts: &mut Facts) {
    let here = &manifest.address;
    let namespace = manifest.namespace.as_deref().unwrap_or_default();
    let named =
        |kind: &str, name: &Value| ObjectId::new(format!("{namespace}/{kind}/{}", name.as_str()?)).ok();
    match manifest.kind.as_str() {
        "Service" => {
            let selector = manifest.texts(&["spec", "selector"]);
            if !selector.is_empty() {
                let selector = selector.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned()));
                facts.selecting.push((here.clone(), selector.collect()));
            }
        }
        "Ingress" => {
            let paths = list(&manifest.value, "spec.rules").flat_map(|rule| list(rule, "http.paths"));
            let backends = paths.map(|path| at(path, "backend.service.name"));
            let backends = backends.chain([at(&manifest.value, "spec.defaultBackend.service.name")]);
            let services = backends.filter_map(|name| named("Service", name));
            facts.links.extend(services.map(|service| (LinkType::DependsOn, here.clone(), service)));
        }
        kind => {
            let Some(pods) = pods_of(kind) else { return };
            let volumes = list(at(&manifest.value, pods), "volumes");
            let claims = volumes.filter_map(|volume| {
                named("PersistentVolumeClaim", at(volume, "persistentVolumeClaim.claimName"))
            });
            facts.links.extend(claims.map(|claim| (LinkType::WorkloadRunsOn, here.clone(), claim)));
        }
    }
}

/// The value at a dotted path; null where there is none.
fn at<'v>(value: &'v Value, path: &str) -> &'v Value {
    path.split('.').try_fold(value, |value, key| value.get(key)).unwrap_or(&Value::Null)
}

fn list<'v>(value: &'v Value, path: &str) -> impl Iterator<Item = &'v Value> + use<'v> {
    at(value, path).as_array().into_iter().flatten()
}
