use std::collections::BTreeSet;

use ontology::records::change::{AttachmentKind, RehearsalClaim};
use ontology::records::{Attachment, EvaluationOpened, Evidence, Opening, RecheckAsked};
use ontology::{Digest, Timestamp};
use proptest::prelude::*;
use topics::{Agent, Cause, Event, Key, Object, Owner, Step, Stored, Topic};

use crate::followed::Followed;
use crate::kit::disorder::{decided, disordered};
use crate::kit::samples::{self, id, name};
use crate::kit::{World, said};
use crate::{Coordinator, Mimir, Muninn, Njord, Vidar};

fn claim(text: &str) -> Attachment {
    let rehearsal = samples::rehearsal(1, 1, true);
    Attachment {
        name: name(text),
        digest: Digest::of(text.as_bytes()),
        made_at: None,
        claim: AttachmentKind::RecoveryRehearsal(RehearsalClaim { object: id(samples::PLAN), rehearsal }),
    }
}

/// A review of three evaluations: with evidence that waits for a receipt, a deadline, and a recheck.
fn review() -> World {
    let document = samples::database_change();
    let mut change = samples::change(&document);
    change.attachments = vec![claim("first")];
    let mut world = World::open(change, document, samples::model(), samples::catalog()).with_deciders();
    let pins = said!(world, Change).expect("the change").pins.clone();
    let propose = |world: &mut World, evaluation| {
        world.run();
        world.derived(Owner::Forseti, Topic::PolicySet, vec![samples::options(evaluation, &[]).into()]);
        world.run();
    };
    propose(&mut world, 1);
    let requester = samples::requester();
    let evidence =
        Evidence { requester, attachments: vec![claim("second"), claim("first")], pins: pins.clone() };
    world.observed(Owner::Huginn, "evidence/a", vec![evidence.into()]);
    world.receipt(1);

    world.silence("recovery");
    propose(&mut world, 2);
    world.reach_deadline(Owner::Muninn);
    world.hear_all();
    world.run();
    world.receipt(2);

    world.observed(
        Owner::Huginn,
        "recheck/2",
        vec![RecheckAsked { requester: samples::requester(), seen: 2, pins }.into()],
    );
    propose(&mut world, 3);
    world
}

#[test]
fn the_review_of_these_tests_has_three_evaluations_and_their_bundles() {
    let world = review();
    assert_eq!(world.all(Topic::EvaluationOpened).len(), 2);
    assert_eq!(world.all(Topic::ReviewSchedule).len(), 3);
    assert_eq!(world.all(Topic::EvidenceBundle).len(), 3);
}

#[test]
fn s18_claims_count_from_the_evaluation_that_opens_after_them() {
    let world = review();
    let documents: Vec<usize> = world
        .all(Topic::EvidenceBundle)
        .into_iter()
        .map(|object| match object {
            topics::Object::EvidenceBundle(bundle) => bundle.document.len(),
            other => panic!("{other:?} is no bundle"),
        })
        .collect();
    assert_eq!(documents, [2, 3, 3], "the change and its claim; then both claims, each once");
}

#[test]
fn s18_a_claim_brought_after_the_cutoff_waits_for_the_next_evaluation() {
    // The Coordinator opens an evaluation because of a receipt; meanwhile somebody brings a claim, and the log takes
    // that first.
    let at = Timestamp::from_micros;
    let change = samples::change(&samples::database_change());
    let (key, pins) = (Key::review(change.review), change.pins.clone());
    let observed = |name: &str, object: Object| {
        Step::observed(key.clone(), Owner::Huginn, 1, Cause::named(name), None, vec![object]).expect("a step")
    };
    let submitted = observed("submit", change.into());
    let requester = samples::requester();
    let late = Evidence { requester, attachments: vec![claim("late")], pins: pins.clone() };
    let late = observed("evidence/a", late.into());
    let opened = |evaluation, time| {
        let object = EvaluationOpened { evaluation, opening: Opening::Evidence, pins: pins.clone() }.into();
        Step::derived(key.clone(), Owner::Coordinator, 1, time, late.id(), vec![object]).expect("a step")
    };
    let mut followed = Followed::<()>::default();
    let mut claims = |step: &Step, time| {
        followed.follow(&Event { time, step });
        followed.current().map(|current| current.claims.len())
    };

    assert_eq!(claims(&submitted, at(10)), Some(0));
    assert_eq!(claims(&late, at(30)), Some(0));
    assert_eq!(claims(&opened(2, at(20)), at(20)), Some(0), "it came after what this evaluation counts");
    assert_eq!(claims(&opened(3, at(40)), at(40)), Some(1));
}

