//! Seeds, each run twice; and the simulator itself, tested by taking a rule out.

use tests::simulation::{Configuration, Run};

/// Runs one seed, as a failure says: `ARB_SIMULATE=two-replicas:123`.
#[test]
fn one_seed() {
    let Ok(wanted) = std::env::var("ARB_SIMULATE") else { return };
    let (name, seed) = wanted.split_once(':').expect("ARB_SIMULATE=<configuration>:<seed>");
    let configuration = Configuration::find(name).expect("a configuration of this name");
    let outcome = Run::of(configuration, seed.parse().expect("a number"), true);
    for violation in &outcome.violations {
        println!("{violation}");
    }
    assert!(outcome.violations.is_empty(), "{} promises are broken", outcome.violations.len());
}

#[test]
fn probe() {
    let n: u64 = std::env::var("N").map_or(20, |n| n.parse().unwrap());
    for configuration in Configuration::all() {
        let t = std::time::Instant::now();
        let mut seen = tests::simulation::checks::Seen::default();
        let mut bad = 0;
        for seed in 0..n {
            let outcome = Run::of(configuration, seed, false);
            seen = seen.and(outcome.seen);
            if !outcome.violations.is_empty() {
                bad += 1;
                if bad <= 2 {
                    println!("  {}:{seed}", configuration.name);
                    for v in outcome.violations.iter().take(4) {
                        println!("     {:.300}", v.to_string());
                    }
                }
            }
        }
        println!("{} bad {bad} of {n} in {:?} {seen:?}", configuration.name, t.elapsed());
    }
}
