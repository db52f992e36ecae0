//! `model gaps`: what is missing, those gaps first that held most of the recorded reviews (U7).

use std::collections::BTreeSet;

use agents::muninn::model::gaps::{Gap, GapKind, HeldReview, gaps};
use agents::muninn::model::{check, compile};
use ontology::{Effect, ObjectId};
use serde_json::json;

use super::super::arguments::{ModelGaps, Output};
use super::super::connect::{self, Location};
use super::super::render::{Cell, Table};
use super::super::{Code, Failure, Outlet, policy};
use crate::call::{Answers, Call, Reply};
use crate::files;
use crate::node::model_file;
use crate::report::{Outcome, Report};

/// Reviews that are looked through, the latest first: a month of a busy team.
const REVIEWS_MAX: usize = 500;

pub(super) fn run(asked: &ModelGaps, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let catalog = policy::read(asked.catalog.as_deref())?;
    let files: Vec<_> = files::read_directory(&asked.model)?.iter().map(model_file).collect();
    let compiled = compile(&files, &catalog)?;
    let held = held(asked, outlet)?;
    let mut found = gaps(&compiled.model, &check(&compiled), &held);
    if let Some(owner) = &asked.owner {
        found.retain(|gap| gap.owner.as_ref().is_some_and(|own| is(own, owner)));
    }
    let total = found.len();
    found.truncate(asked.limit);
    match asked.output {
        Output::Json => outlet.json(&as_json(&found, total, held.len()))?,
        Output::Text => {
            let text = text(&found, outlet);
            outlet.print(&text)?;
        }
    }
    if total > found.len() {
        outlet.note(&format!("{} more; --limit {total} shows all", total - found.len()));
    }
    Ok(Code::Done)
}

/// Whether an owner is the one that was typed: its whole id, or the name alone.
fn is(owner: &ObjectId, typed: &str) -> bool {
    let name = owner.as_str().rsplit('/').next().unwrap_or_default();
    owner.as_str().eq_ignore_ascii_case(typed) || name.eq_ignore_ascii_case(typed)
}

/// The recorded reviews that were held. Without a log there are none, and none is begun.
fn held(asked: &ModelGaps, outlet: &mut Outlet<'_>) -> Result<Vec<HeldReview>, Failure> {
    let location = Location::of(&asked.directory, outlet)?;
    if !location.directory.exists() {
        outlet.note("no review is recorded: ordered by how many things need what is thin");
        return Ok(Vec::new());
    }
    let node = connect::node(&location)?;
    let Reply::List(listed) = node.call(Call::List { limit: REVIEWS_MAX })? else {
        return Err(Failure::unexpected());
    };
    let held = listed.iter().filter(|review| review.outcome == Outcome::Held.as_str());
    held.map(|review| Ok(of(&report(&*node, &review.review.to_string())?))).collect()
}

fn report(node: &dyn Answers, review: &str) -> Result<Report, Failure> {
    match node.call(Call::Review { review: review.to_owned() })? {
        Reply::Review(report) => Ok(*report),
        _ => Err(Failure::unexpected()),
    }
}

fn of(report: &Report) -> HeldReview {
    let holding = report.reasons.iter().filter(|reason| reason.effect >= Effect::Held);
    let reach = report.reach.iter().flat_map(|reach| &reach.affected);
    HeldReview {
        reasons: holding.map(|reason| (reason.code, reason.subject.clone())).collect(),
        reach: reach.map(ToString::to_string).collect(),
    }
}

fn as_json(found: &[Gap], total: usize, held: usize) -> serde_json::Value {
    let gaps = found.iter().map(|gap| {
        json!({
            "kind": gap.kind.as_str(),
            "subject": gap.subject,
            "owner": gap.owner,
            "holds": gap.holds,
            "needed_by": gap.needed_by,
            "cure": gap.kind.cure(),
        })
    });
    json!({ "held_reviews": held, "total": total, "gaps": gaps.collect::<Vec<_>>() })
}

fn text(found: &[Gap], outlet: &Outlet<'_>) -> String {
    if found.is_empty() {
        return "no gaps\n".to_owned();
    }
    let mut table = Table::new(4);
    table.row(["holds", "needed by", "missing", "owner", "of"].map(Cell::text));
    for gap in found {
        table.row([
            Cell::text(gap.holds.to_string()),
            Cell::text(gap.needed_by.to_string()),
            Cell::text(gap.kind.as_str()),
            Cell::text(gap.owner.as_ref().map_or_else(|| "–".to_owned(), ToString::to_string)),
            Cell::text(&gap.subject),
        ]);
    }
    let mut text = table.render(&outlet.paper(), 0, true);
    let kinds: BTreeSet<GapKind> = found.iter().map(|gap| gap.kind).collect();
    for kind in kinds {
        text.push_str(&format!("{}: {}\n", kind.as_str(), kind.cure()));
    }
    text
}
