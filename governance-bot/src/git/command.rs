//! Running git: bounded in time and bytes, deaf to the machine's configuration.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;

use crate::forge::Secret;

/// How long one command may take (research 11.5).
const TIMEOUT: Duration = Duration::from_secs(180);
/// Bytes that one command may print: patches of a change within the API's caps stay far below.
pub const OUTPUT_BYTES_MAX: u64 = 64 << 20;
/// Characters of git's words that an error repeats (research 11.5).
const NOTE_CHARS_MAX: usize = 800;

/// Why a command gave nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GitFailure {
    /// There is no git, or it could not be started.
    #[error("start git {command}: {why}")]
    Start {
        /// The command's first word.
        command: String,
        /// Why.
        why: String,
    },
    /// It took too long, or printed too much.
    #[error("git {command}: {bound}")]
    Bound {
        /// The command's first word.
        command: String,
        /// Which bound.
        bound: &'static str,
    },
    /// It failed.
    #[error("git {command} failed with {code:?}: {note}")]
    Failed {
        /// The command's first word.
        command: String,
        /// The exit code.
        code: Option<i32>,
        /// Its words, cut.
        note: String,
    },
    /// It printed what cannot be read.
    #[error("git {command}: read its output: {what}")]
    Output {
        /// The command's first word.
        command: String,
        /// What is wrong.
        what: &'static str,
    },
}

/// Git in one repository.
#[derive(Debug, Clone)]
pub struct Git {
    folder: PathBuf,
    /// The `Authorization` header for HTTPS, where one is needed.
    authorization: Option<Secret>,
}

/// What a command printed, and its exit code.
#[derive(Debug)]
pub struct Printed {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub out: Vec<u8>,
}

impl Git {
    /// Git in `folder`.
    pub fn within(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), authorization: None }
    }

    /// The same, with a token for HTTPS.
    #[must_use]
    pub fn with_token(mut self, token: &Secret) -> Self {
        let basic = STANDARD.encode(format!("x-access-token:{}", token.reveal()));
        self.authorization = Some(Secret::new(format!("Authorization: Basic {basic}")));
        self
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs a command that must succeed.
    ///
    /// # Errors
    /// When it does not.
    pub async fn run(&self, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, GitFailure> {
        self.run_to(arguments, input, &[0]).await.map(|printed| printed.out)
    }

    /// Runs a command that must end with one of these codes.
    ///
    /// # Errors
    /// When it does not, takes too long or prints too much.
    pub async fn run_to(
        &self,
        arguments: &[&str],
        input: &[u8],
        codes: &[i32],
    ) -> Result<Printed, GitFailure> {
        let command = arguments.first().copied().unwrap_or_default().to_owned();
        let bound = |bound| GitFailure::Bound { command: command.clone(), bound };
        match tokio::time::timeout(TIMEOUT, self.attempt(&command, arguments, input, codes)).await {
            Ok(Err(GitFailure::Bound { .. })) => Err(bound("it printed more than it may")),
            Ok(printed) => printed,
            Err(_) => Err(bound("it took longer than it may")),
        }
    }

    async fn attempt(
        &self,
        command: &str,
        arguments: &[&str],
        input: &[u8],
        codes: &[i32],
    ) -> Result<Printed, GitFailure> {
        let start =
            |why: std::io::Error| GitFailure::Start { command: command.to_owned(), why: why.to_string() };
        let mut child = self.command(arguments).spawn().map_err(start)?;
        let (mut to, from, notes) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let feed = async {
            if let Some(to) = to.as_mut() {
                // A command that has read enough closes its end: no failure.
                let _ = to.write_all(input).await;
            }
            drop(to);
        };
        let (mut out, mut note) = (Vec::new(), Vec::new());
        let read = async {
            if let Some(from) = from {
                from.take(OUTPUT_BYTES_MAX + 1).read_to_end(&mut out).await?;
            }
            Ok(())
        };
        let listen = async {
            if let Some(notes) = notes {
                notes.take(OUTPUT_BYTES_MAX).read_to_end(&mut note).await?;
            }
            Ok(())
        };
        let (_, read, listened) = tokio::join!(feed, read, listen);
        read.and(listened).map_err(start)?;
        if out.len() as u64 > OUTPUT_BYTES_MAX {
            return Err(GitFailure::Bound { command: command.to_owned(), bound: "" });
        }
        let status = child.wait().await.map_err(start)?;
        match status.code() {
            Some(code) if codes.contains(&code) => Ok(Printed { code, out }),
            code => {
                let note = String::from_utf8_lossy(&note).chars().take(NOTE_CHARS_MAX).collect();
                Err(GitFailure::Failed { command: command.to_owned(), code, note })
            }
        }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut git = Command::new("git");
        git.current_dir(&self.folder)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            // What is asked must not depend on who runs it: no configuration but the repository's, no replaced
            // objects, no questions, no other language.
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("LC_ALL", "C")
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .env_remove("GIT_INDEX_FILE");
        if let Some(header) = &self.authorization {
            git.env("GIT_CONFIG_COUNT", "1")
                .env("GIT_CONFIG_KEY_0", "http.extraHeader")
                .env("GIT_CONFIG_VALUE_0", header.reveal());
        }
        git
    }
}
