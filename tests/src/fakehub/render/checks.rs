//! Check runs, statuses, workflow runs, artifacts, installations.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::super::Hub;
use super::super::description::description;
use super::super::world::{Artifact, CheckRun, Run, Status};
use super::time;

impl Hub {
    /// A check run, in the shape `check-run`. Pull requests of forks are not named (fault 75).
    pub(crate) fn check_run(&self, repository: u64, run: &CheckRun) -> Value {
        let found = &self.world.repositories[&repository];
        let own = found
            .pulls
            .values()
            .filter(|pull| pull.head == run.head && pull.head_repository == Some(repository));
        let url = self.url(&format!("/repos/{}/check-runs/{}", self.world.full_name(repository), run.id));
        let end = |branch: &str, sha: &str| json!({ "ref": branch, "sha": sha, "repo": { "id": repository, "url": url, "name": found.name } });
        let named = own.map(|pull| {
            json!({
                "id": pull.id, "number": pull.number, "url": url,
                "head": end(&pull.head_branch, &pull.head), "base": end(&pull.base_branch, &pull.base),
            })
        });
        description().shaped(
            "check-run",
            json!({
                "id": run.id, "node_id": format!("CR_{}", run.id), "head_sha": run.head, "name": run.name,
                "external_id": run.external_id, "url": url, "html_url": url, "details_url": url, "status": run.status,
                "conclusion": run.conclusion, "started_at": time(run.started_at),
                "completed_at": run.completed_at.map_or(Value::Null, time),
                "output": {
                    "title": run.output.0, "summary": run.output.1, "text": null, "annotations_count": 0, "annotations_url": url,
                },
                "check_suite": { "id": run.suite }, "app": self.app(run.app), "pull_requests": named.collect::<Vec<_>>(),
            }),
        )
    }

    /// A check suite, in the shape `check-suite`.
    pub(crate) fn check_suite(&self, repository: u64, suite: u64) -> Value {
        let found = &self.world.repositories[&repository];
        let runs: Vec<&CheckRun> = found.check_runs.values().filter(|run| run.suite == suite).collect();
        let done = runs.iter().all(|run| run.status == "completed");
        let failed = runs.iter().any(|run| run.conclusion.as_deref() == Some("failure"));
        let conclusion = done.then_some(if failed { "failure" } else { "success" });
        description().shaped(
            "check-suite",
            json!({
                "id": suite, "node_id": format!("CS_{suite}"), "head_branch": null,
                "head_sha": runs.first().map(|run| run.head.as_str()).unwrap_or_default(),
                "status": if done { "completed" } else { "in_progress" }, "conclusion": conclusion,
                "app": runs.first().map_or(Value::Null, |run| self.app(run.app)), "pull_requests": [],
                "repository": self.repository(repository, "minimal-repository"),
                "latest_check_runs_count": runs.len(),
            }),
        )
    }

    /// A status, in the shape `schema`: `status` or `simple-commit-status`.
    pub(crate) fn status(&self, status: &Status, schema: &str) -> Value {
        let mut fields = json!({
            "id": status.id, "node_id": format!("SC_{}", status.id), "state": status.state, "context": status.context,
            "description": status.description, "target_url": "https://ci.example/", "url": self.url("/statuses"),
            "created_at": time(status.at), "updated_at": time(status.at), "avatar_url": "https://github.example/",
        });
        if schema == "status" {
            fields["creator"] = self.user(status.author);
        }
        description().shaped(schema, fields)
    }

    /// A workflow run, in the shape `workflow-run`.
    pub(crate) fn run(&self, repository: u64, run: &Run) -> Value {
        let pull = self.world.repositories[&repository].pulls.values().find(|pull| pull.head == run.head);
        let head_repository = pull.and_then(|pull| pull.head_repository).unwrap_or(repository);
        description().shaped(
            "workflow-run",
            json!({
                "id": run.id, "node_id": format!("WFR_{}", run.id), "name": "plan", "path": run.path, "event": run.event,
                "head_sha": run.head, "head_branch": pull.map(|pull| pull.head_branch.as_str()), "status": "completed",
                "conclusion": "success", "run_attempt": 1, "run_number": 1, "workflow_id": 1,
                "referenced_workflows": [], "actor": self.user(run.actor), "triggering_actor": self.user(run.actor),
                "repository": self.repository(repository, "minimal-repository"),
                "head_repository": self.repository(head_repository, "minimal-repository"),
                "created_at": time(run.at), "updated_at": time(run.at), "pull_requests": [],
            }),
        )
    }

    /// An artifact, in the shape `artifact`.
    pub(crate) fn artifact(&self, repository: u64, artifact: &Artifact) -> Value {
        let found = &self.world.repositories[&repository];
        let run = found.runs.get(&artifact.run);
        let pull = run.and_then(|run| found.pulls.values().find(|pull| pull.head == run.head));
        let digest: String =
            Sha256::digest(&artifact.bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let url = self.url(&format!(
            "/repos/{}/actions/artifacts/{}",
            self.world.full_name(repository),
            artifact.id
        ));
        json!({
            "id": artifact.id, "node_id": format!("AR_{}", artifact.id), "name": artifact.name,
            "size_in_bytes": artifact.bytes.len(), "url": url, "archive_download_url": format!("{url}/zip"), "expired": false,
            "created_at": time(artifact.at), "updated_at": time(artifact.at),
            "expires_at": time(artifact.at.plus_seconds(90 * 86_400)), "digest": format!("sha256:{digest}"),
            "workflow_run": {
                "id": artifact.run, "repository_id": repository,
                "head_repository_id": pull.and_then(|pull| pull.head_repository).unwrap_or(repository),
                "head_branch": pull.map_or("main", |pull| pull.head_branch.as_str()),
                "head_sha": run.map(|run| run.head.as_str()).unwrap_or_default(),
            },
        })
    }

    /// An installation. The description has no name for its shape.
    pub(crate) fn installation(&self, id: u64) -> Value {
        let found = &self.world.installations[&id];
        let (url, at) = (self.url(&format!("/app/installations/{id}")), time(self.world.now));
        json!({
            "id": id, "account": self.user(found.account), "app_id": found.app, "app_slug": self.world.apps[&found.app].slug,
            "target_id": found.account, "target_type": self.world.accounts[&found.account].kind,
            "permissions": found.permissions, "repository_selection": "all", "events": [], "single_file_name": null,
            "access_tokens_url": url, "html_url": url, "repositories_url": url, "created_at": at, "updated_at": at,
            "suspended_by": null, "suspended_at": null,
        })
    }
}
