//! A small organisation: one service with its workload, database, owner, objectives and recovery plan.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ontology::model::{
    Binding, CostObjective, Detail, Link, Model, Object, Ownership, Placement, RecoveryObjective,
    RecoveryPlan, Rehearsal, ServiceObjective, Source,
};
use ontology::policy::prices::TypePrice;
use ontology::policy::{Catalog, Constraint, ConstraintKind, Enforcement, PriceBook, Selector};
use ontology::records::change::{ChangeSummary, Intent};
use ontology::records::decision::{Basis, RecommendationKind, VerdictKind};
use ontology::records::document::{Action, ChangeDocument, Format, MEDIA_TYPE, Target};
use ontology::records::evaluation::{NO_ACTION, WITHOUT_DESTRUCTION};
use ontology::records::{Change, DecisionReceipt, Evaluation, OptionDraft, OptionSet, Pins};
use ontology::release::LinkType;
use ontology::time::DAY_S;
use ontology::value::Attributes;
use ontology::{Content, Digest, Money, Name, ObjectId, Principal, ReviewId, Timestamp, Value};

pub(crate) const SERVICE: &str = "component:default/orders";
pub(crate) const WORKLOAD: &str = "workload:orders-api";
pub(crate) const DATABASE: &str = "resource:orders-db";
pub(crate) const OWNER: &str = "group:payments";
pub(crate) const RECOVERY: &str = "objective:orders-recovery";
pub(crate) const COST: &str = "objective:orders-cost";
pub(crate) const AVAILABILITY: &str = "objective:orders-availability";
pub(crate) const PLAN: &str = "plan:orders-restore";
pub(crate) const DATABASE_ADDRESS: &str = "aws_db_instance.orders";

pub(crate) fn noon() -> Timestamp {
    "2026-11-30T12:00:00Z".parse().expect("a time")
}

pub(crate) fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

pub(crate) fn id(text: &str) -> ObjectId {
    ObjectId::new(text).expect("an id")
}

pub(crate) fn object(at: &str, detail: Detail) -> Object {
    let sources = vec![name("catalog-info.yaml"), name("terraform.tfstate")];
    Object { id: id(at), title: None, detail, sources, effective_from: None, effective_to: None }
}

