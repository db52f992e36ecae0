//! What is missing in a model, ordered by what it costs: for `arbctl model gaps` (U7).

use std::collections::{BTreeMap, BTreeSet};

use ontology::graph::Bindings;
use ontology::model::Model;
use ontology::release::LinkType;
use ontology::{ObjectId, ReasonCode};

use super::check::Summary;

/// A review that was held, as far as its gaps go.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HeldReview {
    /// The reasons that hold it, each with what it is about.
    pub reasons: Vec<(ReasonCode, Option<String>)>,
    /// What its change reaches.
    pub reach: BTreeSet<String>,
}

/// What is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GapKind {
    /// Nothing says what a target of a change is.
    Binding,
    /// Nobody owns it.
    Owner,
    /// It has no objective.
    Objective,
    /// One source says what another denies.
    Denied,
}

impl GapKind {
    /// The stable text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Binding => "binding",
            Self::Owner => "owner",
            Self::Objective => "objective",
            Self::Denied => "denied",
        }
    }

    /// What closes it, for people.
    #[must_use]
    pub const fn cure(self) -> &'static str {
        match self {
            Self::Binding => "bind it in bindings.yaml",
            Self::Owner => "name an owner: spec.owner, or paths in bindings.yaml and CODEOWNERS",
            Self::Objective => "give it a tier in bindings.yaml, or objectives",
            Self::Denied => "correct the source that is wrong",
        }
    }

    /// The reasons that hold a review because of such a gap.
    const fn holds(self) -> &'static [ReasonCode] {
        match self {
            Self::Binding => &[
                ReasonCode::TargetResourceMissing,
                ReasonCode::ServiceMappingMissing,
                ReasonCode::ServiceMappingConflict,
            ],
            Self::Owner => &[ReasonCode::OwnershipConflict, ReasonCode::ConstraintUnknown],
            Self::Objective => &[ReasonCode::ObjectivesMissing, ReasonCode::ObjectiveMappingMissing],
            Self::Denied => &[ReasonCode::LinkEvidenceConflicting],
        }
    }
}

/// Something that is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// What.
    pub kind: GapKind,
    /// Of what: an object, an address, or a relation as `type:from:to`.
    pub subject: String,
    /// Who owns it, where the model says so.
    pub owner: Option<ObjectId>,
    /// Reviews that it held.
    pub holds: u32,
    /// Things that need it directly.
    pub needed_by: u32,
}

/// The gaps of a model, those first that held most reviews, then those that most depends on.
#[must_use]
pub fn gaps(model: &Model, summary: &Summary, held: &[HeldReview]) -> Vec<Gap> {
    let owners: BTreeMap<&str, &ObjectId> = model
        .links
        .iter()
        .filter(|link| link.kind == LinkType::OwnedBy)
        .map(|link| (link.from.as_str(), &link.to))
        .collect();
    let mut needed: BTreeMap<&str, u32> = BTreeMap::new();
    for link in model.links.iter().filter(|link| link.kind != LinkType::OwnedBy) {
        *needed.entry(link.to.as_str()).or_default() += 1;
    }
    let lists = [
        (GapKind::Binding, unbound(model, held)),
        (GapKind::Owner, texts(&summary.without_owner)),
        (GapKind::Objective, texts(&summary.without_objective)),
        (GapKind::Denied, summary.denied.iter().cloned().collect()),
    ];
    let gaps = lists.into_iter().flat_map(|(kind, subjects)| subjects.into_iter().map(move |it| (kind, it)));
    let mut gaps: Vec<Gap> = gaps
        .map(|(kind, subject)| {
            // A relation is its start's owner's concern.
            let of = if kind == GapKind::Denied { start(model, &subject) } else { subject.as_str() };
            Gap {
                kind,
                owner: owners.get(of).map(|owner| (*owner).clone()),
                holds: count(held.iter().filter(|review| held_by(review, kind, &subject))),
                needed_by: needed.get(subject.as_str()).copied().unwrap_or_default(),
                subject,
            }
        })
        .collect();
    gaps.sort_by(|one, other| {
        let rank = |gap: &Gap| (std::cmp::Reverse(gap.holds), std::cmp::Reverse(gap.needed_by), gap.kind);
        rank(one).cmp(&rank(other)).then_with(|| one.subject.cmp(&other.subject))
    });
    gaps
}

/// Whether a review was held because of a gap: by a reason about it, or by one about nothing in particular and within
/// the reach of the change.
fn held_by(review: &HeldReview, kind: GapKind, subject: &str) -> bool {
    review.reasons.iter().filter(|(code, _)| kind.holds().contains(code)).any(|(_, about)| match about {
        Some(about) => about == subject,
        None => review.reach.contains(subject),
    })
}

/// What held reviews were about and the model still does not know: no object, and bound by no exact address.
fn unbound(model: &Model, held: &[HeldReview]) -> BTreeSet<String> {
    let bindings = Bindings::new(&model.bindings);
    let about = held
        .iter()
        .flat_map(|review| &review.reasons)
        .filter_map(|(code, about)| about.as_ref().filter(|_| *code == ReasonCode::TargetResourceMissing));
    let is_known = |address: &str| {
        model.objects.binary_search_by(|object| object.id.as_str().cmp(address)).is_ok()
            || bindings.may_bind(address)
    };
    about.filter(|address| !is_known(address)).cloned().collect()
}

fn start<'a>(model: &'a Model, relation: &'a str) -> &'a str {
    let found = model
        .links
        .iter()
        .find(|link| relation == format!("{}:{}:{}", link.kind.as_str(), link.from, link.to));
    found.map_or(relation, |link| link.from.as_str())
}

fn texts(ids: &[ObjectId]) -> BTreeSet<String> {
    ids.iter().map(ToString::to_string).collect()
}

fn count(items: impl Iterator) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
