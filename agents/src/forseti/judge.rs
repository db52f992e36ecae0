//! The judgement: a pure function of what is on record, of the pinned model and of the pinned catalog.

use std::borrow::Cow;
use std::collections::BTreeSet;

use ontology::graph::{Graph, View};
use ontology::policy::{Catalog, Constraint};
use ontology::records::decision::{AFFECTED_LISTED_MAX, Basis, OptionOutcome, VERDICT_KIND};
use ontology::records::evaluation::AS_PROPOSED;
use ontology::records::{
    Case, ChangeDocument, ConstraintOutcome, EvidenceKey, GraphReceipt, ImpactEnvelope, Pins, Recommendation,
    RecommendationKind, Scenario, Verdict, VerdictKind,
};
use ontology::{Digest, Name, ObjectId, Reason};
use serde::Serialize;
use topics::{Library, Object};

use super::assess::{Assessed, arrange, assess, ceiling};
use super::reach::count;
use super::selection::{self, Selection};
use super::{Docket, branch, evidence, exceptions, hypothesis, options, plan, receipt, rules, scope};
use crate::muninn::snapshot::{self, Scope};

/// Everything that a judgement depends on.
#[derive(Debug, Clone)]
pub struct Inputs<'a> {
    /// What has arrived.
    pub docket: &'a Docket,
    /// The change.
    pub document: &'a ChangeDocument,
    /// The pinned model revision.
    pub graph: &'a Graph,
    /// The pinned catalog.
    pub catalog: &'a Catalog,
    /// Keys that are assumed to have evidence: empty, but in hypotheses (U1).
    pub assumed: BTreeSet<EvidenceKey>,
}

impl<'a> Inputs<'a> {
    /// The inputs for what is on `docket`; nothing where `library` lacks something that it pins.
    #[must_use]
    pub fn of(docket: &'a Docket, library: &'a Library) -> Option<Self> {
        Some(Self {
            document: library.document(&docket.change.document)?,
            graph: library.model(&docket.pins.model)?,
            catalog: library.catalog(&docket.pins.catalog)?,
            docket,
            assumed: BTreeSet::new(),
        })
    }
}

/// The join: six records of one step (S-11).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// What the snapshot is worth.
    pub receipt: GraphReceipt,
    /// The change laid over it.
    pub scenario: Scenario,
    /// The options compared.
    pub case: Case,
    /// How far the change may reach.
    pub envelope: ImpactEnvelope,
    /// What is recommended.
    pub recommendation: Recommendation,
    /// The last word, unless a person has it.
    pub verdict: Option<Verdict>,
}

impl Judgement {
    /// The records, in the order of the trace.
    #[must_use]
    pub fn into_objects(self) -> Vec<Object> {
        let mut objects = vec![
            self.receipt.into(),
            self.scenario.into(),
            self.case.into(),
            self.envelope.into(),
            self.recommendation.into(),
        ];
        objects.extend(self.verdict.map(Object::from));
        objects
    }
}

/// What every option shares.
pub(super) struct Bench<'a> {
    /// The inputs.
    pub(super) inputs: &'a Inputs<'a>,
    /// The model as it is.
    pub(super) base: View<'a>,
    /// The constraints in force.
    pub(super) rules: Vec<&'a Constraint>,
    /// The keys that are required.
    pub(super) required: BTreeSet<EvidenceKey>,
    /// What surrounds the targets of the change as proposed.
    pub(super) scope: Scope,
    /// Reasons that hold for every option.
    pub(super) general: Vec<Reason>,
    /// Those of them that lie in the snapshot.
    pub(super) integrity: Vec<Reason>,
}

/// The keys that are required: the schedule's. Nothing is where no schedule says what is; that the schedule is
/// missing holds by itself. A plan without a change needs the plan and the rules alone: no judged path leads to
/// anything else (U8).
fn required(inputs: &Inputs<'_>) -> BTreeSet<EvidenceKey> {
    let scheduled = inputs.docket.schedule.as_ref().map(|filed| &filed.object.required);
    let mut required = scheduled.cloned().unwrap_or_default();
    let changes = inputs.document.changed().next().is_some() || !inputs.document.links.is_empty();
    if !changes {
        required.retain(|key| matches!(key, EvidenceKey::Change | EvidenceKey::Policy));
    }
    required
}

