//! Reading files and directories that people name: precise errors, bounds before reading (U6).

use std::path::{Path, PathBuf};

use agents::input::FILE_BYTES_MAX;

use crate::call::{CallError, ErrorCode, File};

/// Files of one directory at most: a model of 300 services has some 400.
pub const FILES_MAX: usize = 4_096;
/// Depth of a directory at most.
const DEPTH_MAX: usize = 12;

fn bad(path: &Path, message: impl std::fmt::Display) -> CallError {
    CallError::new(ErrorCode::BadInput, format!("{}: {message}", path.display()))
}

/// Reads a text file.
///
/// # Errors
/// A [`CallError`] that names the file and says what is wrong with it: missing, a directory, too large, not UTF-8.
pub fn read_file(path: &Path) -> Result<File, CallError> {
    read_named(path, path.display().to_string())
}

fn read_named(path: &Path, name: String) -> Result<File, CallError> {
    let about = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => bad(path, "there is no such file"),
        std::io::ErrorKind::PermissionDenied => bad(path, "it may not be read by this user"),
        _ => bad(path, error),
    })?;
    if about.is_dir() {
        return Err(bad(path, "it is a directory, a file is needed"));
    }
    if about.len() > FILE_BYTES_MAX as u64 {
        let (mib, max) = (about.len().div_ceil(1 << 20), FILE_BYTES_MAX >> 20);
        return Err(bad(path, format!("it has {mib} MiB, at most {max} MiB are read")));
    }
    let bytes = std::fs::read(path).map_err(|error| bad(path, error))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let binary =
            error.as_bytes().iter().take(1_024).any(|byte| *byte == 0) || error.as_bytes().starts_with(b"PK");
        let hint = if binary {
            "; it is a binary file (of a plan, `terraform show -json PLAN > plan.json` makes text)"
        } else {
            ""
        };
        bad(path, format!("it is not UTF-8 at byte {at}{hint}"))
    })?;
    Ok(File { path: name, text })
}

/// Reads every file below a directory, named relative to it and sorted; hidden ones are left out.
///
/// # Errors
/// As [`read_file`], and when it is no directory or holds more than [`FILES_MAX`] files.
pub fn read_directory(directory: &Path) -> Result<Vec<File>, CallError> {
    read_directory_of(directory, |_| true)
}

/// [`read_directory`], of the files that are `wanted`.
///
/// # Errors
/// As [`read_directory`]; files that are not wanted are not looked at.
pub fn read_directory_of(directory: &Path, wanted: impl Fn(&Path) -> bool) -> Result<Vec<File>, CallError> {
    if !directory.is_dir() {
        return Err(bad(directory, "there is no such directory"));
    }
    let mut paths = Vec::new();
    collect(directory, DEPTH_MAX, &mut paths)?;
    paths.retain(|path| wanted(path));
    paths.sort();
    let named = paths.into_iter().map(|path| {
        let name = path.strip_prefix(directory).unwrap_or(&path).display().to_string();
        read_named(&path, name)
    });
    named.collect()
}

fn collect(directory: &Path, depth: usize, paths: &mut Vec<PathBuf>) -> Result<(), CallError> {
    if depth == 0 {
        return Err(bad(directory, format!("it is nested deeper than {DEPTH_MAX} directories")));
    }
    let entries = std::fs::read_dir(directory).map_err(|error| bad(directory, error))?;
    for entry in entries {
        let entry = entry.map_err(|error| bad(directory, error))?;
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let path = entry.path();
        if path.is_dir() {
            collect(&path, depth - 1, paths)?;
        } else {
            paths.push(path);
        }
        if paths.len() > FILES_MAX {
            return Err(bad(directory, format!("it holds more than {FILES_MAX} files")));
        }
    }
    Ok(())
}
