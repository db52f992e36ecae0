//! What the organisation says about itself, and by which rules it judges.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ontology::graph::Graph;
use ontology::model::{
    Binding, CostObjective, Detail, Link, Model, Object, Ownership, Placement, RecoveryObjective,
    RecoveryPlan, Rehearsal, Source,
};
use ontology::policy::catalog::RequiredEvidence;
use ontology::policy::prices::TypePrice;
use ontology::policy::{Catalog, Constraint, ConstraintKind, Enforcement, PriceBook, Selector};
use ontology::records::{EvidenceKey, Pins};
use ontology::release::LinkType;
use ontology::time::DAY_S;
use ontology::{Digest, Money, Name, ObjectId, Timestamp};
use topics::Library;

/// The database that most changes are about.
pub const DATABASE: &str = "resource:orders-db";
const SERVICE: &str = "component:default/orders";
const WORKLOAD: &str = "workload:orders-api";
const OWNER: &str = "group:payments";
const RECOVERY: &str = "objective:orders-recovery";
const COST: &str = "objective:orders-cost";
const PLAN: &str = "plan:orders-restore";

/// When everything in the tests begins.
///
/// # Panics
/// Never: the literal is a time.
#[must_use]
pub fn noon() -> Timestamp {
    "2026-11-30T12:00:00Z".parse().expect("a literal")
}

/// A name.
///
/// # Panics
/// When the literal of a test is no name.
#[must_use]
pub fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

/// An object's id.
///
/// # Panics
/// When the literal of a test is no id.
#[must_use]
pub fn id(text: &str) -> ObjectId {
    ObjectId::new(text).expect("an id")
}

/// A model and a catalog in force, and what pins them.
#[derive(Debug, Clone)]
pub struct Organisation {
    graph: Arc<Graph>,
    catalog: Arc<Catalog>,
    pins: Pins,
}

impl Organisation {
    /// The organisation with a budget of so many milliseconds an evaluation. `strict`: cost and recovery are
    /// required of everything, and deleting what is needed is denied.
    ///
    /// # Panics
    /// When the model of the tests is invalid.
    #[must_use]
    pub fn new(budget_ms: u64, strict: bool) -> Self {
        let model = model();
        let catalog = catalog(budget_ms, strict);
        let pins = Pins {
            release: ontology::release::shipped(),
            model: Digest::of_value(&model),
            catalog: catalog.digest(),
            budget_ms,
        };
        let graph = Arc::new(Graph::index(model).expect("the model of the tests is valid"));
        Self { graph, catalog: Arc::new(catalog), pins }
    }

    /// What pins it.
    #[must_use]
    pub const fn pins(&self) -> &Pins {
        &self.pins
    }

    /// Puts the model and the catalog into a library.
    pub fn shelve(&self, library: &mut Library) {
        library.add_model(self.pins.model, Arc::clone(&self.graph));
        library.add_catalog(self.pins.catalog, Arc::clone(&self.catalog));
    }
}

fn sources() -> Vec<Name> {
    vec![name("catalog-info.yaml"), name("terraform.tfstate")]
}

fn object(at: &str, detail: Detail) -> Object {
    Object { id: id(at), title: None, detail, sources: sources(), effective_from: None, effective_to: None }
}

fn link(kind: LinkType, from: &str, to: &str) -> Link {
    Link { kind, from: id(from), to: id(to), sources: sources(), denied_by: Vec::new() }
}

fn source(path: &str, authority: &str) -> Source {
    let asserted_at = Some(noon().plus_seconds(-DAY_S));
    Source {
        id: name(path),
        authority: name(authority),
        asserted_at,
        observed_at: asserted_at,
        review_by: None,
        synthetic: false,
        incomplete: false,
    }
}

fn placed(kind: &str) -> Placement {
    Placement {
        kind: Some(kind.to_owned()),
        environment: Some("production".to_owned()),
        tier: Some(1),
        zones: ["a", "b"].map(str::to_owned).into(),
        replicas: Some(2),
    }
}

