//! Collects what a rule finds: who it applies to, how it is reached, what could not be told.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::side::Weakness;
use crate::ObjectId;
use crate::model::Placement;
use crate::policy::applies::{Applies, UNTOLD};
use crate::policy::constraint::{Constraint, Standing, Violation};
use crate::policy::evaluate::{Evaluated, Subject, placement_of};
use crate::policy::{bounded, list};
use crate::records::document::Target;
use crate::records::snapshot::{Found, Resolution};

pub(in crate::policy) struct Finder<'s> {
    constraint: &'s Constraint,
    pub(super) subject: &'s Subject<'s>,
    checked: BTreeSet<&'s ObjectId>,
    /// Looked at, and no target.
    checked_whole: u32,
    violations: Vec<Violation>,
    unknown: BTreeSet<String>,
}

impl<'s> Finder<'s> {
    pub(in crate::policy) fn new(constraint: &'s Constraint, subject: &'s Subject<'s>) -> Self {
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
    pub(in crate::policy) fn checked(&mut self, target: &'s Target) {
        if !matches!(self.applies(target), Applies::No) {
            self.checked.insert(&target.address);
        }
    }

    /// Counts something that is no target.
    pub(in crate::policy) fn checked_whole(&mut self) {
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
                self.unknown(target, UNTOLD);
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

    /// Notes what a policy says, of a target or of the plan as a whole.
    pub(in crate::policy) fn says(&mut self, target: Option<&Target>, standing: Standing, message: &str) {
        let Some(target) = target else {
            let subject = ObjectId::new("plan").expect("a short literal");
            self.violations.push(Violation {
                standing,
                path: vec![subject.clone()],
                subject,
                attribute: None,
                value: message.to_owned(),
                caused_by: Vec::new(),
            });
            return;
        };
        let many = self.violations.len();
        let caused_by = target.action.changes().then(|| target.address.clone());
        self.violates(target, standing, None, message, caused_by.into_iter().collect());
        if let Some(violation) = self.violations.get_mut(many) {
            message.clone_into(&mut violation.value);
        }
    }

    /// Notes that an input is missing.
    pub(in crate::policy) fn unknown(&mut self, target: &Target, why: &str) {
        if !matches!(self.applies(target), Applies::No) {
            self.unknown.insert(format!("{}: {why}", target.address));
        }
    }

    fn applies(&self, target: &Target) -> Applies {
        let selector = &self.constraint.applies_to;
        if selector.is_everything() {
            return Applies::Yes;
        }
        Applies::of(selector, self.placement(target).as_deref(), &[&target.kind])
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

    pub(in crate::policy) fn finish(self) -> Evaluated {
        let checked =
            u32::try_from(self.checked.len()).unwrap_or(u32::MAX).saturating_add(self.checked_whole);
        Evaluated { checked, violations: self.violations, unknown: list(self.unknown), errored: false }
    }
}
