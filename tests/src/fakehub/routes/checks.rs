//! Check runs, suites, statuses, workflow runs, artifacts.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::super::people::NewCheck;
use super::super::world::{CheckRun, Status, Who};
use super::super::{Asked, Hub, Said};

/// Suites whose runs are listed at most: the newest (fault 29).
const SUITES_MAX: usize = 1_000;
/// Statuses of one commit and name at most (fault 77).
const STATUSES_MAX: usize = 1_000;
/// Characters of a status's description at most (fault 78).
const DESCRIPTION_CHARS_MAX: usize = 140;

impl Hub {
    pub(super) fn route_checks(&mut self, operation: &str, asked: &Asked<'_>, repository: u64) -> Said {
        match operation {
            "checks/list-for-ref" => self.list_check_runs(asked, repository),
            "checks/list-suites-for-ref" => self.list_check_suites(asked, repository),
            "checks/create" => self.create_check_run(asked, repository),
            "checks/update" => self.update_check_run(asked, repository),
            "actions/list-workflow-runs-for-repo" => {
                let head = asked.query.get("head_sha");
                let runs = self.world.repositories[&repository].runs.values().rev();
                let wanted = runs.filter(|run| head.is_none_or(|head| *head == run.head));
                let items: Vec<Value> = wanted.map(|run| self.run(repository, run)).collect();
                Said::within(json!({ "total_count": items.len() }), "workflow_runs", items)
            }
            "actions/list-artifacts-for-repo" | "actions/list-workflow-run-artifacts" => {
                let (name, run) = (asked.query.get("name"), asked.parameters.get("run_id"));
                let artifacts = self.world.repositories[&repository].artifacts.values().rev();
                let wanted = artifacts.filter(|artifact| {
                    name.is_none_or(|name| *name == artifact.name)
                        && run.is_none_or(|run| *run == artifact.run.to_string())
                });
                let items: Vec<Value> = wanted.map(|artifact| self.artifact(repository, artifact)).collect();
                Said::within(json!({ "total_count": items.len() }), "artifacts", items)
            }
            _ => Said::missing(),
        }
    }

    fn list_check_runs(&self, asked: &Asked<'_>, repository: u64) -> Said {
        let Some(sha) = self.resolve(repository, asked.parameter("ref")) else {
            return Said::refused(422, &format!("No commit found for SHA: {}", asked.parameter("ref")));
        };
        let of_head = self.world.repositories[&repository].check_runs.values().filter(|run| run.head == sha);
        let runs: Vec<&CheckRun> = of_head.collect();
        let suites: BTreeSet<u64> = runs.iter().map(|run| run.suite).collect();
        let listed: BTreeSet<u64> = suites.into_iter().rev().take(SUITES_MAX).collect();
        let latest_only = asked.query.get("filter").is_none_or(|filter| filter == "latest");
        let mut newest: BTreeMap<(&str, u64), u64> = BTreeMap::new();
        for run in &runs {
            newest.insert((run.name.as_str(), run.app), run.id);
        }
        let wanted = runs
            .iter()
            .filter(|run| listed.contains(&run.suite))
            .filter(|run| !latest_only || newest.get(&(run.name.as_str(), run.app)) == Some(&run.id));
        let name = asked.query.get("check_name");
        let wanted = wanted.filter(|run| name.is_none_or(|name| *name == run.name));
        let items: Vec<Value> = wanted.map(|run| self.check_run(repository, run)).collect();
        Said::within(json!({ "total_count": items.len() }), "check_runs", items)
    }

    fn list_check_suites(&self, asked: &Asked<'_>, repository: u64) -> Said {
        let Some(sha) = self.resolve(repository, asked.parameter("ref")) else { return Said::missing() };
        let of_head = self.world.repositories[&repository].check_runs.values().filter(|run| run.head == sha);
        let suites: BTreeSet<u64> = of_head.map(|run| run.suite).collect();
        let items: Vec<Value> = suites.into_iter().map(|suite| self.check_suite(repository, suite)).collect();
        Said::within(json!({ "total_count": items.len() }), "check_suites", items)
    }

