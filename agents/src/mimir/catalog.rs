//! Catalog sources: the files that say what reviews are judged by, read into one [`Catalog`]. What a file leaves
//! out takes the shipped default; the shipped starter catalog is such files itself (U1).

mod case;
mod constraints;
mod exceptions;
mod people;
mod policies;
mod prices;
mod settings;
mod starter;

use ontology::policy::Catalog;
use ontology::policy::catalog::CONSTRAINTS_MAX;

use crate::input::{InputError, is_skipped};

pub use case::{Case, case};
pub use exceptions::moment;
pub use policies::modules_of;
pub use starter::starter;

/// Files of a catalog at most: its constraints, and a few more.
pub const FILES_MAX: usize = CONSTRAINTS_MAX + 64;
/// What is accepted, for the errors.
const ACCEPTED: &str = "accepted are catalog.yaml, people.yaml, prices.yaml, constraints/*.yaml, waivers.yaml, waivers/*.yaml, \
    rollout.yaml and *.rego; README*.md, *_test.rego, cases and names that begin with a dot are skipped";

/// One file of the catalog directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogFile {
    /// Its path under the catalog directory, with `/`.
    pub path: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// Reads catalog files into a catalog. The same files in any order make the same catalog.
///
/// # Errors
/// [`InputError`] when there is no `catalog.yaml`, a file is unknown or breaks its format, or two constraints have
/// one id.
pub fn compile(files: &[CatalogFile]) -> Result<Catalog, InputError> {
    if files.len() > FILES_MAX {
        return Err(InputError::at(
            "",
            "",
            format!("{} catalog files, at most {FILES_MAX} are allowed", files.len()),
        ));
    }
    let mut files: Vec<&CatalogFile> = files.iter().filter(|file| !is_skipped(&file.path)).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    if let Some(pair) = files.windows(2).find(|pair| pair[0].path == pair[1].path) {
        return Err(InputError::at(&pair[1].path, "", "the file is given twice"));
    }
    let settings = files.iter().find(|file| file.path == "catalog.yaml");
    let settings = settings.ok_or_else(|| {
        InputError::at(
            "catalog.yaml",
            "",
            "it is missing; a catalog begins with \"arb: catalog/1\" and its name in this file",
        )
    })?;
    let mut catalog = settings::read(settings)?;
    catalog.policies = policies::read(files.iter().copied())?;
    for file in files {
        match Kind::of(&file.path) {
            Kind::Settings | Kind::Policy | Kind::Case => {}
            Kind::People => catalog.people = people::read(file)?,
            Kind::Prices => catalog.prices = prices::read(file)?,
            Kind::Waivers => catalog.waivers.extend(exceptions::waivers(file)?),
            Kind::Rollout => catalog.rollout = exceptions::rollout(file)?,
            Kind::Constraint(stem) => catalog.constraints.push(constraints::read(file, stem, &catalog)?),
            Kind::Unknown => {
                return Err(InputError::at(
                    &file.path,
                    "",
                    format!("it is no file of a catalog: {ACCEPTED}"),
                ));
            }
        }
    }
    policies::constrain(&mut catalog)?;
    catalog.constraints.sort_by(|a, b| a.id.cmp(&b.id));
    if let Some(pair) = catalog.constraints.windows(2).find(|pair| pair[0].id == pair[1].id) {
        return Err(InputError::at("constraints", "", format!("two constraints have the id {}", pair[0].id)));
    }
    if catalog.constraints.len() > CONSTRAINTS_MAX {
        let count = catalog.constraints.len();
        return Err(InputError::at(
            "constraints",
            "",
            format!("{count} constraints, at most {CONSTRAINTS_MAX} are allowed"),
        ));
    }
    exceptions::check(&mut catalog)?;
    Ok(catalog)
}

/// What a file is, by its path.
enum Kind<'a> {
    Settings,
    People,
    Prices,
    Waivers,
    Rollout,
    Constraint(&'a str),
    /// A Rego module, or tests of some.
    Policy,
    /// Of the catalog's own tests (U12).
    Case,
    Unknown,
}

impl<'a> Kind<'a> {
    fn of(path: &'a str) -> Self {
        match path {
            "catalog.yaml" => Self::Settings,
            "people.yaml" => Self::People,
            "prices.yaml" => Self::Prices,
            "waivers.yaml" => Self::Waivers,
            "rollout.yaml" => Self::Rollout,
            _ if path.starts_with("waivers/") && path.ends_with(".yaml") => Self::Waivers,
            _ if path.ends_with(".rego") => Self::Policy,
            _ if path.starts_with("cases/") => Self::Case,
            _ => {
                let name = path.strip_prefix("constraints/").and_then(|name| name.strip_suffix(".yaml"));
                name.filter(|name| !name.contains('/')).map_or(Self::Unknown, Self::Constraint)
            }
        }
    }
}

#[cfg(test)]
mod tests;
