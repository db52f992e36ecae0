//! Stories about judgements: given a change, a model and a catalog, when the agents have answered, then the
//! recommendation with its reasons.

mod evidence;
mod flow;
mod hypotheses;
mod options;
mod policies;
mod properties;
mod published;
mod recommendations;

use std::collections::BTreeSet;
use std::sync::Arc;

use ontology::model::{Detail, Model};
use ontology::policy::{
    Catalog, Constraint, ConstraintKind, Enforcement, PlanRule, RequiredEvidence, Selector,
};
use ontology::records::{Action, Change, ChangeDocument, EvidenceKey, Recommendation, RecommendationKind};
use ontology::{Effect, Money, ReasonCode};

use super::{Docket, Inputs, docket};
use crate::kit::samples::{self, name};
use crate::kit::{World, said};
use crate::{Coordinator, Forseti, Mimir, Muninn, Njord, Saga, Vidar};
use topics::Event;

/// Everything a story is told from.
#[derive(Clone)]
pub(crate) struct Story {
    pub(crate) document: ChangeDocument,
    pub(crate) model: Model,
    pub(crate) catalog: Catalog,
    /// What is said of the change beside its document.
    pub(crate) told: fn(&mut Change),
}

/// A modelled estate, a small change of its database, and a catalog that requires every key: it conforms.
pub(crate) fn conformant() -> Story {
    let mut model = samples::model();
    spend_now(&mut model, 500);
    let mut catalog = samples::catalog();
    catalog.constraints = vec![rule("drift", PlanRule::Drift, Enforcement::Warn)];
    catalog.required = vec![RequiredEvidence { when: Selector::default(), keys: EvidenceKey::ALL.into() }];
    Story { document: samples::database_change(), model, catalog, told: |_| {} }
}

/// The same change where nothing is modelled.
pub(crate) fn empty_estate() -> Story {
    let mut story = conformant();
    story.model = Model::default();
    story.catalog.starter = true;
    let keys = [EvidenceKey::Change, EvidenceKey::Topology, EvidenceKey::Objectives, EvidenceKey::Policy];
    story.catalog.required = vec![RequiredEvidence { when: Selector::default(), keys: keys.into() }];
    story
}

/// A change that deletes the database, which the catalog calls stateful, beside one that is harmless.
pub(crate) fn destructive(enforcement: Enforcement) -> Story {
    let mut story = conformant();
    story.catalog.stateful_types = ["aws_db_instance".to_owned()].into();
    story.catalog.constraints = vec![rule("stateful-destroyed", PlanRule::StatefulDestroyed, enforcement)];
    story.document = samples::document(vec![
        samples::target(samples::DATABASE_ADDRESS, "aws_db_instance", Action::Delete),
        samples::target("module.orders.aws_db_instance.reports", "aws_db_instance", Action::Update),
    ]);
    story
}

pub(crate) fn rule(id: &str, rule: PlanRule, enforcement: Enforcement) -> Constraint {
    Constraint {
        id: name(id),
        title: id.to_owned(),
        rule: ConstraintKind::Plan(rule),
        enforcement,
        deny_from: None,
        precedence: 2,
        applies_to: Selector::default(),
        remedy: None,
        condition: None,
        approvers: Default::default(),
    }
}

pub(crate) fn spend_now(model: &mut Model, units: i64) {
    for object in &mut model.objects {
        if let Detail::CostObjective(objective) = &mut object.detail {
            objective.monthly_now = Some(Money::new(units * 1_000_000, "USD"));
        }
    }
}

impl Story {
    pub(crate) fn with(mut self, edit: impl FnOnce(&mut Self)) -> Self {
        edit(&mut self);
        self
    }

    pub(crate) fn change(&self) -> Change {
        let mut change = samples::change(&self.document);
        (self.told)(&mut change);
        change
    }

    /// The world in which the change was taken in, with every agent in its seat.
    pub(crate) fn world(&self) -> World {
        World::open(self.change(), self.document.clone(), self.model.clone(), self.catalog.clone())
            .with::<Coordinator>()
            .with::<Muninn>()
            .with::<Mimir>()
            .with::<Njord>()
            .with::<Vidar>()
            .with::<crate::Loki>()
            .with::<crate::Var>()
            .with::<Forseti>()
            .with::<Saga>()
    }

    /// The recommendation, after everybody has answered.
    pub(crate) fn recommendation(&self) -> Arc<Recommendation> {
        let mut world = self.world();
        world.run();
        said!(world, Recommendation).expect("it was judged")
    }
}

/// What Forseti has on its docket after these steps, its own included.
pub(crate) fn docket_of(world: &World) -> Docket {
    let mut state = None;
    for stored in &world.log.steps {
        docket::fold(&mut state, &Event { time: stored.time(), step: &stored.step });
    }
    state.expect("a change was taken in")
}

pub(crate) fn with_inputs<T>(world: &World, then: impl FnOnce(&Inputs<'_>) -> T) -> T {
    let docket = docket_of(world);
    then(&Inputs::of(&docket, &world.library).expect("the library holds what is pinned"))
}

/// The codes that count, with their subjects.
pub(crate) fn counting(recommendation: &Recommendation) -> Vec<String> {
    let counting = recommendation.reasons.iter().filter(|reason| reason.effect > Effect::Noted);
    let told = counting.map(|reason| match &reason.subject {
        Some(subject) => format!("{}:{subject}", reason.code),
        None => reason.code.to_string(),
    });
    told.collect()
}

pub(crate) fn has(recommendation: &Recommendation, code: ReasonCode, effect: Effect) -> bool {
    recommendation.reasons.iter().any(|reason| reason.code == code && reason.effect == effect)
}

/// Checks the recommendation and the whole list of reasons that count.
pub(crate) fn check(story: &Story, kind: RecommendationKind, reasons: &[&str]) {
    let recommendation = story.recommendation();
    assert_eq!(counting(&recommendation), reasons, "{:#?}", recommendation.reasons);
    assert_eq!(recommendation.kind, kind);
}

pub(crate) fn keys(keys: &[EvidenceKey]) -> BTreeSet<EvidenceKey> {
    keys.iter().copied().collect()
}
