//! What could be done: the change as proposed, nothing, and reductions that avoid a fault (S-03, S-14).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use ontology::graph::{Edits, View};
use ontology::policy::waivers::waive;
use ontology::policy::{Enforcement, Subject, evaluate};
use ontology::records::evaluation::{AS_PROPOSED, NO_ACTION, WITHOUT_DESTRUCTION, WITHOUT_VIOLATIONS};
use ontology::records::{ChangeDocument, OptionDraft, OptionSet};
use ontology::{Name, ObjectId};

use super::judge::Inputs;
use super::option::Course;
use super::{rules, scope};
use crate::muninn::snapshot::scope::resolve;

/// The option set of the evaluation; nothing without a snapshot and a policy set.
pub(super) fn draft(inputs: &Inputs<'_>) -> Option<OptionSet> {
    inputs.docket.snapshot.as_ref()?;
    inputs.docket.policies.as_ref()?;
    let document = inputs.document;
    let mut options = vec![option(AS_PROPOSED, BTreeSet::new()), option(NO_ACTION, BTreeSet::new())];
    let reductions = [(WITHOUT_VIOLATIONS, culprits(inputs)), (WITHOUT_DESTRUCTION, destroyed(document))];
    let changed = document.changed().count();
    for (id, out) in reductions {
        let without = closed(document, out);
        let new = options.iter().all(|option| option.without != without);
        if !without.is_empty() && without.len() < changed && new {
            options.push(option(id, without));
        }
    }
    Some(OptionSet { evaluation: inputs.docket.evaluation, options })
}

/// The options where no option set was drafted in time.
pub(super) fn minimal() -> Vec<OptionDraft> {
    vec![option(AS_PROPOSED, BTreeSet::new()), option(NO_ACTION, BTreeSet::new())]
}

fn option(id: &str, without: BTreeSet<ObjectId>) -> OptionDraft {
    OptionDraft { id: Name::new(id).expect("a short literal"), without }
}

/// Targets that violate, by themselves, a rule that would stop the change. A rule that only warns suggests no
/// smaller change.
fn culprits(inputs: &Inputs<'_>) -> BTreeSet<ObjectId> {
    let cutoff = inputs.docket.opened_at;
    let stops = |enforcement| {
        matches!(enforcement, Enforcement::Condition | Enforcement::Approve | Enforcement::Deny)
    };
    let mut rules = rules::in_force(inputs);
    rules.retain(|constraint| stops(constraint.enforcement_at(cutoff)));
    if rules.is_empty() {
        return BTreeSet::new();
    }
    let targets = resolve(&scope::setting(inputs, inputs.document));
    let course = Course::of(inputs.document, Cow::Owned(option(AS_PROPOSED, BTreeSet::new())));
    let base = View::base(inputs.graph);
    let edits = Edits::of(inputs.document, &targets, &course.draft, inputs.graph);
    let (overlay, _) = View::with(inputs.graph, &edits);
    let subject = Subject {
        document: inputs.document,
        targets: &targets,
        base: &base,
        overlay: &overlay,
        catalog: inputs.catalog,
        cutoff,
    };
    let found = rules.iter().flat_map(|constraint| {
        let mut evaluated = evaluate(constraint, &subject);
        waive(&constraint.id, &mut evaluated, &subject);
        evaluated.violations
    });
    found.filter(|violation| violation.standing.counts()).flat_map(|violation| violation.caused_by).collect()
}

fn destroyed(document: &ChangeDocument) -> BTreeSet<ObjectId> {
    let destroyed = document.targets.iter().filter(|target| target.action.destroys());
    destroyed.map(|target| target.address.clone()).collect()
}

/// The changed targets among `out` and everything that needs them, by the plan's own references: an option never
/// carries out a target whose needs it leaves undone. Targets that alter nothing pass the need on.
fn closed(document: &ChangeDocument, out: BTreeSet<ObjectId>) -> BTreeSet<ObjectId> {
    if out.is_empty() {
        return out;
    }
    let mut needed_by: BTreeMap<&ObjectId, Vec<&ObjectId>> = BTreeMap::new();
    for target in &document.targets {
        for need in &target.needs {
            needed_by.entry(need).or_default().push(&target.address);
        }
    }
    let mut reached: BTreeSet<&ObjectId> = out.iter().collect();
    let mut waiting: Vec<&ObjectId> = reached.iter().copied().collect();
    while let Some(address) = waiting.pop() {
        for needing in needed_by.get(address).into_iter().flatten() {
            if reached.insert(needing) {
                waiting.push(needing);
            }
        }
    }
    let changed = document.changed().map(|target| &target.address);
    changed.filter(|address| reached.contains(address)).cloned().collect()
}
