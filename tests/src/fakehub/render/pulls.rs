//! Pull requests and issues.

use serde_json::{Value, json};

use super::super::Hub;
use super::super::description::description;
use super::super::world::{Comment, Issue, Pull, Reaction, Review};
use super::time;

impl Hub {
    fn labels(&self, issue: &Issue) -> Value {
        let label = |name: &String| {
            json!({
                "id": 1, "node_id": "L_1", "url": self.url("/labels"), "name": name, "description": "",
                "color": "ededed", "default": false,
            })
        };
        Value::Array(issue.labels.iter().map(label).collect())
    }

    /// What a pull request is between: `head` or `base`.
    fn end(&self, repository: Option<u64>, branch: &str, sha: &str) -> Value {
        let owner = repository.and_then(|id| self.world.repositories.get(&id)).map(|found| found.owner);
        let login = owner.and_then(|owner| self.world.accounts.get(&owner)).map(|account| &account.login);
        json!({
            "label": login.map(|login| format!("{login}:{branch}")), "ref": branch, "sha": sha,
            "repo": repository.map_or(Value::Null, |id| self.repository(id, "repository")),
            "user": owner.map_or(Value::Null, |owner| self.user(owner)),
        })
    }

    /// A pull request. `single` is the shape `pull-request`, else `pull-request-simple`. Mergeability is what is known
    /// of it now; asking makes it known later.
    pub(crate) fn pull(&self, repository: u64, number: u64, single: bool) -> Value {
        let found = &self.world.repositories[&repository];
        let (pull, issue) = (&found.pulls[&number], &found.issues[&number]);
        let path = format!("/repos/{}/pulls/{number}", self.world.full_name(repository));
        let merged_at = pull.merged.as_ref().map_or(Value::Null, |merged| time(merged.at));
        let link = |suffix: &str| json!({ "href": self.url(&format!("{path}{suffix}")) });
        let mut fields = json!({
            "id": pull.id, "node_id": format!("PR_{}", pull.id), "number": number, "title": issue.title, "body": issue.body,
            "state": if issue.open { "open" } else { "closed" }, "user": self.user(issue.author),
            "labels": self.labels(issue), "draft": pull.draft, "locked": false, "url": self.url(&path),
            "assignees": issue.assignees.iter().map(|id| self.user(*id)).collect::<Vec<_>>(),
            "head": self.end(pull.head_repository, &pull.head_branch, &pull.head),
            "base": self.end(Some(repository), &pull.base_branch, &pull.base),
            "created_at": time(issue.created_at), "updated_at": time(issue.updated_at),
            "closed_at": if issue.open { Value::Null } else { time(issue.updated_at) }, "merged_at": merged_at,
            "merge_commit_sha": pull.merged.as_ref().map(|merged| &merged.sha),
            "author_association": "CONTRIBUTOR", "auto_merge": null,
            "_links": {
                "comments": link("/comments"), "commits": link("/commits"), "statuses": link("/statuses"), "html": link(""),
                "issue": link(""), "review_comments": link("/comments"), "review_comment": link("/comments"), "self": link(""),
            },
        });
        if single {
            let (mergeable, state) = self.mergeability(repository, pull);
            let commits = self.commits_of(repository, pull);
            let files = self.files_of(repository, pull);
            fields["merged"] = json!(pull.merged.is_some());
            fields["mergeable"] = json!(mergeable);
            fields["mergeable_state"] = json!(state);
            fields["merged_by"] = pull.merged.as_ref().map_or(Value::Null, |merged| self.user(merged.by));
            fields["comments"] = json!(issue.comments.len());
            fields["commits"] = json!(commits.len());
            fields["changed_files"] = json!(files.len());
        }
        description().shaped(if single { "pull-request" } else { "pull-request-simple" }, fields)
    }

