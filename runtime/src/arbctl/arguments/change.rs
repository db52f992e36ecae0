//! What a change is given as.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::Output;

/// What is planned: a file, or manifests.
#[derive(Debug, Clone, Args)]
#[command(group = ArgGroup::new("given").required(true).multiple(true))]
pub struct Given {
    /// The plan: `terraform show -json PLAN`, or our own YAML or JSON. `-` is standard input.
    #[arg(value_name = "FILE", group = "given")]
    pub change: Option<PathBuf>,
    /// Kubernetes manifests instead of a plan.
    #[command(flatten)]
    pub manifests: Manifests,
}

/// What a change comes with.
#[derive(Debug, Clone, Args)]
pub struct Change {
    /// What is planned.
    #[command(flatten)]
    pub given: Given,
    /// A claim to go with it: infracost JSON, a rehearsal. Repeatable.
    #[arg(long, value_name = "FILE")]
    pub evidence: Vec<PathBuf>,
    /// The model directory.
    #[arg(long, value_name = "DIR")]
    pub model: Option<PathBuf>,
    /// The catalog directory; the starter catalog, where there is none.
    #[arg(long, value_name = "DIR")]
    pub catalog: Option<PathBuf>,
    /// Where the change comes from.
    #[arg(long, value_name = "NAME")]
    pub source: Option<String>,
    /// The change's kind, if it does not say itself: `infrastructure`, `promotion`.
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,
    /// The ontology release to be judged under.
    #[arg(long, value_name = "DIGEST")]
    pub release: Option<String>,
}

/// Kubernetes manifests on both sides of a change.
#[derive(Debug, Clone, Default, Args)]
pub struct Manifests {
    /// Kubernetes manifests that are in force now: a file, or a directory of .yaml, .yml and .json. Repeatable.
    #[arg(long, value_name = "FILE|DIR", conflicts_with = "change", group = "given")]
    pub before: Vec<PathBuf>,
    /// Kubernetes manifests that will be: what stands only here is created, what is missing here is deleted.
    #[arg(long, value_name = "FILE|DIR", conflicts_with = "change", group = "given")]
    pub after: Vec<PathBuf>,
    /// The cluster that the manifests are for, as bindings name it.
    #[arg(long, value_name = "NAME")]
    pub cluster: Option<String>,
}

/// See [`super::Command::KubectlDiff`].
#[derive(Debug, Args)]
pub struct KubectlDiff {
    /// What is there: a directory of objects, or one file.
    #[arg(value_name = "LIVE")]
    pub live: PathBuf,
    /// What will be there.
    #[arg(value_name = "MERGED")]
    pub merged: PathBuf,
    /// The model directory.
    #[arg(long, value_name = "DIR")]
    pub model: Option<PathBuf>,
    /// The catalog directory; the starter catalog, where there is none.
    #[arg(long, value_name = "DIR")]
    pub catalog: Option<PathBuf>,
    /// The cluster, as bindings name it.
    #[arg(long, value_name = "NAME")]
    pub cluster: Option<String>,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t)]
    pub output: Output,
    /// Show everything: what passed, all reasons, all records.
    #[arg(short, long)]
    pub verbose: bool,
}
