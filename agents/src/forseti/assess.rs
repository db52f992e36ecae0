//! One option, by itself: everything that is known for and against it.

use std::borrow::Cow;

use ontology::graph::{Edits, View};
use ontology::policy::{Limits, Subject};
use ontology::records::{OptionDraft, RecommendationKind};
use ontology::{Effect, Reason, ReasonCode};

use super::effects::{self, Effects};
use super::judge::Bench;
use super::option::Course;
use super::paths::{self, Judged};
use super::reach::Reach;
use super::receipt::{self, Quality};
use super::rules::{self, Ruled};
use super::{evidence, exceptions, hypothesis, plan, scope};
use crate::muninn::snapshot::scope as scope_of;

/// What is known of one option.
pub(super) struct Assessed<'a> {
    /// The option, and what it leaves of the change.
    pub(super) course: Course<'a>,
    /// The model with the option laid over it.
    pub(super) overlay: View<'a>,
    /// Rules of the ontology that the overlay breaks.
    pub(super) invalid: Vec<Reason>,
    /// What the rules say.
    pub(super) ruled: Ruled,
    /// What the judgement looked at.
    pub(super) judged: Judged,
    /// What that is worth.
    pub(super) quality: Quality,
    /// How far it may reach.
    pub(super) reach: Reach,
    /// The bounds that apply to it.
    pub(super) limits: Limits,
    /// What it does to the objectives.
    pub(super) effects: Effects,
    /// Every reason, by itself.
    pub(super) reasons: Vec<Reason>,
}

impl Assessed<'_> {
    /// What it would be recommended as, by itself.
    pub(super) fn would_be(&self) -> RecommendationKind {
        ceiling(&self.reasons)
    }
}

/// The recommendation that follows from reasons: the hardest decides, and nothing raises it (S-12).
pub(super) fn ceiling(reasons: &[Reason]) -> RecommendationKind {
    match reasons.iter().map(|reason| reason.effect).max() {
        None | Some(Effect::Noted) => RecommendationKind::Conformant,
        Some(Effect::Conditional) => RecommendationKind::Conditional,
        Some(Effect::Approval) => RecommendationKind::ApprovalRequired,
        Some(Effect::Held) => RecommendationKind::Held,
        Some(Effect::Rejected) => RecommendationKind::Rejected,
    }
}

/// Assesses one option, in the scope of what it carries out. Doing nothing introduces nothing, so nothing speaks
/// against it: it is the baseline that the others are compared with.
pub(super) fn assess<'a>(bench: &Bench<'a>, draft: Cow<'a, OptionDraft>) -> Assessed<'a> {
    let inputs = bench.inputs;
    let course = Course::of(inputs.document, draft);
    if !course.acts() {
        return idle(bench, course);
    }
    let edits = Edits::of(inputs.document, &bench.scope.targets, &course.draft, inputs.graph);
    let (overlay, invalid) = View::with(inputs.graph, &edits);
    let ruled = ruled(bench, &course, &overlay);
    let reduced = (!course.as_proposed()).then(|| scope_of(&scope::setting(inputs, &course.document)));
    let scope = reduced.as_ref().unwrap_or(&bench.scope);
    let judged = paths::judged(bench, scope, &course, ruled.paths());
    let quality = receipt::quality(bench, scope, &judged);
    let limits = scope.limits.clone();
    let reach = Reach::of(inputs.graph, scope, &course);
    let effects = effects::effects(bench, &course, &edits, &judged);
    let mut reasons = bench.general.clone();
    reasons.extend(evidence::observed(bench, &course, scope, &judged));
    evidence::relieve(bench, &course, &mut reasons);
    reasons.extend(evidence::objectives(bench, &judged));
    reasons.extend(quality.reasons.iter().cloned());
    reasons.extend(plan::classes(inputs, &course));
    reasons.extend(reach.reasons(&limits));
    reasons.extend(effects.reasons.iter().cloned());
    reasons.extend(ruled.reasons.iter().cloned());
    reasons.extend(invalid.iter().cloned());
    hypothesis::assume(inputs, &mut reasons);
    exceptions::cover(inputs, &mut reasons);
    Assessed { course, overlay, invalid, ruled, judged, quality, reach, limits, effects, reasons }
}

fn idle<'a>(bench: &Bench<'a>, course: Course<'a>) -> Assessed<'a> {
    let judged =
        Judged { objectives: paths::objectives(bench.inputs.graph, &bench.scope), ..Judged::default() };
    let effects = effects::effects(bench, &course, &Edits::default(), &judged);
    Assessed {
        overlay: bench.base.clone(),
        invalid: Vec::new(),
        ruled: Ruled::default(),
        judged,
        quality: Quality::default(),
        reach: Reach::default(),
        limits: bench.scope.limits.clone(),
        effects,
        reasons: Vec::new(),
        course,
    }
}

fn ruled(bench: &Bench<'_>, course: &Course<'_>, overlay: &View<'_>) -> Ruled {
    let subject = Subject {
        document: &course.document,
        targets: &bench.scope.targets,
        base: &bench.base,
        overlay,
        catalog: bench.inputs.catalog,
        cutoff: bench.inputs.docket.opened_at,
    };
    rules::ruled(&bench.rules, &subject)
}

/// Reasons that a list holds for one code and effect at most; beyond, their number is stated. A judgement stays
/// a small record whatever the change is.
const REASONS_OF_A_CODE_MAX: usize = 8;

/// Sorts reasons: hardest first, then by code and subject; each once, and bounded a code.
pub(super) fn arrange(reasons: &mut Vec<Reason>) {
    reasons.sort_by(|a, b| b.effect.cmp(&a.effect).then_with(|| a.cmp(b)));
    reasons.dedup();
    let mut arranged: Vec<Reason> = Vec::with_capacity(reasons.len());
    for same in reasons.chunk_by(|a, b| (a.effect, a.code) == (b.effect, b.code)) {
        let listed = if same.len() > REASONS_OF_A_CODE_MAX { REASONS_OF_A_CODE_MAX - 1 } else { same.len() };
        arranged.extend_from_slice(&same[..listed]);
        if listed < same.len() {
            arranged.push(more(same[0].code, same[0].effect, same.len() - listed));
        }
    }
    *reasons = arranged;
}

fn more(code: ReasonCode, effect: Effect, many: usize) -> Reason {
    let mut reason = Reason::new(code).with_detail(format!("and {many} more"));
    reason.effect = effect;
    reason
}
