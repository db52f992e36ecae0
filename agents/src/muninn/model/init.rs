//! Stubs of a model from a plan, with blanks for a person to fill in (U7). What is written compiles as it is, and
//! its blanks show up as warnings and gaps.

mod codeowners;
mod manifests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use ontology::records::ChangeDocument;
use ontology::records::document::{Format, Target};

use crate::mimir;
pub(super) use codeowners::Owner;

/// The owner of a component that CODEOWNERS does not tell: refers to nobody, and so is a gap.
const OWNER_BLANK: &str = "group:default/fill-in";

/// Defaults to begin with. They do nothing until somebody gives a component its tier.
const TIERS: &str = "\
# Objectives of what has a tier in bindings.yaml and none of its own. They are assumed, and a person approves what
# rests on them. Correct the numbers; recovery and cost can stand here too, as in objectives.yaml.
arb: tiers/1
tiers:
  1:
    service: [{ metric: availability, target: 0.999, unit: ratio, window: 30d }]
  2:
    service: [{ metric: availability, target: 0.995, unit: ratio, window: 30d }]
  3:
    service: [{ metric: availability, target: 0.99, unit: ratio, window: 30d }]
";

/// Files of a model that binds everything in a change, grouped by its modules or workloads: (path, text).
#[must_use]
pub fn init(document: &ChangeDocument, codeowners: Option<&str>) -> Vec<(String, String)> {
    let codeowners = codeowners.unwrap_or_default();
    let groups = match document.format {
        Format::KubernetesManifests => manifests::groups(document, codeowners),
        Format::TerraformPlan | Format::ArbChange => groups(document, codeowners),
    };
    vec![
        ("bindings.yaml".into(), bindings(&groups)),
        ("catalog-info.yaml".into(), entities(&groups)),
        ("objectives.yaml".into(), objectives(&groups)),
        ("tiers.yaml".into(), TIERS.into()),
    ]
}

/// What becomes one component.
struct Group {
    /// The component's name.
    name: String,
    owner: Option<Owner>,
    workspace: Option<String>,
    /// Address patterns of plans.
    addresses: Vec<String>,
    /// Selectors of objects of a cluster, as a flow mapping each.
    selectors: Vec<String>,
    /// Things in it that hold data: name, type and binding.
    stateful: Vec<(String, String, String)>,
}

fn groups(document: &ChangeDocument, codeowners: &str) -> Vec<Group> {
    let mut by_module: BTreeMap<Option<&str>, Vec<&Target>> = BTreeMap::new();
    for target in document.targets.iter().filter(|target| !target.data) {
        by_module.entry(module(target.address.as_str())).or_default().push(target);
    }
    let workspace = document.workspace.as_deref().filter(|name| *name != "default");
    let (mut groups, mut names) = (Vec::new(), BTreeSet::new());
    for (module, targets) in by_module {
        let name = unused(slug(module.or(workspace).unwrap_or("root")), &mut names);
        let addresses = match module {
            Some(module) => vec![format!("module.{module}.**"), format!("module.{module}[**")],
            // What holds data is bound by itself, below.
            None => targets
                .iter()
                .filter(|target| !mimir::starter().is_stateful(&target.kind))
                .map(|target| target.address.to_string())
                .collect(),
        };
        let mut resources = BTreeSet::new();
        let stateful = targets
            .iter()
            .filter(|target| mimir::starter().is_stateful(&target.kind))
            .map(|target| {
                let local = local_name(target.address.as_str(), &target.kind);
                let resource = unused(slug(&format!("{name}-{local}")), &mut resources);
                let binding = format!("terraform: {{ address: {} }}", quoted(target.address.as_str()));
                (resource, target.kind.clone(), binding)
            })
            .collect();
        let owner = Owner::of(&name, codeowners);
        let workspace = if module.is_none() { workspace.map(str::to_owned) } else { None };
        groups.push(Group { name, owner, workspace, addresses, selectors: Vec::new(), stateful });
    }
    groups
}

/// The name of the outermost module of an address.
fn module(address: &str) -> Option<&str> {
    let rest = address.strip_prefix("module.")?;
    rest.split(['.', '[']).next().filter(|name| !name.is_empty())
}

/// What tells a resource apart within its outermost module: that module's index, the modules further in, its name.
fn local_name(address: &str, kind: &str) -> String {
    let Some((path, name)) = address.rsplit_once(&format!("{kind}.")) else { return address.to_owned() };
    let inner = module(address).and_then(|module| path.strip_prefix("module.")?.strip_prefix(module));
    format!("{}-{name}", inner.unwrap_or_default().replace(".module.", "-"))
}

