//! Changes of several shapes, and the claims that people attach.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ontology::records::change::{ChangeSummary, CostEstimate, Intent};
use ontology::records::document::{Action, ChangeDocument, Format, MEDIA_TYPE, Target};
use ontology::records::{Attachment, AttachmentKind, Change};
use ontology::value::Attributes;
use ontology::{Content, Digest, Money, Principal, ReviewId, Value};
use topics::Submission;

use super::organisation::{Organisation, id, name, noon};

/// What a change is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// The orders database grows: everything about it is known.
    Grow,
    /// The orders database is deleted, though a workload runs on it.
    Delete,
    /// Something that no model knows is altered.
    Unknown,
    /// A part of the orders service appears, too large for a step: it is kept in a body.
    Large,
    /// The orders database is replaced: what it holds is lost.
    Replace,
}

impl Shape {
    /// Every shape.
    pub const ALL: [Self; 5] = [Self::Grow, Self::Delete, Self::Unknown, Self::Large, Self::Replace];

    /// The change of this shape.
    #[must_use]
    pub fn document(self) -> ChangeDocument {
        const DATABASE: &str = "aws_db_instance.orders";
        let database = |action| vec![target(DATABASE, "aws_db_instance", action)];
        document(match self {
            Self::Grow => database(Action::Update),
            Self::Delete => database(Action::Delete),
            Self::Replace => database(Action::Replace),
            Self::Unknown => vec![target("aws_sqs_queue.mystery", "aws_sqs_queue", Action::Update)],
            Self::Large => (0..120)
                .map(|number| {
                    target(&format!("module.orders.aws_x.part-{number:03}"), "aws_x", Action::Create)
                })
                .collect(),
        })
    }
}

/// A submission of this shape, unique by `number`.
#[must_use]
pub fn submission(organisation: &Organisation, shape: Shape, number: u32) -> Submission {
    let document = Arc::new(shape.document());
    let (content, _) = Content::store(Arc::clone(&document), MEDIA_TYPE);
    Submission {
        source: name("test"),
        idempotency_key: name(&format!("{shape:?}-{number}").to_lowercase()),
        change_kind: name("infrastructure"),
        intent: Intent::Planned,
        requester: principal("ada"),
        requester_verified: true,
        content,
        content_digest: document.content_digest(),
        document,
        planned_at: Some(noon()),
        requested_release: ontology::release::shipped(),
        pins: organisation.pins().clone(),
        attachments: Vec::new(),
        process_ref: None,
        revision: 1,
        supersedes: None,
    }
}

/// The change record of a document with a target for each of these addresses.
#[must_use]
pub fn change(idempotency_key: &str, addresses: &[&str]) -> Change {
    let document =
        document(addresses.iter().map(|address| target(address, "aws_x", Action::Update)).collect());
    let content_digest = document.content_digest();
    let (content, _) = Content::store(Arc::new(document), MEDIA_TYPE);
    let (kind, release) = (name("infrastructure"), ontology::release::shipped());
    Change {
        review: ReviewId::derive("test", idempotency_key),
        revision: 1,
        supersedes: None,
        source: name("test"),
        idempotency_key: name(idempotency_key),
        change_digest: Change::digest_of(content_digest, release, &kind),
        change_kind: kind,
        intent: Intent::Planned,
        requester: principal("ada"),
        requester_verified: true,
        content_digest,
        document: content,
        summary: ChangeSummary {
            format: Format::TerraformPlan,
            format_version: "1.2".to_owned(),
            tool: None,
            actions: BTreeMap::new(),
            withheld: 0,
        },
        planned_at: None,
        requested_release: release,
        pins: Organisation::new(5_000, false).pins().clone(),
        attachments: Vec::new(),
        process_ref: None,
    }
}

/// A claim about the cost of a change.
#[must_use]
pub fn claim(number: u32) -> Attachment {
    let monthly_delta = Money::new(i64::from(number) * 1_000_000, "USD");
    let estimate = CostEstimate { monthly_delta, by_address: BTreeMap::new() };
    Attachment {
        name: name(&format!("infracost-{number}.json")),
        digest: Digest::of_value(&estimate),
        made_at: None,
        claim: AttachmentKind::CostEstimate(estimate),
    }
}

/// Somebody.
#[must_use]
pub fn principal(subject: &str) -> Principal {
    Principal { issuer: name("local"), subject: name(subject) }
}

fn attributes(class: &str) -> Attributes {
    [("instance_class".to_owned(), Value::Text(class.to_owned()))].into()
}

fn target(address: &str, kind: &str, action: Action) -> Target {
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

fn document(mut targets: Vec<Target>) -> ChangeDocument {
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
