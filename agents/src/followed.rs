//! A review as its agents follow it: the change, the claims so far, and the evaluation that is open now.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use ontology::records::{Attachment, Change, Evaluation, Pins};
use ontology::{Digest, Timestamp};
use topics::{Event, Object, StepId};

/// A review, and what an agent holds (`W`) of the evaluation that is open. What it held of earlier ones is dropped
/// when the next one opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Followed<W> {
    change: Option<Said<Change>>,
    /// The claims so far, sorted by name and digest, with the earliest time that each was brought at.
    claims: Vec<(Attachment, Timestamp)>,
    current: Option<Current<W>>,
}

/// A record with its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said<T> {
    /// What was said.
    pub record: Arc<T>,
    /// SHA-256 of its stored bytes.
    pub digest: Digest,
}

/// The newest evaluation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Current<W> {
    /// Its number.
    pub evaluation: Evaluation,
    /// The time of the step that opened it: facts count up to here.
    pub cutoff: Timestamp,
    /// That step.
    pub opened_by: StepId,
    /// What is in force.
    pub pins: Pins,
    /// The claims of the requester that were there at the cut-off, sorted by name and digest. What was brought
    /// later may stand before the opening step in the log; it is for the next evaluation (S-18).
    pub claims: Arc<Vec<Attachment>>,
    /// Its receipt is there.
    pub closed: bool,
    /// What the agent holds of it.
    pub work: W,
}

impl<W> Default for Followed<W> {
    fn default() -> Self {
        Self { change: None, claims: Vec::new(), current: None }
    }
}

impl<W: Default> Followed<W> {
    /// Folds what opens and closes evaluations, and claims. The rest is the agent's own.
    pub fn follow(&mut self, event: &Event<'_>) {
        for record in event.step.records() {
            match &record.object {
                Object::Change(change) if self.change.is_none() => {
                    self.change = Some(Said { record: Arc::clone(change), digest: record.digest });
                    self.claim(&change.attachments, event.time);
                    self.open(1, event, change.pins.clone());
                }
                Object::EvaluationOpened(opened) if self.is_next(opened.evaluation) => {
                    self.open(opened.evaluation, event, opened.pins.clone());
                }
                Object::Evidence(evidence) => self.claim(&evidence.attachments, event.time),
                Object::DecisionReceipt(receipt) => {
                    if let Some(current) = self.of(receipt.evaluation) {
                        current.closed = true;
                    }
                }
                _ => {}
            }
        }
    }

    /// The change, once it is known.
    #[must_use]
    pub fn change(&self) -> Option<&Said<Change>> {
        self.change.as_ref()
    }

    /// The newest evaluation.
    #[must_use]
    pub fn current(&self) -> Option<&Current<W>> {
        self.current.as_ref()
    }

    /// The newest evaluation with its change, while it has no receipt.
    #[must_use]
    pub fn open_evaluation(&self) -> Option<(&Change, &Current<W>)> {
        let current = self.current.as_ref().filter(|current| !current.closed)?;
        Some((&self.change.as_ref()?.record, current))
    }

    /// The newest evaluation, while it has no receipt.
    pub fn open_mut(&mut self) -> Option<&mut Current<W>> {
        self.current.as_mut().filter(|current| !current.closed)
    }

    /// The newest evaluation, if it is this one. A record of another evaluation is nobody's business but Saga's.
    pub fn of(&mut self, evaluation: Evaluation) -> Option<&mut Current<W>> {
        self.current.as_mut().filter(|current| current.evaluation == evaluation)
    }

    fn is_next(&self, evaluation: Evaluation) -> bool {
        self.current.as_ref().is_some_and(|current| current.evaluation < evaluation)
    }

    fn open(&mut self, evaluation: Evaluation, event: &Event<'_>, pins: Pins) {
        let in_time = self.claims.iter().filter(|(_, brought_at)| *brought_at <= event.time);
        let claims = Arc::new(in_time.map(|(claim, _)| claim.clone()).collect());
        self.current = Some(Current {
            evaluation,
            cutoff: event.time,
            opened_by: event.id(),
            pins,
            claims,
            closed: false,
            work: W::default(),
        });
    }

    fn claim(&mut self, attachments: &[Attachment], brought_at: Timestamp) {
        for attachment in attachments {
            let place = self.claims.binary_search_by(|(held, _)| {
                (&held.name, held.digest).cmp(&(&attachment.name, attachment.digest))
            });
            match place {
                Ok(place) => self.claims[place].1 = self.claims[place].1.min(brought_at),
                Err(place) => self.claims.insert(place, (attachment.clone(), brought_at)),
            }
        }
    }
}
