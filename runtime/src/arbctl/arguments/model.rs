//! The commands of a model.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Directory, Output};

/// See [`super::Command::Model`].
#[derive(Debug, Subcommand)]
pub enum Model {
    /// Read a model and say what it holds, what is thin and what is wrong.
    Check(ModelCheck),
    /// Write stubs of a model from a plan, with blanks to fill in. Overwrites nothing.
    Init(ModelInit),
    /// Take in what people already have, without anything that a model does not need.
    #[command(subcommand)]
    Import(ModelImport),
    /// List what is missing, those gaps first that held most reviews.
    Gaps(ModelGaps),
}

/// See [`Model::Import`].
#[derive(Debug, Subcommand)]
pub enum ModelImport {
    /// Entities of Backstage: the array of its catalog API (GET /api/catalog/entities), or YAML.
    Backstage(Imported),
    /// A Terraform or OpenTofu state: a state file of version 4, or what `show -json` prints of one.
    TerraformState(Imported),
}

/// What is imported, and whereto.
#[derive(Debug, Args)]
pub struct Imported {
    /// The file. `-` is standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The model directory to write to.
    #[arg(long, visible_alias = "model", value_name = "DIR", default_value = "model")]
    pub to: PathBuf,
    /// Overwrite what an earlier import wrote.
    #[arg(long)]
    pub replace: bool,
}

/// See [`Model::Gaps`].
#[derive(Debug, Args)]
pub struct ModelGaps {
    /// Only what this owner has: a name, or KIND:NAMESPACE/NAME.
    #[arg(long, value_name = "OWNER")]
    pub owner: Option<String>,
    /// At most so many.
    #[arg(long, default_value_t = 40, value_name = "N")]
    pub limit: usize,
    /// The model directory.
    #[arg(long, value_name = "DIR", default_value = "model")]
    pub model: PathBuf,
    /// The catalog directory.
    #[arg(long, value_name = "DIR")]
    pub catalog: Option<PathBuf>,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t)]
    pub output: Output,
    /// Where the log of the reviews is.
    #[command(flatten)]
    pub directory: Directory,
}

/// See [`Model::Check`].
#[derive(Debug, Args)]
pub struct ModelCheck {
    /// The model directory.
    #[arg(long, value_name = "DIR", default_value = "model")]
    pub model: PathBuf,
    /// The catalog directory, whose `authorities` say which sources are independent.
    #[arg(long, value_name = "DIR")]
    pub catalog: Option<PathBuf>,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t)]
    pub output: Output,
}

/// See [`Model::Init`].
#[derive(Debug, Args)]
pub struct ModelInit {
    /// The plan.
    #[arg(long, value_name = "PLAN", required_unless_present = "after")]
    pub from: Option<PathBuf>,
    /// Kubernetes manifests instead of a plan: a file, or a directory. Repeatable.
    #[arg(long, value_name = "FILE|DIR", conflicts_with = "from")]
    pub after: Vec<PathBuf>,
    /// A CODEOWNERS file, for owners.
    #[arg(long, value_name = "FILE")]
    pub codeowners: Option<PathBuf>,
    /// Where to write to.
    #[arg(long, visible_alias = "model", value_name = "DIR", default_value = "model")]
    pub to: PathBuf,
}
