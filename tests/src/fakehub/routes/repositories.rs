//! Repositories, branches, commits, comparisons, files.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::super::description::description;
use super::super::world::Who;
use super::super::{Asked, Hub, Said};

/// Files that a comparison lists at most.
const COMPARED_FILES_MAX: usize = 300;

impl Hub {
    pub(super) fn route_repository(&mut self, operation: &str, asked: &Asked<'_>, repository: u64) -> Said {
        match operation {
            "repos/get" => Said::ok(self.repository(repository, "full-repository")),
            "repos/get-branch" => self.branch(asked, repository),
            "repos/get-branch-protection" => self.protection(asked, repository),
            "repos/get-branch-rules" => self.branch_rules(asked, repository),
            "repos/list-commits" => self.list_commits(asked, repository),
            "repos/get-commit" => match self.resolve(repository, asked.parameter("ref")) {
                Some(sha) => Said::ok(self.commit_with_files(repository, &sha)),
                None => Said::refused(422, "No commit found for SHA"),
            },
            "repos/compare-commits" => self.compare(asked, repository),
            "repos/list-pull-requests-associated-with-commit" => self.pulls_of_commit(asked, repository),
            "repos/get-content" => self.content(asked, repository),
            "repos/create-or-update-file-contents" => self.put_content(asked, repository),
            "repos/get-combined-status-for-ref" => self.combined_status(asked, repository),
            "repos/create-commit-status" => self.create_status(asked, repository),
            _ => Said::missing(),
        }
    }

    fn branch(&self, asked: &Asked<'_>, repository: u64) -> Said {
        let name = asked.parameter("branch");
        let found = &self.world.repositories[&repository];
        let Some(commit) = found.branches.get(name).and_then(|sha| found.bare.commit(sha)) else {
            return Said::refused(404, "Branch not found");
        };
        let protected = found.protection.contains_key(name) || found.rules.contains_key(name);
        let url = self.url(&format!("{}/protection", asked.path));
        let fields = json!({
            "name": name, "commit": self.commit(repository, &commit), "protected": protected, "protection_url": url,
            "protection": { "enabled": protected },
            "_links": { "html": url, "self": url },
        });
        Said::ok(description().shaped("branch-with-protection", fields))
    }

    fn protection(&self, asked: &Asked<'_>, repository: u64) -> Said {
        let found = &self.world.repositories[&repository];
        if !found.offers_protection {
            return Said::refused(
                403,
                "Upgrade to GitHub Pro or make this repository public to enable this feature.",
            );
        }
        // A missing permission is told by the answer for what is not there (fault 33).
        if !self.may(asked.who, "administration", "read") {
            return match asked.who {
                Who::Installation(_) => Said::refused(403, "Resource not accessible by integration"),
                Who::Anonymous | Who::App(_) | Who::Person(_) => Said::missing(),
            };
        }
        match found.protection.get(asked.parameter("branch")) {
            Some(protection) => Said::ok(protection.clone()),
            None => Said::refused(404, "Branch not protected"),
        }
    }

    fn branch_rules(&self, asked: &Asked<'_>, repository: u64) -> Said {
        let found = &self.world.repositories[&repository];
        if !found.offers_protection {
            return Said::refused(
                403,
                "Upgrade to GitHub Pro or make this repository public to enable this feature.",
            );
        }
        Said::list(found.rules.get(asked.parameter("branch")).cloned().unwrap_or_default())
    }

    fn list_commits(&self, asked: &Asked<'_>, repository: u64) -> Said {
        let found = &self.world.repositories[&repository];
        let name = asked.query.get("sha").map_or(found.default_branch.as_str(), String::as_str);
        let Some(sha) = self.resolve(repository, name) else { return Said::missing() };
        let commits = found.bare.commits(None, &sha);
        Said::list(commits.iter().rev().map(|commit| self.commit(repository, commit)).collect())
    }

    fn commit_with_files(&self, repository: u64, sha: &str) -> Value {
        let found = &self.world.repositories[&repository];
        let commit = found.bare.commit(sha).expect("a resolved commit is there");
        let mut value = self.commit(repository, &commit);
        let files = commit.parents.first().map(|parent| found.bare.files(parent, sha)).unwrap_or_default();
        value["files"] = files.iter().map(|file| self.file(repository, file)).collect();
        value["stats"] = json!({ "total": 0, "additions": 0, "deletions": 0 });
        value
    }

