//! What the fake says of what it holds, in GitHub's shapes.

mod checks;
mod pulls;
mod timeline;

use ontology::Timestamp;
use serde_json::{Value, json};

use super::Hub;
use super::bare::{GitCommit, GitFile};
use super::description::description;

/// Microseconds are not GitHub's: whole seconds.
pub(crate) fn time(at: Timestamp) -> Value {
    json!(Timestamp::default().plus_seconds(at.as_micros().div_euclid(1_000_000)).to_string())
}

impl Hub {
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// An account, in the shape `simple-user`.
    pub(crate) fn user(&self, id: u64) -> Value {
        let Some(account) = self.world.accounts.get(&id) else { return Value::Null };
        description().shaped(
            "simple-user",
            json!({
                "id": id, "login": account.login, "type": account.kind, "node_id": format!("U_{id}"),
                "url": self.url(&format!("/users/{}", account.login.replace('[', "%5B").replace(']', "%5D"))),
            }),
        )
    }

    /// An App, in the shape `integration`.
    pub(crate) fn app(&self, id: u64) -> Value {
        let Some(app) = self.world.apps.get(&id) else { return Value::Null };
        description().shaped(
            "integration",
            json!({
                "id": id, "slug": app.slug, "node_id": format!("A_{id}"), "name": app.slug, "owner": self.user(app.bot),
                "permissions": {}, "events": [],
            }),
        )
    }

    /// A repository, in the shape `schema`.
    pub(crate) fn repository(&self, id: u64, schema: &str) -> Value {
        let Some(repository) = self.world.repositories.get(&id) else { return Value::Null };
        let full_name = self.world.full_name(id);
        let mut value = description().shaped(
            schema,
            json!({
                "id": id, "node_id": format!("R_{id}"), "name": repository.name, "full_name": full_name,
                "owner": self.user(repository.owner), "private": repository.private,
                "fork": repository.fork_of.is_some(), "default_branch": repository.default_branch,
                "url": self.url(&format!("/repos/{full_name}")),
            }),
        );
        if schema == "full-repository" {
            for (field, method) in [
                ("allow_squash_merge", "squash"),
                ("allow_rebase_merge", "rebase"),
                ("allow_merge_commit", "merge"),
            ] {
                value[field] = json!(repository.merge_methods.contains(method));
            }
        }
        value
    }

    /// The account of an address: `LOGIN@users.example` is that of LOGIN.
    fn account_of(&self, address: &str) -> Value {
        let login = address.strip_suffix("@users.example");
        login.and_then(|login| self.world.account(login)).map_or(Value::Null, |id| self.user(id))
    }

    /// A commit, in the shape `commit`.
    pub(crate) fn commit(&self, repository: u64, commit: &GitCommit) -> Value {
        let url = self.url(&format!("/repos/{}/commits/{}", self.world.full_name(repository), commit.sha));
        let signatory = |of: &[String; 3]| json!({ "name": of[0], "email": of[1], "date": utc(&of[2]) });
        let parent = |sha: &String| json!({ "sha": sha, "url": url, "html_url": url });
        description().shaped(
            "commit",
            json!({
                "sha": commit.sha, "url": url, "html_url": url, "comments_url": url, "node_id": format!("C_{}", commit.sha),
                "commit": {
                    "url": url, "message": commit.message.trim_end_matches('\n'), "comment_count": 0,
                    "author": signatory(&commit.author), "committer": signatory(&commit.committer),
                    "tree": { "sha": commit.tree, "url": url },
                    "verification": { "verified": false, "reason": "unsigned", "signature": null, "payload": null, "verified_at": null },
                },
                "author": self.account_of(&commit.author[1]), "committer": self.account_of(&commit.committer[1]),
                "parents": commit.parents.iter().map(parent).collect::<Vec<_>>(),
            }),
        )
    }

    /// A changed file, in the shape `diff-entry`.
    pub(crate) fn file(&self, repository: u64, file: &GitFile) -> Value {
        let url = self.url(&format!("/repos/{}/contents/x", self.world.full_name(repository)));
        let status = match file.change {
            'A' => "added",
            'D' => "removed",
            'R' => "renamed",
            'T' => "changed",
            _ => "modified",
        };
        let (additions, deletions) = file.lines;
        let mut value = json!({
            "sha": file.blob, "filename": file.path, "status": status, "additions": additions, "deletions": deletions,
            "changes": additions + deletions, "blob_url": url, "raw_url": url, "contents_url": url,
        });
        if let Some(previous) = &file.previous {
            value["previous_filename"] = json!(previous);
        }
        value
    }
}

/// Git's time with an offset, as GitHub says it.
fn utc(text: &str) -> Value {
    text.parse::<Timestamp>().map_or_else(|_| json!(text), time)
}
