//! Merging and updating: done by git, refused in GitHub's words.

use serde_json::{Value, json};

use super::super::bare::GitCommit;
use super::super::world::{Merged, Pull};
use super::super::{Asked, Hub, Said};

/// Who commits what GitHub makes.
const WEB_FLOW: (&str, &str) = ("GitHub", "noreply@github.com");

impl Hub {
    /// Required checks of a pull request that are not satisfied: both places, as GitHub enforces them.
    pub(crate) fn unmet_checks(&self, repository: u64, pull: &Pull) -> Vec<String> {
        self.required_checks(repository, &pull.base_branch)
            .into_iter()
            .filter(|(name, app)| {
                let found = &self.world.repositories[&repository];
                let run = found.check_runs.values().rfind(|run| {
                    run.head == pull.head
                        && run.name == *name
                        && app.is_none_or(|app| app < 0 || app == run.app.cast_signed())
                });
                let status =
                    found.statuses.iter().rfind(|status| status.head == pull.head && status.context == *name);
                let passes =
                    |conclusion: Option<&str>| matches!(conclusion, Some("success" | "skipped" | "neutral"));
                let run_passes = run.map(|run| passes(run.conclusion.as_deref()));
                let status_passes =
                    status.filter(|_| app.is_none_or(|app| app < 0)).map(|status| status.state == "success");
                run_passes.is_none() && status_passes.is_none()
                    || run_passes == Some(false)
                    || status_passes == Some(false)
            })
            .map(|(name, _)| name)
            .collect()
    }

    /// Required checks of a branch, with their App.
    pub(crate) fn required_checks(&self, repository: u64, branch: &str) -> Vec<(String, Option<i64>)> {
        let found = &self.world.repositories[&repository];
        let classic =
            found.protection.get(branch).map(|protection| &protection["required_status_checks"]["checks"]);
        let classic = classic.and_then(Value::as_array).into_iter().flatten();
        let classic = classic
            .filter_map(|check| Some((check["context"].as_str()?.to_owned(), check["app_id"].as_i64())));
        let rules = found.rules.get(branch).into_iter().flatten();
        let ruled =
            rules.filter_map(|rule| rule["parameters"]["required_status_checks"].as_array()).flatten();
        let ruled = ruled.filter_map(|check| {
            Some((check["context"].as_str()?.to_owned(), check["integration_id"].as_i64()))
        });
        classic.chain(ruled).collect()
    }

    /// `PUT …/merge`.
    pub(super) fn merge(&mut self, asked: &Asked<'_>, repository: u64, number: u64) -> Said {
        if let Some(refusal) = self.forbidden(asked, "contents", "write") {
            return refusal;
        }
        let found = &self.world.repositories[&repository];
        let (pull, issue) = (found.pulls[&number].clone(), &found.issues[&number]);
        let method = asked.text("merge_method").unwrap_or_else(|| "merge".to_owned());
        let refusal = if !issue.open {
            Some((405, "Pull Request is not mergeable".to_owned()))
        } else if pull.draft {
            Some((405, "Pull Request is still a draft".to_owned()))
        } else if asked.text("sha").is_some_and(|sha| sha != pull.head) {
            Some((409, "Head branch was modified. Review and try the merge again.".to_owned()))
        } else if !found.merge_methods.contains(method.as_str()) {
            Some((405, format!("{method} merges are not allowed on this repository.")))
        } else {
            let unmet = self.unmet_checks(repository, &pull);
            unmet.first().map(|name| (405, format!("Required status check \"{name}\" is expected.")))
        };
        if let Some((status, message)) = refusal {
            return Said::refused(status, &message);
        }
        let Some(sha) = self.land(repository, &pull, &method, asked) else {
            return Said::refused(405, "Pull Request is not mergeable");
        };
        let (by, at) = (self.world.actor(asked.who), self.world.now);
        let base = self.world.repositories[&repository].branches[&pull.base_branch].clone();
        let found = self.world.repositories.get_mut(&repository).expect("it was resolved");
        let landed = found.pulls.get_mut(&number).expect("it was resolved");
        landed.merged = Some(Merged { sha: sha.clone(), by, at });
        landed.base = base;
        self.push(repository, &pull.base_branch, &sha, by);
        self.record(repository, number, "merged", by, None, Some(sha.clone()));
        self.set_open(repository, number, false, by);
        Said::ok(json!({ "sha": sha, "merged": true, "message": "Pull Request successfully merged" }))
    }

