//! `policy explain`: which target matches which line (U12).

use std::collections::BTreeSet;

use agents::huginn::intake::{self, Context};
use agents::mimir::catalog::{CatalogFile, compile};
use agents::muninn::model;
use ontology::Name;
use ontology::graph::{Edits, Graph, View};
use ontology::model::Model;
use ontology::policy::rego::{Definition, definitions};
use ontology::policy::{
    Catalog, Constraint, ConstraintKind, Enforcement, Evaluated, Selector, Standing, Subject, Violation,
    evaluate,
};
use ontology::records::ChangeDocument;
use ontology::records::evaluation::{AS_PROPOSED, OptionDraft};
use ontology::records::snapshot::Resolution;

use super::super::arguments::PolicyExplain;
use super::super::render::safe;
use super::super::{Code, Failure, Outlet, inputs};
use crate::files;
use crate::log::wall_clock;
use crate::node::{catalog_file, model_file};

pub(super) fn run(asked: &PolicyExplain, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let rule = files::read_file(&asked.file)?;
    let name =
        asked.file.file_name().map_or_else(|| rule.path.clone(), |name| name.to_string_lossy().into_owned());
    let is_rego = name.ends_with(".rego");
    let catalog = catalog(asked, &name, &rule.text, is_rego)?;
    let plan = inputs::file(&asked.plan, outlet)?;
    let read = intake::read(&plan.path, plan.text.as_bytes(), &Context { catalog: &catalog, key: None })?;
    let graph = graph(asked, &catalog)?;
    let mut lines = Vec::new();
    if is_rego {
        let found = definitions(catalog.policies.texts(), &name)
            .map_err(|fault| Failure::bad_input(fault.to_string()))?;
        for Definition { line, package, rule, rules, modules } in found {
            let alone = Catalog { policies: modules, ..catalog.clone() };
            let evaluated =
                look(&constraint(ConstraintKind::Rego { package, rules })?, &alone, &read.document, &graph)?;
            lines.extend(shown(&format!("{name}:{line} {rule}"), &evaluated));
        }
    } else {
        let own = |it: &&Constraint| !it.id.as_str().starts_with("rego:");
        let constraint = catalog.constraints.iter().find(own);
        let constraint = constraint.ok_or_else(|| Failure::bad_input(format!("{name}: it is no rule")))?;
        let evaluated = look(constraint, &catalog, &read.document, &graph)?;
        lines.extend(shown(constraint.id.as_str(), &evaluated));
    }
    if lines.is_empty() {
        outlet.print("nothing of this plan matches\n")?;
    }
    for line in lines {
        outlet.print(&(safe::line(&line) + "\n"))?;
    }
    Ok(Code::Done)
}

/// The catalog that the rule is looked at in: what was given, with this rule as its only one beside Rego.
fn catalog(asked: &PolicyExplain, name: &str, text: &str, is_rego: bool) -> Result<Catalog, Failure> {
    let given = asked.catalog.as_deref().map(files::read_directory).transpose()?.unwrap_or_default();
    let mut files: Vec<CatalogFile> = given.iter().map(catalog_file).collect();
    if !files.iter().any(|file| file.path == "catalog.yaml") {
        let bytes = b"arb: catalog/1\nname: explained\n".into();
        files.push(CatalogFile { path: "catalog.yaml".into(), bytes });
    }
    let other = |file: &CatalogFile| {
        ["constraints/", "waivers", "rollout.yaml"].iter().any(|part| file.path.starts_with(part))
            || file.path.rsplit('/').next() == Some(name)
    };
    files.retain(|file| !other(file));
    let path = if is_rego { name.to_owned() } else { format!("constraints/{name}") };
    files.push(CatalogFile { path, bytes: text.as_bytes().to_vec() });
    Ok(compile(&files)?)
}

fn graph(asked: &PolicyExplain, catalog: &Catalog) -> Result<Graph, Failure> {
    let model = match asked.model.as_deref() {
        None => Model::default(),
        Some(directory) => {
            let files: Vec<_> = files::read_directory(directory)?.iter().map(model_file).collect();
            model::compile(&files, catalog)?.model
        }
    };
    Graph::index(model).map_err(|error| Failure::bad_input(error.to_string()))
}

/// A rule by itself, for everything.
fn constraint(rule: ConstraintKind) -> Result<Constraint, Failure> {
    Ok(Constraint {
        id: name_of("explained")?,
        title: String::new(),
        rule,
        enforcement: Enforcement::Observe,
        deny_from: None,
        precedence: 1,
        applies_to: Selector::default(),
        remedy: None,
        condition: None,
        approvers: BTreeSet::new(),
    })
}

fn name_of(text: &str) -> Result<Name, Failure> {
    Name::new(text).map_err(Failure::internal)
}

/// What a rule finds in a change, on its own.
pub(in super::super) fn look(
    constraint: &Constraint,
    catalog: &Catalog,
    document: &ChangeDocument,
    graph: &Graph,
) -> Result<Evaluated, Failure> {
    let workspace = document.workspace.as_deref();
    let targets: Vec<Resolution> = document
        .targets
        .iter()
        .map(|target| Resolution {
            address: target.address.clone(),
            found: graph.bindings().resolve(graph, target, workspace),
        })
        .collect();
    let option = OptionDraft { id: name_of(AS_PROPOSED)?, without: BTreeSet::new() };
    let edits = Edits::of(document, &targets, &option, graph);
    let (overlay, _) = View::with(graph, &edits);
    let subject = Subject {
        document,
        targets: &targets,
        base: &View::base(graph),
        overlay: &overlay,
        catalog,
        cutoff: wall_clock(),
    };
    Ok(evaluate(constraint, &subject))
}

fn shown(place: &str, evaluated: &Evaluated) -> Vec<String> {
    let line = |violation: &Violation| {
        let standing = match violation.standing {
            Standing::Introduced => "introduced",
            Standing::Worsened => "worsened",
            Standing::PreExisting => "pre-existing",
            Standing::Fixed => "fixed",
            Standing::Waived => "waived",
        };
        format!("{place}  {standing}  {}  {}", violation.subject, violation.value)
    };
    let unknown = evaluated.unknown.iter().map(|why| format!("{place}  not decided  {why}"));
    evaluated.violations.iter().map(line).chain(unknown).collect()
}
