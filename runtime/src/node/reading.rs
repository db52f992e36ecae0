//! What a node shows: reviews, steps, lists, its own state. Reads the log; says nothing.

use ontology::records::RecommendationKind;
use topics::{Event, Key, Library, Object, Stored};

use super::intake::{internal, retry};
use super::{Node, submit};
use crate::call::{AgentStatus, CallError, ErrorCode, Listed, NodeStatus, StoredStep};
use crate::log::LocalLog;
use crate::report::{self, Report};

/// Entries of a list and of a page of events at most.
const PAGE_MAX: usize = 10_000;
/// Reviews named when a prefix fits several.
const AMBIGUOUS_SHOWN_MAX: usize = 5;

impl<L: LocalLog> Node<L> {
    /// The key that a person means: a whole key, or a unique prefix of a review's id (with or without `rv-`).
    pub(super) fn find(&self, text: &str) -> Result<Key, CallError> {
        let text = text.trim();
        if let Ok(key) = text.parse::<Key>()
            && !self.steps_of(&key).map_err(|error| retry(&error))?.is_empty()
        {
            return Ok(key);
        }
        let prefix = if text.starts_with("rv-") { text.to_owned() } else { format!("rv-{text}") };
        let found = self.log.keys_with(&prefix, AMBIGUOUS_SHOWN_MAX + 1).map_err(|error| retry(&error))?;
        match found.as_slice() {
            [key] if prefix.len() > 3 => Ok(key.clone()),
            [] => Err(CallError::new(
                ErrorCode::NotFound,
                format!("there is no review {text:?}: `arbctl list` shows them"),
            )),
            several => {
                let shown: Vec<String> = several
                    .iter()
                    .take(AMBIGUOUS_SHOWN_MAX)
                    .map(|key| key.as_str()[..key.as_str().len().min(14)].to_owned())
                    .collect();
                let why =
                    format!("{text:?} fits several reviews ({}…): give more characters", shown.join(", "));
                Err(CallError::new(ErrorCode::BadInput, why))
            }
        }
    }

    /// The report of a review.
    pub(super) fn report(&mut self, key: &Key) -> Result<Report, CallError> {
        let steps = self.steps_of(key).map_err(|error| retry(&error))?;
        let library = self.library_for(&steps)?;
        let durable = self.log.info_now().map_err(|error| retry(&error))?.durable;
        report::of(&steps, &library, durable)
            .ok_or_else(|| CallError::new(ErrorCode::NotFound, format!("{key} holds no change")))
    }

    /// A library that holds what these steps name: this node's, and what only closed reviews need.
    pub(super) fn library_for(&self, steps: &[Stored]) -> Result<Library, CallError> {
        let mut library = self.library.clone();
        for stored in steps {
            let event = Event { time: stored.time(), step: &stored.step };
            for needed in library.missing(&event) {
                self.resolve_into(&mut library, &needed).map_err(|why| internal(&why))?;
            }
        }
        Ok(library)
    }

    /// The stored steps of a key.
    pub(super) fn stored(&self, key: &Key) -> Result<Vec<StoredStep>, CallError> {
        Ok(self.steps_of(key).map_err(|error| retry(&error))?.iter().map(stored_step).collect())
    }

    /// Steps of the log after a position.
    pub(super) fn events(&self, after: Option<u64>, limit: usize) -> Result<Vec<StoredStep>, CallError> {
        let steps = self
            .log
            .tail_now(after.map(topics::Position), limit.min(PAGE_MAX))
            .map_err(|error| retry(&error))?;
        Ok(steps.iter().map(stored_step).collect())
    }

    /// Reviews, latest first.
    pub(super) fn list(&self, limit: usize) -> Result<Vec<Listed>, CallError> {
        let keys = self.log.reviews(limit.min(PAGE_MAX)).map_err(|error| retry(&error))?;
        let listed = keys.iter().map(|key| Ok(listed(&self.steps_of(key).map_err(|error| retry(&error))?)));
        listed.filter_map(Result::transpose).collect()
    }

