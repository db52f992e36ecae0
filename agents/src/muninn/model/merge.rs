//! Merges what files state into one model. Files come sorted by path; where two disagree about a detail, the first
//! counts, the other is named in a warning, and the relation that rests on it is denied (S-13).

mod assumed;
mod details;
mod relations;

use std::collections::{BTreeMap, BTreeSet};

use ontology::model::{Binding, LINKS_MAX, Model, OBJECTS_MAX, Object};
use ontology::{Name, ObjectId};

use super::stated::{Stated, StatedObject};
use super::{Compiled, WARNINGS_MAX};
use crate::input::InputError;

pub(super) use details::placement_mut;

/// Bytes of a warning at most; ids can be long.
const WARNING_BYTES_MAX: usize = 1_024;

/// Merges the facts of files, sorted by path.
pub(super) fn merge(files: Vec<Stated>) -> Result<Compiled, InputError> {
    let mut merge = Merge::default();
    for file in &files {
        merge.describe(file)?;
    }
    for file in &files {
        merge.place(file);
    }
    let mut relations = relations::merge(&files, &mut merge)?;
    assumed::add(&files, &mut merge, &mut relations)?;
    let bindings = merge.bind(&files);
    merge.count_ignored(&files);
    let mut sources: Vec<_> = files.into_iter().map(|file| file.source).collect();
    sources.sort_by(|a, b| a.id.cmp(&b.id));
    let objects: Vec<Object> = merge.objects.into_values().collect();
    let links = relations::into_links(relations);
    for (what, count, max) in [("objects", objects.len(), OBJECTS_MAX), ("links", links.len(), LINKS_MAX)] {
        if count > max {
            return Err(InputError::at(
                "",
                "",
                format!("the model has {count} {what}, at most {max} are allowed"),
            ));
        }
    }
    Ok(Compiled { model: Model { sources, objects, links, bindings }, warnings: bounded(merge.warnings) })
}

/// A model in the making.
#[derive(Debug, Default)]
struct Merge {
    objects: BTreeMap<ObjectId, Object>,
    /// (object, source) where the source describes the object otherwise than the first one does.
    contradicted: BTreeSet<(ObjectId, Name)>,
    warnings: BTreeSet<String>,
}

impl Merge {
    fn warn(&mut self, warning: String) {
        self.warnings.insert(warning);
    }

    /// Takes in the things that a file describes.
    fn describe(&mut self, file: &Stated) -> Result<(), InputError> {
        for (id, stated) in &file.facts.objects {
            match self.objects.get_mut(id) {
                None => {
                    self.objects.insert(id.clone(), first(id, stated, &file.source.id));
                }
                Some(object) => {
                    let differs = details::merge(object, stated)
                        .map_err(|message| InputError::at(file.source.id.as_str(), "", message))?;
                    object.sources.push(file.source.id.clone());
                    if !differs.is_empty() {
                        let first = object.sources[0].clone();
                        self.warn(format!(
                            "{id}: {} and {} differ about {}; the first counts",
                            first,
                            file.source.id,
                            differs.join(", ")
                        ));
                        self.contradicted.insert((id.clone(), file.source.id.clone()));
                    }
                }
            }
        }
        Ok(())
    }

    /// Gives tiers to things: of two, the more critical counts.
    fn place(&mut self, file: &Stated) {
        for (id, tier) in &file.facts.tiers {
            let source = &file.source.id;
            let warning = match self
                .objects
                .get_mut(id)
                .map(|object| details::placement_mut(&mut object.detail))
            {
                None => format!("{source}: gives a tier to {id}, which no file describes; it is left out"),
                Some(None) => format!("{source}: gives a tier to {id}, which has none; it is left out"),
                Some(Some(placement)) => match placement.tier.replace(*tier) {
                    Some(other) if other != *tier => {
                        placement.tier = Some(other.min(*tier));
                        format!(
                            "{source}: gives {id} another tier than another file; the more critical counts"
                        )
                    }
                    _ => continue,
                },
            };
            self.warn(warning);
        }
    }

    /// Bindings of things that exist, sorted and unique.
    fn bind(&mut self, files: &[Stated]) -> Vec<Binding> {
        let mut bindings: Vec<Binding> = Vec::new();
        for file in files {
            for binding in &file.facts.bindings {
                if self.objects.contains_key(&binding.object) {
                    bindings.push(binding.clone());
                } else {
                    let (source, object) = (&file.source.id, &binding.object);
                    self.warn(format!(
                        "{source}: binds {object}, which no file describes; the binding is left out"
                    ));
                }
            }
        }
        let key = |it: &Binding| {
            (
                it.object.clone(),
                it.addresses.clone(),
                it.workspaces.clone(),
                it.tags.clone(),
                it.source.clone(),
            )
        };
        bindings.sort_by_cached_key(key);
        bindings.dedup_by(|a, b| {
            (&a.object, &a.addresses, &a.workspaces, &a.tags)
                == (&b.object, &b.addresses, &b.workspaces, &b.tags)
        });
        bindings
    }

    fn count_ignored(&mut self, files: &[Stated]) {
        let mut ignored: BTreeMap<&str, u32> = BTreeMap::new();
        for (kind, count) in files.iter().flat_map(|file| &file.facts.ignored) {
            *ignored.entry(kind).or_default() += count;
        }
        if !ignored.is_empty() {
            let kinds: Vec<String> = ignored.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            self.warn(format!("entities of kinds that are not read: {}", kinds.join(", ")));
        }
        for warning in files.iter().flat_map(|file| &file.facts.warnings) {
            self.warn(warning.clone());
        }
    }
}

fn first(id: &ObjectId, stated: &StatedObject, source: &Name) -> Object {
    Object {
        id: id.clone(),
        title: stated.title.clone(),
        detail: stated.detail.clone(),
        sources: vec![source.clone()],
        effective_from: stated.effective_from,
        effective_to: stated.effective_to,
    }
}

fn bounded(warnings: BTreeSet<String>) -> Vec<String> {
    let beyond = warnings.len().saturating_sub(WARNINGS_MAX);
    let mut warnings: Vec<String> = warnings.into_iter().take(WARNINGS_MAX).collect();
    for warning in &mut warnings {
        let cut = (0..=WARNING_BYTES_MAX.min(warning.len())).rev().find(|cut| warning.is_char_boundary(*cut));
        warning.truncate(cut.unwrap_or(0));
    }
    if beyond > 0 {
        warnings.push(format!("{beyond} more warnings"));
    }
    warnings
}
