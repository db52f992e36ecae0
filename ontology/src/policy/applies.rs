//! To what a constraint applies.

use super::catalog::Selector;
use crate::model::Placement;

/// Whether a constraint applies to something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Applies {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// It asks for an environment or a tier, and the model does not tell this one's.
    Untold,
}

/// Why a rule could not be judged where [`Applies::Untold`] is the answer.
pub(super) const UNTOLD: &str = "its environment or tier is not modelled";

impl Applies {
    /// Whether `selector` selects something placed so, which goes by any of these kinds.
    pub(super) fn of(selector: &Selector, placement: Option<&Placement>, kinds: &[&str]) -> Self {
        if selector.is_everything() || kinds.iter().any(|kind| selector.matches(placement, kind)) {
            return Self::Yes;
        }
        let environment = placement.and_then(|placement| placement.environment.as_ref());
        let tier = placement.and_then(|placement| placement.tier);
        let told_otherwise = environment
            .is_some_and(|it| !selector.environments.is_empty() && !selector.environments.contains(it))
            || tier.is_some_and(|it| !selector.tiers.is_empty() && !selector.tiers.contains(&it));
        let anywhere = Selector { kinds: selector.kinds.clone(), ..Selector::default() };
        let of_kind = kinds.iter().any(|kind| anywhere.matches(None, kind));
        if of_kind && !told_otherwise { Self::Untold } else { Self::No }
    }
}
