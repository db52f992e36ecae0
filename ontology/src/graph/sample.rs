//! Models for tests, from a few words.

use std::collections::{BTreeMap, BTreeSet};

use crate::graph::Graph;
use crate::model::{
    Binding, Detail, Link, Model, Object, Ownership, Placement, RecoveryObjective, RecoveryPlan, Source,
};
use crate::records::document::{Action, ChangeDocument, Format, Target};
use crate::records::evaluation::{AS_PROPOSED, OptionDraft};
use crate::records::snapshot::Resolution;
use crate::release::LinkType;
use crate::value::{Attributes, Value};
use crate::{Name, ObjectId};

pub(crate) fn id(text: &str) -> ObjectId {
    ObjectId::new(text).unwrap()
}

pub(crate) fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

pub(crate) fn source(id: &str, authority: &str) -> Source {
    Source {
        id: name(id),
        authority: name(authority),
        asserted_at: None,
        observed_at: None,
        review_by: None,
        synthetic: false,
        incomplete: false,
    }
}

/// An object whose type its id's first letter tells: `s:` a service, `w:` a workload, `r:` a resource, `o:` an owner,
/// `p:` a recovery plan without rehearsals, `ro:` a recovery objective of an hour.
pub(crate) fn object(text: &str) -> Object {
    let detail = match text.split(':').next().unwrap() {
        "s" => Detail::BusinessService(Placement::default()),
        "w" => Detail::Workload(Placement::default()),
        "r" => Detail::Resource(Placement::default()),
        "o" => Detail::Ownership(Ownership::default()),
        "p" => Detail::RecoveryPlan(RecoveryPlan { strategy: name("restore"), rehearsals: Vec::new() }),
        "ro" => Detail::RecoveryObjective(RecoveryObjective { rto_s: 3_600, rpo_s: 3_600, assumed: false }),
        other => panic!("no type {other}"),
    };
    Object {
        id: id(text),
        title: None,
        detail,
        sources: Vec::new(),
        effective_from: None,
        effective_to: None,
    }
}

pub(crate) fn placed(text: &str, zones: &[&str], replicas: Option<u32>) -> Object {
    let placement = Placement {
        zones: zones.iter().map(|zone| (*zone).to_owned()).collect(),
        replicas,
        ..Placement::default()
    };
    let mut object = object(text);
    object.detail = match object.detail {
        Detail::BusinessService(_) => Detail::BusinessService(placement),
        Detail::Workload(_) => Detail::Workload(placement),
        _ => Detail::Resource(placement),
    };
    object
}

/// The link type that may join two objects named as in [`object`]; between resources, `depends_on`.
pub(crate) fn link(from: &str, to: &str) -> Link {
    let kind = match (from.split(':').next().unwrap(), to.split(':').next().unwrap()) {
        ("s", "w") => LinkType::ImplementedBy,
        ("w", "r") => LinkType::WorkloadRunsOn,
        ("w", "w") => LinkType::WorkloadDependsOn,
        ("r", "r") => LinkType::DependsOn,
        (_, "o") => LinkType::OwnedBy,
        (_, "ro") => LinkType::HasRecoveryObjective,
        (_, "p") => LinkType::RecoveredBy,
        other => panic!("no link {other:?}"),
    };
    Link { kind, from: id(from), to: id(to), sources: Vec::new(), denied_by: Vec::new() }
}

/// A model of these objects and links, sorted.
pub(crate) fn model(objects: &[Object], links: &[Link]) -> Model {
    let mut model = Model { objects: objects.to_vec(), links: links.to_vec(), ..Model::default() };
    model.objects.sort_by(|a, b| a.id.cmp(&b.id));
    model.links.sort_by(|a, b| (a.kind, &a.from, &a.to).cmp(&(b.kind, &b.from, &b.to)));
    model
}

/// Orders, of team shop, run on a database; checkout calls it; the shop is implemented by both.
pub(crate) fn shop() -> Model {
    let mut model = model(
        &["s:shop", "w:orders", "w:checkout", "r:orders-db", "o:team-shop", "ro:orders", "p:orders"]
            .map(object),
        &[
            link("s:shop", "w:orders"),
            link("s:shop", "w:checkout"),
            link("w:orders", "r:orders-db"),
            link("w:checkout", "w:orders"),
            link("w:orders", "o:team-shop"),
            link("w:checkout", "o:team-shop"),
            link("w:orders", "ro:orders"),
            link("w:orders", "p:orders"),
        ],
    );
    model.sources = vec![source("bindings.yaml", "platform")];
    model.bindings = vec![
        binding("r:orders-db", &["aws_db_instance.orders"]),
        binding("w:checkout", &["module.checkout.**"]),
        binding("w:orders", &["module.orders.**"]),
    ];
    model
}

pub(crate) fn binding(object: &str, addresses: &[&str]) -> Binding {
    Binding {
        object: id(object),
        addresses: addresses.iter().map(|address| (*address).to_owned()).collect(),
        workspaces: Vec::new(),
        tags: BTreeMap::new(),
        source: name("bindings.yaml"),
    }
}

pub(crate) fn attributes(json: serde_json::Value) -> Attributes {
    Value::from_json(json).as_map().unwrap().clone()
}

/// A target; `null` for no attributes.
pub(crate) fn target(
    address: &str,
    kind: &str,
    action: Action,
    before: serde_json::Value,
    after: serde_json::Value,
) -> Target {
    let side = |json: serde_json::Value| if json.is_null() { None } else { Some(attributes(json)) };
    Target {
        address: id(address),
        kind: kind.to_owned(),
        provider: None,
        action,
        action_reason: None,
        moved_from: None,
        data: false,
        imported: false,
        before: side(before),
        after: side(after),
        unknown: BTreeSet::new(),
        replace_paths: BTreeSet::new(),
        needs: BTreeSet::new(),
        tags: BTreeMap::new(),
        object: None,
    }
}

pub(crate) fn document(targets: &[Target]) -> ChangeDocument {
    let mut targets = targets.to_vec();
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

pub(crate) fn resolve(graph: &Graph, document: &ChangeDocument) -> Vec<Resolution> {
    let workspace = document.workspace.as_deref();
    let resolve = |target: &Target| Resolution {
        address: target.address.clone(),
        found: graph.bindings().resolve(graph, target, workspace),
    };
    document.targets.iter().map(resolve).collect()
}

pub(crate) fn as_proposed() -> OptionDraft {
    OptionDraft { id: name(AS_PROPOSED), without: BTreeSet::new() }
}
