//! The chain of audit entries of one review.

use ontology::Digest;
use ontology::records::audit::GENESIS;
use ontology::records::{AuditEntry, AuditItem, Evaluation};
use topics::{Event, Object, StepId};

/// What the next entry links to, and what it will list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    sequence: u32,
    previous: Digest,
    waiting: Vec<Waiting>,
}

/// A record that no entry lists yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Waiting {
    step: StepId,
    ordinal: usize,
    digest: Digest,
}

impl Default for Chain {
    fn default() -> Self {
        Self { sequence: 0, previous: GENESIS, waiting: Vec::new() }
    }
}

impl Chain {
    /// Folds a step, each once. An entry takes everything that waited; it waits itself, with the rest of its step.
    pub(super) fn fold(&mut self, event: &Event<'_>) {
        let entry = event.step.records().iter().find(|record| matches!(record.object, Object::AuditEntry(_)));
        if let Some(entry) = entry {
            self.sequence += 1;
            self.previous = entry.digest;
            self.waiting.clear();
        }
        let step = event.id();
        let records = event.step.records().iter().enumerate();
        self.waiting.extend(records.map(|(ordinal, record)| Waiting {
            step,
            ordinal,
            digest: record.digest,
        }));
    }

    /// Records that no entry lists yet.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Whether a step has records that no entry lists yet. One that is delivered again after it was listed has none.
    #[must_use]
    pub(super) fn waits_for(&self, step: StepId) -> bool {
        self.waiting.iter().rev().any(|waiting| waiting.step == step)
    }

    /// The next entry: everything that waits, in the order in which it was folded.
    #[must_use]
    pub fn entry(&self, evaluation: Evaluation) -> AuditEntry {
        let items = self.waiting.iter().map(|waiting| AuditItem {
            record: ontology::identity::RecordId::new(waiting.step.0, waiting.ordinal),
            digest: waiting.digest,
        });
        AuditEntry { evaluation, sequence: self.sequence, previous: self.previous, items: items.collect() }
    }
}
