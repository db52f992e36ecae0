//! What could be done, and what each option does.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use agents::review::Part;
use ontology::graph::Graph;
use ontology::model::Detail;
use ontology::records::decision::OptionOutcome;
use ontology::records::evaluation::{AS_PROPOSED, NO_ACTION, WITHOUT_DESTRUCTION, WITHOUT_VIOLATIONS};
use ontology::records::evidence::{CostEffect, RecoveryEffect};
use ontology::records::{ObjectiveEffect, OptionDraft, OptionId, RecommendationKind};
use ontology::{Money, Name, ObjectId, Timestamp};

/// One option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OptionShown {
    /// Its name.
    pub id: OptionId,
    /// What it is, for people.
    pub title: String,
    /// Targets it carries out.
    pub targets: u32,
    /// Addresses it leaves out.
    pub without: BTreeSet<ObjectId>,
    /// Monthly cost difference, where it is known.
    pub monthly_delta: Option<Money>,
    /// Confidence in that, in basis points.
    pub cost_confidence_bp: Option<u32>,
    /// Recovery against each objective that it touches.
    pub recovery: Vec<RecoveryShown>,
    /// The worst effect on an objective of service (availability, latency), in basis points of its allowance;
    /// absent where nothing says it.
    pub service_bp: Option<i32>,
    /// Its effect on each protected objective.
    pub objectives: Vec<ObjectiveEffect>,
    /// Hard constraints that it violates.
    pub violates: BTreeSet<Name>,
    /// What it would be recommended as, by itself.
    pub would_be: RecommendationKind,
    /// It may go ahead now, by itself.
    pub may_go_now: bool,
    /// It is the one that is recommended.
    pub selected: bool,
}

/// Recovery under one option, against one objective.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecoveryShown {
    /// The objective.
    pub objective: ObjectId,
    /// What is recovered.
    pub object: ObjectId,
    /// Recovery time of the newest successful rehearsal, in seconds.
    pub rto_s: Option<u64>,
    /// Recovery point of the newest successful rehearsal, in seconds.
    pub rpo_s: Option<u64>,
    /// When that rehearsal was.
    pub rehearsed_at: Option<Timestamp>,
    /// Whether both are within the objective.
    pub met: bool,
}

pub(super) fn shown(part: &Part<'_>, graph: Option<&Graph>) -> Vec<OptionShown> {
    let Some(case) = part.case() else { return Vec::new() };
    let drafts: &[OptionDraft] = part.options().map_or(&[], |known| &known.record.options);
    let costs: &[CostEffect] = part.cost().map_or(&[], |known| &known.record.effects);
    let recoveries: &[RecoveryEffect] = part.recovery().map_or(&[], |known| &known.record.effects);
    let alternatives = part.recommendation().map(|known| &known.record.alternatives);
    let goes_now = |outcome: &OptionOutcome| {
        alternatives.is_some_and(|alternatives| alternatives.contains(&outcome.id))
            || (outcome.id.as_str() == AS_PROPOSED && outcome.would_be == RecommendationKind::Conformant)
    };
    let option = |outcome: &OptionOutcome| {
        let cost = costs.iter().find(|effect| effect.option == outcome.id);
        OptionShown {
            id: outcome.id.clone(),
            title: title(outcome.id.as_str()),
            targets: outcome.targets,
            without: drafts
                .iter()
                .find(|draft| draft.id == outcome.id)
                .map(|draft| draft.without.clone())
                .unwrap_or_default(),
            monthly_delta: cost.map(|effect| effect.monthly_delta.clone()),
            cost_confidence_bp: cost.map(|effect| effect.confidence_bp),
            recovery: recoveries.iter().filter(|effect| effect.option == outcome.id).map(recovery).collect(),
            service_bp: graph.and_then(|graph| service(&outcome.effects, graph)),
            objectives: outcome.effects.clone(),
            violates: outcome.violates.clone(),
            would_be: outcome.would_be,
            may_go_now: goes_now(outcome),
            selected: case.record.selected.as_ref() == Some(&outcome.id),
        }
    };
    case.record.options.iter().map(option).collect()
}

fn service(effects: &[ObjectiveEffect], graph: &Graph) -> Option<i32> {
    let is_service = |effect: &&ObjectiveEffect| {
        let object = graph.node(&effect.objective).and_then(|node| graph.object(node));
        matches!(object.map(|object| &object.detail), Some(Detail::ServiceObjective(_)))
    };
    effects.iter().filter(is_service).map(|effect| effect.utility_bp).min()
}

fn recovery(effect: &RecoveryEffect) -> RecoveryShown {
    RecoveryShown {
        objective: effect.objective.clone(),
        object: effect.object.clone(),
        rto_s: effect.rto_s,
        rpo_s: effect.rpo_s,
        rehearsed_at: effect.rehearsed_at,
        met: effect.met,
    }
}

/// What an option is, in a few words; its name, where it is of another kind.
fn title(id: &str) -> String {
    match id {
        AS_PROPOSED => "as proposed",
        NO_ACTION => "no action",
        WITHOUT_VIOLATIONS => "without what violates rules",
        WITHOUT_DESTRUCTION => "without what destroys",
        other => other,
    }
    .to_owned()
}
