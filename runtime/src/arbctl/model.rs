//! `model check` and `model init`; the other commands of a model have a file each.

mod gaps;
mod import;

use std::io::Write as _;
use std::path::Path;

use agents::huginn::intake::Context;
use agents::muninn::model::{Summary, check, compile, init};
use ontology::ObjectId;
use serde_json::json;

use super::arguments::{Model, ModelCheck, ModelInit, Output};
use super::render::{Cell, Table};
use super::{Code, Failure, Outlet, inputs, policy};
use crate::call::{Given, Manifests};
use crate::files;
use crate::node::{model_file, read_change};

/// Names shown of a gap.
const NAMED_MAX: usize = 12;

pub(super) fn run(asked: &Model, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    match asked {
        Model::Check(asked) => check_model(asked, outlet),
        Model::Init(asked) => init_model(asked, outlet),
        Model::Import(asked) => import::run(asked, outlet),
        Model::Gaps(asked) => gaps::run(asked, outlet),
    }
}

fn check_model(asked: &ModelCheck, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let catalog = policy::read(asked.catalog.as_deref())?;
    let files: Vec<_> = files::read_directory(&asked.model)?.iter().map(model_file).collect();
    let compiled = compile(&files, &catalog)?;
    let summary = check(&compiled);
    match asked.output {
        Output::Json => outlet.json(&as_json(&summary, &compiled.model.digest()))?,
        Output::Text => {
            let text = text(&summary, outlet);
            outlet.print(&text)?;
        }
    }
    Ok(Code::Done)
}

fn as_json(summary: &Summary, digest: &ontology::Digest) -> serde_json::Value {
    let links: std::collections::BTreeMap<&str, u32> =
        summary.links.iter().map(|(kind, count)| (kind.as_str(), *count)).collect();
    json!({
        "digest": digest,
        "objects": summary.objects,
        "links": links,
        "bindings": summary.bindings,
        "sources": summary.sources,
        "one_source": summary.one_source,
        "denied": summary.denied,
        "without_owner": summary.without_owner,
        "without_objective": summary.without_objective,
        "assumed": summary.assumed,
        "unbound": summary.unbound,
        "warnings": summary.warnings,
    })
}

fn text(summary: &Summary, outlet: &Outlet<'_>) -> String {
    let mut table = Table::new(1);
    let counts: Vec<String> = summary.objects.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let links: u32 = summary.links.values().sum();
    let mut row = |name: &str, value: String| table.row([Cell::text(name), Cell::text(value)]);
    row("objects", if counts.is_empty() { "none".to_owned() } else { counts.join(", ") });
    row("links", format!("{links}, of them {} by one source alone", summary.one_source.len()));
    row("bindings", summary.bindings.to_string());
    row("sources", format!("{} of {} authorities", summary.sources.len(), summary.authorities.len()));
    let ids = |ids: &[ObjectId]| ids.iter().map(ToString::to_string).collect::<Vec<String>>();
    let mut gap = |name: &str, names: Vec<String>| {
        if !names.is_empty() {
            row(name, format!("{}: {}", names.len(), listed(&names)));
        }
    };
    gap("denied", summary.denied.clone());
    gap("no owner", ids(&summary.without_owner));
    gap("no objective", ids(&summary.without_objective));
    gap("assumed", ids(&summary.assumed));
    gap("unbound", ids(&summary.unbound));
    for warning in &summary.warnings {
        row("warning", warning.clone());
    }
    table.render(&outlet.paper(), 0, true)
}

fn listed(names: &[String]) -> String {
    super::render::listed(names, NAMED_MAX)
}

fn init_model(asked: &ModelInit, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let given = match &asked.from {
        Some(plan) => Given::File(inputs::file(plan, outlet)?),
        None => {
            let after = inputs::manifests(&asked.after, outlet)?;
            Given::Manifests(Manifests { after, ..Manifests::default() })
        }
    };
    let catalog = policy::read(None)?;
    let read = read_change(&given, &Context { catalog: &catalog, key: None })?;
    let codeowners = asked.codeowners.as_deref().map(files::read_file).transpose()?;
    let stubs = init(&read.document, codeowners.as_ref().map(|file| file.text.as_str()));
    // Looked at before anything is written: all stubs, or none.
    if let Some((taken, _)) = stubs.iter().find(|(path, _)| asked.to.join(path).exists()) {
        let taken = asked.to.join(taken);
        return Err(Failure::bad_input(format!(
            "{}: it exists and is not overwritten; give --to DIR",
            taken.display()
        )));
    }
    for (path, text) in &stubs {
        let path = asked.to.join(path);
        write_new(&path, text).map_err(|error| Failure::bad_input(format!("{}: {error}", path.display())))?;
        outlet.print(&format!("{}\n", super::render::safe::line(&path.display().to_string())))?;
    }
    let to = asked.to.display();
    outlet.note(&format!("fill in the blanks (fill-in, tier), then: arbctl model check --model {to}"));
    Ok(Code::Done)
}

/// Writes a file that is not there yet, and the directories to it.
pub(super) fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    std::fs::File::create_new(path)?.write_all(text.as_bytes())
}
