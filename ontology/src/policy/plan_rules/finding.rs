//! Collects what a rule finds: who it applies to, how it is reached, what could not be told.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::side::Weakness;
use crate::ObjectId;
use crate::model::Placement;
use crate::policy::constraint::{Constraint, Standing, VALUE_BYTES_MAX, Violation};
use crate::policy::evaluate::{Evaluated, Subject, placement_of};
use crate::records::document::Target;
use crate::records::snapshot::{Found, Resolution};

/// Targets that an answer names whose inputs are missing; beyond, their number is stated.
const UNKNOWN_NAMED_MAX: usize = 3;

pub(super) struct Finder<'s> {
    constraint: &'s Constraint,
    pub(super) subject: &'s Subject<'s>,
    checked: BTreeSet<&'s ObjectId>,
    /// Looked at, and no target.
    checked_whole: u32,
    violations: Vec<Violation>,
    unknown: BTreeSet<String>,
}

/// Whether a constraint applies to a target.
enum Applies {
    Yes,
    No,
    /// It asks for an environment or a tier, and no object of the model tells the target's.
    Untold,
}

impl<'s> Finder<'s> {
    pub(super) fn new(constraint: &'s Constraint, subject: &'s Subject<'s>) -> Self {
        Self {
            constraint,
            subject,
            checked: BTreeSet::new(),
            checked_whole: 0,
            violations: Vec::new(),
            unknown: BTreeSet::new(),
        }
    }

    /// The managed targets of the plan.
    pub(super) fn targets(&self) -> impl Iterator<Item = &'s Target> + use<'s> {
        self.subject.document.targets.iter().filter(|target| !target.data)
    }

    /// Counts a target that the rule has looked at.
    pub(super) fn checked(&mut self, target: &'s Target) {
        if !matches!(self.applies(target), Applies::No) {
            self.checked.insert(&target.address);
        }
    }

    /// Counts something that is no target.
    pub(super) fn checked_whole(&mut self) {
        self.checked_whole += 1;
    }

    /// Notes a weakness of a target.
    pub(super) fn found(&mut self, target: &Target, standing: Standing, weakness: Weakness) {
        let attribute = Some(weakness.attribute);
        self.violates(target, standing, attribute, &weakness.value, BTreeSet::from([target.address.clone()]));
    }

    /// Notes a violation by a target, caused by these targets (where it counts).
    pub(super) fn violates(
        &mut self,
        target: &Target,
        standing: Standing,
        attribute: Option<String>,
        value: &str,
        caused_by: BTreeSet<ObjectId>,
    ) {
        match self.applies(target) {
            Applies::No => return,
            Applies::Untold if standing.counts() => {
                self.unknown(target, "its environment and tier are not modelled");
                return;
            }
            Applies::Untold | Applies::Yes => {}
        }
        let caused_by = if standing.counts() { caused_by.into_iter().collect() } else { Vec::new() };
        let subject = target.address.clone();
        let path = vec![subject.clone()];
        self.violations.push(Violation {
            standing,
            subject,
            path,
            attribute,
            value: bounded(value),
            caused_by,
        });
    }

    /// Notes a violation by the plan as a whole: leaving out targets does not help.
    pub(super) fn violates_whole(&mut self, value: &str) {
        let subject = ObjectId::new("plan").expect("a short literal");
        let path = vec![subject.clone()];
        let standing = Standing::Introduced;
        let value = bounded(value);
        self.violations.push(Violation {
            standing,
            subject,
            path,
            attribute: None,
            value,
            caused_by: Vec::new(),
        });
    }

    /// Notes that an input is missing.
    pub(super) fn unknown(&mut self, target: &Target, why: &str) {
        if !matches!(self.applies(target), Applies::No) {
            self.unknown.insert(format!("{}: {why}", target.address));
        }
    }

    fn applies(&self, target: &Target) -> Applies {
        let selector = &self.constraint.applies_to;
        if selector.is_everything() {
            return Applies::Yes;
        }
        let placement = self.placement(target);
        if selector.matches(placement.as_deref(), &target.kind) {
            return Applies::Yes;
        }
        let of_any_place = crate::policy::Selector { kinds: selector.kinds.clone(), ..Default::default() };
        let untold = !selector.environments.is_empty()
            && placement.as_ref().is_none_or(|it| it.environment.is_none())
            || !selector.tiers.is_empty() && placement.as_ref().is_none_or(|it| it.tier.is_none());
        if untold && of_any_place.matches(None, &target.kind) { Applies::Untold } else { Applies::No }
    }

    /// Where the object is placed that the target is or is a part of.
    fn placement(&self, target: &Target) -> Option<Cow<'s, Placement>> {
        let object = self.object(target)?;
        let views = [self.subject.overlay, self.subject.base];
        views.into_iter().find_map(|view| placement_of(view, view.node(object)?))
    }

    /// The object that the target is, or is a part of.
    pub(super) fn object(&self, target: &Target) -> Option<&'s ObjectId> {
        let found: &'s Found = Resolution::of(self.subject.targets, &target.address);
        found.object()
    }

    pub(super) fn finish(self) -> Evaluated {
        let checked =
            u32::try_from(self.checked.len()).unwrap_or(u32::MAX).saturating_add(self.checked_whole);
        Evaluated { checked, violations: self.violations, unknown: list(self.unknown) }
    }
}

/// A few of many, and how many more there are.
pub(in crate::policy) fn list(all: BTreeSet<String>) -> Option<String> {
    let more = all.len().saturating_sub(UNKNOWN_NAMED_MAX);
    let named: Vec<String> = all.into_iter().take(UNKNOWN_NAMED_MAX).collect();
    match (named.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(named.join("; ")),
        (false, more) => Some(format!("{}; and {more} more", named.join("; "))),
    }
}

/// Cuts a value at [`VALUE_BYTES_MAX`], at a character.
pub(in crate::policy) fn bounded(value: &str) -> String {
    if value.len() <= VALUE_BYTES_MAX {
        return value.to_owned();
    }
    let room = VALUE_BYTES_MAX - '…'.len_utf8();
    let cut = (0..=room).rev().find(|cut| value.is_char_boundary(*cut)).unwrap_or(0);
    format!("{}…", &value[..cut])
}
