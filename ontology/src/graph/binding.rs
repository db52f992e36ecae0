//! Which target of a plan is which object of the model (U7).

mod pattern;

use std::collections::BTreeMap;

use crate::ObjectId;
use crate::graph::Graph;
use crate::model::Binding;
use crate::policy::catalog::wildcard;
use crate::policy::pods_of;
use crate::records::document::Target;
use crate::records::snapshot::Found;
use crate::release::ObjectType;
use pattern::Pattern;

/// Bindings, prepared for look-up: a target is compared with the bindings that may match it, not with all.
#[derive(Debug, Default)]
pub struct Bindings {
    bindings: Vec<Binding>,
    /// Bindings by exact address.
    exact: BTreeMap<String, Vec<usize>>,
    /// Address patterns by literal prefix, sorted by it.
    prefixes: Vec<Prefix>,
    /// Bindings without addresses, by their first tag.
    tagged: BTreeMap<(String, String), Vec<usize>>,
    /// Bindings of workspaces alone.
    workspaces: Vec<usize>,
}

/// The patterns that begin with one literal text.
#[derive(Debug)]
struct Prefix {
    text: String,
    /// The longest other prefix that this one begins with.
    parent: Option<usize>,
    patterns: Vec<(Pattern, usize)>,
}

/// How closely a binding matches, the closest last: exact address, literal prefix, tags, workspace.
type Closeness = (bool, usize, usize, bool);

impl Bindings {
    /// Prepares bindings. One that names neither an address, a tag nor a workspace binds nothing.
    #[must_use]
    pub fn new(bindings: &[Binding]) -> Self {
        let mut prepared = Self { bindings: bindings.to_vec(), ..Self::default() };
        let mut prefixes: BTreeMap<String, Vec<(Pattern, usize)>> = BTreeMap::new();
        for (index, binding) in bindings.iter().enumerate() {
            for address in &binding.addresses {
                let pattern = Pattern::new(address);
                if pattern.is_exact() {
                    prepared.exact.entry(address.clone()).or_default().push(index);
                } else {
                    prefixes.entry(pattern.prefix().to_owned()).or_default().push((pattern, index));
                }
            }
            if binding.addresses.is_empty() {
                match binding.tags.first_key_value() {
                    Some((key, value)) => {
                        prepared.tagged.entry((key.clone(), value.clone())).or_default().push(index);
                    }
                    None if !binding.workspaces.is_empty() => prepared.workspaces.push(index),
                    None => {}
                }
            }
        }
        prepared.prefixes = chain(prefixes);
        prepared
    }

    /// What `target` is in the model. A target whose address is an object's id is that object. A binding whose
    /// address pattern is exact (no `*`) says that the target *is* it, where the object is a Resource, or a Workload
    /// and the target runs pods; any other binding says that it is a part of the object. Bindings of several objects: the most specific wins (exact address, then longer
    /// literal prefix, then tags); a tie between different objects is a conflict.
    #[must_use]
    pub fn resolve(&self, graph: &Graph, target: &Target, workspace: Option<&str>) -> Found {
        if graph.node(&target.address).is_some() {
            return Found::Is(target.address.clone());
        }
        let mut best: Option<Closeness> = None;
        let mut objects: Vec<&ObjectId> = Vec::new();
        self.each_match(target, workspace, |closeness, object| {
            if best.is_none_or(|best| closeness > best) {
                best = Some(closeness);
                objects.clear();
            }
            if best == Some(closeness) && !objects.contains(&object) {
                objects.push(object);
            }
        });
        objects.sort_unstable();
        match objects.as_slice() {
            [] => Found::Unbound,
            [object] => {
                let known = graph.node(object).and_then(|node| graph.object(node));
                let may_be = known.is_some_and(|object| match object.detail.object_type() {
                    ObjectType::Resource => true,
                    ObjectType::Workload => pods_of(&target.kind).is_some(),
                    _ => false,
                });
                let is_exact = best.is_some_and(|(exact, ..)| exact);
                if may_be && is_exact {
                    Found::Is((*object).clone())
                } else {
                    Found::PartOf((*object).clone())
                }
            }
            several => Found::Conflict(several.iter().map(|object| (*object).clone()).collect()),
        }
    }

    /// Whether an address pattern matches, whatever the workspace and the tags are.
    #[must_use]
    pub fn may_bind(&self, address: &str) -> bool {
        let mut patterns = self.prefixes.iter().flat_map(|prefix| &prefix.patterns);
        self.exact.contains_key(address) || patterns.any(|(pattern, _)| pattern.matches(address))
    }

    fn each_match<'a>(
        &'a self,
        target: &Target,
        workspace: Option<&str>,
        mut found: impl FnMut(Closeness, &'a ObjectId),
    ) {
        let mut offer = |index: usize, exact: bool, prefix: usize| {
            let binding = &self.bindings[index];
            let in_workspace = binding.workspaces.is_empty()
                || workspace
                    .is_some_and(|name| binding.workspaces.iter().any(|pattern| wildcard(pattern, name)));
            if in_workspace && binding.tags.iter().all(|(key, value)| target.tags.get(key) == Some(value)) {
                let closeness = (exact, prefix, binding.tags.len(), !binding.workspaces.is_empty());
                found(closeness, &binding.object);
            }
        };
        let address = target.address.as_str();
        for index in self.exact.get(address).into_iter().flatten() {
            offer(*index, true, address.len());
        }
        let mut next = self.prefixes.partition_point(|prefix| prefix.text.as_str() <= address).checked_sub(1);
        while let Some(prefix) = next.map(|index| &self.prefixes[index]) {
            if address.starts_with(&prefix.text) {
                for (pattern, index) in &prefix.patterns {
                    if pattern.matches(address) {
                        offer(*index, false, prefix.text.len());
                    }
                }
            }
            next = prefix.parent;
        }
        for (key, value) in &target.tags {
            for index in self.tagged.get(&(key.clone(), value.clone())).into_iter().flatten() {
                offer(*index, false, 0);
            }
        }
        for index in &self.workspaces {
            offer(*index, false, 0);
        }
    }
}

/// Links each prefix to the longest one it begins with. Every prefix of an address that is in the list is then the
/// greatest one not above the address, or on the way up from it: texts between a prefix and the address begin with it.
fn chain(prefixes: BTreeMap<String, Vec<(Pattern, usize)>>) -> Vec<Prefix> {
    let mut chained: Vec<Prefix> = Vec::with_capacity(prefixes.len());
    for (text, patterns) in prefixes {
        let mut parent = chained.len().checked_sub(1);
        while let Some(index) = parent {
            if text.starts_with(&chained[index].text) {
                break;
            }
            parent = chained[index].parent;
        }
        chained.push(Prefix { text, parent, patterns });
    }
    chained
}
