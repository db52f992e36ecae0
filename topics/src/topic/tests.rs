use std::collections::BTreeSet;

use super::*;

#[test]
fn names_are_unique_subject_tokens_and_read_back() {
    let names: BTreeSet<&str> = Topic::ALL.iter().map(|topic| topic.as_str()).collect();
    assert_eq!(names.len(), Topic::ALL.len());
    for topic in Topic::ALL {
        let name = topic.as_str();
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{name}");
        assert_eq!(name.parse(), Ok(*topic));
        assert_eq!(serde_json::json!(topic), name);
    }
    assert_eq!("nothing".parse::<Topic>(), Err(UnknownTopic("nothing".into())));
}

#[test]
fn every_topic_has_a_schema_number_and_readers_once_each() {
    for topic in Topic::ALL {
        assert!(topic.schema() >= 1, "{topic}");
        let readers: BTreeSet<_> = topic.readers().iter().collect();
        assert_eq!(readers.len(), topic.readers().len(), "{topic} names a reader twice");
        assert!(Owner::ALL.contains(&topic.owner()), "{topic}");
        assert!(readers.iter().all(|reader| Owner::ALL.contains(reader)), "{topic}");
    }
}

/// S-04: no decision reads the projection; and nobody folds what the audit writes for itself.
#[test]
fn s04_nobody_reads_the_projection() {
    for topic in [Topic::ReviewProjection, Topic::AuditIntent, Topic::AuditEntry] {
        assert!(topic.readers().is_empty(), "{topic}");
    }
}

/// The authority matrix, reviewed by people: who may say what, and whether anybody can recompute it.
#[test]
fn golden_authority() {
    let line = |topic: &Topic| {
        let kind = if topic.kind() == Kind::Derived { "derived" } else { "observed" };
        format!("{} {} {kind} {}", topic.owner(), topic.as_str(), topic.schema())
    };
    let lines: Vec<String> = Topic::ALL.iter().map(line).collect();
    let expect = [
        "huginn change observed 1",
        "huginn change-refused observed 1",
        "huginn evidence observed 1",
        "huginn recheck-asked observed 1",
        "huginn requester-added observed 1",
        "huginn change-opened derived 1",
        "coordinator evaluation-opened derived 1",
        "coordinator review-schedule derived 1",
        "muninn model-revision observed 1",
        "muninn state-snapshot derived 1",
        "muninn concurrent-changes observed 1",
        "muninn evidence-bundle derived 1",
        "mimir catalog observed 1",
        "mimir policy-set derived 1",
        "forseti option-set derived 1",
        "njord cost observed 1",
        "vidar recovery observed 1",
        "loki experiment-proposal derived 1",
        "forseti graph-receipt derived 1",
        "forseti scenario derived 1",
        "forseti decision-case derived 1",
        "forseti impact-envelope derived 1",
        "forseti recommendation derived 2",
        "forseti verdict derived 1",
        "var approval-request derived 1",
        "var approval-signal observed 1",
        "var approval derived 1",
        "var exception-asked observed 1",
        "saga audit-intent derived 1",
        "saga audit-entry derived 1",
        "saga decision-receipt derived 2",
        "saga review-projection derived 1",
        "saga change-closed derived 1",
        "runtime body-chunk observed 1",
        "runtime deadline-reached observed 1",
        "runtime degradation observed 1",
        "runtime quarantined observed 1",
        "runtime security-event observed 1",
    ];
    assert_eq!(lines, expect);
}

#[test]
fn owners_are_the_fifteen_and_three_more() {
    assert_eq!(Owner::ALL.len(), 18);
    for owner in Owner::ALL {
        assert_eq!(owner.as_str().parse(), Ok(*owner));
        assert_eq!(serde_json::json!(owner), owner.as_str());
    }
    assert!("loki2".parse::<Owner>().is_err());
}

#[test]
fn every_topic_has_a_json_schema_of_an_object() {
    let schemas = schemas();
    assert_eq!(schemas.iter().map(|(topic, _)| *topic).collect::<Vec<_>>(), Topic::ALL);
    for (topic, schema) in &schemas {
        assert_eq!(schema.get("type").and_then(|it| it.as_str()), Some("object"), "{topic}");
        assert_eq!(
            schema.get("additionalProperties").and_then(serde_json::Value::as_bool),
            Some(false),
            "{topic}"
        );
    }
}
