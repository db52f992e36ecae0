//! A fold kit for tests: runs agents over a list of steps in memory as the driver does.
//!
//! Each event is folded and followed at once by the agent's own step for it, which is folded too, in READS or not.
//! Own derived steps are not folded at their own position; own observed ones are, and decided on.

pub(crate) mod disorder;
pub(crate) mod samples;

use std::sync::Arc;

use ontology::graph::Graph;
use ontology::model::Model;
use ontology::policy::Catalog;
use ontology::records::{Change, ChangeDocument, Evaluation};
use ontology::{Timestamp, release};
use topics::{
    Agent, Answer, Ask, Cause, Event, Key, Kind, Library, Object, Owed, Owner, Position, Question, Step,
    StepId, Stored,
};

/// Every step that was said, on all keys, in log order.
#[derive(Debug, Clone)]
pub(crate) struct Log {
    pub(crate) steps: Vec<Stored>,
    at: Timestamp,
}

impl Log {
    /// Appends a step a millisecond after the one before, unless its slot is filled.
    pub(crate) fn append(&mut self, step: Step) -> StepId {
        let id = step.id();
        if self.find(id).is_none() {
            self.at = self.at.plus_ms(1);
            self.steps.push(Stored { position: Position(self.steps.len() as u64), at: self.at, step });
        }
        id
    }

    pub(crate) fn find(&self, id: StepId) -> Option<&Stored> {
        self.steps.iter().find(|stored| stored.step.id() == id)
    }
}

/// An agent with its state of one key.
trait Member {
    fn role(&self) -> Owner;
    fn advance(&mut self, key: &Key, log: &mut Log, library: &Library) -> bool;
    fn owed(&self) -> Owed;
    fn observe(&self, question: &Question, answer: &Answer, library: &Library, key: &Key) -> Option<Step>;
}

/// The state of one agent, and how it folds.
#[derive(Debug, Clone)]
pub(crate) struct Seat<A: Agent> {
    pub(crate) state: A::State,
    clock: Timestamp,
    next: usize,
}

impl<A: Agent> Seat<A> {
    pub(crate) fn new() -> Self {
        Self { state: A::State::default(), clock: Timestamp::from_micros(i64::MIN), next: 0 }
    }

    pub(crate) fn hears(step: &Step) -> bool {
        if step.owner() == A::ROLE { step.kind() == Kind::Observed } else { step.concerns(A::READS) }
    }

    fn fold(&mut self, time: Timestamp, step: &Step) {
        self.clock = self.clock.max(time);
        A::evolve(&mut self.state, &Event { time, step });
    }

    /// Folds one event, and the own step that `recorded` holds or the agent decides.
    pub(crate) fn hear(
        &mut self,
        stored: &Stored,
        library: &Library,
        recorded: impl Fn(StepId) -> Option<Step>,
    ) -> Vec<Step> {
        let (key, time) = (stored.step.key(), stored.time());
        self.fold(time, &stored.step);
        let slot = topics::step::slot(key, A::ROLE, &Cause::Step(stored.step.id()));
        let mut said = Vec::new();
        if let Some(own) = recorded(slot) {
            self.fold(own.time().expect("an own step because of a step is derived"), &own);
            return said;
        }
        let mut own = Vec::new();
        for (to, object) in A::decide(&self.state, &Event { time, step: &stored.step }, library) {
            match to {
                Some(to) => said.push(self.step(to, stored, vec![object])),
                None => own.push(object),
            }
        }
        if !own.is_empty() {
            let own = self.step(key.clone(), stored, own);
            self.fold(self.clock, &own);
            said.push(own);
        }
        said
    }

    fn step(&self, key: Key, because: &Stored, objects: Vec<Object>) -> Step {
        Step::derived(key, A::ROLE, A::LOGIC, self.clock, because.step.id(), objects)
            .expect("an agent's step")
    }
}

impl<A: Agent> Member for Seat<A> {
    fn role(&self) -> Owner {
        A::ROLE
    }

    fn advance(&mut self, key: &Key, log: &mut Log, library: &Library) -> bool {
        while let Some(stored) = log.steps.get(self.next).cloned() {
            self.next += 1;
            if stored.step.key() != key || !Self::hears(&stored.step) {
                continue;
            }
            let said = self.hear(&stored, library, |slot| log.find(slot).map(|own| own.step.clone()));
            for step in said {
                log.append(step);
            }
            return true;
        }
        false
    }

    fn owed(&self) -> Owed {
        A::owed(&self.state)
    }

    fn observe(&self, question: &Question, answer: &Answer, library: &Library, key: &Key) -> Option<Step> {
        let objects = A::observe(question, answer, library);
        let step = (!objects.is_empty())
            .then(|| Step::observed(key.clone(), A::ROLE, A::LOGIC, question.cause.clone(), None, objects))?;
        Some(step.expect("an agent's observation"))
    }
}

/// One review: its log, its agents, and what they may look at.
pub(crate) struct World {
    pub(crate) key: Key,
    pub(crate) log: Log,
    pub(crate) library: Library,
    members: Vec<Box<dyn Member>>,
    silent: Vec<&'static str>,
}

