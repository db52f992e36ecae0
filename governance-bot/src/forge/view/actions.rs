//! Workflow runs and their artifacts: what a plan comes from.

use ontology::Timestamp;
use serde::{Deserialize, Serialize};

use super::account::Account;

/// A run of a workflow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkflowRun {
    /// The numeric id.
    pub id: u64,
    /// The workflow.
    #[serde(default)]
    pub workflow_id: Option<u64>,
    /// The workflow's file: `.github/workflows/plan.yml`, with `@REF` where it is another branch's.
    #[serde(default)]
    pub path: Option<String>,
    /// The event that set it off: a green run of `workflow_dispatch` does not satisfy a protection (fault 16).
    #[serde(default)]
    pub event: Option<String>,
    /// The commit it ran on.
    pub head_sha: String,
    /// `queued`, `in_progress`, `completed` and others.
    #[serde(default)]
    pub status: Option<String>,
    /// Its conclusion, once completed.
    #[serde(default)]
    pub conclusion: Option<String>,
    /// Which attempt it is.
    #[serde(default)]
    pub run_attempt: Option<u64>,
    /// The check suite of its jobs.
    #[serde(default)]
    pub check_suite_id: Option<u64>,
    /// Reusable workflows that it called, each pinned.
    #[serde(default)]
    pub referenced_workflows: Option<Vec<ReferencedWorkflow>>,
    /// Who set it off.
    #[serde(default)]
    pub triggering_actor: Option<Account>,
}

/// A reusable workflow that a run called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferencedWorkflow {
    /// Its path with repository and ref.
    pub path: String,
    /// The commit of the file.
    pub sha: String,
}

/// An artifact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artifact {
    /// The numeric id.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Its size.
    #[serde(default)]
    pub size_in_bytes: u64,
    /// `sha256:…` of the archive, where the forge says it.
    #[serde(default)]
    pub digest: Option<String>,
    /// Whether it is gone.
    #[serde(default)]
    pub expired: bool,
    /// When it was made.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
    /// The run that made it.
    #[serde(default)]
    pub workflow_run: Option<ArtifactRun>,
}

/// The run that an artifact names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArtifactRun {
    /// The run.
    #[serde(default)]
    pub id: Option<u64>,
    /// The repository that it ran in.
    #[serde(default)]
    pub repository_id: Option<u64>,
    /// The repository of its head: another one for a fork.
    #[serde(default)]
    pub head_repository_id: Option<u64>,
    /// The commit it ran on.
    #[serde(default)]
    pub head_sha: Option<String>,
}