    /// Makes what lands; none when it conflicts.
    fn land(&self, repository: u64, pull: &Pull, method: &str, asked: &Asked<'_>) -> Option<String> {
        let found = &self.world.repositories[&repository];
        let (issue, base) = (&found.issues[&pull.number], &found.branches[&pull.base_branch]);
        let committer = (WEB_FLOW.0, WEB_FLOW.1, self.world.now);
        if method == "rebase" {
            return found.bare.rebased(base, &pull.head, committer);
        }
        let mut tree = found.bare.merged_tree(base, &pull.head)?;
        if self.behaviour.lands_wrong_tree {
            tree = found.bare.commit(&pull.head)?.tree;
        }
        let commits = self.commits_of(repository, pull);
        let title = asked.text("commit_title").unwrap_or_else(|| match method {
            "squash" => format!("{} (#{})", issue.title, pull.number),
            _ => format!("Merge pull request #{} from {}", pull.number, pull.head_branch),
        });
        // GitHub's own text of a squash joins the messages: trailers in all but the last become prose (fault 88).
        let text = asked.text("commit_message").unwrap_or_else(|| match method {
            "squash" => joined(&commits),
            _ => issue.title.clone(),
        });
        let message = if text.is_empty() { title } else { format!("{title}\n\n{text}") };
        let login = &self.world.accounts[&issue.author].login;
        let (name, address) = (login.as_str(), format!("{login}@users.example"));
        let date = super::super::bare::git_date(self.world.now);
        let parents: &[&str] = if method == "squash" { &[base] } else { &[base, &pull.head] };
        Some(found.bare.make_commit(&tree, parents, &message, [name, &address, &date], committer))
    }

    /// `PUT …/update-branch`: merges the base into the head.
    pub(super) fn update_branch(&mut self, asked: &Asked<'_>, repository: u64, number: u64) -> Said {
        if let Some(refusal) = self.forbidden(asked, "pull_requests", "write") {
            return refusal;
        }
        match self.bring_up_to_date(
            repository,
            number,
            asked.text("expected_head_sha").as_deref(),
            false,
            asked,
        ) {
            Ok(_) => Said::with(
                202,
                json!({ "message": "Updating pull request branch.", "url": self.url(asked.path) }),
            ),
            Err((status, message)) => Said::refused(status, message),
        }
    }

    /// Merges the base into the head, or rebases the head onto it. Returns the new head.
    pub(crate) fn bring_up_to_date(
        &mut self,
        repository: u64,
        number: u64,
        expected: Option<&str>,
        rebase: bool,
        asked: &Asked<'_>,
    ) -> Result<String, (u16, &'static str)> {
        let found = &self.world.repositories[&repository];
        let pull = found.pulls[&number].clone();
        let base = found.branches[&pull.base_branch].clone();
        if expected.is_some_and(|expected| expected != pull.head) {
            return Err((422, "expected head sha didn't match current head ref."));
        }
        if pull.head_repository != Some(repository) {
            return Err((403, "Resource not accessible by integration"));
        }
        let committer = (WEB_FLOW.0, WEB_FLOW.1, self.world.now);
        let conflict = (422, "merge conflict between base and head");
        let head = if rebase {
            found.bare.rebased(&base, &pull.head, committer).ok_or(conflict)?
        } else {
            let tree = found.bare.merged_tree(&base, &pull.head).ok_or(conflict)?;
            let message = format!("Merge branch '{}' into {}", pull.base_branch, pull.head_branch);
            let date = super::super::bare::git_date(self.world.now);
            let author = [WEB_FLOW.0, WEB_FLOW.1, &date];
            found.bare.make_commit(&tree, &[&pull.head, &base], &message, author, committer)
        };
        let actor = self.world.actor(asked.who);
        self.push(repository, &pull.head_branch, &head, actor);
        // The forge moves reviews of the old head to the new one (fault 48).
        let found = self.world.repositories.get_mut(&repository).expect("it was resolved");
        let reviews = &mut found.pulls.get_mut(&number).expect("it was resolved").reviews;
        for review in reviews.iter_mut().filter(|review| review.commit == pull.head) {
            review.commit.clone_from(&head);
        }
        Ok(head)
    }
}

fn joined(commits: &[GitCommit]) -> String {
    let parts: Vec<String> =
        commits.iter().map(|commit| format!("* {}", commit.message.trim_end_matches('\n'))).collect();
    parts.join("\n\n")
}
