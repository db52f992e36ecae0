//! In how many copies runs what serves.

use super::{namespace, weaknesses};
use crate::policy::plan_rules::finding::Finder;
use crate::policy::plan_rules::side::{Weakness, first_at, sides, text_at};
use crate::records::document::Target;
use crate::value::{Attributes, Value};

/// Kinds that serve and count their copies. One copy is what a manifest gets that says nothing.
const COUNTED: &[&str] = &["Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"];
/// Copies below which a lost node is an outage.
const COPIES_MIN: i64 = 2;

/// What serves runs in a single copy.
pub(in crate::policy::plan_rules) fn single_replica(finder: &mut Finder<'_>) {
    let scalers: Vec<&Target> =
        finder.targets().filter(|target| target.kind == "HorizontalPodAutoscaler").collect();
    weaknesses(
        finder,
        |kind| COUNTED.contains(&kind),
        |target, side, before| {
            // The side before is looked at without another one before it.
            let is_after = before.is_some() || target.before.is_none();
            let (attribute, said) = match scaled(&scalers, target, is_after) {
                Some(scaler) => ("spec.minReplicas", first_at(scaler, "spec.minReplicas")),
                None => ("spec.replicas", first_at(side, "spec.replicas")),
            };
            let copies = said.map_or(Some(1), Value::as_integer);
            let shown = said.map_or_else(|| "not set, which is 1".to_owned(), ToString::to_string);
            match copies {
                Some(copies) if copies < COPIES_MIN => {
                    vec![Weakness { degree: -copies, ..Weakness::new(attribute, shown) }]
                }
                _ => Vec::new(),
            }
        },
    );
}

/// What the autoscaler says that sets the number of copies of a target, on one side of the change.
fn scaled<'s>(scalers: &[&'s Target], target: &Target, after: bool) -> Option<&'s Attributes> {
    let name = target.address.as_str().rsplit('/').next().unwrap_or_default();
    let beside = scalers.iter().filter(|scaler| namespace(scaler) == namespace(target));
    let mut said = beside.filter_map(|scaler| {
        let (before, now) = sides(scaler);
        if after { now } else { before }
    });
    said.find(|side| {
        text_at(side, "spec.scaleTargetRef.kind") == target.kind
            && text_at(side, "spec.scaleTargetRef.name") == name
    })
}
