use std::collections::BTreeSet;

use ontology::records::estate::Closing;
use ontology::records::{ChangeClosed, ChangeOpened};
use ontology::{Digest, ObjectId, ReviewId, Timestamp};
use proptest::prelude::*;
use topics::question::CONCURRENT_MAX;
use topics::{Answer, Cause, Key, Object, Owner, Position, Step, StepId, Stored};

use super::{COMMON_TARGETS_MAX, Estate};
use crate::kit::samples::{id, noon};

fn review(number: u64) -> ReviewId {
    ReviewId::derive("test", &number.to_string())
}

fn stored(position: u64, owner: Owner, object: Object) -> Stored {
    let cause =
        topics::step::slot(&Key::estate(), Owner::Huginn, &Cause::named(&format!("cause-{position}")));
    let step = Step::derived(Key::estate(), owner, 1, noon(), StepId(cause.0), vec![object]).expect("a step");
    Stored { position: Position(position), at: noon(), step }
}

fn opened_at(position: u64, number: u64, targets: &[&str], supersedes: Option<u64>, at: Timestamp) -> Stored {
    let targets: BTreeSet<ObjectId> = targets.iter().map(|target| id(target)).collect();
    let targets_total = u32::try_from(targets.len()).expect("few");
    let (review, supersedes) = (review(number), supersedes.map(review));
    let content_digest = Digest::of(b"content");
    let opened = ChangeOpened { review, supersedes, content_digest, at, targets, targets_total };
    stored(position, Owner::Huginn, opened.into())
}

fn opened(position: u64, number: u64, targets: &[&str]) -> Stored {
    opened_at(position, number, targets, None, noon())
}

fn closed(position: u64, number: u64) -> Stored {
    let closed = ChangeClosed { review: review(number), why: Closing::Rejected };
    stored(position, Owner::Saga, closed.into())
}

fn estate(steps: &[Stored]) -> Estate {
    let mut estate = Estate::default();
    steps.iter().for_each(|step| estate.fold(step));
    estate
}

/// The reviews that `number` meets with its own targets.
fn met(steps: &[Stored], number: u64) -> Option<BTreeSet<ReviewId>> {
    match estate(steps).answer(review(number), &BTreeSet::new(), noon())? {
        Answer::ConcurrentChanges { open, .. } => Some(open.into_iter().map(|other| other.review).collect()),
        other => panic!("{other:?} is no answer about other changes"),
    }
}

#[test]
fn nobody_knows_what_is_before_until_the_own_entry_is_in() {
    assert_eq!(met(&[opened(1, 1, &["a"])], 2), None);
}

#[test]
fn open_changes_with_a_common_target_at_lower_positions_are_met() {
    let check = |steps: &[Stored], expect: &[u64]| {
        assert_eq!(met(steps, 9), Some(expect.iter().map(|number| review(*number)).collect()), "{steps:?}");
    };
    let own = || opened(5, 9, &["a", "b"]);
    check(&[own()], &[]);
    check(&[opened(1, 1, &["a"]), opened(2, 2, &["c"]), own()], &[1]);
    check(&[opened(1, 1, &["a"]), opened(2, 2, &["b"]), own()], &[1, 2]);
    check(&[own(), opened(6, 1, &["a"])], &[]);
    check(&[opened(1, 1, &["a"]), closed(3, 1), own()], &[]);
    check(&[opened(1, 1, &["a"]), own(), closed(7, 1)], &[]);
    check(&[opened(1, 1, &["a"]), opened_at(2, 2, &["a"], Some(1), noon()), own()], &[2]);
    check(&[opened_at(1, 1, &["a"], None, noon().plus_seconds(-1)), own()], &[]);
    check(&[opened(1, 1, &["a"]), opened_at(5, 9, &["a"], Some(1), noon())], &[]);
}

#[test]
fn asked_targets_count_beside_the_entrys() {
    let estate = estate(&[opened(1, 1, &["z"]), opened(2, 2, &["a"])]);
    let answer = estate.answer(review(2), &[id("z")].into(), noon()).expect("its entry is in");
    let Answer::ConcurrentChanges { open, truncated } = answer else { panic!("no answer") };
    assert_eq!((open.len(), truncated), (1, false));
    assert_eq!(open[0].targets, [id("z")].into());
}

#[test]
fn a_crowd_is_cut_to_the_newest_and_said() {
    let count = u64::try_from(CONCURRENT_MAX).expect("few") + 1;
    let many: Vec<String> = (0..COMMON_TARGETS_MAX + 3).map(|number| format!("t{number:02}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let mut steps: Vec<Stored> = (1..=count).map(|number| opened(number, number, &many)).collect();
    steps.push(opened(99, 99, &many));
    let answer = |steps: &[Stored]| match estate(steps).answer(review(99), &BTreeSet::new(), noon()) {
        Some(Answer::ConcurrentChanges { open, truncated }) => (open, truncated),
        other => panic!("{other:?}"),
    };
    let (open, truncated) = answer(&steps);
    assert_eq!((open.len(), truncated), (CONCURRENT_MAX, true));
    assert!(open.is_sorted());
    assert!(open.iter().all(|other| other.targets.len() == COMMON_TARGETS_MAX && other.review != review(1)));
    steps.remove(0);
    let (open, truncated) = answer(&steps);
    assert_eq!((open.len(), truncated), (CONCURRENT_MAX, false));
}

/// What happens to one of eight reviews.
#[derive(Debug, Clone)]
enum Happening {
    Opens { number: u64, targets: BTreeSet<usize>, supersedes: Option<u64> },
    Closes { number: u64 },
}

impl Happening {
    fn at(&self, position: u64) -> Stored {
        match self {
            Self::Opens { number, targets, supersedes } => {
                let targets: Vec<&str> = targets.iter().map(|index| ["a", "b", "c"][*index]).collect();
                opened_at(position, *number, &targets, *supersedes, noon())
            }
            Self::Closes { number } => closed(position, *number),
        }
    }
}

/// Openings and closings of eight reviews over three targets.
fn histories() -> impl Strategy<Value = Vec<Stored>> {
    let opens = (0_u64..8, prop::collection::btree_set(0_usize..3, 0..3), prop::option::of(0_u64..8))
        .prop_map(|(number, targets, supersedes)| Happening::Opens { number, targets, supersedes });
    let closes = (0_u64..8).prop_map(|number| Happening::Closes { number });
    let history = prop::collection::vec(prop_oneof![3 => opens, 1 => closes], 1..24);
    history.prop_map(|history| {
        (0_u64..).zip(&history).map(|(position, happening)| happening.at(position)).collect()
    })
}

proptest! {
    #[test]
    fn any_order_and_repetition_comes_to_the_same(
        (history, shuffled) in histories().prop_flat_map(|history| {
            let twice: Vec<Stored> = history.iter().chain(&history).cloned().collect();
            (Just(history), Just(twice).prop_shuffle())
        })
    ) {
        let (estate, other) = (estate(&history), estate(&shuffled));
        prop_assert_eq!(&estate, &other);
        for number in 0..8 {
            let ask = |estate: &Estate| estate.answer(review(number), &BTreeSet::new(), noon());
            prop_assert_eq!(ask(&estate), ask(&other));
        }
    }
}
