//! Several sources of one fact: cross-checks, contradictions, and order.

use ontology::Digest;
use proptest::prelude::*;

use super::*;

const THINGS: &str = "arb: model/1\nobjects:\n  - { id: a, type: workload, tier: 1, environment: production }\n  \
    - { id: b, type: workload }\n  - { id: x, type: ownership }\n  - { id: y, type: ownership }\n";

/// A topology of links alone, with more lines of its head.
fn links(head: &str, links: &[&str]) -> String {
    let links: String = links
        .iter()
        .map(|link| {
            let words: Vec<&str> = link.split(' ').collect();
            format!("  - {{ type: {}, from: {}, to: {} }}\n", words[1], words[0], words[2])
        })
        .collect();
    format!("arb: model/1\n{head}links:\n{links}")
}

#[test]
fn s13_a_relation_keeps_all_of_its_sources() {
    let one = links("authority: cmdb\n", &["a workload_depends_on b"]);
    let other = links("authority: mesh\n", &["a workload_depends_on b"]);
    let compiled = compiled(&[("things.yaml", THINGS), ("one.yaml", &one), ("other.yaml", &other)]);
    let link = compiled.link(LinkType::WorkloadDependsOn, "a", "b");
    assert_eq!(names(&link.sources), ["one.yaml", "other.yaml"]);
    let summary = check(&compiled);
    assert_eq!(summary.one_source, [""; 0]);
    assert_eq!(summary.sources[&Name::new("things.yaml").unwrap()].as_str(), "things.yaml");
}

#[test]
fn two_files_of_one_authority_are_one_source() {
    let link = links("authority: cmdb\n", &["a workload_depends_on b"]);
    let compiled = compiled(&[("things.yaml", THINGS), ("one.yaml", &link), ("other.yaml", &link)]);
    assert_eq!(check(&compiled).one_source, ["workload_depends_on:a:b"]);
}

#[test]
fn an_authority_is_the_catalogs_word_then_the_files_then_its_folders() {
    let check = |path: &str, head: &str, expect: &str| {
        let mut catalog = catalog();
        for (pattern, authority) in [("cmdb/*", "ops"), ("cmdb/export-*.yaml", "cmdb"), ("*/b.yaml", "wide")]
        {
            catalog.authorities.insert(pattern.into(), Name::new(authority).unwrap());
        }
        let compiled = compile(&[file(path, &format!("arb: model/1\n{head}"))], &catalog).unwrap();
        assert_eq!(compiled.model.sources[0].authority.as_str(), expect, "{path}");
    };
    check("cmdb/a.yaml", "authority: me", "ops");
    check("cmdb/export-1.yaml", "authority: me", "cmdb");
    check("cmdb/b.yaml", "", "wide");
    check("teams/a.yaml", "authority: me", "me");
    check("teams/a.yaml", "", "teams");
    check("a.yaml", "", "a.yaml");
}

#[test]
fn of_two_owners_the_first_sources_counts_and_the_other_denies_it() {
    let files = [
        ("1.yaml", links("", &["a owned_by y"])),
        ("2.yaml", links("", &["a owned_by x"])),
        ("3.yaml", links("", &["a owned_by x"])),
    ];
    let mut files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    files.push(("things.yaml", THINGS));
    let compiled = compiled(&files);
    assert_eq!(compiled.links(), ["a owned_by y"]);
    let link = compiled.link(LinkType::OwnedBy, "a", "y");
    assert_eq!((names(&link.sources), names(&link.denied_by)), (vec!["1.yaml"], vec!["2.yaml", "3.yaml"]));
    assert_eq!(
        compiled.warnings,
        ["a: sources differ about owned_by; a owned_by y counts, and 2.yaml, 3.yaml denies it"]
    );
    assert_eq!(check(&compiled).denied, ["owned_by:a:y"]);
}

