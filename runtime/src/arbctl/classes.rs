//! `explain-class`: which excluded classes a change is in, and which row says so (U11).

use agents::huginn::intake::{self, Context, KIND_DEFAULT};
use ontology::policy::classes::classify;
use ontology::records::document::Target;
use serde_json::json;

use super::arguments::{ExplainClass, Output};
use super::render::{Cell, Table};
use super::{Code, Failure, Outlet, inputs, policy};

pub(super) fn run(asked: &ExplainClass, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let catalog = policy::read(asked.catalog.as_deref())?;
    let plan = inputs::file(&asked.plan, outlet)?;
    let read = intake::read(&plan.path, plan.text.as_bytes(), &Context { catalog: &catalog, key: None })?;
    let own = Some(read.change_kind.as_str()).filter(|kind| *kind != KIND_DEFAULT);
    let kind = own.or(asked.kind.as_deref()).unwrap_or(KIND_DEFAULT);
    let changed: Vec<&Target> = read.document.changed().collect();
    let found = classify(&catalog, kind, &changed);
    if asked.output == Output::Json {
        let rows: Vec<_> = found
            .iter()
            .map(|it| {
                let target = it.target.map(|target| &target.address);
                json!({ "class": it.class.as_str(), "target": target, "table": it.row.0, "row": it.row.1 })
            })
            .collect();
        outlet.json(&json!({ "kind": kind, "classes": rows }))?;
        return Ok(Code::Done);
    }
    let mut table = Table::new(3);
    for it in &found {
        let target = it.target.map_or_else(|| "the change".to_owned(), |target| target.address.to_string());
        table.row([
            Cell::text(it.class.as_str()),
            Cell::text(target),
            Cell::text(format!("{}: {}", it.row.0, it.row.1)),
        ]);
    }
    let text = table.render(&outlet.paper(), 0, false);
    outlet.print(&text)?;
    if found.is_empty() {
        outlet.print(&format!(
            "a change of kind {}, in no excluded class\n",
            super::render::safe::line(kind)
        ))?;
    }
    Ok(Code::Done)
}
