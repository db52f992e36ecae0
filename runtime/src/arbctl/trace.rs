//! `trace`: the stages of an evaluation in order (S-19, S-20). Reads steps; calls no agent and grants nothing.

use agents::review::Review;
use agents::trace::{EVENTS_MAX, Trace, TraceEvent, TraceOutcome, events};
use ontology::records::Evaluation;
use topics::{Position, Step, Stored};

use super::arguments::{self, TraceOutput};
use super::render::{Cell, Table};
use super::{Code, Failure, Outlet, inputs};
use crate::call::{Call, CallError, ErrorCode, Reply, StoredStep};

pub(super) fn run(asked: &arguments::Trace, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let events = match (&asked.file, &asked.review) {
        (Some(file), _) => of_file(&inputs::file(file, outlet)?.text, &file.display().to_string())?,
        (None, Some(review)) => of_review(review, asked, outlet)?,
        (None, None) => return Err(Failure::bad_input("name a review, or give --file FILE")),
    };
    let newest = events.iter().map(|event| event.evaluation).max();
    let Some(evaluation) = asked.evaluation.or(newest) else {
        return Err(Failure::bad_input("there is no stage in it"));
    };
    let events: Vec<TraceEvent> = events.into_iter().filter(|event| event.evaluation == evaluation).collect();
    if events.is_empty() {
        return Err(not_found(evaluation));
    }
    match asked.output {
        TraceOutput::Events => {
            for event in &events {
                let line = serde_json::to_string(event).map_err(Failure::internal)?;
                outlet.print(&format!("{line}\n"))?;
            }
        }
        TraceOutput::Json => outlet.json(&Trace::replay(evaluation, &events))?,
        TraceOutput::Text => {
            let text = text(&Trace::replay(evaluation, &events), outlet);
            outlet.print(&text)?;
        }
    }
    Ok(Code::Done)
}

fn not_found(evaluation: Evaluation) -> Failure {
    Failure::Call(CallError::new(ErrorCode::NotFound, format!("there is no evaluation {evaluation}")))
}

/// The events of every evaluation of a review.
fn of_review(
    review: &str,
    asked: &arguments::Trace,
    outlet: &Outlet<'_>,
) -> Result<Vec<TraceEvent>, Failure> {
    let (node, _) = asked.directory.open(outlet)?;
    let Reply::Steps(steps) = node.call(Call::Steps { key: review.to_owned() })? else {
        return Err(Failure::unexpected());
    };
    let steps = steps.into_iter().map(stored).collect::<Result<Vec<Stored>, Failure>>()?;
    let review = Review::of(&steps);
    Ok(review.evaluations().flat_map(|part| events(&review, &part)).collect())
}

fn stored(step: StoredStep) -> Result<Stored, Failure> {
    let bytes = step.bytes.as_slice().to_vec();
    let decoded = Step::decode(bytes);
    let decoded =
        decoded.map_err(|error| Failure::Differs(format!("the step at {}: {error}", step.position)))?;
    Ok(Stored { position: Position(step.position), at: step.at, step: decoded })
}

/// One event a line, as `--output events` prints them.
fn of_file(text: &str, file: &str) -> Result<Vec<TraceEvent>, Failure> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let events: Vec<TraceEvent> = lines
        .map(|(number, line)| {
            serde_json::from_str(line).map_err(|error| {
                // The message may quote a value; the kind and place are enough to mend it.
                let what = if error.is_data() { "it is not an event of a trace" } else { "it is not JSON" };
                let place = format!("line {}, column {}", number + 1, error.column());
                Failure::bad_input(format!(
                    "{file}: {place}: {what} (`arbctl trace REVIEW --output events` prints some)"
                ))
            })
        })
        .collect::<Result<_, _>>()?;
    let max = EVENTS_MAX * usize::from(ontology::records::EVALUATIONS_MAX);
    if events.len() > max {
        return Err(Failure::bad_input(format!(
            "{file}: it has {} events, at most {max} are read",
            events.len()
        )));
    }
    Ok(events)
}

fn text(trace: &Trace, outlet: &Outlet<'_>) -> String {
    let mut table = Table::new(5);
    for stage in &trace.stages {
        let mut cells = vec![Cell::text(stage.stage.as_str()), Cell::text(stage.owner.as_str())];
        match &stage.said {
            Some(said) => cells.extend([
                Cell::text(said.time.to_string()),
                Cell::text(said.late_us.map(|late| format!("{} ms late", late / 1_000)).unwrap_or_default()),
                Cell::text(said.digest.short()),
                Cell::text(said.record.as_str()).dim(),
            ]),
            None => cells.push(Cell::text("missing")),
        }
        table.row(cells);
    }
    let outcome = match trace.outcome {
        TraceOutcome::Closed => "closed",
        TraceOutcome::Held => "held",
    };
    let deadline = trace.deadline.map(|deadline| format!(", deadline {deadline}")).unwrap_or_default();
    let mut text = format!("trace {outcome}: evaluation {}{deadline}\n", trace.evaluation);
    text.push_str(&table.render(&outlet.paper(), 2, true));
    for fault in &trace.faults {
        text.push_str(&format!("  {fault}\n"));
    }
    text
}
