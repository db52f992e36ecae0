//! One seed of one configuration, from the first call to rest.

mod trouble;

use agents::estate::Estate;
use fastrand::Rng;
use ontology::{Digest, Timestamp};
use runtime::driver::Input;
use runtime::log::LocalLog;
use topics::question::Unavailable;
use topics::{Answer, Ask, Key, Position, Question};

use super::client::Clients;
use super::log::SimulatedLog;
use super::process::{Cargo, Flight, Process};
use super::replica::Replica;
use super::schedule::{self, Next};
use super::trace::Trace;
use super::{Configuration, Violation, cast, checks};
use crate::world::noon;

/// Things that happen while faults are about. Enough for every wish to be made and most reviews to end.
const TROUBLED_STEPS_MAX: u32 = 12_000;
/// Things that happen afterwards, until everything has come to rest. Beyond, something goes round in circles.
const STEPS_MAX: u32 = 200_000;

/// A run.
pub struct Run {
    pub(super) configuration: Configuration,
    pub(super) log: SimulatedLog,
    pub(super) replicas: Vec<Replica>,
    pub(super) clients: Clients,
    rng: Rng,
    now: Timestamp,
    trace: Trace,
    /// Appends of processes that are dead.
    orphans: Vec<Flight>,
    appends: u64,
    crashed_at: bool,
    truncate_at: Option<Position>,
    /// The log's head when it lost its tail, and how many processes noticed.
    pub(super) truncated: Option<(Position, usize)>,
    /// When each replica is to look at its deadlines.
    looks: Vec<Option<Timestamp>>,
    pub(super) estate: Estate,
    estate_seen: Option<Position>,
    troubled: bool,
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Digest of everything that happened, and of the log.
    pub digest: Digest,
    /// What was broken.
    pub violations: Vec<Violation>,
    /// Appends that reached the log.
    pub appends: u64,
    /// What there was to see.
    pub seen: checks::Seen,
}

impl Run {
    /// Runs a seed to its end. `print`: every step of the schedule.
    #[must_use]
    pub fn of(configuration: Configuration, seed: u64, print: bool) -> Outcome {
        Self::to_rest(configuration, seed, print).1
    }

    /// [`Run::of`], with what is left to look at.
    #[must_use]
    pub fn to_rest(configuration: Configuration, seed: u64, print: bool) -> (Self, Outcome) {
        let mut run = Self::new(configuration, seed, print);
        let rested = run.go();
        let mut violations = checks::all(&run);
        if !rested {
            violations.insert(0, Violation::new("rest", "it goes round in circles, or waits for ever"));
        }
        run.trace.note(format_args!("log {}", digest_of(&run.log)));
        let (digest, seen) = (run.trace.digest(), checks::seen(&run));
        let outcome = Outcome { digest, violations, appends: run.appends, seen };
        (run, outcome)
    }

    /// The log.
    #[must_use]
    pub const fn log(&self) -> &SimulatedLog {
        &self.log
    }

    /// A library with everything that the log names.
    #[must_use]
    pub fn library(&self) -> topics::Library {
        self.clients.library()
    }

    fn new(configuration: Configuration, seed: u64, print: bool) -> Self {
        let mut rng = Rng::with_seed(seed);
        let clients = Clients::new(&configuration, &mut rng, noon());
        let newest = configuration.replicas.saturating_sub(1);
        let newer = |number| u16::from(configuration.upgrade && number == newest);
        let truncate_at = configuration.truncated.then(|| Position(rng.u64(10..60)));
        Self {
            configuration,
            log: SimulatedLog::new(),
            replicas: (0..configuration.replicas).map(|number| Replica::new(newer(number))).collect(),
            clients,
            rng,
            now: noon(),
            trace: Trace::new(print),
            orphans: Vec::new(),
            appends: 0,
            crashed_at: false,
            truncate_at,
            truncated: None,
            looks: Vec::new(),
            estate: Estate::default(),
            estate_seen: None,
            troubled: true,
        }
    }

    /// Runs until everything has come to rest. Tells whether it has.
    fn go(&mut self) -> bool {
        for _ in 0..TROUBLED_STEPS_MAX {
            if !self.step() {
                break;
            }
        }
        self.troubled = false;
        for replica in &mut self.replicas {
            replica.paused_until = self.now;
            replica.down_until = self.now;
            // Somebody looked after the processes that halted, and starts them on the log as it is.
            replica.process.take_if(|process| process.halted);
        }
        (0..STEPS_MAX).any(|_| !self.step())
    }

