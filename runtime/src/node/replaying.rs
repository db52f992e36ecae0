//! Replay over this node's log.

use std::collections::BTreeMap;

use topics::{Key, Step, StepId};

use super::Node;
use super::intake::retry;
use crate::call::{CallError, DigestReport, ReplayReport};
use crate::log::LocalLog;
use crate::replay::digests::Digests;
use crate::replay::replay;

impl<L: LocalLog> Node<L> {
    /// Replays one review, or all.
    pub(super) fn replay(&self, review: Option<&str>) -> Result<ReplayReport, CallError> {
        let keys = match review {
            Some(text) => vec![self.find(text)?],
            None => self.log.reviews(usize::MAX).map_err(|error| retry(&error))?,
        };
        let estate = self.estate_by_id()?;
        let elsewhere =
            |key: &Key, id: StepId| (*key == Key::estate()).then(|| estate.get(&id).cloned()).flatten();
        let mut report = ReplayReport::default();
        for key in keys {
            let steps = self.steps_of(&key).map_err(|error| retry(&error))?;
            match self.library_for(&steps) {
                Ok(library) => replay(&key, &steps, &library, &elsewhere, &mut report),
                Err(error) => report.differences.push(format!("{key}: {error}")),
            }
        }
        Ok(report)
    }

    /// Compares digests over the whole log.
    pub(super) fn compare_digests(&self) -> Result<DigestReport, CallError> {
        let mut digests = Digests::default();
        let scanned = self.log.scan_now(&mut |position, bytes| digests.take(position, bytes));
        scanned.map_err(|error| retry(&error))?;
        Ok(digests.finish())
    }

    fn estate_by_id(&self) -> Result<BTreeMap<StepId, Step>, CallError> {
        let steps = self.steps_of(&Key::estate()).map_err(|error| retry(&error))?;
        Ok(steps.into_iter().rev().map(|stored| (stored.step.id(), stored.step)).collect())
    }
}
