//! Judges objects in the model as it is and as it would be, and says how both relate (U10).

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::reach::{Places, Reach};
use super::touched::{Touched, touched};
use crate::ObjectId;
use crate::graph::{Node, View};
use crate::model::Object;
use crate::policy::applies::{Applies, UNTOLD};
use crate::policy::constraint::{Constraint, Standing, Violation};
use crate::policy::evaluate::{Evaluated, Subject};
use crate::policy::{bounded, list, placement_of};
use crate::records::document::Target;

/// What a rule says of one object in one view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Judged {
    /// The rule is not about it.
    Apart,
    /// It keeps the rule.
    Kept,
    /// It breaks the rule.
    Broken {
        /// How badly.
        degree: (u8, u64),
        /// For people.
        value: String,
    },
    /// An input is missing.
    Untold(&'static str),
}

pub(super) struct Judge<'s> {
    constraint: &'s Constraint,
    pub(super) subject: &'s Subject<'s>,
    checked: u32,
    violations: Vec<Violation>,
    unknown: BTreeSet<String>,
}

impl<'s> Judge<'s> {
    pub(super) fn new(constraint: &'s Constraint, subject: &'s Subject<'s>) -> Self {
        Self { constraint, subject, checked: 0, violations: Vec::new(), unknown: BTreeSet::new() }
    }

    /// Judges what is touched, in both views.
    pub(super) fn touched(&mut self, say: impl Fn(&View<'_>, Node) -> Judged) {
        let touched = touched(self.subject);
        for (id, touch) in &touched {
            let places = (self.subject.base.node(id), self.subject.overlay.node(id));
            let path = || (touch.path.iter().map(|id| (*id).clone()).collect(), touch.targets.clone());
            self.object(places, &say, path);
        }
    }

    /// Judges what is touched or reached, in both views.
    pub(super) fn reached(&mut self, say: impl Fn(&View<'_>, Node) -> Judged) {
        let touched: Touched<'_> = touched(self.subject);
        let reach = Reach::of(self.subject, &touched);
        if reach.truncated() {
            self.unknown.insert("more is reached than one traversal looks at".to_owned());
        }
        for places in reach.objects() {
            self.object(places, &say, || reach.path(&touched, places));
        }
    }

    fn object<'t>(
        &mut self,
        places: Places,
        say: impl Fn(&View<'_>, Node) -> Judged,
        path: impl FnOnce() -> (Vec<ObjectId>, BTreeSet<&'t ObjectId>),
    ) {
        let before = places.0.map(|node| say(self.subject.base, node));
        let after = places.1.map(|node| say(self.subject.overlay, node));
        if [&before, &after].into_iter().flatten().all(|judged| *judged == Judged::Apart) {
            return;
        }
        let applies = self.applies(places);
        if applies == Applies::No {
            return;
        }
        let (base, overlay) = (self.subject.base, self.subject.overlay);
        let now = places.1.and_then(|node| overlay.object(node));
        let Some(id) = now.or_else(|| base.object(places.0?)).map(|object| &object.id) else { return };
        self.checked += 1;
        let (standing, value) = match (before, after) {
            (Some(Judged::Untold(_)), Some(Judged::Untold(_))) => return,
            (_, Some(Judged::Untold(why))) => {
                self.unknown(id, why);
                return;
            }
            (Some(Judged::Broken { degree: before, .. }), Some(Judged::Broken { degree, value })) => {
                (if degree > before { Standing::Worsened } else { Standing::PreExisting }, value)
            }
            (_, Some(Judged::Broken { value, .. })) => (Standing::Introduced, value),
            (Some(Judged::Broken { value, .. }), _) => (Standing::Fixed, value),
            _ => return,
        };
        if applies == Applies::Untold && standing.counts() {
            self.unknown(id, UNTOLD);
            return;
        }
        let (path, targets) = path();
        self.violates(standing, id.clone(), path, &value, targets.into_iter().cloned().collect());
    }

    /// Whether the constraint applies to an object: as it would be, else as it is.
    pub(super) fn applies(&self, places: Places) -> Applies {
        let selector = &self.constraint.applies_to;
        if selector.is_everything() {
            return Applies::Yes;
        }
        let views = [(self.subject.overlay, places.1), (self.subject.base, places.0)];
        let object = views.into_iter().find_map(|(view, node)| Some((view, node?, view.object(node?)?)));
        let Some((view, node, object)) = object else { return Applies::No };
        let placement: Option<Cow<'_, _>> = placement_of(view, node);
        Applies::of(selector, placement.as_deref(), &kinds(object))
    }

    /// Whether the constraint applies to a target: by the object that it is or is a part of, else by its own type.
    pub(super) fn applies_to(&self, target: &Target, places: Places) -> Applies {
        let selector = &self.constraint.applies_to;
        if selector.is_everything() {
            return Applies::Yes;
        }
        let views = [(self.subject.overlay, places.1), (self.subject.base, places.0)];
        let placement = views.into_iter().find_map(|(view, node)| placement_of(view, node?));
        let own = placement.as_ref().and_then(|placement| placement.kind.clone());
        let kinds: Vec<&str> = own.as_deref().into_iter().chain([target.kind.as_str()]).collect();
        Applies::of(selector, placement.as_deref(), &kinds)
    }

    pub(super) fn looked(&mut self) {
        self.checked += 1;
    }

    pub(super) fn unknown(&mut self, subject: &ObjectId, why: &str) {
        self.unknown.insert(format!("{subject}: {why}"));
    }

    pub(super) fn violates(
        &mut self,
        standing: Standing,
        subject: ObjectId,
        path: Vec<ObjectId>,
        value: &str,
        caused_by: Vec<ObjectId>,
    ) {
        let caused_by = if standing.counts() { caused_by } else { Vec::new() };
        self.violations.push(Violation {
            standing,
            subject,
            path,
            attribute: None,
            value: bounded(value),
            caused_by,
        });
    }

    pub(super) fn finish(self) -> Evaluated {
        Evaluated {
            checked: self.checked,
            violations: self.violations,
            unknown: list(self.unknown),
            errored: false,
        }
    }
}

/// What an object goes by in a selector: its own kind, and its type.
fn kinds(object: &Object) -> Vec<&str> {
    use crate::release::ObjectType;
    let of_type = match object.detail.object_type() {
        ObjectType::BusinessService => "business_service",
        ObjectType::Workload => "workload",
        ObjectType::Resource => "resource",
        _ => "",
    };
    let own = object.detail.placement().and_then(|placement| placement.kind.as_deref());
    own.into_iter().chain([of_type]).collect()
}
