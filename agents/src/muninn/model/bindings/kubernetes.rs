//! The Kubernetes selector of a binding: which objects of which clusters are meant.

use std::collections::BTreeMap;

use ontology::policy::manifest_kind;
use serde::Deserialize;

use super::OneOrMany;

/// Address patterns of one selector at most: its namespaces, kinds and names, each with each.
const PATTERNS_MAX: usize = 1_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kubernetes {
    #[serde(default)]
    pub(super) cluster: Option<OneOrMany>,
    #[serde(default)]
    namespace: Option<OneOrMany>,
    #[serde(default)]
    kind: Option<OneOrMany>,
    #[serde(default)]
    name: Option<OneOrMany>,
    /// Labels as `kubectl -l` takes them: `app=orders,tier=web`.
    #[serde(default)]
    selector: Option<String>,
    /// The same as a mapping.
    #[serde(default)]
    labels: Option<BTreeMap<String, String>>,
}

impl Kubernetes {
    /// Patterns of the addresses that are meant, and the labels that they have.
    pub(super) fn meant(&self) -> Result<(Vec<String>, BTreeMap<String, String>), String> {
        let labels = self.all_labels()?;
        let (namespaces, kinds) = (texts(self.namespace.as_ref()), texts(self.kind.as_ref()));
        let names = texts(self.name.as_ref());
        if [&namespaces, &kinds, &names].into_iter().flatten().any(|text| text.trim().is_empty()) {
            return Err("a namespace, kind or name is not empty".into());
        }
        if namespaces.is_empty() && kinds.is_empty() && names.is_empty() && labels.is_empty() {
            return Err("it has a namespace, a kind, a name or a selector".into());
        }
        let mut patterns = Vec::new();
        for kind in or_none(&kinds) {
            for namespace in or_none(&namespaces) {
                for name in or_none(&names) {
                    patterns.extend(addresses(namespace, kind, name)?);
                }
            }
            if patterns.len() > PATTERNS_MAX {
                return Err(format!("it means more than {PATTERNS_MAX} combinations; divide it"));
            }
        }
        Ok((patterns, labels))
    }

    fn all_labels(&self) -> Result<BTreeMap<String, String>, String> {
        let mut labels = self.labels.clone().unwrap_or_default();
        for part in self.selector.iter().flat_map(|text| text.split(',')) {
            let pair = part.split_once("==").or_else(|| part.split_once('='));
            let (key, value) = pair
                .map(|(key, value)| (key.trim(), value.trim()))
                .filter(|(key, value)| !key.is_empty() && !key.ends_with('!') && !value.contains('='))
                .ok_or("selector: expected KEY=VALUE, and commas between several")?;
            if labels.insert(key.to_owned(), value.to_owned()).is_some_and(|other| other != value) {
                return Err("selector: it gives one label two values".into());
            }
        }
        Ok(labels)
    }
}

fn texts(list: Option<&OneOrMany>) -> Vec<&str> {
    list.into_iter().flat_map(|list| list.0.iter().map(String::as_str)).collect()
}

/// Each of them, or once nothing.
fn or_none<'t>(texts: &[&'t str]) -> Vec<Option<&'t str>> {
    if texts.is_empty() { vec![None] } else { texts.iter().map(|text| Some(*text)).collect() }
}

/// Patterns of `NAMESPACE/KIND/NAME`. A namespace and most kinds have no dot, where one `*` ends; names may.
fn addresses(namespace: Option<&str>, kind: Option<&str>, name: Option<&str>) -> Result<Vec<String>, String> {
    let name = name.unwrap_or("**");
    let Some(written) = kind else {
        let namespace = namespace.unwrap_or("*");
        return Ok(vec![if name == "**" {
            format!("{namespace}/**")
        } else {
            format!("{namespace}/**/{name}")
        }]);
    };
    let within = format!("{}/{written}/{name}", namespace.unwrap_or("*"));
    let apart = format!("{written}/{name}");
    match manifest_kind(written) {
        Some(known) if known.namespaced => Ok(vec![within]),
        Some(_) if namespace.is_some() => Err(format!("kind: {written} has no namespace")),
        Some(_) => Ok(vec![apart]),
        // A custom resource is known by its group, and may live in a namespace or not.
        None if !written.contains(['.', '*']) => Err(format!(
            "kind: {written} is not known to every cluster; write it with its group, {written}.GROUP"
        )),
        None if namespace.is_some() => Ok(vec![within]),
        None => Ok(vec![within, apart]),
    }
}
