//! One node over a local log: what a call sets off among its agents is one transaction, and the process may die
//! before or after any of them.

pub mod mortal;

use std::collections::BTreeSet;
use std::sync::Arc;

use fastrand::Rng;
use ontology::records::RecommendationKind;
use ontology::{Digest, Name, Timestamp};
use runtime::call::{Call, Caller, File, Reply, Submit};
use runtime::driver::{Rules, all_agents};
use runtime::log::LocalLog;
use runtime::node::{Directories, Node};
use topics::{Key, KeyKind, Object, Stored};

use super::Violation;
use crate::world::changes::principal;
use crate::world::noon;
use mortal::{Death, Mortal};

/// Calls of a run.
const CALLS: usize = 8;
/// Processes of a run at most: each dies once, the last never.
const DEATHS_MAX: u32 = 6;

/// What came of it.
#[derive(Debug)]
pub struct Outcome {
    /// What was broken.
    pub violations: Vec<Violation>,
    /// Digest of the log.
    pub digest: Digest,
    /// Processes that died.
    pub deaths: u32,
    /// Steps in the log.
    pub steps: usize,
}

/// Runs a seed over a log.
pub fn run<L: LocalLog>(log: &Arc<L>, seed: u64) -> Outcome {
    let mut world = World { log, rng: Rng::with_seed(seed), now: noon(), deaths: 0 };
    let mut node = world.start();
    for _ in 0..CALLS {
        let call = world.call();
        let caller = Caller { principal: principal(["ada", "bob"][world.rng.usize(..2)]), verified: true };
        world.pass(20);
        while node.as_mut().is_none_or(|node| !answers(node, &caller, &call, world.now)) {
            world.pass(4_000);
            node = world.start();
        }
        world.pass(3_000);
        if node.as_mut().is_some_and(|node| node.tick(world.now).is_err()) {
            node = world.start();
        }
    }
    world.deaths = DEATHS_MAX;
    let deaths = world.deaths;
    let mut violations = world.come_to_rest();
    let steps = log.tail_now(None, usize::MAX).unwrap_or_default();
    check(&steps, &mut violations);
    let rows: Vec<(i64, Digest)> =
        steps.iter().map(|stored| (stored.at.as_micros(), Digest::of(stored.step.bytes()))).collect();
    Outcome { violations, digest: Digest::of_value(&rows), deaths, steps: steps.len() }
}

struct World<'a, L> {
    log: &'a Arc<L>,
    rng: Rng,
    now: Timestamp,
    deaths: u32,
}

impl<L: LocalLog> World<'_, L> {
    fn pass(&mut self, ms_max: u64) {
        self.now = self.now.plus_ms(self.rng.u64(1..=ms_max));
    }

    /// A process that will die at some append, unless enough have.
    fn start(&mut self) -> Option<Node<Mortal<L>>> {
        let death = (self.deaths < DEATHS_MAX)
            .then(|| Death { at_append: self.rng.u64(1..6), after: self.rng.bool() });
        self.deaths += u32::from(death.is_some());
        let log = Arc::new(Mortal::new(Arc::clone(self.log), death));
        let directories = Directories::default();
        Node::with_agents(log, all_agents(), Rules::default(), None, directories, self.now).ok()
    }

    /// What somebody asks for.
    fn call(&mut self) -> Call {
        let known = self.log.reviews(8).unwrap_or_default();
        if !known.is_empty() && self.rng.u8(..4) == 0 {
            let review = known[self.rng.usize(..known.len())].to_string();
            return Call::Recheck { review };
        }
        let bucket = ["logs", "media", "orders"][self.rng.usize(..3)];
        let action = ["create", "delete"][self.rng.usize(..2)];
        Call::Submit(Box::new(Submit {
            change: File { path: "plan.json".to_owned(), text: plan(bucket, action) }.into(),
            evidence: Vec::new(),
            source: None,
            idempotency_key: Name::new(format!("{bucket}-{action}")).ok(),
            change_kind: None,
            release: None,
            process_ref: None,
            model: None,
            catalog: None,
            sent_at: Timestamp::default(),
        }))
    }

    /// A last process takes up what was interrupted, and fires every deadline.
    fn come_to_rest(&mut self) -> Vec<Violation> {
        let Some(mut node) = self.start() else {
            return vec![Violation::new("rest", "the last process does not start")];
        };
        for _ in 0..100 {
            let Some(due) = node.next_due() else { break };
            self.now = self.now.max(due);
            if let Err(error) = node.tick(self.now) {
                return vec![Violation::new("rest", error.to_string())];
            }
        }
        if node.next_due().is_some() {
            return vec![Violation::new("rest", "deadlines are owed for ever")];
        }
        match node.read_call("simulated", &Call::Replay { review: None }) {
            Ok(Reply::Replayed(report)) => report
                .differences
                .into_iter()
                .map(|difference| Violation::new("replay", difference))
                .collect(),
            other => vec![Violation::new("replay", format!("{other:?}"))],
        }
    }
}

/// Whether the node answered; one that died did not.
fn answers<L: LocalLog>(node: &mut Node<Mortal<L>>, caller: &Caller, call: &Call, now: Timestamp) -> bool {
    use runtime::call::ErrorCode::{Internal, LogUnavailable, Retry};
    let outcomes = node.together_at(std::iter::once((caller, call)), now);
    outcomes.iter().all(|outcome| match outcome {
        Ok(_) => true,
        Err(error) => !matches!(error.code, Retry | LogUnavailable | Internal),
    })
}

fn plan(bucket: &str, action: &str) -> String {
    let (before, after) = match action {
        "create" => ("null".to_owned(), format!("{{\"bucket\":\"{bucket}\"}}")),
        _ => (format!("{{\"bucket\":\"{bucket}\"}}"), "null".to_owned()),
    };
    format!(
        r#"{{"format_version":"1.2","terraform_version":"1.11.4","resource_changes":[
            {{"address":"aws_s3_bucket.{bucket}","mode":"managed","type":"aws_s3_bucket","name":"{bucket}",
              "change":{{"actions":["{action}"],"before":{before},"after":{after},
              "after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}]}}"#
    )
}

/// Slots are filled once, and every accepted change comes to an end.
fn check(steps: &[Stored], violations: &mut Vec<Violation>) {
    let mut slots = BTreeSet::new();
    let mut open: BTreeSet<(Key, u8)> = BTreeSet::new();
    for stored in steps {
        let estate = stored.step.key().kind() == KeyKind::Estate;
        if !slots.insert(stored.step.id()) && !estate {
            violations.push(Violation::new("slot twice", format!("{:?}", stored.step)));
        }
        let key = || stored.step.key().clone();
        for record in stored.step.records() {
            match &record.object {
                Object::Change(_) => {
                    open.insert((key(), 1));
                }
                Object::EvaluationOpened(opened) => {
                    open.insert((key(), opened.evaluation));
                }
                Object::Recommendation(it) if it.kind == RecommendationKind::ApprovalRequired => {
                    open.remove(&(key(), it.evaluation));
                }
                Object::DecisionReceipt(receipt) => {
                    open.remove(&(key(), receipt.evaluation));
                }
                _ => {}
            }
        }
    }
    for (key, evaluation) in open {
        let what = format!("evaluation {evaluation} of {key}");
        violations.push(Violation::new("every review ends", what));
    }
}
