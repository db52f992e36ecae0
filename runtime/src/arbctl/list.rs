//! `list`: reviews, latest first.

use super::arguments::{List, Output};
use super::render::{Cell, Table};
use super::{Code, Failure, Outlet};
use crate::call::{Call, Reply};

pub(super) fn run(asked: &List, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let (node, _) = asked.directory.open(outlet)?;
    let Reply::List(reviews) = node.call(Call::List { limit: asked.limit })? else {
        return Err(Failure::unexpected());
    };
    if asked.output == Output::Json {
        outlet.json(&reviews)?;
        return Ok(Code::Done);
    }
    if reviews.is_empty() {
        outlet.note("there is no review yet: `arbctl submit-change plan.json` makes one");
    }
    let mut table = Table::new(4);
    for review in &reviews {
        table.row([
            Cell::text(review.review.short()),
            Cell::text(format!("r{} e{}", review.revision, review.evaluation)),
            Cell::text(&review.outcome),
            Cell::text(review.submitted_at.to_string()),
            Cell::text(&review.what),
        ]);
    }
    let text = table.render(&outlet.paper(), 0, false);
    outlet.print(&text)?;
    Ok(Code::Done)
}