impl World {
    /// The world in which `change` was just taken in, from its document, a model and a catalog.
    pub(crate) fn open(mut change: Change, document: ChangeDocument, model: Model, catalog: Catalog) -> Self {
        let graph = Graph::index(samples::sorted(model)).expect("the sample model is valid");
        let mut library = Library::default();
        change.pins.model = graph.digest();
        change.pins.catalog = catalog.digest();
        change.pins.release = release::shipped();
        library.add_model(change.pins.model, Arc::new(graph));
        library.add_catalog(change.pins.catalog, Arc::new(catalog));
        if let ontology::Content::Body(body) = &change.document {
            library.add_document(body.sha256, Arc::new(document));
        }
        let key = Key::review(change.review);
        let log = Log { steps: Vec::new(), at: samples::noon() };
        let mut world = Self { key, log, library, members: Vec::new(), silent: Vec::new() };
        world.observed(Owner::Huginn, "submit", vec![change.into()]);
        world
    }

    /// Seats an agent.
    pub(crate) fn with<A: Agent>(mut self) -> Self {
        self.members.push(Box::new(Seat::<A>::new()));
        self
    }

    /// Seats everybody but who takes in, judges and audits.
    pub(crate) fn with_deciders(self) -> Self {
        self.with::<crate::Coordinator>()
            .with::<crate::Muninn>()
            .with::<crate::Mimir>()
            .with::<crate::Njord>()
            .with::<crate::Vidar>()
    }

    /// Lets no question be answered whose name starts so.
    pub(crate) fn silence(&mut self, name: &'static str) {
        self.silent.push(name);
    }

    /// Answers everything again.
    pub(crate) fn hear_all(&mut self) {
        self.silent.clear();
    }

    /// Appends what the world says.
    pub(crate) fn observed(&mut self, owner: Owner, name: &str, objects: Vec<Object>) -> StepId {
        let step = Step::observed(self.key.clone(), owner, 1, Cause::named(name), None, objects);
        self.log.append(step.expect("an observed step"))
    }

    /// Appends what an agent without a seat says because of the step that holds `topic` last.
    pub(crate) fn derived(&mut self, owner: Owner, because: topics::Topic, objects: Vec<Object>) -> StepId {
        let cause = self.last(because).expect("there is such a step").clone();
        let step = Step::derived(self.key.clone(), owner, 1, cause.time(), cause.step.id(), objects);
        self.log.append(step.expect("a derived step"))
    }

    /// Runs every agent to the head, then answers what is owed, until nothing moves.
    pub(crate) fn run(&mut self) -> &mut Self {
        loop {
            for member in &mut self.members {
                while member.advance(&self.key, &mut self.log, &self.library) {}
            }
            let settled = self.members.iter().all(|member| member.owed().questions.is_empty());
            let before = self.log.steps.len();
            if !settled {
                self.answer();
            }
            let idle = !self
                .members
                .iter_mut()
                .any(|member| member.advance(&self.key, &mut self.log, &self.library));
            if idle && self.log.steps.len() == before {
                return self;
            }
        }
    }

    fn answer(&mut self) {
        for member in &self.members {
            for question in member.owed().questions {
                if self.silent.iter().any(|name| question.cause.to_string().starts_with(name)) {
                    continue;
                }
                let answer = match &question.ask {
                    Ask::ConcurrentChanges { .. } => {
                        Answer::ConcurrentChanges { open: Vec::new(), truncated: false }
                    }
                    _ => Answer::Library,
                };
                if let Some(step) = member.observe(&question, &answer, &self.library, &self.key) {
                    self.log.append(step);
                }
            }
        }
    }

    /// What an agent waits for.
    pub(crate) fn owed(&self, role: Owner) -> Owed {
        self.members.iter().find(|member| member.role() == role).expect("it has a seat").owed()
    }

    /// Fires the deadline that `role` owes.
    pub(crate) fn reach_deadline(&mut self, role: Owner) -> &mut Self {
        let deadline = self.owed(role).deadline.expect("a deadline is owed");
        let name = format!("deadline/{}/{}", deadline.evaluation, deadline.name);
        let reached = ontology::records::DeadlineReached {
            evaluation: deadline.evaluation,
            name: deadline.name.clone(),
        };
        self.observed(Owner::Runtime, &name, vec![reached.into()]);
        self.run()
    }

    /// The last step with a record of `topic`.
    pub(crate) fn last(&self, topic: topics::Topic) -> Option<&Stored> {
        self.log.steps.iter().rev().find(|stored| stored.step.concerns(&[topic]))
    }

    /// Every object of `topic`, in log order.
    pub(crate) fn all(&self, topic: topics::Topic) -> Vec<Object> {
        let records = self.log.steps.iter().flat_map(|stored| stored.step.records());
        records.map(|record| record.object.clone()).filter(|object| object.topic() == topic).collect()
    }

    /// The receipt that Saga would write: closes the evaluation.
    pub(crate) fn receipt(&mut self, evaluation: Evaluation) {
        let receipt = samples::receipt(self.key.as_review().expect("a review's key"), evaluation);
        let newest = [topics::Topic::Change, topics::Topic::EvaluationOpened, topics::Topic::EvidenceBundle];
        let because = newest.into_iter().max_by_key(|topic| self.last(*topic).map(|stored| stored.position));
        self.derived(Owner::Saga, because.expect("there are three"), vec![receipt.into()]);
        self.run();
    }
}

/// The record of this type in `$world`'s last step of its topic.
macro_rules! said {
    ($world:expr, $topic:ident) => {
        $world.all(topics::Topic::$topic).pop().map(|object| match object {
            topics::Object::$topic(record) => record,
            other => panic!("{:?} is no {}", other, topics::Topic::$topic),
        })
    };
}
pub(crate) use said;
