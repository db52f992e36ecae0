//! Seeds, each run twice; the simulator itself, tested by taking one rule out at a time; and nodes that die.
//!
//! `ARB_SEEDS=4000` runs so many seeds of each configuration instead of the usual number.
//! `ARB_SIMULATE=two-replicas:123 cargo test -p tests simulation::one_seed -- --nocapture` runs one, step by step.

mod nodes;
mod seat;
mod seeds;
mod switched_off;

use tests::simulation::{Configuration, Run};

/// Runs the seed that `ARB_SIMULATE` names; without it, the first seed of the first configuration.
#[test]
fn one_seed() {
    let wanted = std::env::var("ARB_SIMULATE").ok();
    let print = wanted.is_some();
    let wanted = wanted.unwrap_or_else(|| format!("{}:0", Configuration::CALM.name));
    let (name, seed) = wanted.split_once(':').expect("ARB_SIMULATE=<configuration>:<seed>");
    let configuration = Configuration::find(name).expect("a configuration of this name");
    let outcome = Run::of(configuration, seed.parse().expect("a number"), print);
    for violation in &outcome.violations {
        println!("{violation}");
    }
    assert!(outcome.violations.is_empty(), "{} promises are broken", outcome.violations.len());
}