impl<'a> Bench<'a> {
    fn of(inputs: &'a Inputs<'a>) -> Self {
        let base = View::base(inputs.graph);
        let scope = snapshot::scope(&scope::setting(inputs, inputs.document));
        let rules = rules::in_force(inputs);
        let mut bench = Self {
            inputs,
            base,
            rules,
            required: required(inputs),
            scope,
            general: Vec::new(),
            integrity: Vec::new(),
        };
        bench.integrity = receipt::integrity(&bench);
        bench.general = plan::general(inputs);
        bench.general.extend(bench.integrity.iter().cloned());
        bench.general.extend(evidence::general(&bench));
        bench
    }

    fn options(&self) -> Vec<Assessed<'a>> {
        let drafts = self.inputs.docket.options.as_ref().map(|filed| filed.object.options.as_slice());
        match drafts.filter(|drafts| drafts.first().is_some_and(|first| first.id.as_str() == AS_PROPOSED)) {
            Some(drafts) => drafts.iter().map(|draft| assess(self, Cow::Borrowed(draft))).collect(),
            None => options::minimal().into_iter().map(|draft| assess(self, Cow::Owned(draft))).collect(),
        }
    }
}

/// Judges the change as proposed, and each other option by itself.
#[must_use]
pub fn judge(inputs: &Inputs<'_>) -> Judgement {
    let bench = Bench::of(inputs);
    let options = bench.options();
    let selection = selection::select(&options);
    let proposed = &options[0];
    let mut reasons = proposed.reasons.clone();
    reasons.extend(selection.reasons.iter().cloned());
    hypothesis::assume(inputs, &mut reasons);
    exceptions::cover(inputs, &mut reasons);
    arrange(&mut reasons);
    let kind = ceiling(&reasons);

    let scenario = scenario(&bench, proposed);
    let case = case(&bench, &options, selection, &scenario);
    let envelope = envelope(&bench, proposed, case.case_digest);
    let docket = inputs.docket;
    let bundle = docket.bundle.as_ref();
    let present = |key: &&EvidenceKey| {
        inputs.assumed.contains(key) || bundle.is_some_and(|bundle| bundle.object.present.contains(key))
    };
    let alternatives = options[1..].iter().filter(|option| option.course.acts());
    let alternatives = alternatives.filter(|option| option.would_be() == RecommendationKind::Conformant);
    let recommendation = Recommendation {
        evaluation: docket.evaluation,
        kind,
        case_digest: case.case_digest,
        reasons,
        keys_present: count(bench.required.iter().filter(present).count()),
        keys_required: count(bench.required.len()),
        conditions: rules::conditions(&bench.rules, &proposed.ruled, docket.opened_at),
        alternatives: alternatives.map(|option| option.course.draft.id.clone()).collect(),
    };
    let receipt = receipt::receipt(&bench, &proposed.quality, &bench.integrity);
    Judgement {
        receipt,
        scenario,
        envelope,
        recommendation,
        verdict: verdict(docket, kind, case.case_digest),
        case,
    }
}

/// The last word; nobody says it for a change that a person decides.
fn verdict(docket: &Docket, kind: RecommendationKind, case_digest: Digest) -> Option<Verdict> {
    let (verdict, basis) = match kind {
        RecommendationKind::Conformant => (VerdictKind::Conformant, Basis::Observation),
        RecommendationKind::Conditional => (VerdictKind::Conditional, Basis::Observation),
        RecommendationKind::Held => (VerdictKind::Held, Basis::Observation),
        RecommendationKind::Rejected => (VerdictKind::Rejected, Basis::Denied),
        RecommendationKind::ApprovalRequired => return None,
    };
    Some(last_word(docket, verdict, basis, case_digest))
}

