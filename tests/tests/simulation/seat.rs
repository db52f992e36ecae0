//! Stories of one seat that the simulator once told, kept short.

use ontology::records::{AuditIntent, RequesterAdded};
use ontology::{ReviewId, Timestamp};
use runtime::driver::{Action, Input, Member, Outcome, Seat};
use runtime::log::Expect;
use tests::world::changes::principal;
use topics::{
    Agent, Answer, Cause, Event, Key, Library, Object, Owed, Owner, Position, Question, Step, Stored, Topic,
};

/// Says an intent for everybody who is added; panics at its own third.
struct Echo;

impl Agent for Echo {
    const ROLE: Owner = Owner::Saga;
    const LOGIC: u16 = 1;
    const READS: &'static [Topic] = &[Topic::RequesterAdded];
    type State = u8;

    fn evolve(state: &mut u8, event: &Event<'_>) {
        let own = event.step.owner() == Owner::Saga;
        *state += u8::from(!own);
        assert!(!own || *state < 3, "it cannot fold its own third step");
    }

    fn decide(state: &u8, _: &Event<'_>, _: &Library) -> Vec<(Option<Key>, Object)> {
        vec![(None, AuditIntent { evaluation: *state, bundle_digest: None }.into())]
    }

    fn observe(_: &Question, _: &Answer, _: &Library) -> Vec<Object> {
        Vec::new()
    }

    fn owed(_: &u8) -> Owed {
        Owed::default()
    }
}

fn key() -> Key {
    Key::review(ReviewId::derive("seat", "1"))
}

fn event(position: u64, who: &str) -> Stored {
    let objects = vec![RequesterAdded { requester: principal(who) }.into()];
    let step = Step::observed(key(), Owner::Huginn, 1, Cause::named(who), None, objects).expect("a step");
    Stored { position: Position(position), at: Timestamp::from_micros(7), step }
}

struct Story {
    seat: Member<Echo>,
    library: Library,
}

impl Story {
    fn live() -> Self {
        let mut story = Self { seat: Member::new(), library: Library::default() };
        assert!(story.then(Input::Live(key())).is_empty());
        story
    }

    fn then(&mut self, input: Input) -> Vec<Action> {
        self.seat.step(input, &self.library)
    }

    /// Delivers an event, and answers the one step that the seat wants to append because of it.
    fn hears(&mut self, stored: Stored) -> (Step, Expect) {
        match self.then(Input::Event(stored)).as_slice() {
            [Action::Append { step, expect, .. }] => (step.clone(), *expect),
            other => panic!("{other:?}"),
        }
    }

    fn reply(&mut self, step: &Step, outcome: Outcome) -> Vec<Action> {
        self.then(Input::Reply { key: key(), step: step.id(), outcome })
    }
}

#[test]
fn a_slot_that_a_late_read_back_filled_is_not_filled_again() {
    let mut story = Story::live();
    let (first, _) = story.hears(event(1, "ada"));
    let reads = story.reply(&first, Outcome::Unclear);
    assert!(matches!(reads.as_slice(), [Action::ReadBack { .. }]), "{reads:?}");

    // Meanwhile the log delivers the first step, the seat goes on, and its second append finds no room.
    let stored = |position, step: &Step| Stored { step: step.clone(), ..event(position, "x") };
    assert!(story.then(Input::Event(stored(2, &first))).is_empty());
    let (second, expect) = story.hears(event(3, "bob"));
    assert_eq!(expect, Expect::Head(Some(Position(2))));
    assert!(story.reply(&second, Outcome::Later).is_empty());

    // The read-back arrives at last, and holds what another replica said for both.
    let own = vec![stored(2, &first), stored(4, &second)];
    story.then(Input::ReadBack { key: key(), step: first.id(), own });
    let actions = story.then(Input::Retry(key()));

    assert!(actions.is_empty(), "the second slot is filled: {actions:?}");
    assert!(!story.seat.standing(&key()).busy);
}

#[test]
fn a_slot_delivered_twice_is_folded_once() {
    let mut story = Story::live();
    let (first, _) = story.hears(event(1, "ada"));
    story.reply(&first, Outcome::Stored(Position(2)));

    let actions = story.then(Input::Event(event(3, "ada")));

    assert!(actions.is_empty(), "{actions:?}");
    assert_eq!(story.seat.describe(&key()), "1");
}

#[test]
fn an_agent_that_panics_at_its_own_step_is_parked() {
    let mut story = Story::live();
    for (position, who) in [(1, "ada"), (3, "bob")] {
        let (step, _) = story.hears(event(position, who));
        story.reply(&step, Outcome::Stored(Position(position + 1)));
    }
    let (third, _) = story.hears(event(5, "eve"));

    let actions = story.reply(&third, Outcome::Stored(Position(6)));

    assert!(
        matches!(actions.as_slice(), [Action::Park { event, .. }] if *event == third.id()),
        "{actions:?}"
    );
    assert!(story.seat.standing(&key()).parked);
}
