use std::sync::Arc;

use serde_json::json;

use super::{at, digest, mina, pins, reads_back, review};
use crate::graph::sample::{attributes, document, id, name, placed, shop, target};
use crate::model::Rehearsal;
use crate::records::change::{AttachmentKind, CostEstimate, RehearsalClaim};
use crate::records::document::{Format, LinkEdit};
use crate::records::estate::{Closing, ConcurrentChange};
use crate::records::evidence::Unavailable;
use crate::records::{
    Action, Attachment, Change, ChangeClosed, ChangeDocument, ChangeOpened, ChangeRefused, ChangeSummary,
    ConcurrentChanges, Evidence, Intent, RecheckAsked, RequesterAdded, Target,
};
use crate::release::LinkType;
use crate::value::Withheld;
use crate::{BodyRef, Content, Money, Value};

fn whole_target() -> Target {
    let mut after = attributes(json!({
        "name": "x", "port": 5432, "ratio": 0.25, "zones": ["a", null], "open": true, "nested": { "deep": [{}] }
    }));
    let withheld = Withheld {
        kind: "text".to_owned(),
        changed: true,
        mac: Some(digest("mac")),
        key_id: Some("k1".to_owned()),
    };
    after.insert("password".to_owned(), Value::Withheld(withheld));
    after.insert("arn".to_owned(), Value::Unknown);
    Target {
        provider: Some("registry.terraform.io/hashicorp/aws".to_owned()),
        action_reason: Some("replace_because_tainted".to_owned()),
        moved_from: Some(id("aws_db_instance.old")),
        imported: true,
        after: Some(after),
        unknown: ["arn".to_owned()].into(),
        replace_paths: ["engine_version".to_owned()].into(),
        needs: [id("aws_vpc.main")].into(),
        tags: [("app".to_owned(), "orders".to_owned())].into(),
        object: Some(placed("r:x", &["a"], Some(2)).detail),
        ..target("aws_db_instance.main", "aws_db_instance", Action::Replace, json!({}), json!(null))
    }
}

fn whole_document() -> ChangeDocument {
    let added = LinkEdit { add: true, kind: LinkType::OwnedBy, from: id("w:a"), to: id("o:b") };
    ChangeDocument {
        format: Format::ArbChange,
        tool: Some("terraform 1.11.4".to_owned()),
        workspace: Some("production".to_owned()),
        drift: [id("aws_vpc.main")].into(),
        links: vec![added.clone(), LinkEdit { add: false, ..added }],
        outputs: ["url".to_owned()].into(),
        errored: true,
        incomplete: true,
        sensitivity_unmarked: true,
        withheld_unkeyed: true,
        withheld: 1,
        ..document(&[whole_target()])
    }
}

fn change() -> Change {
    Change {
        review: review(),
        revision: 2,
        supersedes: Some(review()),
        source: name("terraform"),
        idempotency_key: name("key"),
        change_kind: name("infrastructure"),
        intent: Intent::Planned,
        requester: mina(),
        requester_verified: true,
        content_digest: digest("content"),
        change_digest: digest("change"),
        document: Content::Inline(Arc::new(whole_document())),
        summary: ChangeSummary {
            format: Format::TerraformPlan,
            format_version: "1.2".to_owned(),
            tool: None,
            actions: [(Action::Replace, 1), (Action::NoOp, 3)].into(),
            withheld: 1,
        },
        planned_at: Some(at()),
        requested_release: digest("release"),
        pins: pins(),
        attachments: attachments(),
        process_ref: Some(id("process:1")),
    }
}

fn attachments() -> Vec<Attachment> {
    let cost = CostEstimate {
        monthly_delta: Money::new(i64::MAX, "USD"),
        by_address: [(id("aws_db_instance.main"), Money::new(-1, "USD"))].into(),
    };
    let rehearsal = Rehearsal { at: at(), rto_s: 1_800, rpo_s: 60, succeeded: true };
    let attachment = |name: &str, claim| Attachment {
        name: crate::Name::new(name).unwrap(),
        digest: digest(name),
        made_at: Some(at()),
        claim,
    };
    vec![
        attachment("infracost.json", AttachmentKind::CostEstimate(cost)),
        attachment(
            "rehearsal.yaml",
            AttachmentKind::RecoveryRehearsal(RehearsalClaim { object: id("p:a"), rehearsal }),
        ),
    ]
}

#[test]
fn what_huginn_says_reads_back() {
    reads_back(&change());
    let body = BodyRef::of(b"elsewhere", crate::records::document::MEDIA_TYPE);
    reads_back(&Change {
        supersedes: None,
        planned_at: None,
        attachments: Vec::new(),
        process_ref: None,
        document: Content::Body(body),
        ..change()
    });
    reads_back(&ChangeRefused {
        requester: mina(),
        change_digest: digest("change"),
        why: "not planned".to_owned(),
    });
    reads_back(&Evidence { requester: mina(), attachments: attachments(), pins: pins() });
    reads_back(&RecheckAsked { requester: mina(), seen: 3, pins: pins() });
    reads_back(&RequesterAdded { requester: mina() });
}

#[test]
fn documents_and_models_read_back() {
    reads_back(&whole_document());
    reads_back(&document(&[]));
    reads_back(&whole_target());
    reads_back(&shop());
    reads_back(&crate::policy::Catalog::empty(name("acme")));
}

#[test]
fn what_is_said_of_the_estate_reads_back() {
    reads_back(&ChangeOpened {
        review: review(),
        supersedes: None,
        content_digest: digest("content"),
        at: at(),
        targets: [id("a.b")].into(),
        targets_total: 1,
    });
    reads_back(&ChangeClosed { review: review(), why: Closing::Rejected });
    reads_back(&ConcurrentChanges {
        evaluation: 1,
        open: vec![ConcurrentChange { review: review(), targets: [id("a.b")].into() }],
        truncated: true,
        unavailable: Some(Unavailable { cause: "a cause".to_owned(), cure: "a cure".to_owned() }),
    });
}

#[test]
fn u05_what_a_change_is_does_not_depend_on_who_wrote_it_down_or_when() {
    let plan = whole_document();
    let same = ChangeDocument { tool: None, format_version: "1.1".to_owned(), ..plan.clone() };
    assert_eq!(plan.content_digest(), same.content_digest());
    let differs = |other: &ChangeDocument| assert_ne!(plan.content_digest(), other.content_digest());
    differs(&ChangeDocument { workspace: None, ..plan.clone() });
    differs(&ChangeDocument { errored: false, ..plan.clone() });
    differs(&ChangeDocument { drift: Default::default(), ..plan.clone() });
    differs(&ChangeDocument { links: Vec::new(), ..plan.clone() });
    let mut other = plan.clone();
    other.targets[0].action = Action::Update;
    differs(&other);
}

#[test]
fn s22_the_digest_of_a_change_covers_content_release_and_kind() {
    let of = |content: &str, release: &str, kind: &str| {
        Change::digest_of(digest(content), digest(release), &name(kind))
    };
    assert_eq!(of("a", "b", "c"), of("a", "b", "c"));
    for other in [of("x", "b", "c"), of("a", "x", "c"), of("a", "b", "x"), of("b", "a", "c")] {
        assert_ne!(of("a", "b", "c"), other);
    }
}

#[test]
fn only_planned_changes_can_be_written_down() {
    let mut json = serde_json::to_value(change()).unwrap();
    json["intent"] = "applied".into();
    assert!(serde_json::from_value::<Change>(json).is_err());
}
