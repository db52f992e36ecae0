//! The commit object as it is stored: the only proof of how many parents a commit has (fault 93).

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use super::trailers::{self, Trailer};

/// A commit, read from its object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawCommit {
    /// The full SHA.
    pub sha: String,
    /// The tree.
    pub tree: String,
    /// The parents, in order.
    pub parents: Vec<String>,
    /// `Name <address> seconds offset`, as typed.
    pub author: String,
    /// The same of who committed.
    pub committer: String,
    /// Whether it bears a signature. What the signature is worth is not said here.
    pub signed: bool,
    /// The message; bytes that are no UTF-8 are replaced.
    pub message: String,
    /// Trailers of the message, as git sees them.
    pub trailers: Vec<Trailer>,
}

/// Reads a commit object.
///
/// # Errors
/// With what is not as in a commit.
pub fn parse(sha: &str, object: &[u8]) -> Result<RawCommit, &'static str> {
    let end = object.windows(2).position(|pair| pair == b"\n\n").ok_or("no end of the headers")?;
    let (headers, message) = (&object[..end], &object[end + 2..]);
    let message = String::from_utf8_lossy(message).into_owned();
    let mut commit = RawCommit {
        sha: sha.to_owned(),
        tree: String::new(),
        parents: Vec::new(),
        author: String::new(),
        committer: String::new(),
        signed: false,
        trailers: trailers::parse(&message),
        message,
    };
    for line in headers.split(|byte| *byte == b'\n') {
        let line = String::from_utf8_lossy(line);
        // A line that begins with a space continues the one before: of a signature.
        let Some((name, value)) = line.split_once(' ').filter(|(name, _)| !name.is_empty()) else { continue };
        match name {
            "tree" => value.clone_into(&mut commit.tree),
            "parent" => commit.parents.push(value.to_owned()),
            "author" => value.clone_into(&mut commit.author),
            "committer" => value.clone_into(&mut commit.committer),
            "gpgsig" | "gpgsig-sha256" => commit.signed = true,
            _ => {}
        }
    }
    if commit.tree.is_empty() { Err("no tree") } else { Ok(commit) }
}

/// Reads what `git cat-file --batch` prints for commits: `SHA commit SIZE`, the object, a line's end.
///
/// # Errors
/// With what is not as printed by it.
pub fn parse_batch(mut printed: &[u8]) -> Result<Vec<RawCommit>, &'static str> {
    let mut commits = Vec::new();
    while !printed.is_empty() {
        let line_end = printed.iter().position(|byte| *byte == b'\n').ok_or("a header without an end")?;
        let header = std::str::from_utf8(&printed[..line_end]).map_err(|_| "a header that is no text")?;
        let mut words = header.split(' ');
        let (Some(sha), Some("commit"), Some(size)) = (words.next(), words.next(), words.next()) else {
            return Err("an object that is no commit");
        };
        let size: usize = size.parse().map_err(|_| "a size that is no number")?;
        let object = printed.get(line_end + 1..line_end + 1 + size).ok_or("an object cut short")?;
        commits.push(parse(sha, object)?);
        printed = printed.get(line_end + 1 + size + 1..).unwrap_or_default();
    }
    Ok(commits)
}