    /// One thing happens. `false`: there is nothing more to happen.
    fn step(&mut self) -> bool {
        self.now = self.now.plus_micros(self.rng.i64(0..300));
        if self.troubled && self.trouble() {
            return true;
        }
        for replica in &mut self.replicas {
            if let Some(process) = &mut replica.process {
                process.reconnect(&self.log);
            }
        }
        self.looks.resize(self.replicas.len(), None);
        let call = self.clients.next().is_some_and(|at| at <= self.now);
        let possible =
            schedule::possible(&mut self.replicas, self.orphans.len(), call, self.log.head(), self.now);
        let due = (0..self.looks.len()).find(|number| self.looks[*number].is_some_and(|at| at <= self.now));
        let next = match due.filter(|_| self.rng.u8(..8) == 0 || possible.is_empty()) {
            Some(number) => Some(Next::Tick(number)),
            None => schedule::draw(&possible, &mut self.rng),
        };
        match next {
            Some(next) => {
                self.happen(next);
                true
            }
            None => self.wait(),
        }
    }

    /// Nothing may happen now: the clock moves on to when something may.
    fn wait(&mut self) -> bool {
        for number in 0..self.replicas.len() {
            self.tick(number);
        }
        let living = self.replicas.iter().any(|it| it.process.as_ref().is_none_or(|process| !process.halted));
        let call = self.clients.next().filter(|_| living);
        let looks = self.looks.iter().flatten().copied();
        let moment = schedule::next_moment(&self.replicas, self.now);
        let now = self.now;
        let next = looks.chain(call).chain(moment).filter(|at| *at > now).min();
        if let Some(next) = next {
            self.now = next;
        }
        next.is_some()
    }

    fn happen(&mut self, next: Next) {
        self.trace.note(format_args!("{} {next:?}", self.now.as_micros()));
        match next {
            Next::Deliver(number, seat) => self.deliver(number, seat),
            Next::Arrive(number, flight) => {
                let Some(process) = self.replicas[number].process.as_mut() else { return };
                let flight = process.flights.swap_remove(flight);
                self.arrive(number, flight);
            }
            Next::Orphan(number) => {
                let flight = self.orphans.swap_remove(number);
                if let Cargo::Append { step, expect, .. } = flight.cargo {
                    self.log.append_now(&[step], &[expect], self.now);
                    self.fold_estate();
                }
            }
            Next::Start(number) => {
                let replica = &mut self.replicas[number];
                let seats = cast::seats(&self.configuration, replica.newer);
                let rules = self.configuration.rules;
                replica.process = Some(Process::start(seats, rules, &self.log, self.now));
                self.looks[number] = Some(self.now);
            }
            Next::Tick(number) => self.tick(number),
            Next::Call(number) => {
                let Some((owner, key, input)) = self.clients.call(&self.log, self.now) else { return };
                self.trace.note(format_args!("  call {key}"));
                if let Some(process) = self.replicas[number].process.as_mut() {
                    process.door(owner, &key, input, &self.log, self.now);
                }
            }
        }
    }

    fn deliver(&mut self, number: usize, seat: usize) {
        let faults = self.faults();
        let Some(process) = self.replicas[number].awake(self.now) else { return };
        let last = process.cursor(seat);
        let position = if chance(&mut self.rng, faults.delivered_twice) {
            self.rng.u64(..=last)
        } else if chance(&mut self.rng, faults.gap) {
            last + self.rng.u64(2..5)
        } else {
            last + 1
        };
        let recall = self.rng.bool();
        process.deliver(seat, Position(position), &self.log, self.now, recall);
        self.look(number);
    }

