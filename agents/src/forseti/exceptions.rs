//! Exceptions that somebody asked for (U9): what they cover holds no more, and a person decides instead (S-36).

use std::collections::BTreeSet;

use ontology::records::{EvidenceKey, ExceptionAsked};
use ontology::{Effect, Reason, ReasonCode};

use super::Docket;
use super::hypothesis::cured_by;
use super::judge::Inputs;

impl Docket {
    /// The exceptions that were asked for before this evaluation opened and are not over, in log order.
    pub fn exceptions(&self) -> impl Iterator<Item = &ExceptionAsked> {
        let opened_at = self.opened_at;
        let in_time = self.exceptions.iter().filter(move |(_, asked_at)| *asked_at <= opened_at);
        in_time.map(|(asked, _)| &**asked).filter(move |asked| asked.until > opened_at)
    }
}

/// Turns what holds and is covered into what a person decides. A violated constraint is not covered: that is a
/// waiver's. That a key has no evidence is covered with the last reason why it has none.
pub(super) fn cover(inputs: &Inputs<'_>, reasons: &mut Vec<Reason>) {
    let mut used: Vec<Reason> = Vec::new();
    let mut keys: BTreeSet<EvidenceKey> = BTreeSet::new();
    for asked in inputs.docket.exceptions() {
        let mut covers = false;
        for reason in reasons.iter_mut().filter(|it| it.effect == Effect::Held && asked.covers(it)) {
            keys.extend(cured_by(inputs, reason));
            reason.effect = Effect::Approval;
            covers = true;
        }
        if covers {
            let detail = format!("until {}: {}", asked.until, asked.because);
            used.push(Reason::about(ReasonCode::ClassException, asked.code).with_detail(detail));
        }
    }
    for key in keys {
        let of_key = |reason: &&mut Reason| cured_by(inputs, reason) == Some(key);
        let mut left: Vec<&mut Reason> = reasons.iter_mut().filter(of_key).collect();
        if left.iter().all(|reason| reason.code == ReasonCode::MissingEvidence) {
            left.iter_mut().for_each(|reason| reason.effect = Effect::Approval);
        }
    }
    reasons.extend(used);
}
