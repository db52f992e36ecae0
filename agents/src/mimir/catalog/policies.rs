//! `*.rego`: modules as conftest users have them, in any folder and of any package.

use std::collections::{BTreeMap, BTreeSet};

use ontology::Name;
use ontology::policy::rego::{Fault, Modules, RegoRules};
use ontology::policy::{Catalog, Constraint, ConstraintKind, Enforcement, Selector};

use super::CatalogFile;
use crate::input::InputError;

/// The precedence of a package's rules that no constraint states: safety of the change (arb.md 2.9).
pub(super) const PRECEDENCE: u8 = 4;
/// The end of names of files with tests only; a catalog is judged by none of these.
const TESTS: &str = "_test.rego";

/// Reads and prepares the modules. One that does not compile is refused with its place (U6).
pub(super) fn read<'f>(files: impl Iterator<Item = &'f CatalogFile>) -> Result<Modules, InputError> {
    let modules = files.filter(|file| file.path.ends_with(".rego") && !file.path.ends_with(TESTS));
    modules_of(modules)
}

/// The modules of these files, tests too, prepared.
///
/// # Errors
/// [`InputError`] with file, line and column of what cannot be prepared.
pub fn modules_of<'f>(files: impl Iterator<Item = &'f CatalogFile>) -> Result<Modules, InputError> {
    let mut texts = BTreeMap::new();
    for file in files {
        Name::new(file.path.as_str()).map_err(|error| InputError::at(&file.path, "", error.to_string()))?;
        let text = std::str::from_utf8(&file.bytes).map_err(|error| {
            InputError::at(&file.path, "", format!("not UTF-8 at byte {}", error.valid_up_to()))
        })?;
        texts.insert(file.path.clone(), text.to_owned());
    }
    let modules = Modules::new(texts);
    modules.bundle().map_err(error)?;
    Ok(modules)
}

fn error(fault: &Fault) -> InputError {
    let at = match (fault.line, fault.column) {
        (0, _) => String::new(),
        (line, 0) => format!("line {line}"),
        (line, column) => format!("line {line}, column {column}"),
    };
    InputError::at(&fault.path, at, &fault.message)
}

/// Adds a constraint for the rules of each package that no constraint names.
pub(super) fn constrain(catalog: &mut Catalog) -> Result<(), InputError> {
    let bundle = catalog.policies.bundle().map_err(error)?;
    let mut found: BTreeSet<(String, RegoRules)> =
        bundle.entries().iter().map(|entry| (entry.package.clone(), entry.rules)).collect();
    for constraint in &catalog.constraints {
        if let ConstraintKind::Rego { package, rules } = &constraint.rule
            && !found.remove(&(package.clone(), *rules))
        {
            let message = format!(
                "it asks for {} rules of package {package}: {}",
                kind(*rules),
                "no module has one, or another constraint has them"
            );
            return Err(InputError::at(format!("constraints/{}.yaml", constraint.id), "$.rule", message));
        }
    }
    for (package, rules) in found {
        let (id, enforcement) = match rules {
            RegoRules::Deny => (format!("rego:{package}"), Enforcement::Deny),
            RegoRules::Warn => (format!("rego:{package}:warn"), Enforcement::Warn),
        };
        let id = Name::new(id).map_err(|error| InputError::at("*.rego", "", error.to_string()))?;
        catalog.constraints.push(Constraint {
            id,
            title: format!("What {} of Rego package {package} say", kind(rules)),
            rule: ConstraintKind::Rego { package, rules },
            enforcement,
            deny_from: None,
            precedence: PRECEDENCE,
            applies_to: Selector::default(),
            remedy: None,
            condition: None,
            approvers: BTreeSet::new(),
        });
    }
    Ok(())
}

const fn kind(rules: RegoRules) -> &'static str {
    match rules {
        RegoRules::Deny => "deny and violation",
        RegoRules::Warn => "warn",
    }
}
