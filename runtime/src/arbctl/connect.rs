//! Who answers the calls of a command.

use std::path::PathBuf;

use ontology::policy::catalog::Mode;

use super::arguments::Directory;
use super::{Failure, Outlet};
use crate::call::Answers;
use crate::config::Config;
use crate::door;
use crate::node::{self, Directories};

/// A data directory with its settings.
#[derive(Debug, Clone)]
pub struct Location {
    /// The directory.
    pub directory: PathBuf,
    /// What its `arb.toml` says.
    pub config: Config,
}

impl Location {
    /// The directory that was named, else `$ARB_DATA`, else `$XDG_STATE_HOME/arb`, else `~/.local/state/arb` (U17).
    pub(super) fn of(directory: &Directory, outlet: &Outlet<'_>) -> Result<Self, Failure> {
        let below_home = || outlet.variable("HOME").map(|home| PathBuf::from(home).join(".local/state/arb"));
        let named = directory
            .dir
            .clone()
            .or_else(|| outlet.variable("ARB_DATA").map(PathBuf::from))
            .or_else(|| outlet.variable("XDG_STATE_HOME").map(|state| PathBuf::from(state).join("arb")))
            .or_else(below_home);
        let directory = named.ok_or_else(|| {
            Failure::bad_input("the data directory is not known: give --dir DIR, or set ARB_DATA or HOME")
        })?;
        let config = Config::read(&directory)?;
        Ok(Self { directory, config })
    }
}

impl Directory {
    /// The node of this directory, and what the directory says of verdicts.
    pub(super) fn open(&self, outlet: &Outlet<'_>) -> Result<(Box<dyn Answers>, Option<Mode>), Failure> {
        let location = Location::of(self, outlet)?;
        Ok((node(&location)?, location.config.mode))
    }
}

/// The node of a directory: this process, where the log is free, else the one that holds it.
pub(super) fn node(location: &Location) -> Result<Box<dyn Answers>, Failure> {
    let Config { model, catalog, .. } = &location.config;
    let directories = Directories::new(model.dir.clone(), catalog.dir.clone());
    Ok(door::open(&door::Location { directory: location.directory.clone(), directories })?)
}

/// A node in this process that keeps nothing.
pub(super) fn in_memory() -> Result<Box<dyn Answers>, Failure> {
    Ok(Box::new(node::in_memory(door::this_user())?))
}
