//! A thousand seeds over the configurations, each twice to the same bytes.

use tests::simulation::checks::Seen;
use tests::simulation::{Configuration, Run};

/// Seeds of each configuration: a thousand in all.
const SEEDS: u64 = 53;

fn seeds() -> u64 {
    std::env::var("ARB_SEEDS").map_or(SEEDS, |seeds| seeds.parse().expect("ARB_SEEDS is a number"))
}

/// Runs the seeds of a configuration, and tells what there was to see.
fn holds(configuration: Configuration) -> Seen {
    let mut seen = Seen::default();
    for seed in 0..seeds() {
        let outcome = Run::of(configuration, seed, false);
        let again = Run::of(configuration, seed, false);
        let repeat = format!(
            "ARB_SIMULATE={}:{seed} cargo test -p tests simulation::one_seed -- --nocapture",
            configuration.name
        );
        assert_eq!(outcome.digest, again.digest, "one seed, two stories: {repeat}");
        let broken: Vec<String> =
            outcome.violations.iter().take(8).map(|violation| format!("{violation:.600}")).collect();
        assert!(broken.is_empty(), "{}\nrepeat it with\n  {repeat}", broken.join("\n"));
        seen = seen.and(outcome.seen);
    }
    seen
}

/// A test a configuration; and that none is left out.
macro_rules! configurations {
    ($($test:ident: $name:literal),* $(,)?) => {
        $(#[test] fn $test() {
            let seen = holds(Configuration::find($name).expect("it is listed"));
            assert!(seen.reviews > 0, "{seen:?}");
        })*

        #[test]
        fn every_configuration_is_run() {
            let run = [$($name),*];
            let all: Vec<&str> = Configuration::all().iter().map(|configuration| configuration.name).collect();
            assert_eq!(run[..], all[..]);
        }
    };
}

configurations! {
    nothing_goes_wrong: "calm",
    one_replica: "one-replica",
    one_replica_that_dies: "one-replica-dies",
    two_replicas: "two-replicas",
    two_replicas_that_die: "two-replicas-die",
    three_replicas: "three-replicas",
    three_replicas_that_die: "three-replicas-die",
    muninn_is_silent: "without-muninn",
    mimir_is_silent: "without-mimir",
    the_coordinator_is_silent: "without-coordinator",
    njord_is_silent: "without-njord",
    saga_is_silent: "without-saga",
    forseti_is_silent: "without-forseti",
    the_port_of_vidar_is_silent: "recovery-never-answers",
    muninn_is_parked_on_a_key: "muninn-parked",
    vidar_is_parked_on_a_key: "vidar-parked",
    forseti_is_parked_on_a_key: "forseti-parked",
    a_rolling_upgrade: "rolling-upgrade",
    a_log_loses_its_tail: "truncated-tail",
}

#[test]
fn there_is_something_to_see() {
    let calm =
        (0..20).map(|seed| Run::of(Configuration::CALM, seed, false).seen).fold(Seen::default(), Seen::and);
    let Seen { reviews, later_evaluations, verdicts, rejected, asked, answered, .. } = calm;
    for (what, count) in [
        ("reviews", reviews),
        ("later evaluations", later_evaluations),
        ("verdicts", verdicts),
        ("rejections", rejected),
        ("people asked", asked),
        ("people who answered", answered),
    ] {
        assert!(count >= 5, "only {count} {what}: {calm:?}");
    }
    assert_eq!((calm.sealed_by_deadline, calm.without_bundle), (0, 0));
}

#[test]
fn killed_anywhere_the_loop_goes_on() {
    let seed = 7;
    let base = Configuration { name: "calm", changes: 2, ..Configuration::CALM };
    let appends = Run::of(base, seed, false).appends;
    assert!(appends > 30, "{appends}");
    for at in 1..=appends {
        for after in [false, true] {
            let outcome = Run::of(Configuration { crash_at: Some((at, after)), ..base }, seed, false);
            let when = if after { "after" } else { "before" };
            assert_eq!(outcome.violations, [], "it dies {when} append {at} of {appends}");
        }
    }
}
