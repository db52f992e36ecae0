//! Every replica has come to the same, nobody waits for anything, and nobody stopped who need not.

use std::collections::BTreeMap;

use topics::{Key, Owner};

use super::{Run, Violation};
use crate::simulation::cast::{Fault, is_unlucky};

pub(super) fn check(run: &Run, broken: &mut Vec<Violation>) {
    let mut states: BTreeMap<(Key, Owner), (usize, String)> = BTreeMap::new();
    for (number, replica) in run.replicas.iter().enumerate() {
        let Some(process) = replica.process.as_ref() else { continue };
        for ((owner, key), why) in &process.stopped {
            if !may_stop(run, *owner, key) || why.starts_with("halted") {
                broken
                    .push(Violation::new("stopped", format!("{owner} of replica {number} on {key}: {why}")));
            }
        }
        for key in process.reviews() {
            for (owner, standing, state) in process.describe(&key) {
                if standing.parked {
                    continue;
                }
                if standing.busy {
                    broken.push(Violation::new("busy", format!("{owner} of replica {number} on {key}")));
                }
                if let Some(deadline) = &standing.deadline {
                    let what = format!("{owner} of replica {number} on {key} still owes {deadline:?}");
                    broken.push(Violation::new("deadline owed", what));
                }
                let (other, known) =
                    states.entry((key.clone(), owner)).or_insert_with(|| (number, state.clone()));
                if *known != state {
                    let what =
                        format!("{owner} of replicas {other} and {number} on {key}: {known} and {state}");
                    broken.push(Violation::new("states differ", what));
                }
            }
        }
    }
    check_lost_tail(run, broken);
}

fn may_stop(run: &Run, owner: Owner, key: &Key) -> bool {
    run.configuration.fault == Some(Fault::Panics(owner)) && is_unlucky(key)
}

/// A log that lost what was acknowledged is noticed by at least the process that was told.
fn check_lost_tail(run: &Run, broken: &mut Vec<Violation>) {
    if let Some((head, 0)) = run.truncated {
        broken.push(Violation::new("lost tail", format!("the log ended at {head:?} and nobody noticed")));
    }
}