    /// What is known of whether a pull request merges, and the word that sums it up.
    fn mergeability(&self, repository: u64, pull: &Pull) -> (Option<bool>, &'static str) {
        let found = &self.world.repositories[&repository];
        let base = found.branches.get(&pull.base_branch).map_or(pull.base.as_str(), String::as_str);
        let known = pull.mergeability.as_ref();
        let computed = known
            .is_some_and(|(of_base, of_head, reads)| of_base == base && *of_head == pull.head && *reads == 0);
        if !computed || pull.merged.is_some() {
            return (None, "unknown");
        }
        let (merges, (behind, _)) =
            (found.bare.merged_tree(base, &pull.head).is_some(), found.bare.behind_ahead(base, &pull.head));
        let word = match (merges, pull.draft, self.unmet_checks(repository, pull).is_empty(), behind) {
            (false, ..) => "dirty",
            (true, true, ..) => "draft",
            (true, false, false, _) => "blocked",
            (true, false, true, 0) => "clean",
            (true, false, true, _) => "behind",
        };
        (Some(merges), word)
    }

    /// An issue, in the shape `issue`.
    pub(crate) fn issue(&self, repository: u64, number: u64) -> Value {
        let found = &self.world.repositories[&repository];
        let issue = &found.issues[&number];
        let url = self.url(&format!("/repos/{}/issues/{number}", self.world.full_name(repository)));
        let count =
            |content: &str| issue.reactions.iter().filter(|reaction| reaction.content == content).count();
        let mut reactions = json!({ "url": url, "total_count": issue.reactions.len() });
        for content in ["+1", "-1", "laugh", "confused", "heart", "hooray", "eyes", "rocket"] {
            reactions[content] = json!(count(content));
        }
        let mut fields = json!({
            "id": issue.id, "node_id": format!("I_{}", issue.id), "number": number, "title": issue.title, "body": issue.body,
            "state": if issue.open { "open" } else { "closed" }, "user": self.user(issue.author),
            "labels": self.labels(issue), "comments": issue.comments.len(), "reactions": reactions, "url": url,
            "assignees": issue.assignees.iter().map(|id| self.user(*id)).collect::<Vec<_>>(),
            "created_at": time(issue.created_at), "updated_at": time(issue.updated_at), "locked": false,
            "author_association": "CONTRIBUTOR",
        });
        if found.pulls.contains_key(&number) {
            let pull_url = url.replace("/issues/", "/pulls/");
            fields["pull_request"] = json!({ "url": pull_url, "html_url": pull_url, "diff_url": pull_url, "patch_url": pull_url, "merged_at": null });
        }
        description().shaped("issue", fields)
    }

    /// A comment, in the shape `issue-comment`.
    pub(crate) fn comment(&self, comment: &Comment) -> Value {
        let url = self.url(&format!("/comments/{}", comment.id));
        description().shaped(
            "issue-comment",
            json!({
                "id": comment.id, "node_id": format!("IC_{}", comment.id), "user": self.user(comment.author),
                "body": comment.body, "created_at": time(comment.created_at), "updated_at": time(comment.updated_at),
                "author_association": "MEMBER", "url": url, "html_url": url, "issue_url": url,
                "performed_via_github_app": null,
            }),
        )
    }

    /// A reaction.
    pub(crate) fn reaction(&self, reaction: &Reaction) -> Value {
        json!({
            "id": reaction.id, "node_id": format!("REA_{}", reaction.id), "user": self.user(reaction.author),
            "content": reaction.content, "created_at": time(reaction.at),
        })
    }

    /// A review, in the shape `pull-request-review`.
    pub(crate) fn review(&self, review: &Review) -> Value {
        let link = json!({ "href": self.url("/reviews") });
        description().shaped(
            "pull-request-review",
            json!({
                "id": review.id, "node_id": format!("PRR_{}", review.id), "user": self.user(review.author),
                "state": review.state, "body": review.body, "commit_id": review.commit, "submitted_at": time(review.at),
                "author_association": "MEMBER", "_links": { "html": link, "pull_request": link },
            }),
        )
    }
}
