//! What is touched stays in the regions that are allowed.

use std::collections::BTreeSet;

use super::judged::{Judge, Judged};
use super::touched::changed;
use crate::graph::{Node, View};
use crate::policy::applies::{Applies, UNTOLD};
use crate::policy::catalog::wildcard;
use crate::policy::constraint::Standing;
use crate::records::document::Target;
use crate::value::Attributes;

/// Attributes that say where a resource is.
const PLACES: [&str; 3] = ["region", "location", "availability_zone"];

pub(super) fn evaluate(judge: &mut Judge<'_>, regions: &BTreeSet<String>) {
    let allowed = |place: &str| regions.iter().any(|pattern| wildcard(pattern, place));
    judge.touched(|view: &View<'_>, node: Node| {
        let Some(placement) = view.object(node).and_then(|object| object.detail.placement()) else {
            return Judged::Apart;
        };
        let outside: Vec<&str> =
            placement.zones.iter().map(String::as_str).filter(|zone| !allowed(zone)).collect();
        if placement.zones.is_empty() {
            return Judged::Apart;
        }
        if outside.is_empty() {
            return Judged::Kept;
        }
        let value = format!("runs in {}", outside.join(", "));
        Judged::Broken { degree: (0, u64::try_from(outside.len()).unwrap_or(u64::MAX)), value }
    });
    let subject = judge.subject;
    for (target, found) in changed(subject) {
        let place = found.object().and_then(|object| subject.base.node(object));
        let applies = judge.applies_to(target, (place, place));
        if applies == Applies::No {
            continue;
        }
        judge.looked();
        let Some((attribute, outside)) = places(target.after.as_ref()).find(|(_, place)| !allowed(place))
        else {
            continue;
        };
        if applies == Applies::Untold {
            judge.unknown(&target.address, UNTOLD);
            continue;
        }
        let before = places(target.before.as_ref()).any(|(_, place)| !allowed(place));
        let standing = if before { Standing::PreExisting } else { Standing::Introduced };
        let address = || target.address.clone();
        judge.violates(
            standing,
            address(),
            vec![address()],
            &format!("{attribute} {outside}"),
            vec![address()],
        );
    }
    unknown_places(judge);
}

/// A place that is known only after apply.
fn unknown_places(judge: &mut Judge<'_>) {
    let subject = judge.subject;
    let unplaced = |target: &&Target| PLACES.iter().any(|attribute| target.unknown.contains(*attribute));
    for target in changed(subject).map(|(target, _)| target).filter(unplaced) {
        // A zone that the provider picks is in the region of the provider, which another attribute states.
        if places(target.after.as_ref()).next().is_none() {
            judge.unknown(&target.address, "where it runs is known only after apply");
        }
    }
}

fn places(side: Option<&Attributes>) -> impl Iterator<Item = (&'static str, &str)> {
    PLACES.into_iter().filter_map(move |attribute| Some((attribute, side?.get(attribute)?.as_text()?)))
}