#[test]
fn a_full_list_denies_what_it_leaves_out_between_the_things_it_mentions() {
    let full = links(
        "complete_for: [workload_depends_on]\n",
        &["b workload_depends_on a", "c workload_depends_on a"],
    );
    let other = links("", &["a workload_depends_on b", "b workload_depends_on d", "a owned_by x"]);
    let more = "arb: model/1\nobjects: [{ id: c, type: workload }, { id: d, type: workload }]\n";
    let compiled = compiled(&[
        ("full.yaml", &full),
        ("more.yaml", more),
        ("other.yaml", &other),
        ("things.yaml", THINGS),
    ]);
    let denied = |kind: LinkType, from: &str, to: &str| {
        names(&compiled.link(kind, from, to).denied_by) == ["full.yaml"]
    };
    assert!(denied(LinkType::WorkloadDependsOn, "a", "b"));
    assert!(!denied(LinkType::WorkloadDependsOn, "b", "d"), "it does not mention d");
    assert!(!denied(LinkType::WorkloadDependsOn, "b", "a"), "it states it");
    assert!(!denied(LinkType::OwnedBy, "a", "x"), "it is no full list of owners");
}

#[test]
fn details_that_differ_take_the_first_and_say_so() {
    let other = "arb: model/1\nobjects:\n  - { id: a, type: workload, tier: 2, environment: staging, kind: job, title: A }\n";
    let compiled = compiled(&[("1.yaml", THINGS), ("2.yaml", other)]);
    let object = compiled.object("a");
    let placement = object.detail.placement().unwrap();
    assert_eq!(placement.environment.as_deref(), Some("production"));
    assert_eq!((placement.tier, placement.kind.as_deref()), (Some(1), Some("job")));
    assert_eq!(object.title.as_deref(), Some("A"));
    assert_eq!(names(&object.sources), ["1.yaml", "2.yaml"]);
    assert_eq!(
        compiled.warnings,
        ["a: 1.yaml and 2.yaml differ about its environment, its tier; the first counts"]
    );
}

#[test]
fn a_source_that_describes_an_objective_otherwise_denies_it() {
    let objectives = |target: &str| {
        format!(
            "arb: objectives/1\nobjectives:\n- object: a\n  service: [{{ metric: availability, target: {target}, window: 30d }}]\n"
        )
    };
    let (one, two) = (objectives("0.999"), objectives("0.99"));
    let differing = compiled(&[("1.yaml", &one), ("2.yaml", &two), ("things.yaml", THINGS)]);
    let link = differing.link(LinkType::HasServiceObjective, "a", "objective:a/availability");
    assert_eq!((names(&link.sources), names(&link.denied_by)), (vec!["1.yaml"], vec!["2.yaml"]));
    let agreeing = compiled(&[("1.yaml", &one), ("2.yaml", &one), ("things.yaml", THINGS)]);
    let link = agreeing.link(LinkType::HasServiceObjective, "a", "objective:a/availability");
    assert_eq!((names(&link.sources), link.denied_by.len()), (vec!["1.yaml", "2.yaml"], 0));
}

