//! `baseline write`: today's violations of a model become waivers (U10).

use std::collections::BTreeSet;

use agents::mimir::catalog::moment;
use agents::muninn::model;
use ontology::graph::Graph;
use ontology::policy::{ConstraintKind, Standing};
use ontology::records::ChangeDocument;
use ontology::records::document::{Action, Format, Target};
use ontology::release::LinkType;
use ontology::{Name, ObjectId};

use super::arguments::Baseline;
use super::model::write_new;
use super::policy::{look, read};
use super::render::safe;
use super::{Code, Failure, Outlet};
use crate::files;
use crate::node::model_file;

pub(super) fn run(Baseline::Write(asked): &Baseline, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let owner =
        Name::new(asked.owner.as_str()).map_err(|error| Failure::bad_input(format!("--owner: {error}")))?;
    let until = moment(&asked.until).map_err(|error| Failure::bad_input(format!("--until: {error}")))?;
    let catalog = read(Some(&asked.catalog))?;
    let files: Vec<_> = files::read_directory(&asked.model)?.iter().map(model_file).collect();
    let graph = Graph::index(model::compile(&files, &catalog)?.model)
        .map_err(|error| Failure::bad_input(error.to_string()))?;
    let owned = owned(&graph, owner.as_str());
    if owned.is_empty() {
        return Err(Failure::bad_input(format!("--owner: nothing in the model is owned by {owner}")));
    }
    let everything = touching(&owned);
    let mut found: BTreeSet<(Name, ObjectId)> = BTreeSet::new();
    for constraint in catalog.constraints.iter().filter(|it| is_of_the_model(&it.rule)) {
        let evaluated = look(constraint, &catalog, &everything, &graph)?;
        let broken = evaluated.violations.into_iter().filter(|it| it.standing == Standing::PreExisting);
        let broken = broken.filter(|violation| owned.contains(&violation.subject));
        found.extend(broken.map(|violation| (constraint.id.clone(), violation.subject)));
    }
    if found.is_empty() {
        outlet.note(&format!("nothing of {owner} violates anything: there is nothing to waive"));
        return Ok(Code::Done);
    }
    let name: String =
        owner.as_str().chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '-' }).collect();
    let path = asked.catalog.join(format!("waivers/{name}.yaml"));
    let because = asked.because.trim();
    let mut text = "arb: waivers/1\nwaivers:\n".to_owned();
    for (constraint, target) in &found {
        for (key, value) in [
            ("- constraint", constraint.as_str()),
            ("  target", target.as_str()),
            ("  owner", owner.as_str()),
            ("  reason", because),
            ("  expires", &until.to_string()),
        ] {
            text.push_str(&format!("  {key}: {}\n", serde_json::Value::from(value)));
        }
    }
    write_new(&path, &text).map_err(|error| Failure::bad_input(format!("{}: {error}", path.display())))?;
    outlet.print(&format!("{}\n", safe::line(&path.display().to_string())))?;
    outlet.note(&format!("{} waivers of {owner}, until {until}", found.len()));
    Ok(Code::Done)
}

/// Rules that a model can break by itself.
const fn is_of_the_model(rule: &ConstraintKind) -> bool {
    !matches!(
        rule,
        ConstraintKind::Plan(_)
            | ConstraintKind::Rego { .. }
            | ConstraintKind::ChangeWindow
            | ConstraintKind::BudgetDelta { .. }
    )
}

/// What a team owns, by its id or the last part of it.
fn owned(graph: &Graph, owner: &str) -> BTreeSet<ObjectId> {
    let of = |id: &ObjectId| id.as_str() == owner || id.as_str().rsplit([':', '/']).next() == Some(owner);
    let links = graph.model().links.iter().filter(|link| link.kind == LinkType::OwnedBy && of(&link.to));
    links.map(|link| link.from.clone()).collect()
}

/// A change that touches these objects and alters nothing.
fn touching(objects: &BTreeSet<ObjectId>) -> ChangeDocument {
    let target = |object: &ObjectId| Target {
        address: object.clone(),
        kind: String::new(),
        provider: None,
        action: Action::Update,
        action_reason: None,
        moved_from: None,
        data: false,
        imported: false,
        before: None,
        after: None,
        unknown: BTreeSet::new(),
        replace_paths: BTreeSet::new(),
        needs: BTreeSet::new(),
        tags: std::collections::BTreeMap::new(),
        object: None,
    };
    ChangeDocument {
        format: Format::ArbChange,
        format_version: "1".to_owned(),
        tool: None,
        workspace: None,
        targets: objects.iter().map(target).collect(),
        drift: BTreeSet::new(),
        links: Vec::new(),
        outputs: BTreeSet::new(),
        errored: false,
        incomplete: false,
        sensitivity_unmarked: false,
        withheld_unkeyed: false,
        withheld: 0,
    }
}
