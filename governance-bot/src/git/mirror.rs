//! A bare mirror of a repository, and what it says of a base and a head.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::command::{Git, GitFailure};
use super::commit::{self, RawCommit};
use crate::forge::Secret;

/// Commits of a head that the base lacks, at most: more is no pull request that anybody reads.
pub const COMMITS_MAX: usize = 2_000;

/// What a merge of head into base would be. A squash and a rebase end in the same tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Prediction {
    /// It merges; the landed tree must be this one.
    Tree(String),
    /// It conflicts in these paths.
    Conflict(Vec<String>),
}

/// The patch of a commit, independent of where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatchId {
    /// The commit.
    pub commit: String,
    /// `git patch-id --stable`.
    pub patch_id: String,
}

/// What git says of a base and a head.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GitFacts {
    /// The base's commit.
    pub base: String,
    /// The head's commit.
    pub head: String,
    /// What a merge would be.
    pub prediction: Prediction,
    /// Commits of the base that the head lacks.
    pub behind_by: u64,
    /// Commits of the head that the base lacks, oldest first, from their objects.
    pub commits: Vec<RawCommit>,
    /// Patches of those of them that are no merges and change something.
    pub patch_ids: Vec<PatchId>,
}

/// A bare mirror.
#[derive(Debug, Clone)]
pub struct Mirror {
    git: Git,
    /// Where it is fetched from. Bears no credentials.
    origin: String,
}

impl Mirror {
    /// The mirror of `origin` in `folder`, made if it is not there.
    ///
    /// # Errors
    /// When it cannot be made.
    pub async fn open(
        folder: &Path,
        origin: impl Into<String>,
        token: Option<&Secret>,
    ) -> Result<Self, GitFailure> {
        let start =
            |why: std::io::Error| GitFailure::Start { command: "init".to_owned(), why: why.to_string() };
        std::fs::create_dir_all(folder).map_err(start)?;
        let git = Git::within(folder);
        if !folder.join("HEAD").exists() {
            git.run(&["init", "--quiet", "--bare", "."], b"").await?;
        }
        let git = match token {
            Some(token) => git.with_token(token),
            None => git,
        };
        Ok(Self { git, origin: origin.into() })
    }

    /// Fetches a branch and pull requests.
    ///
    /// # Errors
    /// When one of them is not there.
    pub async fn fetch(&self, branch: &str, pulls: &[u64]) -> Result<(), GitFailure> {
        let mut refs = vec![format!("+refs/heads/{branch}:refs/heads/{branch}")];
        refs.extend(pulls.iter().map(|number| format!("+refs/pull/{number}/head:refs/pull/{number}/head")));
        let mut arguments = vec![
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-auto-maintenance",
            "--",
            &self.origin,
        ];
        arguments.extend(refs.iter().map(String::as_str));
        self.git.run(&arguments, b"").await.map(drop)
    }

    /// What the origin's refs are now, without the API: the forge may lag behind a push (fault 67).
    ///
    /// # Errors
    /// When it cannot be asked.
    pub async fn remote_ref(&self, name: &str) -> Result<Option<String>, GitFailure> {
        let printed = self.git.run(&["ls-remote", "--quiet", "--", &self.origin, name], b"").await?;
        let printed = String::from_utf8_lossy(&printed);
        Ok(printed.lines().find_map(|line| {
            let (sha, found) = line.split_once('\t')?;
            (found == name).then(|| sha.to_owned())
        }))
    }

    /// What git says of `base` and `head`, both full SHAs that were fetched.
    ///
    /// # Errors
    /// When one of them is not there, or there are more commits or bytes than a bound.
    pub async fn facts(&self, base: &str, head: &str) -> Result<GitFacts, GitFailure> {
        let range = format!("{base}..{head}");
        let listed = self.git.run(&["rev-list", "--reverse", "--topo-order", &range, "--"], b"").await?;
        if listed.iter().filter(|byte| **byte == b'\n').count() > COMMITS_MAX {
            return Err(GitFailure::Bound {
                command: "rev-list".to_owned(),
                bound: "more commits than it may list",
            });
        }
        let objects = self.git.run(&["cat-file", "--batch"], &listed).await?;
        let output = |what| GitFailure::Output { command: "cat-file".to_owned(), what };
        let commits = commit::parse_batch(&objects).map_err(output)?;
        let behind = format!("{head}..{base}");
        let counted = self.git.run(&["rev-list", "--count", &behind, "--"], b"").await?;
        let behind_by = String::from_utf8_lossy(&counted).trim().parse();
        Ok(GitFacts {
            base: base.to_owned(),
            head: head.to_owned(),
            prediction: self.predict(base, head).await?,
            behind_by: behind_by.map_err(|_| output("a count that is no number"))?,
            patch_ids: self.patch_ids(&listed).await?,
            commits,
        })
    }

    /// What a merge of `head` into `base` would be.
    ///
    /// # Errors
    /// When one of them is not there.
    pub async fn predict(&self, base: &str, head: &str) -> Result<Prediction, GitFailure> {
        let arguments = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", base, head];
        let printed = self.git.run_to(&arguments, b"", &[0, 1]).await?;
        let text = String::from_utf8_lossy(&printed.out).into_owned();
        let mut words = text.split('\0').filter(|word| !word.is_empty()).map(ToOwned::to_owned);
        let tree = words
            .next()
            .ok_or_else(|| GitFailure::Output { command: "merge-tree".to_owned(), what: "no tree" })?;
        Ok(if printed.code == 0 { Prediction::Tree(tree) } else { Prediction::Conflict(words.collect()) })
    }

    /// Patches of the commits in `listed`, one SHA a line.
    async fn patch_ids(&self, listed: &[u8]) -> Result<Vec<PatchId>, GitFailure> {
        let arguments =
            ["diff-tree", "--stdin", "-p", "-r", "--root", "--no-ext-diff", "--no-textconv", "--full-index"];
        let patches = self.git.run(&arguments, listed).await?;
        let printed = self.git.run(&["patch-id", "--stable"], &patches).await?;
        let printed = String::from_utf8_lossy(&printed);
        let lines = printed.lines().filter_map(|line| line.split_once(' '));
        Ok(lines.map(|(id, commit)| PatchId { commit: commit.to_owned(), patch_id: id.to_owned() }).collect())
    }

    /// The tree of a commit.
    ///
    /// # Errors
    /// When it is not there.
    pub async fn tree_of(&self, commit: &str) -> Result<String, GitFailure> {
        let printed = self.git.run(&["rev-parse", "--verify", &format!("{commit}^{{tree}}")], b"").await?;
        Ok(String::from_utf8_lossy(&printed).trim().to_owned())
    }
}
