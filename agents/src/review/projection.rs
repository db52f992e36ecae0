//! The canonical form of the read model, for its digest.

use ontology::records::Evaluation;
use ontology::{Digest, ReviewId, Timestamp};
use serde::Serialize;

use super::{Axes, Review, axes};

#[derive(Serialize)]
struct Projection {
    review: Option<ReviewId>,
    outcome: &'static str,
    asides: Vec<Record>,
    evaluations: Vec<Stage>,
}

#[derive(Serialize)]
struct Stage {
    evaluation: Evaluation,
    axes: Axes,
    records: Vec<Record>,
}

/// A record in the projection. Its digest covers what it says, its name who said it because of what.
#[derive(Serialize)]
struct Record {
    id: String,
    digest: Digest,
    time: Timestamp,
}

impl Record {
    fn of(said: &super::Said) -> Self {
        Self { id: said.record.to_string(), digest: said.digest, time: said.time }
    }
}

pub(super) fn digest(review: &Review) -> Digest {
    let stage = |part: super::Part<'_>| Stage {
        evaluation: part.evaluation,
        axes: axes::axes(&part),
        records: part.said.iter().map(|said| Record::of(said)).collect(),
    };
    Digest::of_value(&Projection {
        review: review.id(),
        outcome: review.outcome().as_str(),
        asides: review.asides().map(Record::of).collect(),
        evaluations: review.evaluations().map(stage).collect(),
    })
}
