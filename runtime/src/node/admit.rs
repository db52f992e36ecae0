//! Whether a plan may be applied now: a question to the newest receipt, which is never an action (U15).

use agents::huginn::intake::Context;
use agents::review::Review;
use ontology::Timestamp;
use topics::Key;

use super::Node;
use super::intake::{bad_input, retry};
use super::submit::read_change;
use crate::call::{Admission, CallError, ErrorCode, Given};
use crate::log::LocalLog;
use crate::report::Outcome;

impl<L: LocalLog> Node<L> {
    /// Compares a plan with what was reviewed, read in the same way, and looks at the newest evaluation's receipt.
    pub(super) fn admit(
        &mut self,
        key: &Key,
        change: &Given,
        now: Timestamp,
    ) -> Result<Admission, CallError> {
        let steps = self.steps_of(key).map_err(|error| retry(&error))?;
        let review = Review::of(&steps);
        let not_found = || CallError::new(ErrorCode::NotFound, format!("{key} is not a review"));
        let accepted = review.change().cloned().ok_or_else(not_found)?;
        let newest = review.newest().ok_or_else(not_found)?;
        let catalog = self.catalog(&accepted.pins.catalog)?;
        let context = Context { catalog: &catalog, key: self.redaction.as_ref() };
        let read = read_change(change, &context).map_err(|error| bad_input(&error))?;
        let outcome = Outcome::of(&newest);
        let answer = |admitted: bool, why: String| Admission {
            review: accepted.review,
            evaluation: newest.evaluation,
            outcome,
            admitted,
            why,
        };
        if read.content_digest != accepted.content_digest {
            let why = format!(
                "{} does something else than what was reviewed: {} is not {}",
                change.name(),
                read.content_digest.short(),
                accepted.content_digest.short()
            );
            return Ok(answer(false, why));
        }
        let Some(receipt) = newest.receipt().map(|known| known.record) else {
            return Ok(answer(false, format!("evaluation {} has no receipt yet", newest.evaluation)));
        };
        if !matches!(outcome, Outcome::Conformant | Outcome::Approved) {
            return Ok(answer(false, format!("evaluation {} ended {}", newest.evaluation, outcome.as_str())));
        }
        if receipt.valid_until < now {
            let why = format!("the receipt was valid until {}: ask for a recheck", receipt.valid_until);
            return Ok(answer(false, why));
        }
        if let Some(over) = receipt.exceptions.iter().find(|exception| exception.until < now) {
            let why = format!("the exception for {} was until {}: ask for a recheck", over.code, over.until);
            return Ok(answer(false, why));
        }
        let why = format!(
            "evaluation {} let exactly this through, until {}",
            newest.evaluation, receipt.valid_until
        );
        Ok(answer(true, why))
    }
}
