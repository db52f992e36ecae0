use uuid::Uuid;

use super::{at, digest, mina, reads_back, review};
use crate::BodyRef;
use crate::graph::sample::name;
use crate::identity::RecordId;
use crate::records::audit::GENESIS;
use crate::records::decision::Basis;
use crate::records::snapshot::Pair;
use crate::records::{
    AuditEntry, AuditIntent, AuditItem, BodyChunk, CatalogRevision, DeadlineReached, DecisionReceipt,
    Degradation, ModelRevision, PolicySet, Quarantined, RecommendationKind, ReviewProjection, SecurityEvent,
    VerdictKind,
};

fn entry() -> AuditEntry {
    let item = AuditItem { record: RecordId::new(Uuid::from_u128(7), 0), digest: digest("record") };
    AuditEntry { evaluation: 1, sequence: 0, previous: GENESIS, items: vec![item] }
}

#[test]
fn what_saga_writes_down_reads_back() {
    reads_back(&AuditIntent { evaluation: 1, bundle_digest: Some(digest("bundle")) });
    reads_back(&AuditIntent { evaluation: 1, bundle_digest: None });
    reads_back(&entry());
    reads_back(&DecisionReceipt {
        review: review(),
        evaluation: 1,
        verdict: VerdictKind::Held,
        recommendation: RecommendationKind::Held,
        basis: Basis::Observation,
        content_digest: digest("content"),
        change_digest: digest("change"),
        snapshot_digest: None,
        bundle_digest: Some(digest("bundle")),
        case_digest: digest("case"),
        catalog: digest("catalog"),
        requester: mina(),
        approved_by: Default::default(),
        conditions: Vec::new(),
        exceptions: Vec::new(),
        audit_hash: entry().hash(),
        decided_at: at(),
        valid_until: at().plus_seconds(1),
    });
    reads_back(&ReviewProjection { evaluation: 1, digest: digest("model") });
}

#[test]
fn an_entry_vouches_for_everything_in_it() {
    let hash = entry().hash();
    assert_eq!(hash, entry().hash());
    let mut other = entry();
    other.items[0].digest = digest("another record");
    assert_ne!(hash, other.hash());
    assert_ne!(hash, AuditEntry { previous: hash, ..entry() }.hash());
    assert_ne!(hash, AuditEntry { sequence: 1, ..entry() }.hash());
}

#[test]
fn what_is_in_force_reads_back() {
    reads_back(&ModelRevision {
        digest: digest("model"),
        body: BodyRef::of(b"model", crate::model::MEDIA_TYPE),
        objects: 3,
        links: 2,
        warnings: vec!["catalog-info.yaml:3: an unknown kind".to_owned()],
    });
    reads_back(&CatalogRevision {
        digest: digest("catalog"),
        body: BodyRef::of(b"catalog", crate::policy::catalog::MEDIA_TYPE),
        name: name("acme"),
        constraints: 12,
    });
    reads_back(&PolicySet {
        evaluation: 1,
        catalog: digest("catalog"),
        constraints: vec![Pair { id: "rule".to_owned(), digest: digest("rule") }],
        policies: [(name("deny.rego"), digest("deny"))].into(),
    });
}

#[test]
fn what_the_runtime_says_of_itself_reads_back() {
    reads_back(&BodyChunk { index: 0, of: 1, bytes: vec![0, 255].into() });
    reads_back(&DeadlineReached { evaluation: 1, name: name("seal") });
    let why = || "it gave up".to_owned();
    reads_back(&Degradation { agent: name("Njord"), state: name("gave-up"), why: why() });
    reads_back(&Quarantined { agent: name("Njord"), event: "a step".to_owned(), why: why() });
    reads_back(&SecurityEvent { what: name("wrong-owner"), principal: Some(mina()), why: why() });
    reads_back(&SecurityEvent { what: name("wrong-digest"), principal: None, why: why() });
}