    fn compare(&self, asked: &Asked<'_>, repository: u64) -> Said {
        let found = &self.world.repositories[&repository];
        let named = |name: &str| {
            let name = asked.parameter(name);
            self.resolve(repository, name.split_once(':').map_or(name, |(_, branch)| branch))
        };
        let (Some(base), Some(head)) = (named("base"), named("head")) else { return Said::missing() };
        let Some(merge_base) = found.bare.merge_base(&base, &head) else {
            return Said::refused(404, "No common ancestor between the two commits.");
        };
        let (behind, ahead) = found.bare.behind_ahead(&base, &head);
        let commits = found.bare.commits(Some(&base), &head);
        let commit =
            |sha: &str| found.bare.commit(sha).map_or(Value::Null, |commit| self.commit(repository, &commit));
        let status = match (ahead, behind) {
            (0, 0) => "identical",
            (_, 0) => "ahead",
            (0, _) => "behind",
            _ => "diverged",
        };
        let url = self.url(asked.path);
        let mut body = json!({
            "url": url, "html_url": url, "permalink_url": url, "diff_url": url, "patch_url": url, "status": status,
            "base_commit": commit(&base), "merge_base_commit": commit(&merge_base), "ahead_by": ahead, "behind_by": behind,
            "total_commits": commits.len(),
        });
        // Files stand on the first page only.
        if asked.query.get("page").is_none_or(|page| page == "1") {
            let files = found.bare.files(&merge_base, &head);
            body["files"] =
                files.iter().take(COMPARED_FILES_MAX).map(|file| self.file(repository, file)).collect();
        }
        Said::within(body, "commits", commits.iter().map(|commit| self.commit(repository, commit)).collect())
    }

    fn pulls_of_commit(&self, asked: &Asked<'_>, repository: u64) -> Said {
        let sha = asked.parameter("commit_sha");
        let found = &self.world.repositories[&repository];
        let about = found.pulls.values().filter(|pull| {
            pull.head == sha
                || pull.merged.as_ref().is_some_and(|merged| merged.sha == sha)
                || self.commits_of(repository, pull).iter().any(|commit| commit.sha == sha)
        });
        Said::list(about.map(|pull| self.pull(repository, pull.number, false)).collect())
    }

    fn content(&self, asked: &Asked<'_>, repository: u64) -> Said {
        let found = &self.world.repositories[&repository];
        let name = asked.query.get("ref").map_or(found.default_branch.as_str(), String::as_str);
        let path = asked.parameter("path");
        let Some(sha) = self.resolve(repository, name) else {
            return Said::refused(404, "No commit found for the ref");
        };
        let Some((kind, bytes)) = found.bare.object(&format!("{sha}:{path}")) else { return Said::missing() };
        let blob = found
            .bare
            .tree(&sha, true)
            .into_iter()
            .find(|entry| entry[3] == path)
            .map(|entry| entry[2].clone());
        let url = self.url(asked.path);
        if kind != "blob" {
            return Said::ok(json!([]));
        }
        // Above 1 MB there is no text (fault 94).
        let (encoding, text) =
            if bytes.len() > 1 << 20 { ("none", String::new()) } else { ("base64", STANDARD.encode(&bytes)) };
        Said::ok(json!({
            "type": "file", "encoding": encoding, "size": bytes.len(), "name": path.rsplit('/').next(), "path": path,
            "content": text, "sha": blob, "url": url, "git_url": url, "html_url": url,
            "download_url": url, "_links": { "git": url, "self": url, "html": url },
        }))
    }

    /// Writes a file as one commit, only onto the blob that the caller names.
    fn put_content(&mut self, asked: &Asked<'_>, repository: u64) -> Said {
        if let Some(refusal) = self.forbidden(asked, "contents", "write") {
            return refusal;
        }
        let found = &self.world.repositories[&repository];
        let branch = asked.text("branch").unwrap_or_else(|| found.default_branch.clone());
        let path = asked.parameter("path").to_owned();
        let Some(head) = found.branches.get(&branch).cloned() else {
            return Said::refused(404, &format!("Branch {branch} not found"));
        };
        let content = asked.text("content").map(|content| content.replace('\n', ""));
        let Some(Ok(content)) = content.map(|content| STANDARD.decode(content)) else {
            return Said::refused(422, "content is not valid Base64");
        };
        let entry = found.bare.tree(&head, true).into_iter().find(|entry| entry[3] == path);
        let known = entry.map(|entry| entry[2].clone());
        if known != asked.text("sha") {
            return match known {
                Some(_) if asked.text("sha").is_none() => Said::refused(422, "\"sha\" wasn't supplied."),
                _ => Said::refused(409, &format!("{path} does not match the sha")),
            };
        }
        let (actor, message) = (self.world.actor(asked.who), asked.text("message").unwrap_or_default());
        let content = String::from_utf8_lossy(&content).into_owned();
        let sha = self.write_commit(repository, &head, actor, &message, &[(&path, Some(&content))]);
        self.push(repository, &branch, &sha, actor);
        let found = &self.world.repositories[&repository];
        let blob = found
            .bare
            .tree(&sha, true)
            .into_iter()
            .find(|entry| entry[3] == path)
            .map(|entry| entry[2].clone());
        let url = self.url(asked.path);
        let content = json!({
            "name": path.rsplit('/').next(), "path": path, "sha": blob, "size": content.len(), "type": "file", "url": url,
            "html_url": url, "git_url": url, "download_url": url, "_links": { "self": url, "git": url, "html": url },
        });
        Said::with(
            if known.is_some() { 200 } else { 201 },
            json!({ "content": content, "commit": { "sha": sha } }),
        )
    }
}