    /// Only an App publishes check runs.
    fn create_check_run(&mut self, asked: &Asked<'_>, repository: u64) -> Said {
        if let Some(refusal) = self.forbidden(asked, "checks", "write") {
            return refusal;
        }
        let Who::Installation(installation) = asked.who else {
            return Said::refused(403, "You must authenticate via a GitHub App.");
        };
        let Some(head) = self.resolve(repository, &asked.text("head_sha").unwrap_or_default()) else {
            return Said::refused(422, "No commit found for SHA");
        };
        let app = self.world.installations[&installation].app;
        let name = asked.text("name").unwrap_or_default();
        let id = self.check(repository, &NewCheck { app, head: &head, name: &name, conclusion: None });
        self.change_check_run(asked, repository, id);
        Said::with(201, self.check_run(repository, &self.world.repositories[&repository].check_runs[&id]))
    }

    fn update_check_run(&mut self, asked: &Asked<'_>, repository: u64) -> Said {
        if let Some(refusal) = self.forbidden(asked, "checks", "write") {
            return refusal;
        }
        let id = asked.number("check_run_id");
        let Some(run) = self.world.repositories[&repository].check_runs.get(&id) else {
            return Said::missing();
        };
        let app = match asked.who {
            Who::Installation(installation) => self.world.installations[&installation].app,
            Who::Person(_) | Who::App(_) | Who::Anonymous => 0,
        };
        if run.app != app {
            return Said::refused(
                403,
                "Invalid app_id `check_run` can only be modified by the GitHub App that created it.",
            );
        }
        self.change_check_run(asked, repository, id);
        Said::ok(self.check_run(repository, &self.world.repositories[&repository].check_runs[&id]))
    }

    fn change_check_run(&mut self, asked: &Asked<'_>, repository: u64, id: u64) {
        let now = self.world.now;
        let found = self.world.repositories.get_mut(&repository).expect("it was resolved");
        let run = found.check_runs.get_mut(&id).expect("it was resolved");
        if let Some(status) = asked.text("status") {
            run.status = status;
        }
        if let Some(conclusion) = asked.text("conclusion") {
            run.conclusion = Some(conclusion);
            "completed".clone_into(&mut run.status);
            run.completed_at = Some(now);
        }
        if let Some(external_id) = asked.text("external_id") {
            run.external_id = external_id;
        }
        let output = &asked.body["output"];
        if output.is_object() {
            let text = |name: &str| output[name].as_str().map(ToOwned::to_owned);
            run.output = (text("title"), text("summary"));
        }
    }

    pub(super) fn combined_status(&self, asked: &Asked<'_>, repository: u64) -> Said {
        let Some(sha) = self.resolve(repository, asked.parameter("ref")) else { return Said::missing() };
        let mut newest: BTreeMap<&str, &Status> = BTreeMap::new();
        for status in self.world.repositories[&repository].statuses.iter().filter(|status| status.head == sha)
        {
            newest.insert(&status.context, status);
        }
        let states: BTreeSet<&str> = newest.values().map(|status| status.state.as_str()).collect();
        let state = if states.contains("failure") || states.contains("error") {
            "failure"
        } else if states.contains("pending") || states.is_empty() {
            "pending"
        } else {
            "success"
        };
        let items: Vec<Value> =
            newest.values().map(|status| self.status(status, "simple-commit-status")).collect();
        let url = self.url(asked.path);
        let envelope = json!({
            "state": state, "sha": sha, "total_count": items.len(), "url": url, "commit_url": url,
            "repository": self.repository(repository, "minimal-repository"),
        });
        Said::within(envelope, "statuses", items)
    }

    pub(super) fn create_status(&mut self, asked: &Asked<'_>, repository: u64) -> Said {
        if let Some(refusal) = self.forbidden(asked, "statuses", "write") {
            return refusal;
        }
        let Some(head) = self.resolve(repository, asked.parameter("sha")) else {
            return Said::refused(422, "No commit found for SHA");
        };
        let context = asked.text("context").unwrap_or_else(|| "default".to_owned());
        let description = asked.text("description");
        if description.as_ref().is_some_and(|text| text.chars().count() > DESCRIPTION_CHARS_MAX) {
            return Said::refused(
                422,
                "Validation Failed: description is too long (maximum is 140 characters)",
            );
        }
        let statuses = &self.world.repositories[&repository].statuses;
        if statuses.iter().filter(|status| status.head == head && status.context == context).count()
            >= STATUSES_MAX
        {
            return Said::refused(422, "This SHA and context has reached the maximum number of statuses.");
        }
        let (author, state) = (self.world.actor(asked.who), asked.text("state").unwrap_or_default());
        self.set_status(repository, author, &head, &context, &state, description.as_deref());
        let status = self.world.repositories[&repository].statuses.last().expect("it was just set");
        Said::with(201, self.status(status, "status"))
    }
}