    fn arrive(&mut self, number: usize, flight: Flight) {
        let Flight { seat, cargo, .. } = flight;
        match cargo {
            Cargo::Append { key, step, expect } => {
                let fate = self.fate();
                let dies = self.dies(false);
                if dies {
                    self.crash(number);
                    return;
                }
                let answer = self.log.append_with(std::slice::from_ref(&step), &[expect], self.now, fate);
                self.trace.note(format_args!("  {number} {step:?} {expect:?} {fate:?}: {answer:?}"));
                self.fold_estate();
                if self.dies(true) {
                    self.crash(number);
                } else if let Some(process) = self.replicas[number].process.as_mut() {
                    process.answered(seat, key, &step, &answer, self.now);
                }
                self.lose_tail(&answer);
            }
            Cargo::ReadBack { key, step, after } => {
                let Some(process) = self.replicas[number].process.as_mut() else { return };
                let role = process.role(seat);
                let mut own = self.log.read_now(&key, after).unwrap_or_default();
                own.retain(|stored| stored.step.owner() == role);
                process.learn(own.last());
                let cargo = Cargo::Input(Input::ReadBack { key, step, own });
                process.flights.push(Flight { at: self.now, seat, cargo });
            }
            Cargo::Ask { key, question } => self.ask(number, seat, key, question),
            Cargo::Resolve { key, needed } => {
                let Some(process) = self.replicas[number].process.as_mut() else { return };
                self.clients.resolve(&needed, &mut process.library);
                process.put(seat, Input::Resolved(key), &self.log, self.now);
            }
            Cargo::Input(input) => {
                if let Some(process) = self.replicas[number].process.as_mut() {
                    process.put(seat, input, &self.log, self.now);
                }
            }
        }
        self.look(number);
    }

    /// A port answers, some time.
    fn ask(&mut self, number: usize, seat: usize, key: Key, question: Question) {
        let faults = self.faults();
        let Some(process) = self.replicas[number].process.as_mut() else { return };
        if self.configuration.mute == Some(process.role(seat)) {
            return;
        }
        let answer = if chance(&mut self.rng, faults.unavailable) {
            let unavailable = Unavailable { cause: "it is away".to_owned(), cure: "ask again".to_owned() };
            Some(Answer::Unavailable(unavailable))
        } else {
            answer(&self.estate, &question)
        };
        let delay_ms = match (faults.unavailable, self.rng.u8(..8)) {
            (0, _) => 1,
            (_, 0) => self.rng.u64(..6_000),
            _ => self.rng.u64(..200),
        };
        let at = self.now.plus_ms(delay_ms);
        let cargo = match answer {
            Some(answer) => Cargo::Input(Input::Answered { key, question, answer }),
            // The own entry is not in the estate yet: nobody can tell what is before it.
            None => Cargo::Ask { key, question },
        };
        let at = if matches!(cargo, Cargo::Ask { .. }) { self.now.plus_ms(50) } else { at };
        process.flights.push(Flight { at, seat, cargo });
    }

    fn tick(&mut self, number: usize) {
        let now = self.now;
        let waits_ms = 20;
        let Some(process) = self.replicas[number].awake(now) else { return };
        let next = process.tick(&self.log, now);
        let again = process.waits().then(|| now.plus_ms(waits_ms));
        self.looks[number] = next.into_iter().chain(again).min();
    }

    /// Something changed at a replica: its deadlines may have.
    fn look(&mut self, number: usize) {
        if let Some(look) = self.looks.get_mut(number) {
            *look = Some(self.now);
        }
    }

    /// The port's read model of the estate: what every replica's door knows.
    fn fold_estate(&mut self) {
        for stored in self.log.read_now(&Key::estate(), self.estate_seen).unwrap_or_default() {
            self.estate.fold(&stored);
            self.estate_seen = Some(stored.position);
        }
    }
}

/// What the world knows.
fn answer(estate: &Estate, question: &Question) -> Option<Answer> {
    match &question.ask {
        Ask::ConcurrentChanges { review, targets, not_before, .. } => {
            estate.answer(*review, targets, *not_before)
        }
        Ask::Cost(_) | Ask::Recovery(_) => Some(Answer::Library),
        Ask::Intake => None,
    }
}

fn digest_of(log: &SimulatedLog) -> Digest {
    let rows: Vec<(u64, i64, String)> = log
        .whole()
        .iter()
        .map(|stored| (stored.position.0, stored.at.as_micros(), Digest::of(stored.step.bytes()).hex()))
        .collect();
    Digest::of_value(&rows)
}

/// Whether something happens that happens so many times in a thousand.
pub(super) fn chance(rng: &mut Rng, per_mille: u16) -> bool {
    per_mille > 0 && rng.u16(..1_000) < per_mille
}
