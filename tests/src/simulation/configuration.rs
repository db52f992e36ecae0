//! What a run is made of: how many replicas, which agents, what may go wrong.

use ontology::records::Evaluation;
use runtime::driver::Rules;
use topics::Owner;

use super::cast::Fault;

/// How often each thing goes wrong, in thousandths of its occasions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Faults {
    /// An append is stored and its reply is lost.
    pub reply_lost: u16,
    /// An append is lost on its way.
    pub request_lost: u16,
    /// The log has no room.
    pub full: u16,
    /// An append is stored and answered with a conflict.
    pub conflict_though_stored: u16,
    /// The log forgot which ids it saw.
    pub window_forgotten: u16,
    /// A step is delivered that was delivered before.
    pub delivered_twice: u16,
    /// A delivery skips some steps.
    pub gap: u16,
    /// A process dies, before a step of the schedule.
    pub crash: u16,
    /// A process stands still for a while, and goes on as if nothing had been; meanwhile another may start.
    pub pause: u16,
    /// The clock jumps.
    pub clock_jump: u16,
    /// A port says that it has no answer.
    pub unavailable: u16,
}

impl Faults {
    /// Everything that may go wrong with a log and a network.
    pub const NETWORK: Self = Self {
        reply_lost: 40,
        request_lost: 30,
        full: 20,
        conflict_though_stored: 20,
        window_forgotten: 100,
        delivered_twice: 40,
        gap: 40,
        crash: 0,
        pause: 0,
        clock_jump: 1,
        unavailable: 100,
    };

    /// The same, and processes that die and stand still.
    pub const ALL: Self = Self { crash: 4, pause: 3, ..Self::NETWORK };
}

/// What a run is made of.
#[derive(Debug, Clone, Copy)]
pub struct Configuration {
    /// Its name, to run one seed of it again.
    pub name: &'static str,
    /// Processes that host every agent.
    pub replicas: usize,
    /// Changes that are submitted.
    pub changes: u32,
    /// Cost and recovery are required, and deleting what is needed is denied.
    pub strict: bool,
    /// What may go wrong.
    pub faults: Faults,
    /// How long a process stays down after it died, at most, in budgets of an evaluation.
    pub outage_budgets: u16,
    /// An agent that is hosted nowhere.
    pub silent: Option<Owner>,
    /// An agent whose port never answers.
    pub mute: Option<Owner>,
    /// What is wrong with an agent.
    pub fault: Option<Fault>,
    /// The last replica runs a logic with another number.
    pub upgrade: bool,
    /// The loop's rules.
    pub rules: Rules,
    /// The process dies at this append of the run, before it is stored or after.
    pub crash_at: Option<(u64, bool)>,
    /// The log loses its tail once.
    pub truncated: bool,
    /// Evaluations that a review comes to at most.
    pub evaluations: Evaluation,
}

impl Configuration {
    /// One replica, and nothing goes wrong.
    pub const CALM: Self = Self {
        name: "calm",
        replicas: 1,
        changes: 3,
        strict: true,
        faults: NONE,
        outage_budgets: 0,
        silent: None,
        mute: None,
        fault: None,
        upgrade: false,
        rules: RULES,
        crash_at: None,
        truncated: false,
        evaluations: 3,
    };

    const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    const fn of(self, replicas: usize, faults: Faults) -> Self {
        Self { replicas, faults, ..self }
    }

    const fn without(self, name: &'static str, silent: Owner) -> Self {
        Self { name, silent: Some(silent), ..self }
    }

    const fn parked(self, name: &'static str, agent: Owner) -> Self {
        Self { name, fault: Some(Fault::Panics(agent)), ..self }
    }

    /// Every configuration that must hold.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let one = Self::CALM.of(1, Faults::ALL);
        let two = Self::CALM.of(2, Faults::ALL);
        vec![
            Self::CALM,
            Self::CALM.of(1, Faults::NETWORK).named("one-replica"),
            Self { outage_budgets: 3, ..one.named("one-replica-dies") },
            Self::CALM.of(2, Faults::NETWORK).named("two-replicas"),
            two.named("two-replicas-die"),
            Self { strict: false, ..two.of(3, Faults::NETWORK).named("three-replicas") },
            two.of(3, Faults::ALL).named("three-replicas-die"),
            two.without("without-muninn", Owner::Muninn),
            two.without("without-mimir", Owner::Mimir),
            two.without("without-coordinator", Owner::Coordinator),
            two.without("without-njord", Owner::Njord),
            two.without("without-saga", Owner::Saga),
            two.without("without-forseti", Owner::Forseti),
            Self { mute: Some(Owner::Vidar), ..two.named("recovery-never-answers") },
            two.parked("muninn-parked", Owner::Muninn),
            two.parked("vidar-parked", Owner::Vidar),
            two.parked("forseti-parked", Owner::Forseti),
            Self { upgrade: true, ..two.named("rolling-upgrade") },
            Self { truncated: true, ..two.named("truncated-tail") },
        ]
    }

    /// The configuration of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|configuration| configuration.name == name)
    }

    /// Whether nothing goes wrong.
    #[must_use]
    pub fn is_calm(&self) -> bool {
        self.faults == NONE && self.silent.is_none() && self.mute.is_none() && self.crash_at.is_none()
    }
}

/// Nothing goes wrong.
const NONE: Faults = Faults {
    reply_lost: 0,
    request_lost: 0,
    full: 0,
    conflict_though_stored: 0,
    window_forgotten: 0,
    delivered_twice: 0,
    gap: 0,
    crash: 0,
    pause: 0,
    clock_jump: 0,
    unavailable: 0,
};

/// Every rule; a constant, since [`Rules::default`] is none. A test compares them.
pub const RULES: Rules = Rules {
    read_back_after_head: true,
    clock_is_greatest: true,
    others_first: true,
    other_logic_wins: true,
    own_observed_always: true,
    deadlines_wait: true,
};