/// The verdict of an evaluation.
pub(super) fn last_word(docket: &Docket, verdict: VerdictKind, basis: Basis, case_digest: Digest) -> Verdict {
    Verdict {
        evaluation: docket.evaluation,
        kind: Name::new(VERDICT_KIND).expect("a short literal"),
        verdict,
        basis,
        change_digest: docket.change.change_digest,
        bundle_digest: docket.bundle.as_ref().map(|bundle| bundle.digest),
        case_digest,
    }
}

fn scenario(bench: &Bench<'_>, proposed: &Assessed<'_>) -> Scenario {
    let docket = bench.inputs.docket;
    let snapshot = docket.snapshot.as_ref();
    let base_digest = snapshot.map_or_else(|| bench.inputs.graph.digest(), |filed| filed.object.pairs_digest);
    Scenario {
        evaluation: docket.evaluation,
        branch_id: branch::id(docket.change.idempotency_key.as_str(), docket.change.change_digest),
        base_digest,
        bundle_digest: docket.bundle.as_ref().map(|bundle| bundle.digest),
        scenario_digest: proposed.overlay.digest(base_digest),
        operations: proposed.overlay.operations(),
        reasons: proposed.invalid.clone(),
    }
}

/// What a case's digest covers: everything the judgement used (arb.md 2.7). No time is in it.
#[derive(Serialize)]
struct Material<'a> {
    change: Digest,
    pins: &'a Pins,
    snapshot: Option<Digest>,
    policies: Option<Digest>,
    schedule: Option<Digest>,
    bundle: Option<Digest>,
    scenario: Digest,
    options: &'a [OptionOutcome],
    constraints: &'a [ConstraintOutcome],
    protected: &'a [ObjectId],
}

fn case(bench: &Bench<'_>, options: &[Assessed<'_>], selection: Selection, scenario: &Scenario) -> Case {
    let docket = bench.inputs.docket;
    let proposed = &options[0];
    let outcomes: Vec<OptionOutcome> = options.iter().map(outcome).collect();
    let case_digest = Digest::of_value(&Material {
        change: docket.change.change_digest,
        pins: &docket.pins,
        snapshot: docket.snapshot.as_ref().map(|filed| filed.digest),
        policies: docket.policies.as_ref().map(|filed| filed.digest),
        schedule: docket.schedule.as_ref().map(|filed| filed.digest),
        bundle: docket.bundle.as_ref().map(|filed| filed.digest),
        scenario: scenario.scenario_digest,
        options: &outcomes,
        constraints: &proposed.ruled.outcomes,
        protected: &proposed.judged.objectives,
    });
    Case {
        evaluation: docket.evaluation,
        case_digest,
        options: outcomes,
        protected_objectives: proposed.judged.objectives.clone(),
        constraints: proposed.ruled.outcomes.clone(),
        selected: selection.selected,
        margin_bp: selection.margin_bp,
    }
}

fn outcome(option: &Assessed<'_>) -> OptionOutcome {
    OptionOutcome {
        id: option.course.draft.id.clone(),
        effects: option.effects.each.clone(),
        violates: option.ruled.violates.clone(),
        score: option.effects.score,
        would_be: option.would_be(),
        targets: count(option.course.changed().count()),
    }
}

fn envelope(bench: &Bench<'_>, proposed: &Assessed<'_>, case_digest: Digest) -> ImpactEnvelope {
    let docket = bench.inputs.docket;
    let reach = &proposed.reach;
    let whole =
        docket.snapshot.as_ref().is_some_and(|filed| filed.object.complete && !filed.object.truncated);
    let valid_s = i64::try_from(bench.inputs.catalog.receipt_valid_s).unwrap_or(i64::MAX);
    ImpactEnvelope {
        evaluation: docket.evaluation,
        case_digest,
        direct_total: reach.direct,
        affected: reach.affected.iter().take(AFFECTED_LISTED_MAX).cloned().collect(),
        affected_total: count(reach.affected.len()),
        affected_digest: Digest::of_value(&reach.affected),
        affected_max: proposed.limits.affected_max,
        depth_max: proposed.limits.depth_max,
        complete: whole && !reach.truncated,
        expires_at: docket.opened_at.plus_seconds(valid_s),
    }
}
