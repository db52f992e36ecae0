//! Default objectives of a tier, for things of it that have none of that kind (U7).

use std::collections::BTreeMap;

use ontology::ObjectId;
use ontology::model::Object;

use super::relations::Relations;
use super::{Merge, first};
use crate::input::InputError;
use crate::muninn::model::stated::{Objective, Stated, StatedObject};

/// Gives assumed objectives to every placed thing of a tier that has no objective of that kind of its own.
pub(super) fn add(files: &[Stated], merge: &mut Merge, relations: &mut Relations) -> Result<(), InputError> {
    let mut defaults: BTreeMap<u8, (&Stated, &[Objective])> = BTreeMap::new();
    for file in files {
        for (tier, objectives) in &file.facts.defaults {
            if let Some((other, _)) = defaults.insert(*tier, (file, objectives)) {
                let message = format!("tier {tier} has defaults in {} already", other.source.id);
                return Err(InputError::at(file.source.id.as_str(), format!("$.tiers.{tier}"), message));
            }
        }
    }
    let has: std::collections::BTreeSet<_> =
        relations.keys().map(|(kind, from, _)| (*kind, from.clone())).collect();
    let mut added: Vec<(ObjectId, Object)> = Vec::new();
    for (id, object) in &merge.objects {
        let tier = object.detail.placement().and_then(|placement| placement.tier);
        let Some((file, objectives)) = tier.and_then(|tier| defaults.get(&tier)) else { continue };
        for objective in objectives.iter().filter(|it| !has.contains(&(it.link(), id.clone()))) {
            let source = &file.source.id;
            let objective_id = objective
                .id(id)
                .map_err(|error| InputError::at(source.as_str(), "", format!("{id}: {error}")))?;
            if merge.objects.contains_key(&objective_id) {
                continue;
            }
            let stated = StatedObject::new(objective.detail.clone());
            added.push((objective_id.clone(), first(&objective_id, &stated, source)));
            let relation = (objective.link(), id.clone(), objective_id);
            relations.entry(relation).or_default().stated.insert(source.clone());
        }
    }
    merge.objects.extend(added);
    Ok(())
}
