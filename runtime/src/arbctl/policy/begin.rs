//! `policy new`: a rule to begin with, and a test of it.

use super::super::arguments::{PolicyKind, PolicyNew};
use super::super::model::write_new;
use super::super::render::safe;
use super::super::{Code, Failure, Outlet};

/// A catalog to begin with.
const CATALOG: &str = "arb: catalog/1\nname: catalog\nmode: observe\n";

const GRAPH: &str = "\
title: Everything that a change touches has an owner
# Other rules: no-delete-with-dependents, redundancy-per-zone: { zones_min: 2 }, recovery-rehearsed: { age_max: 180d },
# single-point-of-dependency: { dependents_min: 3 }, reachability: { never: { environments: [production] } },
# residency: { regions: [eu-*] }, change-window, budget-delta: { monthly_max: 500, currency: USD }, plan: encryption-off.
rule: owner-present
# observe, warn, approve, deny; deny_from: 2027-01-01 makes it deny from that day on.
enforcement: warn
# To what it applies: environments, tiers, kinds. Everything, where it says nothing.
# applies_to: { environments: [production], tiers: [1] }
remedy: Say in the model who owns it.
";

const REGO: &str = "\
package NAME

import rego.v1

# deny and violation reject, warn is shown; a constraint with `rule: { rego: { package: NAME } }` says otherwise.
deny contains {\"msg\": msg, \"address\": change.address} if {
\tsome change in input.resource_changes
\tchange.change.after.tags.owner == \"nobody\"
\tmsg := sprintf(\"%s says that nobody owns it\", [change.address])
}
";

const TEST: &str = "\
package NAME_test

import data.NAME
import rego.v1

plan(owner) := {\"resource_changes\": [{
\t\"address\": \"aws_s3_bucket.a\",
\t\"change\": {\"after\": {\"tags\": {\"owner\": owner}}},
}]}

test_nobody if count(NAME.deny) == 1 with input as plan(\"nobody\")

test_somebody if count(NAME.deny) == 0 with input as plan(\"team-shop\")
";

pub(super) fn run(asked: &PolicyNew, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let name = &asked.name;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if !name.bytes().next().is_some_and(|first| first.is_ascii_alphabetic()) || !name.bytes().all(plain) {
        return Err(Failure::bad_input("NAME: expected a letter, then letters, digits, - and _"));
    }
    let package = name.replace('-', "_");
    let mut files = match asked.kind {
        PolicyKind::Graph => vec![(format!("constraints/{name}.yaml"), GRAPH.to_owned())],
        PolicyKind::Rego => vec![
            (format!("policies/{name}.rego"), REGO.replace("NAME", &package)),
            (format!("policies/{name}_test.rego"), TEST.replace("NAME", &package)),
        ],
    };
    if let Some((taken, _)) = files.iter().find(|(path, _)| asked.catalog.join(path).exists()) {
        let taken = asked.catalog.join(taken);
        return Err(Failure::bad_input(format!("{}: it exists and is not overwritten", taken.display())));
    }
    if !asked.catalog.join("catalog.yaml").exists() {
        files.insert(0, ("catalog.yaml".to_owned(), CATALOG.to_owned()));
    }
    for (path, text) in &files {
        let path = asked.catalog.join(path);
        write_new(&path, text).map_err(|error| Failure::bad_input(format!("{}: {error}", path.display())))?;
        outlet.print(&format!("{}\n", safe::line(&path.display().to_string())))?;
    }
    outlet.note(&format!("then: arbctl policy test --catalog {}", asked.catalog.display()));
    Ok(Code::Done)
}
