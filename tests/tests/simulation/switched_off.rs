//! The simulator notices: with one rule taken out, few seeds find the fault; with the rule, the same seeds hold.
//! The rules are those of the driver ([`Rules`]) and of agents; C1 to C15 name them.

use runtime::driver::Rules;
use runtime::log::LocalLog;
use tests::simulation::cast::Fault;
use tests::simulation::checks::observations_not_recomputable;
use tests::simulation::configuration::RULES;
use tests::simulation::{Configuration, Faults, Run};

/// Seeds that are tried at most.
const SEEDS_MAX: u64 = 200;

fn configuration(name: &str) -> Configuration {
    Configuration::find(name).expect("it is listed")
}

/// Finds a seed that breaks `rule` without, and asserts that the seeds up to it hold with.
fn notices(rule: &str, with: Configuration, without: Configuration) {
    let breaks = |seed: &u64| Run::of(without, *seed, false).violations.iter().any(|it| it.rule == rule);
    let found = (0..SEEDS_MAX).find(breaks);
    let found = found.unwrap_or_else(|| panic!("{SEEDS_MAX} seeds of {} never broke {rule:?}", with.name));
    for seed in 0..=found {
        assert_eq!(Run::of(with, seed, false).violations, [], "{}:{seed}", with.name);
    }
}

#[test]
fn the_rules_are_those_of_a_running_process() {
    assert_eq!(RULES, Rules::default());
}

#[test]
fn c2_steps_to_other_keys_go_first() {
    let with = configuration("two-replicas-die");
    let rules = Rules { others_first: false, ..RULES };
    notices("change-closed", with, Configuration { rules, ..with });
}

#[test]
fn c3_a_derived_step_has_the_greatest_time_folded() {
    let with = configuration("two-replicas-die");
    let rules = Rules { clock_is_greatest: false, ..RULES };
    notices("own evidence", with, Configuration { rules, ..with });
}

#[test]
fn c4_an_observation_is_recomputed_from_its_question_as_first_owed() {
    let with = configuration("two-replicas-die");
    let lost = |seed: u64, as_first_owed: bool| {
        let (run, _) = Run::to_rest(with, seed, false);
        let keys = run.log().reviews(usize::MAX).expect("it answers");
        let lost = keys.iter().map(|key| {
            let steps = run.log().read_now(key, None).expect("it answers");
            observations_not_recomputable(key, &steps, &run.library(), as_first_owed).len()
        });
        lost.sum::<usize>()
    };
    let found =
        (0..SEEDS_MAX).find(|seed| lost(*seed, false) > 0).expect("an observation that was owed no more");
    for seed in 0..=found {
        assert_eq!(lost(seed, true), 0, "{}:{seed}", with.name);
    }
}

#[test]
fn c5_own_observations_are_folded_whether_read_or_not() {
    let rules = Rules { own_observed_always: false, ..RULES };
    notices("prompt", Configuration::CALM, Configuration { rules, ..Configuration::CALM });
}

#[test]
fn c6_a_recorded_step_of_another_logic_wins() {
    let with = configuration("rolling-upgrade");
    let rules = Rules { other_logic_wins: false, ..RULES };
    notices("stopped", with, Configuration { rules, ..with });
}

#[test]
fn c7_a_read_back_reads_everything_after_the_last_known_head() {
    let with = configuration("two-replicas-die");
    let rules = Rules { read_back_after_head: false, ..RULES };
    notices("slot twice", with, Configuration { rules, ..with });
}

#[test]
fn c9_a_process_that_went_live_waits_before_it_fires_a_deadline() {
    // After an outage of up to three budgets every deadline is overdue, and what was on its way is too: fired at
    // once, evidence is sealed without branches that answer a moment later.
    let faults = Faults { crash: 3, ..Faults::default() };
    let with = Configuration { name: "outage", faults, outage_budgets: 3, ..Configuration::CALM };
    let without = Configuration { rules: Rules { deadlines_wait: false, ..RULES }, ..with };
    let mut cut_short = 0;
    for seed in 0..40 {
        let patient = Run::of(with, seed, false);
        assert_eq!(patient.violations, [], "{}:{seed}", with.name);
        let seen = patient.seen;
        assert_eq!((seen.sealed_by_deadline, seen.without_bundle), (0, 0), "{}:{seed}", with.name);
        let seen = Run::of(without, seed, false).seen;
        cut_short += seen.sealed_by_deadline + seen.without_bundle;
    }
    assert!(cut_short > 0, "no evaluation was cut short");
}

#[test]
fn c11_the_next_evaluation_waits_for_the_receipt() {
    let with = configuration("two-replicas-die");
    notices("every review ends", with, Configuration { fault: Some(Fault::OpensAtOnce), ..with });
}

#[test]
fn c13_an_entry_lists_what_earlier_evaluations_left() {
    let with = configuration("two-replicas-die");
    notices("audit", with, Configuration { fault: Some(Fault::ForgetsOthers), ..with });
}
