use crate::graph::sample::{link, model, name, object, source};
use crate::graph::{Graph, LinkQuality};
use crate::model::{Link, Source};
use crate::{ReasonCode, Timestamp};

const DAY_S: u64 = 86_400;

fn day(number: i64) -> Timestamp {
    Timestamp::default().plus_seconds(number * 86_400)
}

/// The quality on day 100 of one link, stated and denied by these sources, which are reviewed after 30 days.
fn quality(sources: &[Source], stated: &[&str], denied: &[&str]) -> LinkQuality {
    let names = |ids: &[&str]| ids.iter().map(|id| name(id)).collect();
    let link = Link { sources: names(stated), denied_by: names(denied), ..link("w:a", "w:b") };
    let mut model = model(&["w:a", "w:b"].map(object), &[link]);
    model.sources = sources.to_vec();
    LinkQuality::of(&Graph::index(model).unwrap(), 0, day(100), 30 * DAY_S)
}

fn asserted(id: &str, authority: &str, on: i64) -> Source {
    Source { asserted_at: Some(day(on)), ..source(id, authority) }
}

#[test]
fn s13_two_sources_verify_a_link_when_their_authorities_differ_and_nobody_denies_it() {
    let three = [source("a", "team"), source("b", "team"), source("c", "cloud")];
    let unverified = LinkQuality { verified: false, faults: vec![ReasonCode::LinkEvidenceUnverified] };
    assert_eq!(quality(&three, &["a"], &[]), unverified);
    assert_eq!(quality(&three, &["a", "b"], &[]), unverified);
    assert_eq!(quality(&three, &[], &[]), unverified);
    assert_eq!(quality(&three, &["a", "c"], &[]), LinkQuality { verified: true, faults: Vec::new() });
    let mut expected = vec![ReasonCode::LinkEvidenceUnverified, ReasonCode::LinkEvidenceConflicting];
    expected.sort();
    assert_eq!(quality(&three, &["a", "c"], &["b"]), LinkQuality { verified: false, faults: expected });
}

#[test]
fn u08_age_synthesis_and_gaps_are_faults_of_the_link() {
    let check = |changed: Source, expect: &[ReasonCode]| {
        let sources = [Source { id: name("a"), ..changed }, asserted("b", "cloud", 90)];
        assert_eq!(quality(&sources, &["a", "b"], &[]).faults, expect);
    };
    let fresh = || asserted("a", "team", 90);
    check(fresh(), &[]);
    check(asserted("a", "team", 70), &[]);
    check(asserted("a", "team", 69), &[ReasonCode::LinkEvidenceStale]);
    check(Source { review_by: Some(day(101)), ..asserted("a", "team", 1) }, &[]);
    check(Source { review_by: Some(day(99)), ..fresh() }, &[ReasonCode::LinkEvidenceStale]);
    check(source("a", "team"), &[]);
    check(Source { synthetic: true, ..fresh() }, &[ReasonCode::LinkEvidenceSynthetic]);
    check(Source { incomplete: true, ..fresh() }, &[ReasonCode::LinkEvidenceIncomplete]);
    check(Source { observed_at: Some(day(101)), ..fresh() }, &[ReasonCode::LinkEvidenceAfterCutoff]);
    check(asserted("a", "team", 101), &[ReasonCode::LinkEvidenceAfterCutoff]);
}
