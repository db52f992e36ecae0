//! Compares what the audit vouches for with what the log holds, by digests alone: every record that an entry lists is
//! there with that SHA-256, and every entry continues the one before. Decides nothing again, so it is fast.

use std::collections::BTreeMap;

use ontology::identity::RecordId;
use ontology::records::AuditEntry;
use ontology::records::audit::GENESIS;
use ontology::{Digest, cbor};
use topics::step::Outline;
use topics::{Key, KeyKind, Position, Topic};

use crate::call::DigestReport;

/// Lines about differences at most: who sees a hundred looks at the log itself.
const DIFFERENCES_MAX: usize = 100;

/// A comparison under way, over the steps of a log in order.
#[derive(Debug, Default)]
pub struct Digests {
    reviews: BTreeMap<Key, Vouched>,
    report: DigestReport,
}

/// What one review's log holds, and how far its audit has come.
#[derive(Debug)]
struct Vouched {
    /// Digests of the records, by step and ordinal.
    records: BTreeMap<RecordId, Digest>,
    /// The hash of the last entry.
    previous: Digest,
    /// The number of the next.
    sequence: u32,
}

impl Default for Vouched {
    fn default() -> Self {
        Self { records: BTreeMap::new(), previous: GENESIS, sequence: 0 }
    }
}

impl Digests {
    /// Takes the next stored step.
    pub fn take(&mut self, position: Position, bytes: &[u8]) {
        let outline = match Outline::of(bytes) {
            Ok(outline) => outline,
            Err(error) => return self.differs(format!("position {}: {error}", position.0)),
        };
        let is_review = matches!(outline.key.kind(), KeyKind::Review(_));
        for (ordinal, (topic, object)) in outline.records.iter().enumerate() {
            self.report.records += 1;
            let digest = Digest::of(object);
            if !is_review {
                continue;
            }
            if *topic == Topic::AuditEntry {
                match cbor::from_slice(object) {
                    Ok(entry) => self.entry(&outline.key, &entry, digest),
                    Err(error) => self.differs(format!("position {}: audit entry: {error}", position.0)),
                }
            }
            let record = RecordId::new(outline.id.0, ordinal);
            // Readers count the first of a slot.
            let review = self.reviews.entry(outline.key.clone()).or_default();
            review.records.entry(record).or_insert(digest);
        }
    }

    fn entry(&mut self, key: &Key, entry: &AuditEntry, digest: Digest) {
        let review = self.reviews.entry(key.clone()).or_default();
        let mut lines = Vec::new();
        if entry.previous != review.previous || entry.sequence != review.sequence {
            lines.push(format!("{key}: audit entry {} does not continue the one before", entry.sequence));
        }
        for item in &entry.items {
            match review.records.get(&item.record) {
                Some(found) if *found == item.digest => {}
                Some(_) => lines.push(format!("{key}: record {} is not what the audit lists", item.record)),
                None => lines.push(format!("{key}: record {} is listed and not there", item.record)),
            }
        }
        review.previous = digest;
        review.sequence = entry.sequence.saturating_add(1);
        self.report.entries += 1;
        self.report.vouched += entry.items.len() as u64;
        lines.into_iter().for_each(|line| self.differs(line));
    }

    fn differs(&mut self, line: String) {
        if self.report.differences.len() < DIFFERENCES_MAX {
            self.report.differences.push(line);
        }
    }

    /// What was found.
    #[must_use]
    pub fn finish(self) -> DigestReport {
        self.report
    }
}

#[cfg(test)]
mod tests {
    use ontology::records::{AuditItem, RequesterAdded};
    use ontology::{Name, Principal, ReviewId};
    use topics::{Cause, Owner, Step};

    use super::*;

    fn key() -> Key {
        Key::review(ReviewId::derive("test", "1"))
    }

    fn said(who: &str) -> Step {
        let name = |text: &str| Name::new(text).expect("short");
        let requester = Principal { issuer: name("unix"), subject: name(who) };
        let cause = Cause::named(&format!("requester/{who}"));
        let objects = vec![RequesterAdded { requester }.into()];
        Step::observed(key(), Owner::Huginn, 1, cause, None, objects).expect("a step")
    }

    fn entry(sequence: u32, previous: Digest, of: &Step) -> (Step, Digest) {
        let items = vec![AuditItem { record: of.record_id(0), digest: of.records()[0].digest }];
        let entry = AuditEntry { evaluation: 1, sequence, previous, items };
        let (hash, time) = (entry.hash(), ontology::Timestamp::from_micros(1));
        (Step::derived(key(), Owner::Saga, 1, time, of.id(), vec![entry.into()]).expect("a step"), hash)
    }

    fn report(steps: &[&Step]) -> DigestReport {
        let mut digests = Digests::default();
        for (position, step) in (1_u64..).zip(steps) {
            digests.take(Position(position), step.bytes());
        }
        digests.finish()
    }

    #[test]
    fn what_is_whole_is_found_whole() {
        let (ada, bob) = (said("ada"), said("bob"));
        let (first, hash) = entry(0, GENESIS, &ada);
        let (second, _) = entry(1, hash, &bob);
        let report = report(&[&ada, &first, &bob, &second]);
        assert_eq!((report.records, report.entries, report.vouched), (4, 2, 2));
        assert_eq!(report.differences, Vec::<String>::new());
    }

    #[test]
    fn a_lost_record_a_broken_chain_and_strange_bytes_are_each_named() {
        let (ada, bob) = (said("ada"), said("bob"));
        let (first, _) = entry(0, GENESIS, &ada);
        let (second, _) = entry(1, GENESIS, &bob);
        let check = |steps: &[&Step], words: &str| {
            let differences = report(steps).differences;
            assert!(differences.iter().any(|line| line.contains(words)), "{words}: {differences:?}");
        };
        check(&[&first], "is listed and not there");
        check(&[&ada, &first, &bob, &second], "does not continue the one before");
        let mut digests = Digests::default();
        digests.take(Position(9), &[0xff, 0x00]);
        assert!(digests.finish().differences[0].starts_with("position 9: "));
    }
}
