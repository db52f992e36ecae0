//! Git's objects and refs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::super::{Asked, Hub, Said};

/// Entries of a recursive tree at most.
const TREE_ENTRIES_MAX: usize = 100_000;

impl Hub {
    pub(super) fn route_git(&mut self, operation: &str, asked: &Asked<'_>, repository: u64) -> Said {
        match operation {
            "git/get-ref" => match asked.parameter("ref").strip_prefix("heads/") {
                Some(branch) => match self.world.repositories[&repository].branches.get(branch) {
                    Some(sha) => Said::ok(self.git_ref(repository, branch, sha)),
                    None => Said::missing(),
                },
                None => Said::missing(),
            },
            "git/create-ref" => self.create_ref(asked, repository),
            "git/update-ref" => self.update_ref(asked, repository),
            "git/delete-ref" => self.delete_ref(asked, repository),
            "git/get-commit" => self.git_commit(asked, repository),
            "git/get-tree" => self.git_tree(asked, repository),
            "git/get-blob" => self.git_blob(asked, repository),
            _ => Said::missing(),
        }
    }

    fn git_ref(&self, repository: u64, branch: &str, sha: &str) -> Value {
        let url = self.url(&format!("/repos/{}/git/refs/heads/{branch}", self.world.full_name(repository)));
        json!({
            "ref": format!("refs/heads/{branch}"), "node_id": format!("REF_{sha}"), "url": url,
            "object": { "type": "commit", "sha": sha, "url": url },
        })
    }

    fn create_ref(&mut self, asked: &Asked<'_>, repository: u64) -> Said {
        if let Some(refusal) = self.forbidden(asked, "contents", "write") {
            return refusal;
        }
        let (name, sha) = (asked.text("ref").unwrap_or_default(), asked.text("sha").unwrap_or_default());
        let Some(branch) = name.strip_prefix("refs/heads/").map(ToOwned::to_owned) else {
            return Said::refused(
                422,
                "Reference name must start with 'refs/' and have at least two slashes.",
            );
        };
        if self.world.repositories[&repository].branches.contains_key(&branch) {
            return Said::refused(422, "Reference already exists");
        }
        if self.resolve(repository, &sha).is_none() {
            return Said::refused(422, "Object does not exist");
        }
        let actor = self.world.actor(asked.who);
        self.push(repository, &branch, &sha, actor);
        Said::with(201, self.git_ref(repository, &branch, &sha))
    }

    fn update_ref(&mut self, asked: &Asked<'_>, repository: u64) -> Said {
        if let Some(refusal) = self.forbidden(asked, "contents", "write") {
            return refusal;
        }
        let branch = asked.parameter("ref").trim_start_matches("heads/").to_owned();
        let sha = asked.text("sha").unwrap_or_default();
        let found = &self.world.repositories[&repository];
        let Some(now) = found.branches.get(&branch).cloned() else {
            return Said::refused(422, "Reference does not exist");
        };
        if self.resolve(repository, &sha).is_none() {
            return Said::refused(422, "Object does not exist");
        }
        let forward = found.bare.merge_base(&now, &sha).as_ref() == Some(&now);
        if !forward && asked.body["force"] != json!(true) {
            return Said::refused(422, "Update is not a fast forward");
        }
        let actor = self.world.actor(asked.who);
        self.push(repository, &branch, &sha, actor);
        Said::ok(self.git_ref(repository, &branch, &sha))
    }

    fn delete_ref(&mut self, asked: &Asked<'_>, repository: u64) -> Said {
        if let Some(refusal) = self.forbidden(asked, "contents", "write") {
            return refusal;
        }
        let branch = asked.parameter("ref").trim_start_matches("heads/").to_owned();
        let found = self.world.repositories.get_mut(&repository).expect("it was resolved");
        if found.branches.remove(&branch).is_none() {
            return Said::refused(422, "Reference does not exist");
        }
        found.bare.set_ref(&format!("refs/heads/{branch}"), None);
        Said::with(204, Value::Null)
    }

    fn git_commit(&self, asked: &Asked<'_>, repository: u64) -> Said {
        let sha = asked.parameter("commit_sha");
        let found = &self.world.repositories[&repository];
        let Some(commit) = self.resolve(repository, sha).and_then(|sha| found.bare.commit(&sha)) else {
            return Said::missing();
        };
        let whole = self.commit(repository, &commit);
        let url = self.url(asked.path);
        let inner = &whole["commit"];
        Said::ok(json!({
            "sha": commit.sha, "node_id": whole["node_id"], "url": url, "html_url": url, "message": inner["message"],
            "author": inner["author"], "committer": inner["committer"], "tree": inner["tree"],
            "parents": whole["parents"], "verification": inner["verification"],
        }))
    }

    fn git_tree(&self, asked: &Asked<'_>, repository: u64) -> Said {
        let name = asked.parameter("tree_sha");
        let found = &self.world.repositories[&repository];
        let sha = self.resolve(repository, name).or_else(|| found.bare.has(name).then(|| name.to_owned()));
        let Some(sha) = sha else { return Said::missing() };
        let entries = found.bare.tree(&sha, asked.query.contains_key("recursive"));
        let truncated = entries.len() > TREE_ENTRIES_MAX;
        let shown = entries.iter().take(TREE_ENTRIES_MAX).map(|[mode, kind, sha, path]| {
            json!({ "path": path, "mode": mode, "type": kind, "sha": sha, "url": self.url("/git") })
        });
        let tree: Vec<Value> = shown.collect();
        Said::ok(json!({ "sha": sha, "url": self.url(asked.path), "tree": tree, "truncated": truncated }))
    }

    fn git_blob(&self, asked: &Asked<'_>, repository: u64) -> Said {
        let sha = asked.parameter("file_sha");
        let object = self.world.repositories[&repository].bare.object(sha);
        let Some((_, bytes)) = object.filter(|(kind, _)| kind == "blob") else { return Said::missing() };
        Said::ok(json!({
            "sha": sha, "node_id": format!("B_{sha}"), "size": bytes.len(), "url": self.url(asked.path),
            "content": STANDARD.encode(&bytes), "encoding": "base64",
        }))
    }
}