#[test]
fn s01_each_agent_folds_what_the_table_says() {
    fn check<A: Agent>() {
        let reads: BTreeSet<Topic> = A::READS.iter().copied().collect();
        let table = Topic::ALL.iter().copied().filter(|topic| topic.readers().contains(&A::ROLE));
        assert_eq!(reads, table.collect(), "{}", A::ROLE);
    }
    check::<Coordinator>();
    check::<Muninn>();
    check::<Mimir>();
    check::<Njord>();
    check::<Vidar>();
}

/// On the recorded review and on any disorder of it, `A` decides the same and waits for the same.
fn same<A: Agent>(world: &World, swaps: &[usize], twice: &[(usize, usize)]) -> Result<(), TestCaseError> {
    let in_order = decided::<A>(&world.log.steps, &world.library);
    let disorder = disordered(&world.log.steps, swaps, twice);
    prop_assert_eq!(decided::<A>(&disorder, &world.library), in_order, "{}", A::ROLE);
    Ok(())
}

#[test]
fn disorder_moves_most_steps_and_keeps_causes() {
    let world = review();
    let swaps: Vec<usize> = (0..400).map(|number| number * 7).collect();
    let disorder = disordered(&world.log.steps, &swaps, &[]);
    let moved = disorder.iter().zip(&world.log.steps).filter(|(one, other)| one != other).count();
    assert!(moved * 2 > disorder.len(), "{moved} of {}", disorder.len());
    let place = |topic| disorder.iter().position(|stored| stored.step.concerns(&[topic]));
    assert!(place(Topic::StateSnapshot) < place(Topic::ReviewSchedule));
}

#[test]
fn what_is_decided_in_order_is_what_was_recorded() {
    fn check<A: Agent>(world: &World) {
        let (objects, _) = decided::<A>(&world.log.steps, &world.library);
        let own = world.log.steps.iter().filter(|stored| stored.step.owner() == A::ROLE);
        let own = own.filter(|stored| stored.step.kind() == topics::Kind::Derived);
        let said = own.flat_map(|stored| stored.step.records()).map(|record| &record.object);
        let said: BTreeSet<(Topic, Vec<u8>)> =
            said.map(|object| (object.topic(), object.encode().expect("a canonical form"))).collect();
        assert_eq!(objects, said, "{}", A::ROLE);
    }
    let world = review();
    check::<Coordinator>(&world);
    check::<Muninn>(&world);
    check::<Mimir>(&world);
    check::<Njord>(&world);
    check::<Vidar>(&world);
}

#[test]
fn to_be_told_everything_again_changes_nothing_at_any_point() {
    fn check<A: Agent>(world: &World) {
        for head in 1..=world.log.steps.len() {
            let once = &world.log.steps[..head];
            let twice: Vec<Stored> = once.iter().chain(once).cloned().collect();
            assert_eq!(
                decided::<A>(&twice, &world.library),
                decided::<A>(once, &world.library),
                "{} {head}",
                A::ROLE
            );
        }
    }
    let world = review();
    check::<Coordinator>(&world);
    check::<Muninn>(&world);
    check::<Mimir>(&world);
    check::<Njord>(&world);
    check::<Vidar>(&world);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_order_that_causes_allow_and_any_repetition_decide_the_same(
        swaps in prop::collection::vec(any::<usize>(), 0..200),
        twice in prop::collection::vec(any::<(usize, usize)>(), 0..12),
    ) {
        let world = review();
        same::<Coordinator>(&world, &swaps, &twice)?;
        same::<Muninn>(&world, &swaps, &twice)?;
        same::<Mimir>(&world, &swaps, &twice)?;
        same::<Njord>(&world, &swaps, &twice)?;
        same::<Vidar>(&world, &swaps, &twice)?;
    }
}
