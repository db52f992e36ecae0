//! `rollout status`: where verdicts count for how much (U11).

use ontology::policy::catalog::Mode;
use ontology::policy::rollout::{Place, Row};
use serde_json::json;

use super::arguments::{Output, Rollout, RolloutStatus};
use super::render::{Cell, Table};
use super::{Code, Failure, Outlet, policy};

pub(super) fn run(Rollout::Status(asked): &Rollout, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let catalog = policy::read(Some(&asked.catalog))?;
    let place = place(asked);
    let (level, row) = catalog.level(&place);
    if asked.output == Output::Json {
        let row = row.map(|row| row + 1);
        outlet
            .json(&json!({ "rows": &catalog.rollout, "mode": catalog.mode, "level": level, "row": row }))?;
        return Ok(Code::Done);
    }
    let mut table = Table::new(3);
    for (index, row) in catalog.rollout.iter().enumerate() {
        table.row([
            Cell::text((index + 1).to_string()),
            Cell::text(row.level.as_str()),
            Cell::text(asks(row)),
        ]);
    }
    let mode = match catalog.mode {
        Mode::Observe => "observe",
        Mode::Enforce => "enforce",
    };
    table.row([Cell::text("-"), Cell::text(mode), Cell::text("everything else, by the catalog's mode")]);
    let text = table.render(&outlet.paper(), 0, false);
    outlet.print(&text)?;
    if place != Place::default() {
        let by = row.map_or_else(|| "the catalog's mode".to_owned(), |row| format!("row {}", row + 1));
        outlet.print(&format!("such a change: {}, by {by}\n", level.as_str()))?;
    }
    Ok(Code::Done)
}

fn place(asked: &RolloutStatus) -> Place<'_> {
    Place {
        repository: asked.repository.as_deref(),
        owner: asked.owner.as_deref(),
        class: asked.class.as_deref(),
        environment: asked.environment.as_deref(),
    }
}

fn asks(row: &Row) -> String {
    let asked = [
        ("repository", &row.repository),
        ("owner", &row.owner),
        ("class", &row.class),
        ("environment", &row.environment),
    ];
    let asked: Vec<String> =
        asked.iter().filter_map(|(name, pattern)| Some(format!("{name} {}", pattern.as_ref()?))).collect();
    if asked.is_empty() { "everything".to_owned() } else { asked.join(", ") }
}