/// A name as Backstage allows it: at most 63 of a-z, 0-9 and dashes, beginning and ending with a letter or digit.
pub(super) fn slug(text: &str) -> String {
    const SLUG_BYTES_MAX: usize = 63;
    let mut slug = String::new();
    for character in text.to_lowercase().chars() {
        if character.is_ascii_alphanumeric() {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(SLUG_BYTES_MAX);
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "unnamed".into() } else { slug.into() }
}

/// The name, with a number behind it where it is taken.
fn unused(name: String, taken: &mut BTreeSet<String>) -> String {
    let free = (1_u32..)
        .map(|n| if n == 1 { name.clone() } else { format!("{name}-{n}") })
        .find(|it| !taken.contains(it));
    let free = free.unwrap_or(name);
    taken.insert(free.clone());
    free
}

/// A text in YAML's double quotes, which are JSON's.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn bindings(groups: &[Group]) -> String {
    let mut text = String::from(
        "# Which addresses of plans and objects of clusters are which component. \"*\" stands for the rest of one segment, \"**\" for any rest.\n\
         # A resource that is bound by its exact address is that thing; anything else is a part of its component.\n\
         # A tier (1 is the most critical) takes its objectives from tiers.yaml.\n",
    );
    if groups.is_empty() {
        text.push_str("[]\n");
    }
    for group in groups {
        let addresses: Vec<String> = group.addresses.iter().map(|it| quoted(it)).collect();
        let _ = writeln!(text, "\n- component: component:default/{}", group.name);
        text.push_str("  # tier: 2\n");
        if !addresses.is_empty() {
            text.push_str("  terraform:\n");
            if let Some(workspace) = &group.workspace {
                let _ = writeln!(text, "    workspace: {}", quoted(workspace));
            }
            let _ = writeln!(text, "    address:\n      - {}", addresses.join("\n      - "));
        }
        for (index, selector) in group.selectors.iter().enumerate() {
            if index > 0 {
                let _ = writeln!(text, "- component: component:default/{}", group.name);
            }
            let _ = writeln!(text, "  kubernetes: {selector}");
        }
        for (name, _, binding) in &group.stateful {
            let _ = writeln!(text, "- object: resource:default/{name}\n  {binding}");
        }
    }
    text
}

fn entities(groups: &[Group]) -> String {
    let mut text = String::from(
        "# What there is, and who owns it. Fill in the owners that are \"fill-in\", the systems, and what depends on what.\n\
         # These are ordinary Backstage entities: where you have them already, delete this file and use those.\n",
    );
    if groups.is_empty() {
        text.push_str("[]\n");
    }
    let mut owners = BTreeSet::new();
    for group in groups {
        let owner = group.owner.as_ref().map_or_else(|| OWNER_BLANK.to_owned(), Owner::reference);
        owners.extend(group.owner.clone());
        let uses: Vec<String> =
            group.stateful.iter().map(|(name, ..)| format!("resource:default/{name}")).collect();
        text.push_str("---\napiVersion: backstage.io/v1alpha1\nkind: Component\n");
        let _ = writeln!(text, "metadata:\n  name: {}", group.name);
        text.push_str(
            "  # annotations: { arb/environment: production, arb/zones: \"a,b\", arb/replicas: \"2\" }\n",
        );
        text.push_str("spec:\n  type: service\n  lifecycle: production\n  # system: fill-in\n");
        let _ = writeln!(text, "  owner: {owner}");
        let _ = writeln!(
            text,
            "  dependsOn: [{}] # and component:NAME for each component that it calls",
            uses.join(", ")
        );
        for (name, kind, _) in &group.stateful {
            text.push_str("---\napiVersion: backstage.io/v1alpha1\nkind: Resource\n");
            let _ = writeln!(text, "metadata:\n  name: {name}\nspec:\n  type: {kind}\n  owner: {owner}");
        }
    }
    for owner in owners {
        let (kind, name) = owner.kind_and_name();
        text.push_str("---\napiVersion: backstage.io/v1alpha1\n");
        let _ = writeln!(text, "kind: {kind}\nmetadata:\n  name: {name}");
        text.push_str(if kind == "Group" { "spec:\n  type: team\n  children: []\n" } else { "spec: {}\n" });
    }
    text
}

fn objectives(groups: &[Group]) -> String {
    let mut text = String::from(
        "# What must be kept. Take the \"#\" away where it is true, and correct the numbers.\n\
         arb: objectives/1\n\
         # authority: who stands behind this file, like sre\n\
         # review_by: 2027-12-31\n\
         objectives:\n",
    );
    for group in groups {
        let _ = writeln!(text, "#  - object: component:default/{}", group.name);
        text.push_str(
            "#    service:\n#      - { metric: availability, target: 0.999, unit: ratio, window: 30d }\n",
        );
        text.push_str("#    recovery: { rto: 4h, rpo: 15m }\n");
        text.push_str("#    cost: { monthly_max: 1000.00, monthly_now: 800.00, currency: USD }\n");
        text.push_str("#    recovery_plans:\n#      - strategy: restore\n#        rehearsals:\n");
        text.push_str("#          - { at: 2026-10-01, rto: 1h, rpo: 5m, succeeded: true }\n");
    }
    text
}
