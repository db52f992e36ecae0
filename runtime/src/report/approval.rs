//! What a person is asked, who may answer, and what was answered (U13).

use std::collections::BTreeSet;

use agents::review::{Part, Review};
use agents::var;
use ontology::policy::Catalog;
use ontology::records::{ApprovalDecision, ApprovalRequest, ApprovalSignal};
use ontology::{Digest, Name, Principal, ReviewId, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topics::Object;

/// A request to a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApprovalShown {
    /// `awaited`, or what became of it.
    pub state: String,
    /// The case that is asked about: an answer names it.
    pub case_digest: Digest,
    /// Every one of these has to be met.
    pub needs: Vec<NeedShown>,
    /// After this nobody can answer.
    pub expires_at: Timestamp,
    /// What was answered so far, earliest first.
    pub answers: Vec<AnswerShown>,
    /// The request itself: what a signed answer states.
    pub request: ApprovalRequest,
}

/// So many people of these roles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NeedShown {
    /// One of these roles.
    pub roles: BTreeSet<Name>,
    /// So many different people.
    pub quorum: u32,
    /// Who can act: has one of the roles and did not ask.
    pub people: Vec<Name>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerShown {
    /// Who.
    pub person: Name,
    /// By which identity.
    pub principal: Principal,
    /// What.
    pub decision: ApprovalDecision,
    /// In their words.
    pub because: Option<String>,
    /// Whether it is signed.
    pub signed: bool,
    /// When.
    pub at: Timestamp,
    /// Why it does not count; absent, where it does.
    pub without_effect: Option<String>,
}

impl ApprovalShown {
    /// The statement that a signed answer is over.
    #[must_use]
    pub fn statement(&self, review: ReviewId, decision: ApprovalDecision, because: Option<&str>) -> String {
        var::statement::statement(review, &self.request, decision, because)
    }
}

/// What was asked in an evaluation; nothing, where nobody was.
pub(super) fn shown(review: &Review, part: &Part<'_>, catalog: Option<&Catalog>) -> Option<ApprovalShown> {
    let request = part.approval_request()?.record;
    let requesters: BTreeSet<Principal> = review.requesters().into_iter().cloned().collect();
    let ended = part.approval().map(|known| known.said.time);
    let answers = part.said.iter().filter_map(|said| match &said.object {
        Object::ApprovalSignal(signal) => Some((said.time, signal.as_ref())),
        _ => None,
    });
    let answer = |(at, signal): (Timestamp, &ApprovalSignal)| AnswerShown {
        person: signal.person.clone(),
        principal: signal.principal.clone(),
        decision: signal.decision,
        because: signal.because.clone(),
        signed: signal.signature.is_some(),
        at,
        without_effect: match (ended, signal.decision) {
            (Some(ended), ApprovalDecision::Approve | ApprovalDecision::Reject) if at > ended => {
                Some("it came after the request had ended".to_owned())
            }
            _ => var::may_answer(request, &requesters, signal).err(),
        },
    };
    let need = |need: &ontology::records::ApprovalNeed| NeedShown {
        roles: need.roles.clone(),
        quorum: need.quorum,
        people: catalog.map(|catalog| able(catalog, &need.roles, &requesters)).unwrap_or_default(),
    };
    Some(ApprovalShown {
        state: part.approval().map_or("awaited", |known| known.record.state.as_str()).to_owned(),
        case_digest: request.case_digest,
        needs: request.needs.iter().map(need).collect(),
        expires_at: request.expires_at,
        answers: answers.map(answer).collect(),
        request: request.clone(),
    })
}

/// People with one of these roles who did not ask.
fn able(catalog: &Catalog, roles: &BTreeSet<Name>, requesters: &BTreeSet<Principal>) -> Vec<Name> {
    let people = &catalog.people;
    let asked = |person: &Name| {
        people.identities.get(person).is_some_and(|identities| !identities.is_disjoint(requesters))
    };
    people.with_roles(roles).into_iter().filter(|person| !asked(person)).cloned().collect()
}