fn model() -> Model {
    let recovery = RecoveryObjective { rto_s: 3_600, rpo_s: 300, assumed: false };
    let monthly_now = Some(Money::new(700_000_000, "USD"));
    let cost = CostObjective { monthly_max: Money::new(900_000_000, "USD"), monthly_now, assumed: false };
    let at = noon().plus_seconds(-30 * DAY_S);
    let rehearsals = vec![Rehearsal { at, rto_s: 1_800, rpo_s: 60, succeeded: true }];
    let mut model = Model {
        sources: vec![source("catalog-info.yaml", "acme"), source("terraform.tfstate", "terraform")],
        objects: vec![
            object(SERVICE, Detail::BusinessService(placed("service"))),
            object(WORKLOAD, Detail::Workload(placed("service"))),
            object(DATABASE, Detail::Resource(placed("aws_db_instance"))),
            object(OWNER, Detail::Ownership(Ownership { kind: Some("group".to_owned()) })),
            object(RECOVERY, Detail::RecoveryObjective(recovery)),
            object(COST, Detail::CostObjective(cost)),
            object(PLAN, Detail::RecoveryPlan(RecoveryPlan { strategy: name("restore"), rehearsals })),
        ],
        links: vec![
            link(LinkType::ImplementedBy, SERVICE, WORKLOAD),
            link(LinkType::WorkloadRunsOn, WORKLOAD, DATABASE),
            link(LinkType::OwnedBy, SERVICE, OWNER),
            link(LinkType::HasCostObjective, SERVICE, COST),
            link(LinkType::HasRecoveryObjective, DATABASE, RECOVERY),
            link(LinkType::RecoveredBy, DATABASE, PLAN),
        ],
        bindings: vec![binding(DATABASE, "aws_db_instance.orders"), binding(SERVICE, "module.orders.**")],
    };
    model.objects.sort_by(|a, b| a.id.cmp(&b.id));
    model.links.sort_by(|a, b| (a.kind, &a.from, &a.to).cmp(&(b.kind, &b.from, &b.to)));
    model
}

fn binding(object: &str, address: &str) -> Binding {
    Binding {
        object: id(object),
        addresses: vec![address.to_owned()],
        workspaces: Vec::new(),
        tags: BTreeMap::new(),
        source: name("catalog-info.yaml"),
    }
}

fn catalog(budget_ms: u64, strict: bool) -> Catalog {
    let mut catalog = Catalog::empty(name("acme"));
    catalog.budget_ms = budget_ms;
    let sizes = [("db.small", 100_000_000), ("db.large", 150_000_000)];
    let database = TypePrice {
        attribute: Some("instance_class".to_owned()),
        times: None,
        monthly_micro: sizes.map(|(size, micro)| (size.to_owned(), micro)).into(),
    };
    let types = [("aws_db_instance".to_owned(), database)].into();
    catalog.prices = PriceBook { currency: "USD".to_owned(), types };
    let deny = if strict { Enforcement::Deny } else { Enforcement::Warn };
    catalog.constraints = vec![
        constraint("no-delete-with-dependents", ConstraintKind::NoDeleteWithDependents, deny),
        constraint("owner-present", ConstraintKind::OwnerPresent, Enforcement::Warn),
    ];
    catalog.stateful_types = BTreeSet::from(["aws_db_instance".to_owned()]);
    catalog.weights_bp = [("cost", 4_000), ("recovery", 6_000)].map(|(kind, bp)| (name(kind), bp)).into();
    if strict {
        let keys = BTreeSet::from([EvidenceKey::Cost, EvidenceKey::Recovery, EvidenceKey::Topology]);
        catalog.required = vec![RequiredEvidence { when: Selector::default(), keys }];
    }
    catalog
}

fn constraint(id: &str, rule: ConstraintKind, enforcement: Enforcement) -> Constraint {
    Constraint {
        id: name(id),
        title: id.to_owned(),
        rule,
        enforcement,
        deny_from: None,
        precedence: 3,
        applies_to: Selector::default(),
        remedy: None,
        condition: None,
        approvers: Default::default(),
    }
}
