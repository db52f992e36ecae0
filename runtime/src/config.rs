//! `DIR/arb.toml`: what a node in this directory uses where a command says nothing. Unknown keys are refused.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use ontology::policy::catalog::Mode;
use serde::Deserialize;

use crate::call::{CallError, ErrorCode};
use crate::files;

/// The file's name in the data directory.
pub const FILE: &str = "arb.toml";

/// What the file says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// What the deployment does with verdicts; the catalog's word, where absent.
    pub mode: Option<Mode>,
    /// The model.
    pub model: Files,
    /// The catalog.
    pub catalog: Files,
    /// The door.
    pub door: Door,
}

/// A directory of files that a node reads.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Files {
    /// The directory; relative ones count from the data directory.
    pub dir: Option<PathBuf>,
}

/// Where the door listens beside its socket.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Door {
    /// A TCP address; the socket alone, where absent.
    pub listen: Option<SocketAddr>,
    /// Who may call over TCP: a principal's name → the environment variable or file that holds its token. The
    /// token itself never stands here.
    pub tokens: BTreeMap<String, TokenSource>,
}

/// Where a token is found.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum TokenSource {
    /// In this environment variable.
    Env(String),
    /// In this file; relative ones count from the data directory.
    File(PathBuf),
}

impl Config {
    /// Reads `directory/arb.toml`; without such a file, nothing is set. Relative directories become absolute below
    /// `directory`.
    ///
    /// # Errors
    /// [`ErrorCode::BadInput`] names the file, the line and what is allowed there.
    pub fn read(directory: &Path) -> Result<Self, CallError> {
        let path = directory.join(FILE);
        if !path.exists() {
            return Ok(Self::default());
        }
        let file = files::read_file(&path)?;
        let mut config = Self::parse(&file.path, &file.text)?;
        for files in [&mut config.model, &mut config.catalog] {
            files.dir = files.dir.take().map(|below| directory.join(below));
        }
        for token in config.door.tokens.values_mut() {
            if let TokenSource::File(file) = token {
                *file = directory.join(&*file);
            }
        }
        Ok(config)
    }

    /// Reads the text of such a file.
    ///
    /// # Errors
    /// [`ErrorCode::BadInput`] names the line and what is allowed there.
    pub fn parse(file: &str, text: &str) -> Result<Self, CallError> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| text[..span.start].matches('\n').count() + 1);
            let at = line.map(|line| format!("line {line}: ")).unwrap_or_default();
            CallError::new(ErrorCode::BadInput, format!("{file}: {at}{}", error.message().replace('\n', " ")))
        })
    }
}
