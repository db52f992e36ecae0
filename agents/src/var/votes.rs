//! Counting answers: one a person, the first; only of people who may.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ontology::records::{ApprovalDecision, ApprovalNeed, ApprovalRequest, ApprovalSignal};
use ontology::{Name, Principal};

/// The answers to a request, the first of each person.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Votes(BTreeMap<Name, Arc<ApprovalSignal>>);

/// What they come to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Counted {
    /// Everybody needed said yes.
    pub(super) is_met: bool,
    /// Who said yes and counts.
    pub(super) approved_by: BTreeSet<Name>,
    /// Who said no and counts.
    pub(super) rejected_by: BTreeSet<Name>,
}

impl Votes {
    /// Notes an answer. A person never replaces an earlier one (arb.md 2.10.3).
    pub(super) fn note(&mut self, signal: &Arc<ApprovalSignal>) {
        if signal.decision != ApprovalDecision::Revoke {
            self.0.entry(signal.person.clone()).or_insert_with(|| Arc::clone(signal));
        }
    }

    /// Counts the answers of those who may.
    pub(super) fn count(&self, request: &ApprovalRequest, requesters: &BTreeSet<Principal>) -> Counted {
        let mut counted = Counted::default();
        let mut approving: Vec<&ApprovalSignal> = Vec::new();
        for signal in self.0.values().filter(|signal| eligible(request, requesters, signal).is_ok()) {
            match signal.decision {
                ApprovalDecision::Approve => approving.push(signal),
                ApprovalDecision::Reject => drop(counted.rejected_by.insert(signal.person.clone())),
                ApprovalDecision::Revoke => {}
            }
        }
        counted.approved_by = approving.iter().map(|signal| signal.person.clone()).collect();
        counted.is_met = is_met(&request.needs, &approving);
        counted
    }
}

/// Whether different people fill all places of all needs: a matching of places and people, by augmenting paths.
fn is_met(needs: &[ApprovalNeed], approving: &[&ApprovalSignal]) -> bool {
    let places: Vec<&ApprovalNeed> = needs
        .iter()
        .flat_map(|need| std::iter::repeat_n(need, need.quorum.max(1) as usize).take(approving.len() + 1))
        .collect();
    let mut taken_by: Vec<Option<usize>> = vec![None; approving.len()];
    let mut filled = true;
    for place in 0..places.len() {
        filled &= seat(place, &places, approving, &mut taken_by, &mut BTreeSet::new());
    }
    filled && !places.is_empty()
}

/// Finds a person for a place, moving others to another place where that helps.
fn seat(
    place: usize,
    places: &[&ApprovalNeed],
    approving: &[&ApprovalSignal],
    taken_by: &mut Vec<Option<usize>>,
    tried: &mut BTreeSet<usize>,
) -> bool {
    for (person, signal) in approving.iter().enumerate() {
        if places[place].roles.is_disjoint(&signal.roles) || !tried.insert(person) {
            continue;
        }
        let free = match taken_by[person] {
            None => true,
            Some(other) => seat(other, places, approving, taken_by, tried),
        };
        if free {
            taken_by[person] = Some(place);
            return true;
        }
    }
    false
}

/// Whether an answer counts: to this very question, by a person with a role that is needed, who did not ask.
pub(super) fn eligible(
    request: &ApprovalRequest,
    requesters: &BTreeSet<Principal>,
    signal: &ApprovalSignal,
) -> Result<(), String> {
    if signal.case_digest != request.case_digest {
        return Err("it is about another case than the one that is asked about".to_owned());
    }
    let asked = signal.known_as.iter().chain([&signal.principal]).find(|known| requesters.contains(known));
    if let Some(known) = asked {
        return Err(format!("{} asked for this, as {known}: somebody else has to decide", signal.person));
    }
    if request.needs.iter().all(|need| need.roles.is_disjoint(&signal.roles)) {
        let needed: BTreeSet<&str> =
            request.needs.iter().flat_map(|need| &need.roles).map(Name::as_str).collect();
        let needed: Vec<&str> = needed.into_iter().collect();
        return Err(format!("{} has none of the roles {}", signal.person, needed.join(", ")));
    }
    Ok(())
}
