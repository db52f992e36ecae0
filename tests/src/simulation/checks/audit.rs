//! Every record is vouched for by an entry, once, and the entries are a chain (C13).

use std::collections::BTreeMap;

use ontology::records::AuditEntry;
use ontology::records::audit::GENESIS;
use topics::{Cause, Key, Object, Owner, Position, StepId, Stored};

use super::{Run, Violation};

pub(super) fn check(run: &Run, key: &Key, steps: &[Stored], broken: &mut Vec<Violation>) {
    if run.configuration.silent == Some(Owner::Saga) {
        return;
    }
    let entries: Vec<(&Stored, &AuditEntry)> = steps
        .iter()
        .flat_map(|stored| stored.step.records().iter().map(move |record| (stored, record)))
        .filter_map(|(stored, record)| match &record.object {
            Object::AuditEntry(entry) => Some((stored, &**entry)),
            _ => None,
        })
        .collect();
    chained(key, &entries, broken);
    let mut vouched: BTreeMap<String, u32> = BTreeMap::new();
    for (_, entry) in &entries {
        for item in &entry.items {
            *vouched.entry(item.record.to_string()).or_default() += 1;
        }
    }
    let Some(cause) = entries.last().and_then(|(stored, _)| cause_of(stored, steps)) else { return };
    for stored in steps.iter().filter(|stored| is_before(stored, cause, &entries, steps)) {
        for (ordinal, record) in stored.step.records().iter().enumerate() {
            let id = stored.step.record_id(ordinal).to_string();
            let times = vouched.get(&id).copied().unwrap_or_default();
            if times != 1 && is_read(&record.object) {
                let topic = record.object.topic();
                let what = format!("{topic} of {key} at {} is in {times} entries", stored.position.0);
                broken.push(Violation::new("audit", what));
            }
        }
    }
}

/// Where the step is that an entry was said because of.
fn cause_of(stored: &Stored, steps: &[Stored]) -> Option<Position> {
    let Cause::Step(cause) = stored.step.cause() else { return None };
    position_of(*cause, steps)
}

fn position_of(step: StepId, steps: &[Stored]) -> Option<Position> {
    steps.iter().find(|stored| stored.step.id() == step).map(|stored| stored.position)
}

/// Whether Saga had folded a step when it said its last entry: a step of another up to the entry's cause, and an own
/// step right after *its* cause, wherever it is stored. An own step with the last entry is in none yet.
fn is_before(stored: &Stored, cause: Position, entries: &[(&Stored, &AuditEntry)], steps: &[Stored]) -> bool {
    if stored.step.owner() != Owner::Saga {
        return stored.position <= cause;
    }
    let last = entries.last().is_some_and(|(last, _)| last.step.id() == stored.step.id());
    !last && cause_of(stored, steps).is_some_and(|own| own < cause)
}

/// Saga hears of everything on the key that somebody vouches for by saying it.
fn is_read(object: &Object) -> bool {
    let topic = object.topic();
    topic.owner() == Owner::Saga || topic.readers().contains(&Owner::Saga)
}

fn chained(key: &Key, entries: &[(&Stored, &AuditEntry)], broken: &mut Vec<Violation>) {
    let mut previous = GENESIS;
    // Entries follow in the order in which Saga said them, which may not be that of their positions.
    let mut sorted: Vec<&AuditEntry> = entries.iter().map(|(_, entry)| *entry).collect();
    sorted.sort_by_key(|entry| entry.sequence);
    for (number, entry) in sorted.iter().enumerate() {
        if usize::try_from(entry.sequence) != Ok(number) || entry.previous != previous {
            broken.push(Violation::new("audit chain", format!("entry {number} of {key} does not follow")));
        }
        previous = entry.hash();
    }
}
