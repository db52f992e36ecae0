//! `policy`: reads a catalog and lists what it demands, begins one, tests it (U12).

mod begin;
mod explain;
mod test;

pub(super) use explain::look;

use std::path::Path;

use agents::mimir::catalog::{CatalogFile, compile};
use agents::mimir::starter;
use ontology::policy::{Catalog, Enforcement};
use serde_json::json;

use super::arguments::{Output, Policy, PolicyCheck};
use super::render::{Cell, Table};
use super::{Code, Failure, Outlet};
use crate::files;
use crate::node::catalog_file;

pub(super) fn run(asked: &Policy, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    match asked {
        Policy::Check(asked) => check(asked, outlet),
        Policy::New(asked) => begin::run(asked, outlet),
        Policy::Test(asked) => test::run(asked, outlet),
        Policy::Explain(asked) => explain::run(asked, outlet),
    }
}

fn check(PolicyCheck { catalog, output }: &PolicyCheck, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let catalog = read(catalog.as_deref())?;
    match output {
        Output::Json => outlet.json(&json!({ "digest": catalog.digest(), "catalog": &catalog }))?,
        Output::Text => {
            let text = text(&catalog, outlet);
            outlet.print(&text)?;
        }
    }
    if catalog.constraints.is_empty() {
        outlet.note("this catalog has no constraint: nothing would ever be rejected");
    }
    Ok(Code::Done)
}

/// The catalog of a directory; the starter catalog, where there is none.
pub(super) fn read(directory: Option<&Path>) -> Result<Catalog, Failure> {
    let Some(directory) = directory else { return Ok(starter().clone()) };
    let files = files::read_directory(directory)?;
    let files: Vec<CatalogFile> = files.iter().map(catalog_file).collect();
    Ok(compile(&files)?)
}

fn text(catalog: &Catalog, outlet: &Outlet<'_>) -> String {
    let mode = match catalog.mode {
        ontology::policy::catalog::Mode::Observe => "observe",
        ontology::policy::catalog::Mode::Enforce => "enforce",
    };
    let mut table = Table::new(2);
    for constraint in &catalog.constraints {
        let enforcement = match constraint.enforcement {
            Enforcement::Observe => "observe",
            Enforcement::Warn => "warn",
            Enforcement::Condition => "condition",
            Enforcement::Approve => "approve",
            Enforcement::Deny => "deny",
        };
        let deny_from = constraint.deny_from.map(|from| format!("deny from {from}")).unwrap_or_default();
        table.row([
            Cell::text(enforcement),
            Cell::text(constraint.id.as_str()),
            Cell::text(&constraint.title),
            Cell::text(deny_from),
        ]);
    }
    let head = format!(
        "catalog {} {}: {mode}, {} constraints\n",
        super::render::safe::line(catalog.name.as_str()),
        catalog.digest().short(),
        catalog.constraints.len()
    );
    head + &table.render(&outlet.paper(), 2, false)
}
