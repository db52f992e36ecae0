//! Files that a command was given, as a call takes them.

use std::path::{Path, PathBuf};

use ontology::{Digest, Name};

use super::arguments::{self, Change, Manifests};
use super::{Failure, Outlet};
use crate::call::{self, File, Given, Submit};
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

/// The change itself: a file, or manifests.
pub(super) fn given(given: &arguments::Given, outlet: &mut Outlet<'_>) -> Result<Given, Failure> {
    match &given.change {
        Some(path) if given.manifests.cluster.is_none() => Ok(Given::File(file(path, outlet)?)),
        Some(_) => Err(Failure::bad_input("--cluster: it goes with --before and --after")),
        None => Ok(Given::Manifests(both_sides(&given.manifests, outlet)?)),
    }
}

/// Manifests on both sides of a change.
fn both_sides(given: &Manifests, outlet: &mut Outlet<'_>) -> Result<call::Manifests, Failure> {
    Ok(call::Manifests {
        before: manifests(&given.before, outlet)?,
        after: manifests(&given.after, outlet)?,
        cluster: given.cluster.clone(),
    })
}

/// Files of manifests: those that were named, and of a directory those that `kubectl apply -f` reads.
pub(super) fn manifests(paths: &[PathBuf], outlet: &mut Outlet<'_>) -> Result<Vec<File>, Failure> {
    let is_manifest = |path: &Path| {
        path.extension().is_some_and(|end| ["yaml", "yml", "json"].iter().any(|known| end == *known))
    };
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(
                files::read_directory_of(path, is_manifest)?.into_iter().map(|file| below(path, file)),
            );
        } else {
            found.push(file(path, outlet)?);
        }
    }
    Ok(found)
}

/// A file of a directory under the path that was typed.
pub(super) fn below(directory: &Path, file: File) -> File {
    File { path: directory.join(&file.path).display().to_string(), text: file.text }
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
        change: given(&change.given, outlet)?,
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