    /// How this node does.
    pub(super) fn status(&self, log: &str) -> Result<NodeStatus, CallError> {
        let info = self.log.info_now().map_err(|error| retry(&error))?;
        let model = self.registry.model.and_then(|digest| Some((digest, self.library.model(&digest)?)));
        let catalog = self.registry.catalog.and_then(|digest| Some((digest, self.library.catalog(&digest)?)));
        let mut advice = Vec::new();
        if model.as_ref().is_none_or(|(_, graph)| graph.model().objects.is_empty()) {
            advice.push(
                "nothing is modelled: every change is held; start with `arbctl model init --from plan.json`"
                    .to_owned(),
            );
        }
        if catalog.as_ref().is_none_or(|(_, catalog)| catalog.starter) {
            advice.push("the starter catalog is in force: it warns and never rejects; give your own with --catalog DIR".to_owned());
        }
        if !info.durable {
            advice.push(
                "this log does not outlive the process: `arbctl submit-change` keeps a review".to_owned(),
            );
        }
        for ((agent, key), why) in &self.parked {
            advice.push(format!(
                "{agent} parked {key} ({why}): after the cause is mended, `arbctl redrive {key}`"
            ));
        }
        Ok(NodeStatus {
            pid: std::process::id(),
            live_since: self.live_since,
            log: log.to_owned(),
            durable: info.durable,
            steps: info.steps,
            head: info.head.map(|head| head.0),
            incarnation: info.incarnation,
            model: model.map_or("none".to_owned(), |(digest, graph)| {
                let model = graph.model();
                format!("{} ({} objects, {} links)", digest.short(), model.objects.len(), model.links.len())
            }),
            catalog: catalog.map_or("none".to_owned(), |(digest, catalog)| {
                format!("{} ({})", catalog.name, digest.short())
            }),
            open_reviews: self.loaded.iter().filter(|key| key.as_review().is_some()).count() as u64,
            agents: self.agents(),
            advice,
        })
    }

    fn agents(&self) -> Vec<AgentStatus> {
        let parked_at = |role| {
            let parked = self.parked.iter().filter(move |((owner, _), _)| *owner == role);
            parked.map(|((_, key), why)| format!("{key}: {why}")).collect()
        };
        let seats = self.seats.iter().map(|seat| AgentStatus {
            agent: seat.role().to_string(),
            logic: seat.logic(),
            parked: parked_at(seat.role()),
        });
        seats.collect()
    }
}

/// A step as it is handed out.
fn stored_step(stored: &Stored) -> StoredStep {
    let bytes = stored.step.bytes().to_vec().into();
    StoredStep { position: stored.position.0, at: stored.at, bytes }
}

/// A review in a line.
fn listed(steps: &[Stored]) -> Option<Listed> {
    let records = || steps.iter().flat_map(|stored| stored.step.records());
    let change = records().find_map(|record| match &record.object {
        Object::Change(change) => Some(change),
        _ => None,
    })?;
    let recommended = records().rev().find_map(|record| match &record.object {
        Object::Recommendation(recommendation) => Some(recommendation),
        _ => None,
    });
    let evaluation = submit::newest_evaluation(steps);
    let current = recommended.filter(|recommended| recommended.evaluation == evaluation);
    let outcome = current.map_or("undecided", |recommended| RecommendationKind::as_str(recommended.kind));
    let actions = change.summary.actions.iter().filter(|(action, _)| action.changes());
    let actions: Vec<String> =
        actions.map(|(action, count)| format!("{count} {}", action.as_str())).collect();
    Some(Listed {
        review: change.review,
        revision: change.revision,
        evaluation,
        outcome: outcome.to_owned(),
        submitted_at: steps.first()?.at,
        what: format!("{} {}", change.summary.format.as_str(), actions.join(", ")).trim().to_owned(),
    })
}
