//! Changes are made in an open window, and never in a freeze.

use super::judged::Judge;
use super::touched::changed;
use crate::ObjectId;
use crate::Timestamp;
use crate::graph::View;
use crate::model::{ChangeWindow, Detail};
use crate::policy::applies::{Applies, UNTOLD};
use crate::policy::constraint::Standing;

/// Kind of a window in which nothing is changed.
const FREEZE: &str = "freeze";
/// Kind of a window outside of which nothing is changed.
const OPEN: &str = "open";

pub(super) fn evaluate(judge: &mut Judge<'_>) {
    let subject = judge.subject;
    let closed = closed(subject.base, subject.cutoff);
    for (target, found) in changed(subject) {
        let place = found.object().and_then(|object| subject.base.node(object));
        let applies = judge.applies_to(target, (place, place));
        if applies == Applies::No {
            continue;
        }
        judge.looked();
        let Some((window, why)) = &closed else { continue };
        if applies == Applies::Untold {
            judge.unknown(&target.address, UNTOLD);
            continue;
        }
        let address = || target.address.clone();
        let path = std::iter::once(address()).chain(window.clone()).collect();
        judge.violates(Standing::Introduced, address(), path, why, vec![address()]);
    }
}

/// What forbids changes at `cutoff`: a freeze, or that no open window is one now.
fn closed(view: &View<'_>, cutoff: Timestamp) -> Option<(Option<ObjectId>, String)> {
    let objects = view.graph().model().objects.iter();
    let windows: Vec<(&ObjectId, &ChangeWindow)> = objects
        .filter_map(|object| match &object.detail {
            Detail::ChangeWindow(window) => Some((&object.id, window)),
            _ => None,
        })
        .collect();
    let of = |kind: &'static str| windows.iter().filter(move |(_, window)| window.kind.as_str() == kind);
    let now = |window: &ChangeWindow| window.from <= cutoff && cutoff < window.to;
    if let Some((id, freeze)) = of(FREEZE).find(|(_, window)| now(window)) {
        return Some((Some((*id).clone()), format!("frozen by {id} until {}", freeze.to)));
    }
    if of(OPEN).next().is_none() || of(OPEN).any(|(_, window)| now(window)) {
        return None;
    }
    let next = of(OPEN).filter(|(_, window)| window.from > cutoff).min_by_key(|(_, window)| window.from);
    Some(match next {
        Some((id, window)) => {
            (Some((*id).clone()), format!("no window is open; {id} opens at {}", window.from))
        }
        None => (None, "no window is open, and none is planned".to_owned()),
    })
}