#[test]
fn rehearsals_of_two_sources_are_one_history() {
    let plan = |at: &str| {
        format!(
            "arb: objectives/1\nobjectives:\n- object: a\n  recovery_plans: [{{ strategy: restore, rehearsals: \
             [{{ at: {at}, rto: 1h, rpo: 5m, succeeded: true }}] }}]\n"
        )
    };
    let (one, two) = (plan("2026-02-01"), plan("2026-01-01"));
    let compiled = compiled(&[("1.yaml", &one), ("2.yaml", &two), ("things.yaml", THINGS)]);
    let ontology::model::Detail::RecoveryPlan(plan) = &compiled.object("recovery-plan:a/restore").detail
    else {
        panic!("a plan");
    };
    let times: Vec<String> = plan.rehearsals.iter().map(|rehearsal| rehearsal.at.to_string()).collect();
    assert_eq!(times, ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"]);
    assert_eq!(compiled.warnings, [""; 0]);
}

#[test]
fn warnings_are_bounded_and_say_how_many_more_there_are() {
    let all: Vec<String> =
        (0..WARNINGS_MAX + 50).map(|n| format!("a workload_depends_on gone-{n:04}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let compiled = compiled(&[("1.yaml", &links("", &all)), ("things.yaml", THINGS)]);
    assert_eq!(compiled.warnings.len(), WARNINGS_MAX + 1);
    assert_eq!(compiled.warnings.last().unwrap(), "50 more warnings");
}

/// Small files over few names, so that they often agree, differ and dangle.
fn any_files() -> impl Strategy<Value = Vec<ModelFile>> {
    let name = || prop::sample::select(vec!["a", "b", "c", "gone"]);
    let entity = (name(), name(), name(), 0..3_u8).prop_map(|(it, owner, uses, tier)| {
        format!(
            "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: {it}\n  labels: {{ tier: '{tier}' }}\n\
             spec: {{ owner: '{owner}', dependsOn: ['component:{uses}'], consumesApis: [{uses}], providesApis: [{it}] }}\n"
        )
    });
    let topology = (name(), name(), name(), any::<bool>()).prop_map(|(from, to, owner, full)| {
        let full = if full { "complete_for: [owned_by, workload_depends_on]\n" } else { "" };
        format!(
            "arb: model/1\n{full}objects:\n- {{ id: 'group:{owner}', type: ownership }}\n- {{ id: 'resource:{from}', type: resource }}\n\
             - {{ id: 'resource:x{to}', type: resource }}\nlinks:\n- {{ type: owned_by, from: 'component:{from}', to: 'group:{owner}' }}\n\
             - {{ type: contains, from: 'resource:{from}', to: 'resource:x{to}' }}\n"
        )
    });
    let objectives = (name(), 1..9_u8).prop_map(|(it, hours)| {
        format!("arb: objectives/1\nobjectives: [{{ object: 'component:{it}', recovery: {{ rto: {hours}h, rpo: 1m }} }}]\n")
    });
    let binding = (name(), 1..5_u8).prop_map(|(it, tier)| {
        format!("- {{ component: {it}, tier: {tier}, terraform: {{ address: 'module.{it}.**' }} }}\n")
    });
    let tiers = Just("arb: tiers/1\ntiers: { 1: { recovery: { rto: 1h, rpo: 1m } } }\n".to_owned());
    let text = prop_oneof![4 => entity, 3 => topology, 2 => objectives, 2 => binding];
    (prop::collection::vec(text, 0..12), prop::option::of(tiers)).prop_map(|(texts, tiers)| {
        let texts = texts.into_iter().chain(tiers);
        texts.enumerate().map(|(index, text)| file(&format!("{}/{index}.yaml", index % 3), &text)).collect()
    })
}

proptest! {
    #[test]
    fn files_in_any_order_make_the_same_model_and_it_indexes(
        (files, shuffled) in any_files().prop_flat_map(|files| (Just(files.clone()), Just(files).prop_shuffle()))
    ) {
        let (one, other) = (compile(&files, &catalog()), compile(&shuffled, &catalog()));
        prop_assert_eq!(&one, &other);
        if let Ok(compiled) = one {
            prop_assert_eq!(compiled.model.digest(), Digest::of(&ontology::cbor::to_vec(&compiled.model).unwrap()));
            prop_assert!(Graph::index(compiled.model).is_ok());
        }
    }

    #[test]
    fn no_file_makes_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[a-z:\\[\\]{}&*!|>'\"\n -]{0,80}") {
        for bytes in [bytes, text.into_bytes()] {
            let file = ModelFile { path: "a.yaml".into(), bytes, asserted_at: None, observed_at: None };
            let _ = compile(&[file], &catalog());
        }
    }
}