pub(crate) fn link(kind: LinkType, from: &str, to: &str) -> Link {
    let sources = vec![name("catalog-info.yaml"), name("terraform.tfstate")];
    Link { kind, from: id(from), to: id(to), sources, denied_by: Vec::new() }
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

pub(crate) fn placed(kind: &str) -> Placement {
    Placement {
        kind: Some(kind.to_owned()),
        environment: Some("production".to_owned()),
        tier: Some(1),
        zones: ["a", "b"].map(str::to_owned).into(),
        replicas: Some(2),
    }
}

pub(crate) fn rehearsal(days_ago: i64, rto_s: u64, succeeded: bool) -> Rehearsal {
    Rehearsal { at: noon().plus_seconds(-days_ago * DAY_S), rto_s, rpo_s: 60, succeeded }
}

/// Sorts what was changed by hand into the model's one form.
pub(crate) fn sorted(mut model: Model) -> Model {
    model.objects.sort_by(|a, b| a.id.cmp(&b.id));
    model.links.sort_by(|a, b| (a.kind, &a.from, &a.to).cmp(&(b.kind, &b.from, &b.to)));
    model.sources.sort_by(|a, b| a.id.cmp(&b.id));
    model
}

/// The organisation: everything is stated by two independent sources.
pub(crate) fn model() -> Model {
    let recovery = RecoveryObjective { rto_s: 3_600, rpo_s: 300, assumed: false };
    let availability = ServiceObjective {
        metric: name("availability"),
        target_micro: 999_000,
        unit: name("ratio"),
        window_s: 2_592_000,
        assumed: false,
    };
    let cost = CostObjective {
        monthly_max: Money::new(900_000_000, "USD"),
        monthly_now: Some(Money::new(700_000_000, "USD")),
        assumed: false,
    };
    let plan = RecoveryPlan { strategy: name("restore"), rehearsals: vec![rehearsal(30, 1_800, true)] };
    let binding = |object: &str, address: &str| Binding {
        object: id(object),
        addresses: vec![address.to_owned()],
        workspaces: Vec::new(),
        tags: BTreeMap::new(),
        source: name("catalog-info.yaml"),
    };
    sorted(Model {
        sources: vec![source("catalog-info.yaml", "acme"), source("terraform.tfstate", "terraform")],
        objects: vec![
            object(SERVICE, Detail::BusinessService(placed("service"))),
            object(WORKLOAD, Detail::Workload(placed("service"))),
            object(DATABASE, Detail::Resource(placed("aws_db_instance"))),
            object(OWNER, Detail::Ownership(Ownership { kind: Some("group".to_owned()) })),
            object(RECOVERY, Detail::RecoveryObjective(recovery)),
            object(COST, Detail::CostObjective(cost)),
            object(AVAILABILITY, Detail::ServiceObjective(availability)),
            object(PLAN, Detail::RecoveryPlan(plan)),
        ],
        links: vec![
            link(LinkType::ImplementedBy, SERVICE, WORKLOAD),
            link(LinkType::WorkloadRunsOn, WORKLOAD, DATABASE),
            link(LinkType::OwnedBy, SERVICE, OWNER),
            link(LinkType::HasServiceObjective, SERVICE, AVAILABILITY),
            link(LinkType::HasCostObjective, SERVICE, COST),
            link(LinkType::HasRecoveryObjective, DATABASE, RECOVERY),
            link(LinkType::RecoveredBy, DATABASE, PLAN),
        ],
        bindings: vec![binding(DATABASE, DATABASE_ADDRESS), binding(SERVICE, "module.orders.**")],
    })
}

/// A catalog with one constraint and prices of databases.
pub(crate) fn catalog() -> Catalog {
    let sizes = [("db.small", 100_000_000), ("db.large", 400_000_000)];
    let database = TypePrice {
        attribute: Some("instance_class".to_owned()),
        times: None,
        monthly_micro: sizes.map(|(size, micro)| (size.to_owned(), micro)).into(),
    };
    let mut catalog = Catalog::empty(name("acme"));
    catalog.prices =
        PriceBook { currency: "USD".to_owned(), types: [("aws_db_instance".to_owned(), database)].into() };
    catalog.constraints = vec![Constraint {
        id: name("owner-present"),
        title: "Everything has an owner".to_owned(),
        rule: ConstraintKind::OwnerPresent,
        enforcement: Enforcement::Warn,
        deny_from: None,
        precedence: 3,
        applies_to: Selector::default(),
        remedy: None,
        condition: None,
        approvers: Default::default(),
    }];
    catalog
}

fn attributes(class: &str) -> Attributes {
    [("instance_class".to_owned(), Value::Text(class.to_owned()))].into()
}

/// A target of the type `kind`, `db.small` before and `db.large` after, as far as `action` has them.
pub(crate) fn target(address: &str, kind: &str, action: Action) -> Target {
    Target {
        address: id(address),
        kind: kind.to_owned(),
        provider: None,
        action,
        action_reason: None,
        moved_from: None,
        data: false,
        imported: false,
        before: (action != Action::Create).then(|| attributes("db.small")),
        after: (action != Action::Delete).then(|| attributes("db.large")),
        unknown: BTreeSet::new(),
        replace_paths: BTreeSet::new(),
        needs: BTreeSet::new(),
        tags: BTreeMap::new(),
        object: None,
    }
}

/// A plan with these targets.
pub(crate) fn document(mut targets: Vec<Target>) -> ChangeDocument {
    targets.sort_by(|a, b| a.address.cmp(&b.address));
    ChangeDocument {
        format: Format::TerraformPlan,
        format_version: "1.2".to_owned(),
        tool: None,
        workspace: None,
        targets,
        drift: BTreeSet::new(),
        links: Vec::new(),
        outputs: BTreeSet::new(),
        errored: false,
        incomplete: false,
        sensitivity_unmarked: false,
        withheld_unkeyed: false,
        withheld: 0,
    }
}

/// The change of the orders database alone.
pub(crate) fn database_change() -> ChangeDocument {
    document(vec![target(DATABASE_ADDRESS, "aws_db_instance", Action::Update)])
}

pub(crate) fn requester() -> Principal {
    Principal { issuer: name("unix-socket"), subject: name("1000") }
}

/// Pins of nothing: [`super::World::open`] fills in the digests.
pub(crate) fn pins() -> Pins {
    let nothing = Digest::of(b"");
    Pins { release: nothing, model: nothing, catalog: nothing, budget_ms: 5_000 }
}

/// The change record of a document.
pub(crate) fn change(document: &ChangeDocument) -> Change {
    let content_digest = document.content_digest();
    let (content, _) = Content::store(Arc::new(document.clone()), MEDIA_TYPE);
    Change {
        review: ReviewId::derive("test", &content_digest.hex()),
        revision: 1,
        supersedes: None,
        source: name("test"),
        idempotency_key: name(&content_digest.hex()),
        change_kind: name("infrastructure"),
        intent: Intent::Planned,
        requester: requester(),
        requester_verified: false,
        content_digest,
        change_digest: Change::digest_of(content_digest, Digest::of(b""), &name("infrastructure")),
        document: content,
        summary: ChangeSummary {
            format: Format::TerraformPlan,
            format_version: "1.2".to_owned(),
            tool: None,
            actions: BTreeMap::new(),
            withheld: 0,
        },
        planned_at: None,
        requested_release: ontology::release::shipped(),
        pins: pins(),
        attachments: Vec::new(),
        process_ref: None,
    }
}

/// As proposed, nothing, and one without these addresses.
pub(crate) fn options(evaluation: Evaluation, without: &[&str]) -> OptionSet {
    let option = |text: &str, without: &[&str]| OptionDraft {
        id: name(text),
        without: without.iter().map(|address| id(address)).collect(),
    };
    let mut options = vec![option("as-proposed", &[]), option(NO_ACTION, &[])];
    if !without.is_empty() {
        options.push(option(WITHOUT_DESTRUCTION, without));
    }
    OptionSet { evaluation, options }
}

/// A receipt of an evaluation.
pub(crate) fn receipt(review: ReviewId, evaluation: Evaluation) -> DecisionReceipt {
    let nothing = Digest::of(b"");
    DecisionReceipt {
        review,
        evaluation,
        verdict: VerdictKind::Held,
        recommendation: RecommendationKind::Held,
        basis: Basis::Observation,
        content_digest: nothing,
        change_digest: nothing,
        snapshot_digest: None,
        bundle_digest: None,
        case_digest: nothing,
        catalog: nothing,
        requester: requester(),
        approved_by: Default::default(),
        conditions: Vec::new(),
        exceptions: Vec::new(),
        audit_hash: nothing,
        decided_at: noon(),
        valid_until: noon(),
    }
}
