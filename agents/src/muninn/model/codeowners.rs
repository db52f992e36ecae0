//! CODEOWNERS as a source of owners: who owns the paths that bindings give to a thing, owns the thing.

use std::collections::BTreeSet;

use ontology::ObjectId;
use ontology::model::{Detail, Ownership};
use ontology::policy::Catalog;
use ontology::policy::catalog::wildcard;
use ontology::release::LinkType;

use super::ModelFile;
use super::header::Header;
use super::init::Owner;
use super::stated::{Facts, PathOwner, Stated, StatedObject};
use crate::input::{InputError, json};

/// The name of such a file.
pub(super) const FILE_NAME: &str = "CODEOWNERS";
/// Rules of one file at most; more than the largest repositories have.
const RULES_MAX: usize = 20_000;

/// Reads the rules. Lines that begin with `#` and sections of GitLab (`[Name]`) say nothing of paths.
pub(super) fn read(file: &ModelFile, catalog: &Catalog) -> Result<Stated, InputError> {
    let text = json::text(&file.path, &file.bytes)?;
    let mut facts = Facts::default();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', '[', '^']) {
            continue;
        }
        let at = || format!("line {}", index + 1);
        let line = line.split(" #").next().unwrap_or_default();
        let mut words = line.split_whitespace();
        let pattern = words.next().unwrap_or_default();
        let named: Vec<&str> = words.collect();
        if let Some(wrong) = named.iter().find(|word| !word.contains('@')) {
            let shown = json::quote(wrong);
            return Err(InputError::at(
                &file.path,
                at(),
                format!("{shown} is no owner: @USER, @ORG/TEAM or an address"),
            ));
        }
        let owner = named.iter().find_map(|word| Owner::read(word)).map(|owner| owner.reference());
        let owner = owner.map(ObjectId::new).transpose();
        let owner = owner.map_err(|error| InputError::at(&file.path, at(), error.to_string()))?;
        facts.path_owners.push(PathOwner { pattern: pattern.to_owned(), owner });
        if facts.path_owners.len() > RULES_MAX {
            return Err(InputError::at(&file.path, at(), format!("it has more than {RULES_MAX} rules")));
        }
    }
    Ok(Stated { source: Header::default().source(file, catalog)?, complete_for: BTreeSet::new(), facts })
}

/// Adds to each file of rules the owners of the things whose paths the bindings tell.
pub(super) fn own(files: &mut [Stated]) {
    let paths: Vec<(ObjectId, String)> = files
        .iter()
        .flat_map(|file| &file.facts.paths)
        .flat_map(|(object, paths)| paths.iter().map(|path| (object.clone(), path.clone())))
        .collect();
    for file in files.iter_mut().filter(|file| !file.facts.path_owners.is_empty()) {
        let mut owners: BTreeSet<(ObjectId, ObjectId)> = BTreeSet::new();
        for (object, path) in &paths {
            let rule = file.facts.path_owners.iter().rev().find(|rule| matches(&rule.pattern, path));
            owners.extend(rule.and_then(|rule| rule.owner.clone()).map(|owner| (object.clone(), owner)));
        }
        let mut objects: BTreeSet<ObjectId> = BTreeSet::new();
        for (object, owner) in owners {
            if !objects.insert(object.clone()) {
                let (id, source) = (&object, &file.source.id);
                file.facts
                    .warnings
                    .push(format!("{source}: {id}: its paths have several owners; the first counts"));
                continue;
            }
            let kind = owner.as_str().split(':').next().unwrap_or_default().to_owned();
            let detail = Detail::Ownership(Ownership { kind: Some(kind) });
            file.facts.objects.entry(owner.clone()).or_insert_with(|| StatedObject::new(detail));
            file.facts.links.insert((LinkType::OwnedBy, object, owner));
        }
    }
}

/// Whether a rule is about all of what lies at a path: it names the path, or something above it.
fn matches(pattern: &str, path: &str) -> bool {
    let is_anchored =
        pattern.trim_end_matches('/').trim_end_matches("/**").trim_end_matches("/*").contains('/');
    let (rule, path) = (segments(pattern), segments(path));
    let starts = |path: &[&str]| {
        path.len() >= rule.len() && rule.iter().zip(path).all(|(pattern, segment)| wildcard(pattern, segment))
    };
    if is_anchored || rule.is_empty() { starts(&path) } else { (0..path.len()).any(|at| starts(&path[at..])) }
}

/// The segments of a path or pattern, without a tail that means everything below.
fn segments(text: &str) -> Vec<&str> {
    let mut segments: Vec<&str> = text.split('/').filter(|segment| !segment.is_empty()).collect();
    while segments.last().is_some_and(|last| *last == "*" || *last == "**") {
        segments.pop();
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_rule_is_about_what_it_names_and_what_lies_below() {
        let check = |pattern: &str, path: &str, expect: bool| {
            assert_eq!(matches(pattern, path), expect, "{pattern} {path}")
        };
        check("*", "services/orders/**", true);
        check("/services/orders/", "services/orders/**", true);
        check("/services/", "services/orders/**", true);
        check("services/*/infra", "services/orders/infra/", true);
        check("orders/", "services/orders/**", true);
        check("/orders/", "services/orders/**", false);
        check("services/orders/src", "services/orders/**", false);
        check("*.js", "services/orders/**", false);
        check("services/orders-old", "services/orders", false);
    }
}
