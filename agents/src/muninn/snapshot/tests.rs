use std::collections::BTreeSet;

use ontology::graph::Graph;
use ontology::model::{Binding, Detail, Model, Ownership};
use ontology::policy::{Catalog, Limits, Selector};
use ontology::records::document::Action;
use ontology::records::snapshot::{Found, PAIRS_MAX};
use ontology::records::{ChangeDocument, StateSnapshot};
use ontology::release::LinkType;
use ontology::{Reason, ReasonCode};

use super::{Contents, Scope, Setting, freeze, scope};
use crate::kit::samples::{
    self, AVAILABILITY, COST, DATABASE, OWNER, PLAN, RECOVERY, SERVICE, WORKLOAD, id, link, name, object,
    placed,
};

/// Lets `look` see the setting of a change in a model and a catalog.
fn with<R>(
    document: &ChangeDocument,
    model: Model,
    catalog: &Catalog,
    look: impl Fn(&Setting<'_>) -> R,
) -> R {
    let graph = Graph::index(samples::sorted(model)).expect("a valid model");
    look(&Setting { document, graph: &graph, catalog, cutoff: samples::noon() })
}

fn frozen(document: &ChangeDocument, model: Model) -> StateSnapshot {
    with(document, model, &samples::catalog(), |setting| freeze(1, &samples::pins(), setting))
}

fn objects(snapshot: &StateSnapshot) -> Vec<&str> {
    snapshot.objects.iter().map(|pair| pair.id.as_str()).collect()
}

/// Another service of the same owner with the same objective, which depends on nothing here.
fn with_neighbour(mut model: Model) -> Model {
    model.objects.push(object("component:default/billing", Detail::BusinessService(placed("service"))));
    model.links.push(link(LinkType::OwnedBy, "component:default/billing", OWNER));
    model.links.push(link(LinkType::HasCostObjective, "component:default/billing", COST));
    model
}

#[test]
fn s09_a_snapshot_holds_what_is_around_the_targets() {
    let snapshot = frozen(&samples::database_change(), samples::model());
    let mut around = [SERVICE, WORKLOAD, DATABASE, OWNER, RECOVERY, COST, AVAILABILITY, PLAN];
    around.sort_unstable();
    assert_eq!(objects(&snapshot), around);
    assert_eq!(snapshot.links_total, 7);
    assert!(snapshot.complete && !snapshot.truncated);
    assert_eq!(snapshot.targets[0].found, Found::Is(id(DATABASE)));
    assert_eq!(snapshot.conflicts, [], "everything is stated by two sources");
}

#[test]
fn s09_owners_and_shared_objectives_lead_no_further() {
    let alone = frozen(&samples::database_change(), samples::model());
    let beside = frozen(&samples::database_change(), with_neighbour(samples::model()));
    assert_eq!(alone.pairs_digest, beside.pairs_digest);
}

#[test]
fn the_catalog_bounds_the_depth() {
    let check = |depth_max: u32, expect: &[&str]| {
        let mut catalog = samples::catalog();
        catalog.limits = vec![Limits { when: Selector::default(), affected_max: 4, depth_max }];
        let document = samples::database_change();
        with(&document, samples::model(), &catalog, |setting| {
            let Scope { objects, limits, truncated, .. } = scope(setting);
            let ids =
                objects.keys().map(|node| setting.graph.object(*node).expect("it is there").id.as_str());
            assert_eq!(ids.collect::<BTreeSet<&str>>(), expect.iter().copied().collect());
            assert_eq!(
                (limits.affected_max, truncated),
                (4, false),
                "a depth that was asked for cuts nothing"
            );
        });
    };
    check(0, &[DATABASE]);
    check(1, &[DATABASE, WORKLOAD, RECOVERY, PLAN]);
    check(2, &[DATABASE, WORKLOAD, RECOVERY, PLAN, SERVICE]);
}

#[test]
fn what_is_out_of_force_is_excluded_and_said() {
    let mut model = samples::model();
    let plan = model.objects.iter_mut().find(|object| object.id.as_str() == PLAN).expect("the plan");
    plan.effective_to = Some(samples::noon());
    let workload =
        model.objects.iter_mut().find(|object| object.id.as_str() == WORKLOAD).expect("the workload");
    workload.effective_from = Some(samples::noon().plus_seconds(1));
    let snapshot = frozen(&samples::database_change(), model);
    assert_eq!(
        objects(&snapshot),
        [RECOVERY, DATABASE],
        "what lay behind the workload is not around any more"
    );
    let excluded = |id: &str| Reason::about(ReasonCode::ContextTemporalExclusion, id);
    assert!(snapshot.conflicts.contains(&excluded(PLAN)));
    assert!(snapshot.conflicts.contains(&excluded(WORKLOAD)));
}

#[test]
fn u1_conflicts_name_what_is_wrong_with_the_targets() {
    let check = |address: &str, action: Action, expect: &[ReasonCode]| {
        let mut model = samples::model();
        let tie = |object: &str| Binding {
            object: id(object),
            addresses: vec!["aws_sqs_queue.both".to_owned()],
            workspaces: Vec::new(),
            tags: [].into(),
            source: name("catalog-info.yaml"),
        };
        model.bindings.extend([tie(SERVICE), tie(WORKLOAD)]);
        let document = samples::document(vec![samples::target(address, "aws_sqs_queue", action)]);
        let snapshot = frozen(&document, model);
        let codes: Vec<ReasonCode> = snapshot.conflicts.iter().map(|reason| reason.code).collect();
        assert_eq!(codes, expect, "{address} {action:?}");
    };
    use ReasonCode::{ServiceMappingConflict, ServiceMappingMissing, TargetResourceMissing};
    check("module.orders.queue", Action::Update, &[]);
    check("module.orders.queue", Action::Create, &[]);
    check("aws_sqs_queue.other", Action::Update, &[TargetResourceMissing, ServiceMappingMissing]);
    check("aws_sqs_queue.other", Action::Delete, &[TargetResourceMissing, ServiceMappingMissing]);
    check("aws_sqs_queue.other", Action::Create, &[ServiceMappingMissing]);
    check("aws_sqs_queue.other", Action::NoOp, &[]);
    check("aws_sqs_queue.both", Action::Update, &[ServiceMappingMissing, ServiceMappingConflict]);
}

#[test]
fn s13_faults_of_links_and_denied_owners_are_said() {
    let mut model = samples::model();
    for link in &mut model.links {
        match link.kind {
            LinkType::ImplementedBy => link.sources.truncate(1),
            LinkType::OwnedBy => link.denied_by = vec![name("terraform.tfstate")],
            _ => {}
        }
        link.sources.retain(|source| !link.denied_by.contains(source));
    }
    let snapshot = frozen(&samples::database_change(), model);
    let owner_link = format!("owned_by:{SERVICE}:{OWNER}");
    assert!(snapshot.conflicts.contains(&Reason::about(ReasonCode::OwnershipConflict, SERVICE)));
    assert!(snapshot.conflicts.contains(&Reason::about(ReasonCode::LinkEvidenceConflicting, owner_link)));
    let implemented = format!("implemented_by:{SERVICE}:{WORKLOAD}");
    assert!(snapshot.conflicts.contains(&Reason::about(ReasonCode::LinkEvidenceUnverified, implemented)));
}

#[test]
fn many_conflicts_are_bounded_and_their_number_is_said() {
    let targets =
        (0..40).map(|number| samples::target(&format!("x.t{number}"), "x", Action::Update)).collect();
    let snapshot = frozen(&samples::document(targets), samples::model());
    let missing = snapshot.conflicts.iter().filter(|reason| reason.code == ReasonCode::TargetResourceMissing);
    let missing: Vec<&Reason> = missing.collect();
    assert_eq!(missing.len(), super::conflicts::LISTED_MAX + 1);
    assert!(missing.iter().any(|reason| reason.detail.as_deref() == Some("24 more")));
}

#[test]
fn a_large_snapshot_states_its_lists_digest_and_anybody_makes_them_again() {
    let mut model = samples::model();
    for number in 0..PAIRS_MAX {
        let workload = format!("workload:w{number:03}");
        model.objects.push(object(&workload, Detail::Workload(placed("service"))));
        model.links.push(link(LinkType::WorkloadRunsOn, &workload, DATABASE));
    }
    let document = samples::database_change();
    with(&document, model, &samples::catalog(), |setting| {
        let snapshot = freeze(1, &samples::pins(), setting);
        assert_eq!((snapshot.objects.len(), snapshot.links.len()), (0, 0));
        assert_eq!(snapshot.objects_total as usize, PAIRS_MAX + 8);
        let contents = Contents::of(&snapshot, setting);
        assert_eq!(contents.objects.len(), PAIRS_MAX + 8);
        assert_eq!(contents.targets, snapshot.targets);
    });
}

#[test]
fn what_a_review_may_not_read_is_left_out_and_counted() {
    let process = Detail::Process(ontology::model::Process { status: name("running") });
    let mut model = samples::model();
    model.objects.push(object("process:release", process));
    let document = samples::document(vec![
        samples::target("process:release", "process", Action::Update),
        samples::target(samples::DATABASE_ADDRESS, "aws_db_instance", Action::Update),
    ]);
    let snapshot = frozen(&document, model);
    assert_eq!(snapshot.left_out, 1);
    assert!(!snapshot.complete);
    assert!(!objects(&snapshot).contains(&"process:release"));
}

#[test]
fn two_owners_cannot_be_modelled_so_a_denial_is_the_conflict() {
    let mut model = samples::model();
    model.objects.push(object("group:other", Detail::Ownership(Ownership { kind: None })));
    model.links.push(link(LinkType::OwnedBy, SERVICE, "group:other"));
    assert!(Graph::index(samples::sorted(model)).is_err());
}
