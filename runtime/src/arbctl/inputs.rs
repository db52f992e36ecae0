//! Files that a command was given, as a call takes them.

use std::path::{Path, PathBuf};

use ontology::{Digest, Name};

use super::arguments::Change;
use super::{Failure, Outlet};
use crate::call::{File, Submit};
use crate::files;
use crate::log::wall_clock;

/// The path that stands for standard input.
const STANDARD_INPUT: &str = "-";

/// A file, or standard input.
pub(super) fn file(path: &Path, outlet: &mut Outlet<'_>) -> Result<File, Failure> {
    if path.as_os_str() == STANDARD_INPUT {
        return Ok(File { path: "standard input".to_owned(), text: outlet.input()? });
    }
    Ok(files::read_file(path)?)
}

/// Claims.
pub(super) fn evidence(paths: &[PathBuf], outlet: &mut Outlet<'_>) -> Result<Vec<File>, Failure> {
    let file_name = |file: File| {
        // What names a claim in the log is the file's name, not where it lay on somebody's disk.
        let name = Path::new(&file.path).file_name().map(|name| name.to_string_lossy().into_owned());
        File { path: name.unwrap_or(file.path), text: file.text }
    };
    paths.iter().map(|path| file(path, outlet).map(file_name)).collect()
}

/// A change with all that came with it.
pub(super) fn submit(change: &Change, key: Option<&str>, outlet: &mut Outlet<'_>) -> Result<Submit, Failure> {
    Ok(Submit {
        change: file(&change.change, outlet)?,
        evidence: evidence(&change.evidence, outlet)?,
        source: named("--source", change.source.as_deref())?,
        idempotency_key: named("--key", key)?,
        change_kind: named("--kind", change.kind.as_deref())?,
        release: change.release.as_deref().map(digest).transpose()?,
        process_ref: None,
        model: change.model.as_deref().map(files::read_directory).transpose()?,
        catalog: change.catalog.as_deref().map(files::read_directory).transpose()?,
        sent_at: wall_clock(),
    })
}

fn named(option: &str, text: Option<&str>) -> Result<Option<Name>, Failure> {
    let name = text.map(Name::new).transpose();
    name.map_err(|error| Failure::bad_input(format!("{option}: {error}")))
}

fn digest(text: &str) -> Result<Digest, Failure> {
    text.parse().map_err(|error| Failure::bad_input(format!("--release: {error}")))
}
