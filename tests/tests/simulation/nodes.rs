//! A node over a local log whose process dies before or after any transaction.

use std::sync::Arc;

use runtime::log::embedded::EmbeddedLog;
use tests::simulation::log::SimulatedLog;
use tests::simulation::node::mortal::Forgets;
use tests::simulation::node::{self, Outcome};

fn seeds(usual: u64) -> u64 {
    std::env::var("ARB_SEEDS").map_or(usual, |seeds| seeds.parse().expect("ARB_SEEDS is a number"))
}

fn simulated(seed: u64) -> Outcome {
    node::run(&Arc::new(SimulatedLog::new()), seed)
}

#[test]
fn cascades_survive_deaths() {
    let mut steps = 0;
    for seed in 0..seeds(60) {
        let outcome = simulated(seed);
        assert_eq!(outcome.violations, [], "seed {seed}");
        assert_eq!(outcome.digest, simulated(seed).digest, "seed {seed}: one seed, two stories");
        steps += outcome.steps;
    }
    assert!(steps > 1_000, "{steps}");
}

#[test]
fn the_embedded_log_tells_the_same_story() {
    for seed in 0..seeds(6) {
        let directory = tempfile::tempdir().expect("a directory");
        let log = EmbeddedLog::open(&directory.path().join("log.redb")).expect("a new log");
        let outcome = node::run(&Arc::new(log), seed);
        assert_eq!(outcome.violations, [], "seed {seed}");
        assert_eq!(outcome.digest, simulated(seed).digest, "seed {seed}: both logs hold the same");
    }
}

#[test]
fn without_an_index_of_closed_reviews_one_is_submitted_twice() {
    // C14.
    let broken = |seed| {
        let log = Arc::new(Forgets::new(SimulatedLog::new()));
        node::run(&log, seed).violations.iter().any(|violation| violation.rule == "slot twice")
    };
    assert!((0..20).any(broken));
}
